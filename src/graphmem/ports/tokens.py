"""A token counter says how much of a model's window a text takes."""

from __future__ import annotations

from typing import Protocol


class TokenCounter(Protocol):
    """Counts tokens. Deterministic, safe to use from any number of threads, no I/O in `count`.

    The parts of a text may count to more or to less than the whole: tokens cross seams. So a limit
    is only kept if the whole is counted.
    """

    @property
    def name(self) -> str:
        """What it counts with, for the trace."""
        ...

    @property
    def is_approximate(self) -> bool:
        """Whether it stands in for a tokenizer that was asked for and is not there."""
        ...

    def count(self, text: str) -> int:
        """How many tokens a text has; 0 for an empty one."""
        ...
