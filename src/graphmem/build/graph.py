"""The lean graph of a memory's atoms: who, what after what, which value now, what belongs together.

Nothing of it is stored: it follows from the atoms alone, so that it cannot grow stale, is the same
however the atoms came (batch by batch, all at once, rebuilt), and dies with them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import TypeVar

from graphmem.domain.atom import Atom, fold_claim
from graphmem.domain.setting import holding

_Key = TypeVar("_Key")


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnPlace:
    """Where and when a turn was said.

    Attributes:
        scene: its session.
        time_us: when it was said, else recorded; microseconds since 1970 UTC.
    """

    scene: int
    time_us: int


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """A value of an attribute, from one time on.

    Attributes:
        atom: what was said.
        valid_us: from when it is true: its event's begin, else when it was said.
        turn_no: the turn that said it; None for an atom made by hand.
    """

    atom: Atom
    valid_us: int
    turn_no: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """The values of one attribute of one subject, oldest first; the last one holds.

    A value that came back stands twice: what was true in two periods is told as two. Other words for
    the same value are a state of their own, and retire nothing.

    Attributes:
        subject: whose attribute it is, folded.
        attribute: the attribute.
        states: by valid time, then by turn order.
    """

    subject: str
    attribute: str
    states: tuple[State, ...]

    @property
    def head(self) -> State:
        """The last state: the value that holds, or the end of one."""
        return self.states[-1]

    @property
    def holding(self) -> frozenset[str]:
        """The ids of the atoms that hold: those of the last value, and what ended one."""
        return holding([(one.atom.atom_id, one.atom.setting) for one in self.states])

    @property
    def gone(self) -> frozenset[str]:
        """The ids of the atoms that hold no more."""
        return frozenset(state.atom.atom_id for state in self.states) - self.holding

    @property
    def replaced(self) -> State | None:
        """The last state that the head took the place of; None where there is none."""
        now = self.head.atom.setting
        return next((one for one in reversed(self.states) if now.replaces(one.atom.setting)), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """What one subject has several of: places visited, books read, things wanted.

    Attributes:
        subject: whose it is, folded.
        predicate: what the members have in common.
        value_type: the sort of value, by the claim's type.
        members: the atoms, in turn order; two at least, of different values.
        closed: whether every scene of a member is wholly told by typed claims, so that counting the
            members counts all there is.
    """

    subject: str
    predicate: str
    value_type: str
    polarity: str
    modality: str
    members: tuple[Atom, ...]
    closed: bool


@dataclass(frozen=True, eq=False)
class Graph:
    """Relations between the atoms of one memory.

    Args:
        atoms: all atoms, in any order.
        turns: the place of every turn that an atom stands on.
    """

    atoms: Sequence[Atom]
    turns: Mapping[int, TurnPlace]

    @cached_property
    def ordered(self) -> tuple[Atom, ...]:
        """The atoms in turn order: by first source, then by id; those made by hand come last."""
        return tuple(sorted(self.atoms, key=turn_order))

    @cached_property
    def owners(self) -> dict[str, tuple[Atom, ...]]:
        """Subject, folded, to what is said of it, in turn order."""
        return _groups(self.ordered, lambda atom: fold_claim(atom.subject) or None)

    @cached_property
    def scene_facts(self) -> dict[int, tuple[Atom, ...]]:
        """Scene to the atoms that have a source in it, in turn order."""
        found: dict[int, dict[str, Atom]] = defaultdict(dict)
        for atom in self.ordered:
            for source in atom.sources:
                found[self.turns[source.turn_no].scene][atom.atom_id] = atom
        return {scene: tuple(atoms.values()) for scene, atoms in sorted(found.items())}

    @cached_property
    def chains(self) -> tuple[Chain, ...]:
        """Every attribute that was ever set, by subject and attribute."""
        groups = _groups(self.ordered, lambda atom: atom.chain)
        return tuple(
            Chain(subject=subject, attribute=name, states=states)
            for (subject, name), atoms in sorted(groups.items())
            if (states := _sure(self._states(atoms)))
        )

    @cached_property
    def superseded(self) -> dict[str, str]:
        """Atoms that hold no more, each with the one that came next in its place."""
        return {
            before.atom.atom_id: after.atom.atom_id
            for chain in self.chains
            for before, after in _replacements(chain)
        }

    @cached_property
    def timeline(self) -> dict[str, tuple[Atom, ...]]:
        """Subject to its dated atoms, earliest first: each is before those that follow it."""
        return {
            owner: tuple(sorted(dated, key=_event_order))
            for owner, atoms in self.owners.items()
            if len(dated := [atom for atom in atoms if atom.event is not None]) > 1
        }

    @cached_property
    def collections(self) -> tuple[Collection, ...]:
        """What subjects have several of, by subject and predicate."""
        groups = _groups(self.ordered, _collection_key)
        open_scenes = self._open_scenes()
        return tuple(
            Collection(
                subject=key[0],
                predicate=key[1],
                value_type=key[2],
                polarity=key[3],
                modality=key[4],
                members=members,
                closed=not open_scenes & self._scenes_of(members),
            )
            for key, members in sorted(groups.items())
            if len({fold_claim(atom.value) for atom in members}) > 1
        )

    @cached_property
    def equal_values(self) -> dict[str, tuple[Atom, ...]]:
        """A value, folded, to the atoms of different scenes that share it."""
        groups = _groups(self.ordered, lambda atom: fold_claim(atom.value) or None)
        return {
            value: atoms
            for value, atoms in sorted(groups.items())
            if len(atoms) > 1 and len(self._scenes_of(atoms)) > 1
        }

    def _open_scenes(self) -> set[int]:
        """Scenes of which some sentence is kept only verbatim."""
        verbatim = (atom for atom in self.atoms if atom.origin == "verbatim")
        return self._scenes_of(verbatim)

    def _scenes_of(self, atoms: Iterable[Atom]) -> set[int]:
        return {self.turns[source.turn_no].scene for atom in atoms for source in atom.sources}

    def _states(self, atoms: Iterable[Atom]) -> tuple[State, ...]:
        said = sorted(
            (state for atom in atoms for state in self._sayings(atom)),
            key=lambda state: (state.valid_us, _last(state.turn_no), state.atom.atom_id),
        )
        runs = groupby(said, key=lambda state: state.atom.atom_id)
        return tuple(next(run) for _, run in runs)

    def _sayings(self, atom: Atom) -> Iterator[State]:
        since = atom.event.start_us if atom.event else None
        if not atom.sources:
            yield State(
                atom=atom, valid_us=atom.updated_us if since is None else since, turn_no=None
            )
        for source in atom.sources:
            said = self.turns[source.turn_no].time_us
            yield State(
                atom=atom, valid_us=said if since is None else since, turn_no=source.turn_no
            )


def _sure(states: tuple[State, ...]) -> tuple[State, ...]:
    """The states without the ends of what nobody set: who left somewhere may have been on a visit."""
    settings = [state.atom.setting for state in states]
    return tuple(
        state
        for state, setting in zip(states, settings, strict=True)
        if not setting.is_end or any(setting.ends(other) for other in settings)
    )


def _replacements(chain: Chain) -> Iterator[tuple[State, State]]:
    """The states that hold no more, each with the next one that took its place."""
    held = chain.holding
    for at, state in enumerate(chain.states):
        setting = state.atom.setting
        later = (one for one in chain.states[at + 1 :] if one.atom.setting.replaces(setting))
        if state.atom.atom_id not in held:
            yield state, next(later, chain.head)


def turn_order(atom: Atom) -> tuple[float, int, str]:
    """The order of arrival: by the first source, then by id; what was made by hand comes last."""
    if not atom.sources:
        return (_last(None), atom.created_us, atom.atom_id)
    return (atom.sources[0].turn_no, atom.sources[0].start, atom.atom_id)


def _last(turn_no: int | None) -> float:
    return float("inf") if turn_no is None else turn_no


def _event_order(atom: Atom) -> tuple[float, str]:
    start = atom.event.start_us if atom.event else None
    return (-_last(None) if start is None else start, atom.atom_id)


def _collection_key(atom: Atom) -> tuple[str, str, str, str, str] | None:
    if atom.chain or not atom.subject or not atom.value or atom.origin == "verbatim":
        return None
    subject = fold_claim(atom.subject)
    return (subject, fold_claim(atom.predicate), atom.type, atom.polarity, atom.modality)


def _groups(
    atoms: Iterable[Atom], key: Callable[[Atom], _Key | None]
) -> dict[_Key, tuple[Atom, ...]]:
    """The atoms by key, in the order given; those without a key are left out."""
    found: dict[_Key, list[Atom]] = defaultdict(list)
    for atom in atoms:
        of = key(atom)
        if of is not None:
            found[of].append(atom)
    return {of: tuple(members) for of, members in found.items()}
