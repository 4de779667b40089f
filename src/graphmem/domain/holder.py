"""The holder of a data directory is the process that writes there, as far as others know it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    """Who holds a directory.

    Attributes:
        pid: the process's id, None if its note can't be read.
        address: the URL at which it serves, None if it does not, or its note can't be read.
    """

    pid: int | None = None
    address: str | None = None
