"""What a memory holds, as frozen values: read from the dictionaries of an answer on demand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeVar

from typing_extensions import override

from graphmem.client.errors import AnswerError

_T = TypeVar("_T")


class Row:
    """One dictionary of an answer, read field by field; an error names the field, not its value."""

    def __init__(self, fields: Mapping[str, object]) -> None:
        self._fields = fields

    def text(self, name: str, default: str | None = None) -> str:
        """A string; the default stands for a missing one."""
        return self._take(name, str, default)

    def number(self, name: str) -> float:
        """A number, whole or not."""
        value = self._fields.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return float(value)
        raise _wrong(name)

    def count(self, name: str) -> int | None:
        """A whole number, if there is one."""
        value = self._fields.get(name)
        if value is None or (isinstance(value, int) and not isinstance(value, bool)):
            return value
        raise _wrong(name)

    def flag(self, name: str) -> bool:
        """Yes or no; no where it is missing."""
        return self._take(name, bool, default=False)

    def time(self, name: str) -> datetime:
        """An aware time."""
        try:
            value = datetime.fromisoformat(self.text(name))
        except ValueError:
            raise _wrong(name) from None
        return value if value.tzinfo else value.replace(tzinfo=UTC)

    def time_or_none(self, name: str) -> datetime | None:
        """An aware time, if there is one."""
        return None if self._fields.get(name) is None else self.time(name)

    def texts(self, name: str) -> tuple[str, ...]:
        """Strings; none where they are missing."""
        values: list[object] = self._take(name, list, [])
        if not all(isinstance(value, str) for value in values):
            raise _wrong(name)
        return tuple(map(str, values))

    def _take(self, name: str, kind: type[_T], default: _T | None) -> _T:
        value = self._fields.get(name)
        value = default if value is None else value
        if isinstance(value, kind):
            return value
        raise _wrong(name)


def _wrong(name: str) -> AnswerError:
    return AnswerError(
        f"{name}: missing, or of another type than the contract says; the dictionaries of the "
        "result hold what the server sent"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Atom:
    """One memory: a fact, a preference, or a standing instruction.

    Attributes:
        id: stays the same through updates.
        type: `episodic` (facts, events), `persona` (preferences, traits) or `instruction`.
        content: what is remembered.
        background: what helps to understand it; may be empty.
        version: counts its changes; pass it as `expected_version`. None if the server keeps none.
        created_at: when it was first said.
        updated_at: when it last changed.
        source_message_ids: the messages that said it.
        superseded: whether a newer value of the same attribute took its place.
        event_time: when what it tells happened, as fine as it was told: a year, month, day or
            minute, or two of them with `..` between; empty where it speaks of no time.
    """

    id: str
    type: str
    content: str
    background: str
    version: int | None
    created_at: datetime
    updated_at: datetime
    source_message_ids: tuple[str, ...]
    superseded: bool = False
    event_time: str = ""

    @classmethod
    def read(cls, row: Row) -> Atom:
        """The value of a dictionary.

        Raises:
            AnswerError: a field is missing or of a wrong type.
        """
        return Atom(
            id=row.text("id"),
            type=row.text("type"),
            content=row.text("content"),
            background=row.text("background", ""),
            version=row.count("version"),
            created_at=row.time("created_at"),
            updated_at=row.time("updated_at"),
            source_message_ids=row.texts("source_message_ids"),
            superseded=row.flag("superseded"),
            event_time=row.text("event_time", ""),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AtomHit(Atom):
    """One memory that a search found.

    Attributes:
        score: 0 to 1, higher is better; not comparable across searches.
    """

    score: float

    @classmethod
    @override
    def read(cls, row: Row) -> AtomHit:
        """The value of a dictionary; see `Atom.read`."""
        atom = Atom.read(row)
        return AtomHit(
            id=atom.id,
            type=atom.type,
            content=atom.content,
            background=atom.background,
            version=atom.version,
            created_at=atom.created_at,
            updated_at=atom.updated_at,
            source_message_ids=atom.source_message_ids,
            superseded=atom.superseded,
            event_time=atom.event_time,
            score=row.number("score"),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AtomVersion:
    """One state of a memory, now or before.

    Attributes:
        version: counts the changes.
        content: what was remembered then.
        background: what helped to understand it; may be empty.
        updated_at: since when.
        reason: why it changed, such as `created` or `updated`; empty if the server does not say.
    """

    version: int | None
    content: str
    background: str
    updated_at: datetime
    reason: str

    @classmethod
    def read(cls, row: Row) -> AtomVersion:
        """The value of a dictionary; see `Atom.read`."""
        return AtomVersion(
            version=row.count("version"),
            content=row.text("content"),
            background=row.text("background", ""),
            updated_at=row.time("updated_at"),
            reason=row.text("reason", ""),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationMessage:
    """One message as it was said.

    Attributes:
        id: names it in `delete_conversation` and as the source of atoms.
        role: `user`, `assistant` or `system`.
        content: its text.
        timestamp: when it was said; None if nobody said when.
        session_id: the conversation it belongs to; empty if the server does not say.
        task_id: the task that the conversation belongs to; empty if the server does not say.
    """

    id: str
    role: str
    content: str
    timestamp: datetime | None
    session_id: str
    task_id: str = ""

    @classmethod
    def read(cls, row: Row) -> ConversationMessage:
        """The value of a dictionary; see `Atom.read`."""
        return ConversationMessage(
            id=row.text("id"),
            role=row.text("role"),
            content=row.text("content"),
            timestamp=row.time_or_none("timestamp"),
            session_id=row.text("session_id", ""),
            task_id=row.text("task_id", ""),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageHit(ConversationMessage):
    """One message that a search found.

    Attributes:
        score: 0 to 1, higher is better; not comparable across searches.
    """

    score: float

    @classmethod
    @override
    def read(cls, row: Row) -> MessageHit:
        """The value of a dictionary; see `Atom.read`."""
        message = ConversationMessage.read(row)
        return MessageHit(
            id=message.id,
            role=message.role,
            content=message.content,
            timestamp=message.timestamp,
            session_id=message.session_id,
            task_id=message.task_id,
            score=row.number("score"),
        )
