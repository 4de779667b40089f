"""Fields reads one line of an exchange file, strictly: errors name the line and the field."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final, TypeVar

from graphmem.domain.moment import FIRST_US, LAST_US
from graphmem.errors import InvalidInputError, join_names

_MOST: Final = 2**63 - 1  # what stores keep
_KIND: Final = "type"
V = TypeVar("V")


def wrong(number: int, field: str, reason: str) -> InvalidInputError:
    """The error about a line, or about one of its fields."""
    return InvalidInputError(f"line {number}" + (f".{field}" if field else ""), reason)


class Fields:
    """The fields of one line, each taken once; `finish` refuses those that nobody took.

    Attributes:
        number: the line's number, from 1.
        kind: what the line is.
    """

    __slots__ = ("_left", "_values", "kind", "number")

    def __init__(self, number: int, line: bytes) -> None:
        """Read the line.

        Raises:
            InvalidInputError: it is not one JSON object with a `type`.
        """
        self.number = number
        try:
            values = json.loads(line.decode())
        except (ValueError, RecursionError):
            raise wrong(number, "", "is not valid JSON in UTF-8") from None
        if not isinstance(values, dict):
            raise wrong(number, "", "must be a JSON object")
        self._values: Mapping[str, object] = values
        self._left = set(values)
        self.kind = self.text(_KIND)

    def wrong(self, field: str, reason: str) -> InvalidInputError:
        """The error about a field of this line; the value is not in it."""
        return wrong(self.number, field, reason)

    def finish(self) -> None:
        """Make sure that nothing was left unread.

        Raises:
            InvalidInputError: a field is unknown.
        """
        if self._left:
            known = sorted(set(self._values) - self._left - {_KIND})
            raise self.wrong(min(self._left), f"unknown field; known are {join_names(known)}")

    def has(self, name: str) -> bool:
        """Whether the field is there."""
        return name in self._values

    def text(self, name: str) -> str:
        """A string that can be stored."""
        value = self._take(name)
        if not isinstance(value, str):
            raise self.wrong(name, "must be a string")
        try:
            value.encode()
        except UnicodeEncodeError:
            raise self.wrong(name, "must not hold lone surrogates") from None
        return value

    def identifier(self, name: str) -> str:
        """A string that is not blank."""
        value = self.text(name)
        if not value.strip():
            raise self.wrong(name, "must not be blank")
        return value

    def maybe_text(self, name: str) -> str | None:
        """A string, None where the field is absent."""
        return self.text(name) if self.has(name) else None

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of strings."""
        value = self._take(name)
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.wrong(name, "must be a list of strings")
        return tuple(value)

    def wholes(self, name: str) -> tuple[int, ...]:
        """A list of whole numbers, 0 or more."""
        value = self._take(name)
        if not isinstance(value, list) or not all(map(_is_whole, value)):
            raise self.wrong(name, f"must be a list of whole numbers from 0 to {_MOST}")
        return tuple(value)

    def flag(self, name: str) -> bool:
        """True or false."""
        value = self._take(name)
        if not isinstance(value, bool):
            raise self.wrong(name, "must be true or false")
        return value

    def whole(self, name: str, *, least: int = 0, most: int = _MOST) -> int:
        """A whole number within bounds."""
        value = self._take(name)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.wrong(name, "must be a whole number")
        if not least <= value <= most:
            raise self.wrong(name, f"must be from {least} to {most}")
        return value

    def time(self, name: str) -> int:
        """Microseconds since 1970 UTC, as this machine's clock or another's gave them."""
        return self.whole(name, least=-_MOST)

    def moment(self, name: str) -> int:
        """Microseconds since 1970 UTC within the years 1 to 9999."""
        return self.whole(name, least=FIRST_US, most=LAST_US)

    def choice(self, name: str, known: Mapping[str, V]) -> V:
        """What one of the known strings stands for."""
        value = self.text(name)
        if value not in known:
            raise self.wrong(name, f"must be {join_names(list(known))}")
        return known[value]

    def _take(self, name: str) -> object:
        if name not in self._values:
            raise self.wrong(name, "is missing")
        self._left.discard(name)
        return self._values[name]


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST
