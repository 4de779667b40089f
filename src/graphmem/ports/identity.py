"""The identity port: the only source of ids and secrets that are not derived from content."""

from __future__ import annotations

from typing import Protocol


class IdentitySource(Protocol):
    """Makes request ids for callers who give none, and the bytes of keys."""

    def new_request_id(self) -> str:
        """A string that no other call will ever return."""
        ...

    def random_bytes(self, count: int) -> bytes:
        """Bytes that nobody can guess."""
        ...
