"""The embedders that a benchmark may be run with."""

from __future__ import annotations

from typing import Final

from graphmem.errors import InvalidInputError

EMBEDDERS: Final = ("none",)


def check_embedder(name: str) -> str:
    """The name itself.

    Raises:
        InvalidInputError: no embedder has this name; the error lists those that exist.
    """
    if name not in EMBEDDERS:
        raise InvalidInputError("embedder", f"unknown; known are: {', '.join(EMBEDDERS)}")
    return name
