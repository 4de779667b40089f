"""A node is a JSON value that knows where it stands, so that an error can name the field."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from graphmem.errors import InvalidInputError


@dataclass(frozen=True, slots=True)
class Node:
    """One JSON value of a file.

    Attributes:
        value: what `json` made of it.
        path: dotted path from the top of the file, empty for the top itself.
        source: the file's name, for the error.
    """

    value: object
    path: str
    source: str

    def fail(self, reason: str) -> InvalidInputError:
        """The error to raise about this value."""
        return InvalidInputError(self.path or "(top level)", f"{reason} (in {self.source})")

    def find(self, name: str) -> Node | None:
        """The field of this object, None when it is absent or null."""
        value = self._object().get(name)
        return None if value is None else self._at(name, value)

    def field(self, name: str) -> Node:
        """The field of this object, which must be there."""
        found = self.find(name)
        if found is None:
            raise self._at(name, None).fail("is missing")
        return found

    def names(self) -> list[str]:
        """The field names of this object."""
        return list(self._object())

    def items(self) -> Iterator[Node]:
        """The elements of this array."""
        if not isinstance(self.value, list):
            raise self.fail("must be an array")
        return (self._at(str(at), value) for at, value in enumerate(self.value))

    def text(self) -> str:
        """This value, which must be a string."""
        if not isinstance(self.value, str):
            raise self.fail("must be a string")
        return self.value

    def name(self) -> str:
        """This value, which must be a string that is not blank."""
        text = self.text()
        if not text.strip():
            raise self.fail("must be a non-blank string")
        return text

    def texts(self) -> tuple[str, ...]:
        """This value, which must be an array of strings."""
        return tuple(item.text() for item in self.items())

    def _at(self, name: str, value: object) -> Node:
        return Node(value, f"{self.path}.{name}" if self.path else name, self.source)

    def _object(self) -> dict[str, object]:
        if not isinstance(self.value, dict):
            raise self.fail("must be an object")
        return self.value


def optional_text(node: Node | None) -> str | None:
    """The string of a field that may be absent."""
    return None if node is None else node.text()


def answer_text(node: Node | None) -> str | None:
    """An answer as text; sets write some of them as numbers or lists."""
    if node is None:
        return None
    return node.value if isinstance(node.value, str) else str(node.value)
