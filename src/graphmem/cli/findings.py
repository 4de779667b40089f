"""A finding is what one check of `graphmem doctor` says: how it stands, and what to do."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal

State = Literal["ok", "warn", "fail"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """The result of one check.

    Attributes:
        check: what was looked at.
        state: `ok`, `warn` (works, but look at it) or `fail`.
        detail: what was found; never a secret.
        remedy: what to do about it, empty when there is nothing to do.
    """

    check: str
    state: State
    detail: str
    remedy: str = ""

    def to_dict(self) -> dict[str, str]:
        """The finding as JSON-ready values."""
        return asdict(self)
