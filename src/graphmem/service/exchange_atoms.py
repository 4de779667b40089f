"""Atoms in the exchange format: what hands made, changed and deleted; the others follow from the turns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from graphmem.domain.atom import KNOWN_ORIGINS, Atom
from graphmem.domain.atom_query import EditReason
from graphmem.domain.claim import (
    ATOM_TYPES,
    MODALITIES,
    POLARITIES,
    AtomType,
    Modality,
    Polarity,
)
from graphmem.domain.interval import GRAINS, Grain, Interval
from graphmem.index.atom_codec import (
    StoredAtom,
    decode_atom,
    decode_removed,
    encode_atom,
    encode_removed,
)
from graphmem.ports.atoms import EDIT_REASONS, AtomEditRow, AtomRow, AtomSourceRow
from graphmem.ports.store import ReadTransaction
from graphmem.service.exchange import LineKind, Values
from graphmem.service.fields import Fields

_PAGE: Final = 500
_TYPES: Final[Mapping[str, AtomType]] = {name: name for name in ATOM_TYPES}
_REASONS: Final[Mapping[str, EditReason]] = {name: name for name in EDIT_REASONS}
_GRAINS: Final[Mapping[str, Grain]] = {name: name for name in GRAINS if name != "about"}
_POLARITIES: Final[Mapping[str, Polarity]] = {name: name for name in POLARITIES}
_MODALITIES: Final[Mapping[str, Modality]] = {name: name for name in MODALITIES}


@dataclass(frozen=True, slots=True, kw_only=True)
class AtomLine:
    """An atom that hands had to do with.

    Attributes:
        since_turn: what turns before this one say of it was deleted by hand.
        atom: the atom; None for one that was deleted by hand, or is what turns behind that say.
    """

    atom_id: str
    since_turn: int
    atom: Atom | None

    def row(self, atom_no: int, version: int) -> AtomRow:
        """The row that keeps it."""
        atom = self.atom
        data = (
            encode_removed(self.since_turn)
            if atom is None
            else encode_atom(StoredAtom(atom=atom, since_turn=self.since_turn))
        )
        return AtomRow(
            atom_no=atom_no,
            atom_id=self.atom_id,
            version=version,
            is_live=atom is not None,
            data=data,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceLine:
    """A source of an atom, which has no number in the file."""

    atom_id: str
    source: AtomSourceRow


def atom_lines(read: ReadTransaction) -> Iterator[tuple[LineKind, Values]]:
    """The lines of a memory's atoms, each kind ordered by atom id."""
    numbers = dict(sorted(_numbers(read)))
    for number in numbers.values():
        for line in map(_kept, read.atoms_at([number])):
            if line is not None:
                yield "atom", _atom_values(line)
    for atom_id, number in numbers.items():
        if any(row.is_live and _is_own(row) for row in read.atoms_at([number])):
            for source in read.atom_sources([number]):
                yield "atom_source", _source_values(atom_id, source)
    for atom_id in numbers:
        for edit in read.atom_edits([atom_id]):
            yield "atom_state", _state_values(edit)


def _numbers(read: ReadTransaction) -> Iterator[tuple[str, int]]:
    """The atoms that hands had to do with, by id, read page by page."""
    end = read.next_atom()
    for start in range(0, end, _PAGE):
        for row in read.atoms_at(range(start, min(start + _PAGE, end))):
            if _kept(row) is not None:
                yield row.atom_id, row.atom_no


def _is_own(row: AtomRow) -> bool:
    atom = decode_atom(row.atom_id, row.data).atom
    return atom.origin == "hand" or atom.revision > 1


def _kept(row: AtomRow) -> AtomLine | None:
    """What is to be written of an atom; None if it follows from the turns alone."""
    if not row.is_live:
        since, atom = decode_removed(row.data), None
    else:
        stored = decode_atom(row.atom_id, row.data)
        since = stored.since_turn
        atom = stored.atom if _is_own(row) else None
        if atom is None and not since:
            return None
    return AtomLine(atom_id=row.atom_id, since_turn=since, atom=atom)


def _atom_values(line: AtomLine) -> Values:
    values: Values = {
        "atom_id": line.atom_id,
        "since_turn": line.since_turn,
        "removed": line.atom is None,
    }
    return values if line.atom is None else values | _said(line.atom)


def read_atom(line: Fields) -> AtomLine:
    """An atom."""
    atom_id = line.identifier("atom_id")
    since = line.whole("since_turn")
    atom = None if line.flag("removed") else _read_said(line, atom_id)
    return AtomLine(atom_id=atom_id, since_turn=since, atom=atom)


def _source_values(atom_id: str, source: AtomSourceRow) -> Values:
    return {
        "atom_id": atom_id,
        "turn_no": source.turn_no,
        "start": source.start,
        "end": source.end,
        "origin": source.origin,
    }


def read_source(line: Fields) -> SourceLine:
    """A source of an atom; its number is still to be set."""
    return SourceLine(
        atom_id=line.identifier("atom_id"),
        source=AtomSourceRow(
            atom_no=0,
            turn_no=line.whole("turn_no"),
            start=line.whole("start"),
            end=line.whole("end"),
            origin=line.choice("origin", KNOWN_ORIGINS),
        ),
    )


def _state_values(edit: AtomEditRow) -> Values:
    atom = decode_atom(edit.atom_id, edit.data).atom
    values: Values = {"atom_id": edit.atom_id, "reason": edit.reason, "changed_us": edit.changed_us}
    return values | _said(atom)


def read_state(line: Fields) -> AtomEditRow:
    """A state of an atom that was made or changed by hand."""
    atom_id = line.identifier("atom_id")
    reason, changed_us = line.choice("reason", _REASONS), line.time("changed_us")
    atom = _read_said(line, atom_id)
    return AtomEditRow(
        atom_id=atom_id,
        revision=atom.revision,
        changed_us=changed_us,
        reason=reason,
        data=encode_atom(StoredAtom(atom=atom)),
    )


def _said(atom: Atom) -> Values:
    """What an atom says; of its event nothing where it has none."""
    event = atom.event
    return {
        "kind": atom.type,
        "content": atom.content,
        "background": atom.background,
        "subject": atom.subject,
        "predicate": atom.predicate,
        "value": atom.value,
        "polarity": atom.polarity,
        "modality": atom.modality,
        "attribute": atom.attribute,
        "origin": atom.origin,
        "session": atom.session,
        "revision": atom.revision,
        "created_us": atom.created_us,
        "updated_us": atom.updated_us,
        "event_grain": event and event.grain,
        "event_start_us": event and event.start_us,
        "event_end_us": event and event.end_us,
        "event_offset_minutes": event and event.offset_minutes,
        "event_states_offset": event and event.states_offset,
    }


def _read_said(line: Fields, atom_id: str) -> Atom:
    return Atom(
        atom_id=atom_id,
        type=line.choice("kind", _TYPES),
        content=line.identifier("content"),
        background=line.text("background"),
        subject=line.text("subject"),
        predicate=line.text("predicate"),
        value=line.text("value"),
        polarity=line.choice("polarity", _POLARITIES),
        modality=line.choice("modality", _MODALITIES),
        event=_read_event(line) if line.has("event_grain") else None,
        attribute=line.text("attribute"),
        origin=line.choice("origin", KNOWN_ORIGINS),
        session=line.text("session"),
        revision=line.whole("revision", least=1),
        created_us=line.time("created_us"),
        updated_us=line.time("updated_us"),
    )


def _read_event(line: Fields) -> Interval:
    start = line.moment("event_start_us") if line.has("event_start_us") else None
    end = line.time("event_end_us") if line.has("event_end_us") else None
    try:
        return Interval(
            start_us=start,
            end_us=end,
            grain=line.choice("event_grain", _GRAINS),
            offset_minutes=line.whole("event_offset_minutes", least=-1439, most=1439),
            states_offset=line.flag("event_states_offset"),
        )
    except ValueError:
        raise line.wrong(
            "event_start_us", "must come before event_end_us, and one be there"
        ) from None
