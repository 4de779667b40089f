"""A claim tells other processes that a call of this one is building a memory."""

from __future__ import annotations

from typing import Protocol

from graphmem.domain.scope import Scope


class Claims(Protocol):
    """Claims of a store that several processes share. Thread-safe; none of its calls fails.

    A claim keeps nobody from anything, and ends with its process. While the store does not answer
    nothing is claimed.
    """

    def claim(self, scope: Scope) -> None:
        """Claim a memory; each claim is released once."""
        ...

    def release(self, scope: Scope) -> None:
        """Give a claim back."""
        ...

    def is_claimed(self, scope: Scope) -> bool:
        """Whether another process claims the memory."""
        ...
