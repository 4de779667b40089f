"""Evidence in readable blocks: a session of a day under its date, a turn a line."""

from __future__ import annotations

from graphmem.domain.hit import Hit
from graphmem.domain.moment import Moment
from graphmem.readout.frame import framed


def short_id(number: int) -> str:
    """The id by which a turn is cited; its number never changes and is never used again."""
    return f"m{number + 1}"


def header(hit: Hit, session_no: int) -> str:
    """The line above the turns of one session and day."""
    day = hit.occurred.stamp()[:10] if hit.occurred else "undated"
    return f"## {day}, session {session_no + 1}"


def speaker_of(hit: Hit) -> str:
    """Who said it, as it is shown."""
    return framed(hit.speaker or "") or framed(hit.role) or "?"


def line(hit: Hit, number: int, text: str) -> str:
    """One turn: its short id, who said it, what is shown of it."""
    return f"[{short_id(number)}] {speaker_of(hit)}: {text}"


def order_key(hit: Hit, session_no: int, number: int) -> tuple[str, int, int]:
    """Sorts turns by day, session and order; it depends on the turn alone, so prompts share beginnings."""
    moment: Moment = hit.occurred or hit.recorded
    return moment.local().date().isoformat(), session_no, number
