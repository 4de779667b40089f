"""Chains as a view keeps them: the values of one attribute of one subject, and which of them holds.

They say what `graphmem.build.graph` derives from all atoms, kept up with each write.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from graphmem.domain.setting import Setting, holding

ChainKey: TypeAlias = tuple[str, str]  # a subject, folded, and an attribute


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Saying:
    """A value of an attribute where it was said; the greatest of a chain is its head.

    Attributes:
        valid_us: from when it is true.
        turn_no: the turn that said it; infinite for an atom made by hand.
        atom_id: the atom.
        said_us: when it was said.
        atom_no: the atom's number.
        setting: the value, or the end of one.
    """

    valid_us: int
    turn_no: float
    atom_id: str
    said_us: int
    atom_no: int
    setting: Setting = field(compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chains:
    """All chains of a memory. Immutable.

    Attributes:
        members: the sayings of each atom of a chain, by its number.
        chain_of: the chain of each atom that is in one.
    """

    members: Mapping[ChainKey, Mapping[int, Sequence[Saying]]]
    chain_of: Mapping[int, ChainKey]

    def updated(
        self, gone: Iterable[int], added: Mapping[int, tuple[ChainKey, Sequence[Saying]]]
    ) -> tuple[Chains, frozenset[ChainKey]]:
        """The chains without some atoms and with others; and those chains that are not the same now."""
        members = dict(self.members)
        chain_of = dict(self.chain_of)
        touched: dict[ChainKey, dict[int, Sequence[Saying]]] = {}

        def of(key: ChainKey) -> dict[int, Sequence[Saying]]:
            return touched.setdefault(key, dict(members.get(key, {})))

        for number in gone:
            key = chain_of.pop(number, None)
            if key is not None:
                del of(key)[number]
        for number, (key, said) in added.items():
            chain_of[number] = key
            of(key)[number] = said
        members |= touched
        return Chains(members=members, chain_of=chain_of), frozenset(touched)

    def superseded(self, key: ChainKey, as_of_us: int | None = None) -> Iterator[tuple[int, bool]]:
        """The numbers of a chain's atoms, each with whether a newer value took its place."""
        sayings = sorted(
            saying
            for said in self.members[key].values()
            for saying in said
            if as_of_us is None or saying.said_us <= as_of_us
        )
        held = holding([(saying.atom_no, saying.setting) for saying in sayings])
        for number in self.members[key]:
            yield number, bool(sayings) and number not in held


NO_CHAINS = Chains(members={}, chain_of={})
