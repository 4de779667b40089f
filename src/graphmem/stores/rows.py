"""Rows become the domain's and the port's values here, and the other way round.

Callers' ids are kept as their UTF-8, which every database orders and compares byte for byte.
"""

from __future__ import annotations

import json
from typing import Any, Final, TypeVar

from graphmem.domain.atom import KNOWN_ORIGINS
from graphmem.domain.atom_query import EditReason
from graphmem.domain.erasure import KINDS, Tombstone
from graphmem.domain.moment import Moment
from graphmem.domain.scope import Scope, digest_parts
from graphmem.domain.turn import Turn
from graphmem.ports.atoms import EDIT_REASONS, AtomEditRow, AtomRow, AtomSourceRow
from graphmem.ports.embedder import EmbeddingModel
from graphmem.ports.scenes import AnswerRow, SceneRow
from graphmem.ports.store import (
    Head,
    MemoryRow,
    RequestRow,
    SegmentRow,
    SessionRow,
    Span,
    VectorRow,
)

Value = str | bytes | int | None
Row = tuple[Any, ...]
# The number of a memory in all keys, of whatever kind.
Ns = TypeVar("Ns")
_REASONS: Final[dict[str, EditReason]] = {reason: reason for reason in EDIT_REASONS}


def head_values(head: Head) -> tuple[int | bytes, ...]:
    """A head's columns, in the order of all statements."""
    return (
        head.version,
        head.ready_version,
        head.turns,
        head.sessions,
        head.content_bytes,
        head.created_us,
        head.updated_us,
        head.ready_turns,
        head.build.encode(),
        head.generation,
        head.erased_turns,
        head.erased_sessions,
    )


def to_head(row: Row) -> Head:
    """Read a head."""
    version, ready_version, turns, sessions, content_bytes, created_us, updated_us = row[:7]
    ready_turns, build, generation, erased_turns, erased_sessions = row[7:]
    return Head(
        version=version,
        ready_version=ready_version,
        turns=turns,
        sessions=sessions,
        content_bytes=content_bytes,
        created_us=created_us,
        updated_us=updated_us,
        ready_turns=ready_turns,
        build=build.decode(),
        erased_turns=erased_turns,
        erased_sessions=erased_sessions,
        generation=generation,
    )


def to_memory(tenant_id: str, row: Row) -> MemoryRow:
    """Read a memory in the listing of its tenant."""
    scope = Scope(tenant_id=tenant_id, memory_id=row[0].decode())
    return MemoryRow(scope=scope, head=to_head(row[1:]))


def session_values(ns: Ns, session: SessionRow) -> tuple[Ns | Value, ...]:
    """A session's columns."""
    digest, session_id = digest_parts(session.session_id), session.session_id.encode()
    return (ns, session.session_no, digest, session_id, session.turns)


def to_session(row: Row) -> SessionRow:
    """Read a session."""
    session_no, session_id, turns = row
    return SessionRow(session_no=session_no, session_id=session_id.decode(), turns=turns)


def request_values(ns: Ns, request: RequestRow) -> tuple[Ns | Value, ...]:
    """A request's columns."""
    return (
        ns,
        request.surface,
        digest_parts(request.request_id),
        request.request_id.encode(),
        request.payload_digest,
        request.version,
        request.turns,
    )


def to_request(surface: str, row: Row) -> RequestRow:
    """Read a request."""
    request_id, payload_digest, version, turns = row
    return RequestRow(
        surface=surface,
        request_id=request_id.decode(),
        payload_digest=payload_digest,
        version=version,
        turns=turns,
    )


def segment_values(ns: Ns, segment: SegmentRow) -> tuple[Ns | Value, ...]:
    """A segment's columns."""
    return (ns, segment.first_turn, segment.turns, segment.version, segment.data)


def to_segment(row: Row) -> SegmentRow:
    """Read a segment."""
    first_turn, turns, version, data = row
    return SegmentRow(first_turn=first_turn, turns=turns, version=version, data=data)


def to_span(row: Row) -> Span:
    """Read a place of a segment, of vectors or of work."""
    first_turn, turns = row
    return Span(first_turn=first_turn, turns=turns)


def vector_values(ns: Ns, vectors: VectorRow) -> tuple[Ns | Value, ...]:
    """The columns of the vectors of one run of turns."""
    return (
        ns,
        vectors.model,
        vectors.first_turn,
        vectors.turns,
        vectors.version,
        vectors.data,
    )


def to_vectors(model: str, row: Row) -> VectorRow:
    """Read the vectors of one run of turns."""
    first_turn, turns, version, data = row
    return VectorRow(model=model, first_turn=first_turn, turns=turns, version=version, data=data)


def model_values(model: EmbeddingModel) -> tuple[Value, ...]:
    """A model's columns."""
    return (model.fingerprint, model.name, model.dimension)


def to_text(value: str | bytes) -> str:
    """Read a text that a database may keep as bytes."""
    return value if isinstance(value, str) else value.decode()


def tombstone_values(ns: Ns, tombstone: Tombstone) -> tuple[Ns | Value, ...]:
    """A tombstone's columns."""
    session_id, turn_ids = tombstone.session_id, tombstone.turn_ids
    return (
        ns,
        tombstone.version,
        tombstone.kind,
        None if session_id is None else session_id.encode(),
        None if turn_ids is None else json.dumps(turn_ids).encode(),
        tombstone.turns,
        tombstone.sessions,
        tombstone.deleted_us,
        tombstone.erased_us,
    )


def to_tombstone(row: Row) -> Tombstone:
    """Read a tombstone."""
    version, kind, session_id, turn_ids, turns, sessions, deleted_us, erased_us = row
    return Tombstone(
        version=version,
        kind=KINDS[to_text(kind)],
        session_id=None if session_id is None else session_id.decode(),
        turn_ids=None if turn_ids is None else tuple(json.loads(turn_ids)),
        turns=turns,
        sessions=sessions,
        deleted_us=deleted_us,
        erased_us=erased_us,
    )


def to_model(row: Row) -> EmbeddingModel:
    """Read a model."""
    fingerprint, name, dimension = row
    return EmbeddingModel(fingerprint=fingerprint, name=name, dimension=dimension)


def to_scope(row: Row) -> Scope:
    """Read the ids of one memory."""
    tenant_id, memory_id = row
    return Scope(tenant_id=tenant_id.decode(), memory_id=memory_id.decode())


def turn_values(ns: Ns, turn: Turn) -> tuple[Ns | Value, ...]:
    """A turn's columns; its session's id stands in the session's row."""
    at = turn.occurred
    return (
        ns,
        turn.turn_no,
        turn.turn_id,
        turn.session_no,
        turn.position,
        turn.version,
        turn.recorded_us,
        at.us if at else None,
        at.offset_minutes if at else None,
        at.precision if at else None,
        turn.role,
        turn.speaker,
        turn.listener,
        turn.content,
        turn.parts,
    )


def to_turn(row: Row) -> Turn:
    """Read a turn with its session's id."""
    turn_no, turn_id, session_no, session_id, position, version, recorded_us = row[:7]
    occurred_us, offset_minutes, precision, role, speaker, listener, content, parts = row[7:]
    occurred = (
        None
        if occurred_us is None
        else Moment(us=occurred_us, offset_minutes=offset_minutes, precision=precision)
    )
    return Turn(
        turn_no=turn_no,
        turn_id=turn_id,
        session_no=session_no,
        session_id=session_id.decode(),
        position=position,
        role=role,
        content=content,
        speaker=speaker,
        listener=listener,
        parts=parts,
        occurred=occurred,
        recorded_us=recorded_us,
        version=version,
    )


def scene_values(ns: Ns, scene: SceneRow) -> tuple[Ns | Value, ...]:
    """A scene's columns."""
    return (
        ns,
        scene.session_no,
        scene.scene_no,
        json.dumps(scene.turn_nos, separators=(",", ":")).encode(),
        scene.told,
        scene.key.encode(),
        scene.attempts,
        scene.waits,
    )


def to_scene(row: Row) -> SceneRow:
    """Read a scene."""
    session_no, scene_no, turn_nos, told, key, attempts = row
    return SceneRow(
        session_no=session_no,
        scene_no=scene_no,
        turn_nos=tuple(json.loads(turn_nos)),
        told=told,
        key=key.decode(),
        attempts=attempts,
    )


def answer_values(ns: Ns, answer: AnswerRow) -> tuple[Ns | Value, ...]:
    """An answer's columns."""
    return (ns, answer.key.encode(), answer.session_no, answer.scene_no, answer.data)


def to_answer(key: str, row: Row) -> AnswerRow:
    """Read an answer."""
    session_no, scene_no, data = row
    return AnswerRow(key=key, session_no=session_no, scene_no=scene_no, data=data)


def atom_values(ns: Ns, atom: AtomRow) -> tuple[Ns | Value, ...]:
    """An atom's columns."""
    return (ns, atom.atom_no, atom.atom_id, atom.version, atom.is_live, atom.data)


def to_atom(row: Row) -> AtomRow:
    """Read an atom."""
    atom_no, atom_id, version, is_live, data = row
    return AtomRow(
        atom_no=atom_no,
        atom_id=to_text(atom_id),
        version=version,
        is_live=bool(is_live),
        data=data,
    )


def atom_source_values(ns: Ns, source: AtomSourceRow) -> tuple[Ns | Value, ...]:
    """The columns of an atom's source."""
    return (ns, source.atom_no, source.turn_no, source.start, source.end, source.origin)


def to_atom_source(row: Row) -> AtomSourceRow:
    """Read an atom's source."""
    atom_no, turn_no, start, end, origin = row
    return AtomSourceRow(
        atom_no=atom_no,
        turn_no=turn_no,
        start=start,
        end=end,
        origin=KNOWN_ORIGINS[to_text(origin)],
    )


def atom_edit_values(ns: Ns, edit: AtomEditRow) -> tuple[Ns | Value, ...]:
    """The columns of an atom's state."""
    return (ns, edit.atom_id, edit.revision, edit.changed_us, edit.reason, edit.data)


def to_atom_edit(row: Row) -> AtomEditRow:
    """Read an atom's state."""
    atom_id, revision, changed_us, reason, data = row
    return AtomEditRow(
        atom_id=to_text(atom_id),
        revision=revision,
        changed_us=changed_us,
        reason=_REASONS[to_text(reason)],
        data=data,
    )
