"""What a model was trained to see before a text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Prefixes:
    """Put before every text; E5 models want `query: ` and `passage: `.

    Attributes:
        query: before texts to search with.
        passage: before texts to be found.
    """

    query: str = ""
    passage: str = ""


NO_PREFIXES: Final = Prefixes()
