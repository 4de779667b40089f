"""A turn is one stored message: verbatim, placed in its session and in its memory."""

from __future__ import annotations

from dataclasses import dataclass

from graphmem.domain.moment import Moment
from graphmem.domain.scope import Scope, digest_parts

_ID_BYTES = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One stored message.

    Attributes:
        turn_no: its place in the memory, 0 upwards, in order of arrival.
        turn_id: its public id, stable for ever (see `make_turn_id`).
        session_no: its session's place in the memory, 0 upwards.
        session_id: its session's id as the caller wrote it.
        position: its place in the session, 0 upwards.
        occurred: when it was said, None if undated.
        recorded_us: when it arrived, in microseconds since 1970 UTC.
        version: the version of the memory that first held it.
    """

    turn_no: int
    turn_id: str
    session_no: int
    session_id: str
    position: int
    role: str
    content: str
    speaker: str | None
    listener: str | None
    parts: str | None
    occurred: Moment | None
    recorded_us: int
    version: int


def make_turn_id(scope: Scope, surface: str, request_id: str, position: int) -> str:
    """Name a turn by the request that brought it, so that a replay names the same turns.

    Returns:
        `t_` and 24 hexadecimal digits of a BLAKE2b digest (RFC 7693).
    """
    digest = digest_parts(scope.tenant_id, scope.memory_id, surface, request_id, str(position))
    return "t_" + digest[:_ID_BYTES].hex()
