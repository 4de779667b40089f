"""The atom view: everything that search needs of one memory's atoms at one version, as arrays.

It is kept as the compiled view of turns is: immutable, and extended by what each write changed. An
atom that changed is put behind all others, and its old place is dead; when too many are, the
places are taken up anew. No score depends on dead places or on the order of the living.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from graphmem.domain.address import Part, names_of_session
from graphmem.domain.atom import fold_claim
from graphmem.domain.claim import ATOM_TYPES
from graphmem.index.atom_codec import StoredAtom, decode_atom
from graphmem.index.chains import NO_CHAINS, ChainKey, Chains, Saying
from graphmem.index.column import Column
from graphmem.index.draft import MOST, key_of, postings_of
from graphmem.index.events import Times
from graphmem.index.merge import merge_postings, plan_merge
from graphmem.index.segment import Ints, Keys, Postings
from graphmem.index.view import NO_TURN, CompiledView
from graphmem.ports.atoms import AtomRow, AtomSourceRow

Flags = NDArray[np.bool_]

_CROWD: Final = 1024  # dead places that are never worth taking up anew
_CHAIN_BYTES: Final = 600  # of an atom in a chain: keys, dicts and a saying; CPython 3.11, measured
_TYPE_NOS: Final = {name: number for number, name in enumerate(ATOM_TYPES)}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AtomBlock:
    """The terms of a run of places."""

    passages: int
    postings: Postings


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AtomView:
    """The atoms of one memory at one version.

    Attributes:
        version: the version that it shows.
        blocks: the postings, in order of their places.
        atom_no: int32 [places].
        atom_key: uint64 [places]; sorts like the atom's id.
        type: int32 [places]; a place in `ATOM_TYPES`.
        created: int64 [places]; microseconds since 1970 UTC.
        updated: int64 [places].
        length: int32 [places]; terms of each.
        subject: int32 [places]; a place in `subjects`.
        home: int32 [places]; a place in `homes`.
        first_turn: int32 [places]; the place of its first source in the view of turns, -1 for none.
        source_atom: int32 [sources]; the place of the atom of each source.
        source_turn: int32 [sources]; the place of its turn in the view of turns.
        subjects: whom atoms speak of, folded.
        homes: the sessions in which hands made atoms, as they are kept; empty for none.
        place: int32 [numbers]; the place of each atom's number, -1 for none.
        is_live: bool [places]; False where the atom has another place now, or is gone.
        says_more: bool [places]; it says something beside the value of its attribute.
        is_superseded: bool [places]; a newer value of the same attribute took its place.
        chains: the values of attributes.
    """

    version: int
    blocks: tuple[AtomBlock, ...]
    atom_no: Column[np.int32]
    atom_key: Column[np.uint64]
    type: Column[np.int32]
    created: Column[np.int64]
    updated: Column[np.int64]
    length: Column[np.int32]
    subject: Column[np.int32]
    home: Column[np.int32]
    first_turn: Column[np.int32]
    source_atom: Column[np.int32]
    source_turn: Column[np.int32]
    subjects: Mapping[str, int]
    homes: Mapping[str, int]
    place: Ints
    is_live: Flags
    says_more: Flags
    is_superseded: Flags
    chains: Chains

    @classmethod
    def empty(cls) -> AtomView:
        """The view of a memory without atoms."""
        none: Ints = np.empty(0, dtype=np.int32)
        times: Times = np.empty(0, dtype=np.int64)
        keys: Keys = np.empty(0, dtype=np.uint64)
        return cls(
            version=0,
            blocks=(),
            atom_no=Column(none),
            atom_key=Column(keys),
            type=Column(none),
            created=Column(times),
            updated=Column(times),
            length=Column(none),
            subject=Column(none),
            home=Column(none),
            first_turn=Column(none),
            source_atom=Column(none),
            source_turn=Column(none),
            subjects={},
            homes={},
            place=none,
            is_live=np.empty(0, dtype=np.bool_),
            says_more=np.empty(0, dtype=np.bool_),
            is_superseded=np.empty(0, dtype=np.bool_),
            chains=NO_CHAINS,
        )

    @property
    def places(self) -> int:
        """How many places it has, dead ones included."""
        return len(self.is_live)

    @property
    def nbytes(self) -> int:
        """Estimated resident size in bytes."""
        columns = (
            self.atom_no,
            self.atom_key,
            self.type,
            self.created,
            self.updated,
            self.length,
            self.subject,
            self.home,
            self.first_turn,
            self.source_atom,
            self.source_turn,
        )
        arrays = (
            self.place.nbytes
            + self.is_live.nbytes
            + self.is_superseded.nbytes
            + self.says_more.nbytes
        )
        postings = sum(block.postings.nbytes for block in self.blocks)
        chains = _CHAIN_BYTES * len(self.chains.chain_of)
        return arrays + postings + chains + sum(column.nbytes for column in columns)

    @property
    def is_crowded(self) -> bool:
        """Whether it is worth while to take the places up anew."""
        dead = self.places - int(np.count_nonzero(self.is_live))
        return dead > _CROWD and 2 * dead > self.places

    def block_starts(self) -> Iterator[tuple[AtomBlock, int]]:
        """The blocks, each with its first place."""
        start = 0
        for block in self.blocks:
            yield block, start
            start += block.passages

    def superseded_as_of(self, us: int) -> Flags:
        """Bool [places]: what a newer value had replaced at that time."""
        flags = np.zeros(self.places, dtype=np.bool_)
        for key in self.chains.members:
            for number, is_superseded in self.chains.superseded(key, us):
                flags[self.place[number]] = is_superseded
        return flags

    def in_part(self, view: CompiledView, session_nos: Sequence[int], part: Part) -> Flags:
        """Bool [places]: what was said, or made by hand, in a part of the memory.

        Args:
            view: the memory's turns.
            session_nos: the sessions that belong to the part.
            part: the part.
        """
        flags = np.zeros(self.places, dtype=np.bool_)
        sessions = view.turn_session.values[self.source_turn.values]
        flags[self.source_atom.values[np.isin(sessions, session_nos)]] = True
        homes = [
            n for kept, n in self.homes.items() if kept and part.admits(*names_of_session(kept))
        ]
        return flags | np.isin(self.home.values, homes)

    def extended(
        self,
        rows: Sequence[AtomRow],
        sources: Sequence[AtomSourceRow],
        view: CompiledView,
        version: int,
    ) -> AtomView:
        """The view at `version`.

        Args:
            rows: the atoms that were written since this view, ordered by number.
            sources: all sources of these, ordered by atom, turn and start.
            view: the memory's turns.
            version: the version that all of it belongs to.
        """
        if not rows:
            return replace(self, version=version)
        cleared = _cleared(self, rows)
        found = [(row, decode_atom(row.atom_id, row.data)) for row in rows if row.is_live]
        places = _Sources.of(sources, view)
        added = _appended(cleared, found, places) if found else cleared
        return replace(_rechained(added, rows, found, places, view), version=version)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sources:
    """Sources by atom, as places in the view of turns."""

    turns: Mapping[int, list[int]]
    turn_nos: Mapping[int, list[int]]

    @classmethod
    def of(cls, sources: Sequence[AtomSourceRow], view: CompiledView) -> _Sources:
        numbers = np.array([source.turn_no for source in sources], dtype=np.int32)
        at = np.searchsorted(view.turn_no.values, numbers).tolist()
        turns: dict[int, list[int]] = {}
        turn_nos: dict[int, list[int]] = {}
        for source, place in zip(sources, at, strict=True):
            turns.setdefault(source.atom_no, []).append(place)
            turn_nos.setdefault(source.atom_no, []).append(source.turn_no)
        return cls(turns=turns, turn_nos=turn_nos)


def _cleared(view: AtomView, rows: Sequence[AtomRow]) -> AtomView:
    """The view with the old places of these atoms dead."""
    numbers = np.array([row.atom_no for row in rows], dtype=np.int32)
    place = np.full(max(len(view.place), int(numbers.max()) + 1), NO_TURN, dtype=np.int32)
    place[: len(view.place)] = view.place
    old = place[numbers]
    place[numbers] = NO_TURN
    is_live = view.is_live.copy()
    is_live[old[old != NO_TURN]] = False
    return replace(view, place=place, is_live=is_live, is_superseded=view.is_superseded & is_live)


def _appended(
    view: AtomView, found: Sequence[tuple[AtomRow, StoredAtom]], places: _Sources
) -> AtomView:
    start = view.places
    numbers = np.array([row.atom_no for row, _ in found], dtype=np.int32)
    atoms = [stored.atom for _, stored in found]
    subjects = dict(view.subjects)
    subject_nos = [subjects.setdefault(fold_claim(a.subject), len(subjects)) for a in atoms]
    homes = dict(view.homes)
    home_nos = [homes.setdefault(atom.session, len(homes)) for atom in atoms]
    turns = [places.turns.get(row.atom_no, []) for row, _ in found]
    pairs = [(start + i, turn) for i, each in enumerate(turns) for turn in dict.fromkeys(each)]
    place = view.place.copy()
    place[numbers] = np.arange(start, start + len(found), dtype=np.int32)
    return replace(
        view,
        blocks=_settle((*view.blocks, _block(stored for _, stored in found))),
        atom_no=view.atom_no.extended(numbers),
        atom_key=view.atom_key.extended(
            np.array([key_of(atom.atom_id) for atom in atoms], dtype=np.uint64)
        ),
        type=view.type.extended(_ints(_TYPE_NOS[atom.type] for atom in atoms)),
        created=view.created.extended(np.array([a.created_us for a in atoms], dtype=np.int64)),
        updated=view.updated.extended(np.array([a.updated_us for a in atoms], dtype=np.int64)),
        length=view.length.extended(_ints(len(stored.terms) for _, stored in found)),
        subject=view.subject.extended(_ints(subject_nos)),
        home=view.home.extended(_ints(home_nos)),
        first_turn=view.first_turn.extended(_ints(each[0] if each else NO_TURN for each in turns)),
        source_atom=view.source_atom.extended(_ints(atom for atom, _ in pairs)),
        source_turn=view.source_turn.extended(_ints(turn for _, turn in pairs)),
        subjects=subjects,
        homes=homes,
        place=place,
        is_live=np.append(view.is_live, np.ones(len(found), dtype=np.bool_)),
        says_more=np.append(view.says_more, [atom.says_more for atom in atoms]),
        is_superseded=np.append(view.is_superseded, np.zeros(len(found), dtype=np.bool_)),
    )


def _ints(values: Iterable[int]) -> Ints:
    return np.fromiter(values, dtype=np.int32)


def _block(found: Iterable[StoredAtom]) -> AtomBlock:
    inverted: dict[str, list[tuple[int, int]]] = {}
    count = 0
    for stored in found:
        for term, times in Counter(stored.terms).items():
            inverted.setdefault(term, []).append((count, min(times, MOST)))
        count += 1
    return AtomBlock(passages=count, postings=postings_of(inverted))


def _settle(blocks: tuple[AtomBlock, ...]) -> tuple[AtomBlock, ...]:
    """Merge the tail as long as the plan asks for it, so that few blocks are searched."""
    while tail := plan_merge([block.passages for block in blocks]):
        joined = blocks[-tail:]
        whole = AtomBlock(
            passages=sum(block.passages for block in joined), postings=merge_postings(joined)
        )
        blocks = (*blocks[:-tail], whole)
    return blocks


def _rechained(
    view: AtomView,
    rows: Sequence[AtomRow],
    found: Sequence[tuple[AtomRow, StoredAtom]],
    places: _Sources,
    turns: CompiledView,
) -> AtomView:
    """The view with the chains brought up to what was written."""
    added: dict[int, tuple[ChainKey, Sequence[Saying]]] = {}
    for row, stored in found:
        key = stored.atom.chain
        if key is not None:
            added[row.atom_no] = (key, _sayings(row, stored, places, turns))
    chains, touched = view.chains.updated([row.atom_no for row in rows], added)
    flags = view.is_superseded.copy()
    for key in touched:
        for number, is_superseded in chains.superseded(key):
            flags[view.place[number]] = is_superseded
    return replace(view, chains=chains, is_superseded=flags)


def _sayings(
    row: AtomRow, stored: StoredAtom, places: _Sources, turns: CompiledView
) -> Sequence[Saying]:
    atom = stored.atom
    since = atom.event.start_us if atom.event else None
    setting = atom.setting

    def saying(said_us: int, turn_no: float) -> Saying:
        return Saying(
            valid_us=said_us if since is None else since,
            turn_no=turn_no,
            atom_id=atom.atom_id,
            said_us=said_us,
            atom_no=row.atom_no,
            setting=setting,
        )

    if row.atom_no not in places.turns:
        return [saying(atom.updated_us, float("inf"))]
    times = turns.turn_time.values
    return [
        saying(int(times[place]), turn_no)
        for place, turn_no in zip(
            places.turns[row.atom_no], places.turn_nos[row.atom_no], strict=True
        )
    ]
