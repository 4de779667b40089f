"""What the graph of a memory knows about the turns that may be shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from graphmem.build.graph import Chain, Collection
from graphmem.domain.atom import Atom


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Atoms and what follows from them; all of it whole, also where only a part of it can be shown.

    Attributes:
        atoms: by turn, the atoms that stand on it, each with all its sources; none where the question
            has no use for them.
        chains: every chain that one of these atoms is in, with all its states.
        collections: of whom the question names, where the question counts.
    """

    atoms: Mapping[int, Sequence[Atom]] = field(default_factory=dict)
    chains: Sequence[Chain] = ()
    collections: Sequence[Collection] = ()


NO_FACTS: Final = Facts()
