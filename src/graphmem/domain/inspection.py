"""What an inspection shows of a memory, and what an atom stands on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass

from graphmem.domain.atom_query import AtomState, FoundAtom
from graphmem.domain.moment import Moment

_DIGITS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """Somebody or something that a memory speaks of.

    Attributes:
        name: as it was first written.
        atoms: how many atoms speak of it.
    """

    name: str
    atoms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainState:
    """A value of an attribute, from one time on."""

    atom_id: str
    content: str
    valid_us: int

    def to_dict(self) -> dict[str, object]:
        """The state as JSON-ready values."""
        since = Moment(us=self.valid_us).iso_utc()
        return {"atom_id": self.atom_id, "content": self.content, "valid_from": since}


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainShown:
    """The values of one attribute of one subject, oldest first; the last one holds."""

    subject: str
    attribute: str
    states: tuple[ChainState, ...]

    def to_dict(self) -> dict[str, object]:
        """The chain as JSON-ready values."""
        states = [state.to_dict() for state in self.states]
        return {"subject": self.subject, "attribute": self.attribute, "states": states}


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionShown:
    """What one subject has several of.

    Attributes:
        is_closed: whether counting the members counts all there is.
    """

    subject: str
    predicate: str
    values: tuple[str, ...]
    atom_ids: tuple[str, ...]
    is_closed: bool

    def to_dict(self) -> dict[str, object]:
        """The collection as JSON-ready values."""
        values = asdict(self)
        closed = values.pop("is_closed")
        return values | {
            "values": list(self.values),
            "atom_ids": list(self.atom_ids),
            "closed": closed,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageShown:
    """How a memory's fragile facts are kept, by a scan of all its turns.

    Attributes:
        facts: how many there are.
        in_claims: how many stand in words that a typed atom stands on.
        verbatim: how many others stand in words that are kept as they are.
        turns: how many turns there are.
        verbatim_turns: how many of them have words that are kept only as they are.
    """

    facts: int
    in_claims: int
    verbatim: int
    turns: int
    verbatim_turns: int

    @property
    def share(self) -> float:
        """The share of the facts that some atom holds; 1.0 of none."""
        return (self.in_claims + self.verbatim) / self.facts if self.facts else 1.0

    def to_dict(self) -> dict[str, object]:
        """The coverage as JSON-ready values."""
        return asdict(self) | {"share": round(self.share, _DIGITS)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Inspection:
    """A memory's atoms and what follows from them.

    Attributes:
        atoms: in the order in which they were first said; those made by hand come last.
        entities: those of whom most is said come first.
        chains: every attribute that was ever set.
        collections: what subjects have several of.
        coverage: how fragile facts are kept.
    """

    atoms: tuple[FoundAtom, ...]
    entities: tuple[Entity, ...]
    chains: tuple[ChainShown, ...]
    collections: tuple[CollectionShown, ...]
    coverage: CoverageShown

    @property
    def types(self) -> Mapping[str, int]:
        """How many atoms there are of each type."""
        return _counts(found.atom.type for found in self.atoms)

    @property
    def origins(self) -> Mapping[str, int]:
        """How many atoms were found in each way."""
        return _counts(found.atom.origin for found in self.atoms)

    @property
    def superseded(self) -> int:
        """Of how many atoms a newer value took the place."""
        return sum(found.is_superseded for found in self.atoms)

    def to_dict(self) -> dict[str, object]:
        """The inspection as JSON-ready values."""
        return {
            "types": dict(self.types),
            "origins": dict(self.origins),
            "superseded": self.superseded,
            "coverage": self.coverage.to_dict(),
            "atoms": [found.to_dict() for found in self.atoms],
            "entities": [asdict(entity) for entity in self.entities],
            "chains": [chain.to_dict() for chain in self.chains],
            "collections": [collection.to_dict() for collection in self.collections],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceShown:
    """Words that an atom stands on, within what was said.

    Attributes:
        content: the whole turn.
        start: offset of the words in it.
        end: offset behind them.
        said_at: when it was said, ISO 8601; None if undated.
    """

    turn_id: str
    session_id: str
    role: str
    speaker: str | None
    content: str
    start: int
    end: int
    said_at: str | None

    def to_dict(self) -> dict[str, object]:
        """The source as JSON-ready values."""
        return asdict(self) | {"words": self.content[self.start : self.end]}


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Why a memory holds an atom.

    Attributes:
        found: the atom.
        sources: what it stands on; nothing for one made by hand.
        history: all its states.
        chain: the values of the attribute that it sets; None if it sets none.
    """

    memory_id: str
    found: FoundAtom
    sources: tuple[SourceShown, ...]
    history: tuple[AtomState, ...]
    chain: ChainShown | None

    def to_dict(self) -> dict[str, object]:
        """The explanation as JSON-ready values."""
        return {
            "memory_id": self.memory_id,
            "atom": self.found.to_dict(),
            "sources": [source.to_dict() for source in self.sources],
            "history": [state.to_dict() for state in self.history],
            "chain": self.chain and self.chain.to_dict(),
        }


def _counts(names: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items()))
