"""The identity port: the only source of ids that are not derived from content."""

from __future__ import annotations

from typing import Protocol


class IdentitySource(Protocol):
    """Makes request ids for callers who give none."""

    def new_request_id(self) -> str:
        """A string that no other call will ever return."""
        ...
