"""The exchange format: memories as JSON Lines, lossless and versioned (docs/export-format.md).

A header; for each memory a line `memory`, then its sessions, the atoms that hands had to do with, its
turns, scenes, requests, tombstones and vectors, each kind in its order, and a line `end` with counts and a
digest; at last a footer.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

from graphmem.domain.erasure import KINDS, Tombstone
from graphmem.domain.moment import Moment, Precision
from graphmem.domain.scope import Scope
from graphmem.domain.turn import Turn
from graphmem.ports.embedder import EmbeddingModel
from graphmem.ports.store import Head, RequestRow, SessionRow, VectorRow
from graphmem.service.build import Build
from graphmem.service.fields import Fields, wrong

FORMAT: Final = "graphmem-export"
VERSION: Final = 1

LineKind = Literal[
    "header",
    "memory",
    "session",
    "atom",
    "atom_source",
    "atom_state",
    "turn",
    "scene",
    "request",
    "tombstone",
    "vectors",
    "end",
    "footer",
]
Values = dict[str, object]
_MOST_SCENE_TURNS: Final = 2**31 - 1
_MOST_TOKENS: Final = 10**15  # what a memory may have taken, so that more can be added in any store
_PRECISIONS: Final[Mapping[str, Precision]] = {"instant": "instant", "day": "day"}


class Digest:
    """BLAKE2b (RFC 7693) over lines with their line ends."""

    def __init__(self) -> None:
        self._state = hashlib.blake2b(digest_size=32)

    def update(self, line: bytes) -> None:
        """Take in one more line."""
        self._state.update(line)

    def text(self) -> str:
        """What was taken in so far, hexadecimal."""
        return self._state.hexdigest()


def to_line(kind: LineKind, values: Mapping[str, object]) -> bytes:
    """One line: compact JSON in UTF-8, without the fields that are null."""
    shown = {name: value for name, value in values.items() if value is not None}
    text = json.dumps({"type": kind, **shown}, ensure_ascii=False, separators=(",", ":"))
    return text.encode() + b"\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """What the line `memory` says.

    Attributes:
        head: the memory's state in the end.
        is_deleted: only its ledger and its tombstones are left.
        chat_tokens: what chat models took for it.
    """

    scope: Scope
    head: Head
    is_deleted: bool
    chat_tokens: int = 0

    @property
    def scene_turns(self) -> int:
        """How many turns its scenes have; 0 when no chat model has to do with it."""
        return Build.from_text(self.head.build).scene_turns


def memory_values(opening: Opening) -> Values:
    """What the line `memory` says."""
    head, scope = opening.head, opening.scope
    values: Values = {
        "tenant_id": scope.tenant_id,
        "memory_id": scope.memory_id,
        "deleted": opening.is_deleted,
        "version": head.version,
        "turns": head.turns,
        "sessions": head.sessions,
        "content_bytes": head.content_bytes,
        "erased_turns": head.erased_turns,
        "erased_sessions": head.erased_sessions,
        "created_us": head.created_us,
        "updated_us": head.updated_us,
    }
    if opening.is_deleted:
        return values
    chat, scene_turns = Build.from_text(head.build).telling
    values |= {"chat": chat or None, "scene_turns": scene_turns or None}
    return values | {"chat_tokens": opening.chat_tokens or None}


def read_memory(line: Fields, build: Build) -> Opening:
    """The memory that a line opens, as it shall be when it is published under a build."""
    scope = Scope(tenant_id=line.identifier("tenant_id"), memory_id=line.identifier("memory_id"))
    is_deleted = line.flag("deleted")
    version = line.whole("version", least=1)
    turns, erased = line.whole("turns"), line.whole("erased_turns")
    chat_tokens = 0
    if not is_deleted:
        build = _read_telling(line, build)
        if line.has("chat_tokens"):
            chat_tokens = line.whole("chat_tokens", most=_MOST_TOKENS)
    head = Head(
        version=version,
        ready_version=version,
        turns=turns,
        sessions=line.whole("sessions"),
        content_bytes=line.whole("content_bytes"),
        created_us=line.time("created_us"),
        updated_us=line.time("updated_us"),
        ready_turns=turns + erased,
        build=build.to_text(),
        erased_turns=erased,
        erased_sessions=line.whole("erased_sessions"),
    )
    return Opening(scope=scope, head=head, is_deleted=is_deleted, chat_tokens=chat_tokens)


def _read_telling(line: Fields, build: Build) -> Build:
    """The build with the chat model that told the memory's scenes, if one did."""
    if not line.has("chat") and not line.has("scene_turns"):
        return build
    return replace(
        build,
        chat=line.identifier("chat"),
        scene_turns=line.whole("scene_turns", least=1, most=_MOST_SCENE_TURNS),
    )


def session_values(session: SessionRow) -> Values:
    """What a line `session` says."""
    return {
        "session_no": session.session_no,
        "session_id": session.session_id,
        "turns": session.turns,
    }


def read_session(line: Fields) -> SessionRow:
    """A session."""
    return SessionRow(
        session_no=line.whole("session_no"),
        session_id=line.identifier("session_id"),
        turns=line.whole("turns"),
    )


def turn_values(turn: Turn) -> Values:
    """What a line `turn` says."""
    at = turn.occurred
    return {
        "turn_no": turn.turn_no,
        "turn_id": turn.turn_id,
        "session_no": turn.session_no,
        "position": turn.position,
        "version": turn.version,
        "recorded_us": turn.recorded_us,
        "occurred_us": at and at.us,
        "occurred_offset_minutes": at and at.offset_minutes,
        "occurred_precision": at and at.precision,
        "role": turn.role,
        "speaker": turn.speaker,
        "listener": turn.listener,
        "content": turn.content,
        "parts": turn.parts,
    }


def read_turn(line: Fields, sessions: Mapping[int, str]) -> Turn:
    """A turn of one of these sessions."""
    session_no = line.whole("session_no")
    if session_no not in sessions:
        raise line.wrong("session_no", "is no session of this memory")
    return Turn(
        turn_no=line.whole("turn_no"),
        turn_id=line.identifier("turn_id"),
        session_no=session_no,
        session_id=sessions[session_no],
        position=line.whole("position"),
        version=line.whole("version", least=1),
        recorded_us=line.time("recorded_us"),
        occurred=_read_occurred(line),
        role=line.text("role"),
        speaker=line.maybe_text("speaker"),
        listener=line.maybe_text("listener"),
        content=line.text("content"),
        parts=line.maybe_text("parts"),
    )


def _read_occurred(line: Fields) -> Moment | None:
    if not line.has("occurred_us"):
        return None
    return Moment(
        us=line.moment("occurred_us"),
        offset_minutes=line.whole("occurred_offset_minutes", least=-1440, most=1440),
        precision=line.choice("occurred_precision", _PRECISIONS),
    )


def request_values(request: RequestRow) -> Values:
    """What a line `request` says."""
    return {
        "surface": request.surface,
        "request_id": request.request_id,
        "payload_digest": request.payload_digest.hex(),
        "version": request.version,
        "turns": request.turns,
    }


def read_request(line: Fields) -> RequestRow:
    """A line of the ledger."""
    digest = line.text("payload_digest")
    try:
        payload_digest = bytes.fromhex(digest)
    except ValueError:
        payload_digest = b""
    if len(payload_digest) != 32:
        raise line.wrong("payload_digest", "must be 64 hexadecimal digits")
    return RequestRow(
        surface=line.identifier("surface"),
        request_id=line.identifier("request_id"),
        payload_digest=payload_digest,
        version=line.whole("version", least=1),
        turns=line.whole("turns"),
    )


def tombstone_values(tombstone: Tombstone) -> Values:
    """What a line `tombstone` says."""
    ids = tombstone.turn_ids
    return {
        "version": tombstone.version,
        "kind": tombstone.kind,
        "session_id": tombstone.session_id,
        "turn_ids": None if ids is None else list(ids),
        "turns": tombstone.turns,
        "sessions": tombstone.sessions,
        "deleted_us": tombstone.deleted_us,
        "erased_us": tombstone.erased_us,
    }


def read_tombstone(line: Fields) -> Tombstone:
    """A deletion."""
    return Tombstone(
        version=line.whole("version", least=1),
        kind=line.choice("kind", KINDS),
        session_id=line.maybe_text("session_id"),
        turn_ids=line.texts("turn_ids") if line.has("turn_ids") else None,
        turns=line.whole("turns"),
        sessions=line.whole("sessions"),
        deleted_us=line.time("deleted_us"),
        erased_us=line.time("erased_us") if line.has("erased_us") else None,
    )


def vector_values(row: VectorRow, model: EmbeddingModel) -> Values:
    """What a line `vectors` says."""
    return {
        "model": model.fingerprint,
        "name": model.name,
        "dimension": model.dimension,
        "first_turn": row.first_turn,
        "turns": row.turns,
        "version": row.version,
        "data": base64.b64encode(row.data).decode(),
    }


def read_vectors(line: Fields) -> tuple[VectorRow, EmbeddingModel]:
    """The vectors of a run of turns, and their model."""
    model = EmbeddingModel(
        fingerprint=line.text("model"),
        name=line.text("name"),
        dimension=line.whole("dimension", least=1),
    )
    text = line.text("data")
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        raise line.wrong("data", "must be Base64") from None
    row = VectorRow(
        model=model.fingerprint,
        first_turn=line.whole("first_turn"),
        turns=line.whole("turns", least=1),
        version=line.whole("version", least=1),
        data=data,
    )
    return row, model


def check_header(line: Fields) -> str:
    """The index version of the release that wrote the file.

    Raises:
        InvalidInputError: it is no export, or one that this release can't read.
    """
    if line.kind != "header" or line.maybe_text("format") != FORMAT:
        raise wrong(line.number, "", f"is no header of a {FORMAT}; is this file an export?")
    version = line.whole("version")
    if version > VERSION:
        raise line.wrong(
            "version", f"is {version}, and this release reads up to {VERSION}; upgrade graphmem"
        )
    return line.text("index")
