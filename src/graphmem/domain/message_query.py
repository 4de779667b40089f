"""What is asked of a memory's messages as messages, and what is answered."""

from __future__ import annotations

from dataclasses import dataclass

from graphmem.domain.address import names_of_session
from graphmem.domain.moment import Moment


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundMessage:
    """A message as callers see it.

    Attributes:
        id: the turn's id.
        role: who spoke.
        content: the text, verbatim.
        moment: when it was said, else when it arrived.
        kept_session: the id under which its session is kept.
        score: how well it answers, 0 to 1; None where nothing was asked.
    """

    id: str
    role: str
    content: str
    moment: Moment
    kept_session: str
    score: float | None = None

    def to_dict(self) -> dict[str, object]:
        """The message as JSON-ready values; `score` only in an answer to a search."""
        session, task = names_of_session(self.kept_session)
        is_day = self.moment.precision == "day"
        values: dict[str, object] = {
            "id": self.id,
            "role": self.role,
            "content": self.content,
            "timestamp": self.moment.iso_utc() if is_day else self.moment.iso(),
            "session_id": session,
            "task_id": task,
        }
        return values if self.score is None else values | {"score": self.score}


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageSearch:
    """The answer to a search: messages in final order.

    Attributes:
        messages: best first.
    """

    messages: tuple[FoundMessage, ...]

    def to_dict(self) -> dict[str, object]:
        """The answer as JSON-ready values."""
        return {"messages": [message.to_dict() for message in self.messages]}


@dataclass(frozen=True, slots=True, kw_only=True)
class MessagePage:
    """Some of a memory's messages, the newest first.

    Attributes:
        messages: at most as many as were asked for.
        total: how many there are in all.
    """

    messages: tuple[FoundMessage, ...]
    total: int

    def to_dict(self) -> dict[str, object]:
        """The page as JSON-ready values."""
        return {"messages": [m.to_dict() for m in self.messages], "total": self.total}
