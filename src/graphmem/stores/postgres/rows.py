"""Rows become the domain's and the port's values here, and the other way round."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from graphmem.domain.moment import Moment
from graphmem.domain.scope import Scope, digest_parts
from graphmem.domain.turn import Turn
from graphmem.ports.embedder import EmbeddingModel
from graphmem.ports.store import Head, RequestRow, SegmentRow, SessionRow, Span, VectorRow

if TYPE_CHECKING:
    from graphmem.stores.postgres.connection import Row, Value


def ns_of(scope: Scope) -> UUID:
    """The memory's number in all keys: half of the digest, which is enough to be unique."""
    return UUID(bytes=scope.digest[:16])


def lock_number(scope: Scope) -> int:
    """The number of the memory's lock; two memories that share one only wait for each other."""
    return int.from_bytes(scope.digest[:8], "big", signed=True)


def scope_values(scope: Scope) -> tuple[Value, ...]:
    """A memory's number and its ids."""
    return (ns_of(scope), scope.tenant_id.encode(), scope.memory_id.encode())


def head_values(head: Head) -> tuple[int, ...]:
    """A head's columns, in the order of all statements."""
    return (
        head.version,
        head.ready_version,
        head.turns,
        head.sessions,
        head.content_bytes,
        head.created_us,
        head.updated_us,
    )


def to_head(row: Row) -> Head:
    """Read a head."""
    version, ready_version, turns, sessions, content_bytes, created_us, updated_us = row
    return Head(
        version=version,
        ready_version=ready_version,
        turns=turns,
        sessions=sessions,
        content_bytes=content_bytes,
        created_us=created_us,
        updated_us=updated_us,
    )


def session_values(ns: UUID, session: SessionRow) -> tuple[Value, ...]:
    """A session's columns."""
    digest, session_id = digest_parts(session.session_id), session.session_id.encode()
    return (ns, session.session_no, digest, session_id, session.turns)


def to_session(row: Row) -> SessionRow:
    """Read a session."""
    session_no, session_id, turns = row
    return SessionRow(session_no=session_no, session_id=session_id.decode(), turns=turns)


def request_values(ns: UUID, request: RequestRow) -> tuple[Value, ...]:
    """A request's columns."""
    return (
        ns,
        request.surface.encode(),
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


def to_segment(row: Row) -> SegmentRow:
    """Read a segment."""
    first_turn, turns, version, data = row
    return SegmentRow(first_turn=first_turn, turns=turns, version=version, data=data)


def to_span(row: Row) -> Span:
    """Read a place of a segment, of vectors or of work."""
    first_turn, turns = row
    return Span(first_turn=first_turn, turns=turns)


def vector_values(ns: UUID, vectors: VectorRow) -> tuple[Value, ...]:
    """The columns of the vectors of one run of turns."""
    return (
        ns,
        vectors.model.encode(),
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
    return (model.fingerprint.encode(), model.name.encode(), model.dimension)


def to_model(row: Row) -> EmbeddingModel:
    """Read a model."""
    fingerprint, name, dimension = row
    return EmbeddingModel(fingerprint=fingerprint.decode(), name=name.decode(), dimension=dimension)


def to_scope(row: Row) -> Scope:
    """Read the ids of one memory."""
    tenant_id, memory_id = row
    return Scope(tenant_id=tenant_id.decode(), memory_id=memory_id.decode())


def turn_values(ns: UUID, turn: Turn) -> tuple[Value, ...]:
    """A turn's columns; its session's id stands in the session's row."""
    at = turn.occurred
    return (
        ns,
        turn.turn_no,
        turn.turn_id.encode(),
        turn.session_no,
        turn.position,
        turn.version,
        turn.recorded_us,
        at.us if at else None,
        at.offset_minutes if at else None,
        at.precision.encode() if at else None,
        turn.role.encode(),
        _encoded(turn.speaker),
        _encoded(turn.listener),
        turn.content.encode(),
        _encoded(turn.parts),
    )


def to_turn(row: Row) -> Turn:
    """Read a turn with its session's id."""
    turn_no, turn_id, session_no, session_id, position, version, recorded_us = row[:7]
    occurred_us, offset_minutes, precision, role, speaker, listener, content, parts = row[7:]
    occurred = (
        None
        if occurred_us is None
        else Moment(us=occurred_us, offset_minutes=offset_minutes, precision=precision.decode())
    )
    return Turn(
        turn_no=turn_no,
        turn_id=turn_id.decode(),
        session_no=session_no,
        session_id=session_id.decode(),
        position=position,
        role=role.decode(),
        content=content.decode(),
        speaker=_decoded(speaker),
        listener=_decoded(listener),
        parts=_decoded(parts),
        occurred=occurred,
        recorded_us=recorded_us,
        version=version,
    )


def _encoded(text: str | None) -> bytes | None:
    return None if text is None else text.encode()


def _decoded(data: bytes | None) -> str | None:
    return None if data is None else data.decode()
