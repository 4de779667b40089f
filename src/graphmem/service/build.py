"""A build is the fingerprint of what a memory was built with; another one asks for a rebuild."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Final

from graphmem.build.version import BUILD_VERSION
from graphmem.index.version import INDEX_VERSION

# Atoms keep their terms, so that another index asks for other rows.
ATOMS_VERSION: Final = f"rules-{BUILD_VERSION}/{INDEX_VERSION}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """What shapes everything that is derived from the turns. Query settings have no part in it.

    Attributes:
        index: the version of the index.
        vectors: the fingerprint of the embedding model, empty without one.
        atoms: what finds the atoms, empty where none are wanted.
        chat: the fingerprint of the chat model and of what it is asked, empty without one.
        scene_turns: how many turns it is asked about at once; 0 without one.
    """

    index: str = INDEX_VERSION
    vectors: str = ""
    atoms: str = ""
    chat: str = ""
    scene_turns: int = 0

    @property
    def telling(self) -> tuple[str, int]:
        """By which model, and in which scenes, turns are told."""
        return self.chat, self.scene_turns

    def to_text(self) -> str:
        """The form that stores keep; equal builds give equal texts."""
        return json.dumps(asdict(self), sort_keys=True, separators=(",", ":"))

    @classmethod
    def from_text(cls, text: str) -> Build:
        """Read what a store kept, whichever release wrote it."""
        parts = json.loads(text) if text else {}
        return cls(
            index=parts.get("index", ""),
            vectors=parts.get("vectors", ""),
            atoms=parts.get("atoms", ""),
            chat=parts.get("chat", ""),
            scene_turns=parts.get("scene_turns", 0),
        )
