"""How an atom stands in its row: what it says, and the terms by which it is found.

The terms are kept, so that a cold memory reads its atoms and analyses none.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from graphmem.domain.atom import KNOWN_ORIGINS, Atom
from graphmem.domain.interval import GRAINS, Grain, Interval
from graphmem.errors import StoreFormatError
from graphmem.text.analyse import terms

_SEPARATORS: Final = (",", ":")
_GRAINS: Final[dict[str, Grain]] = {grain: grain for grain in GRAINS}


@dataclass(frozen=True, kw_only=True)
class StoredAtom:
    """An atom as it is kept.

    Attributes:
        atom: the atom, without its sources.
        since_turn: what turns before this one say of it was deleted by hand, and does not count.
    """

    atom: Atom
    since_turn: int = 0

    @cached_property
    def terms(self) -> tuple[str, ...]:
        """The terms by which it is found: whom it speaks of, what it says, and notes made by hand."""
        atom = self.atom
        said = [atom.subject] if atom.subject not in atom.content else []
        notes = [atom.background] if atom.origin == "hand" or atom.revision > 1 else []
        return tuple(terms("\n".join([*said, atom.content, *notes])))


def encode_atom(stored: StoredAtom) -> bytes:
    """The bytes of a row; equal atoms give equal bytes."""
    atom = stored.atom
    event = atom.event
    values = [
        atom.type,
        atom.updated_us,
        atom.created_us,
        atom.subject,
        atom.attribute,
        event
        and [event.start_us, event.end_us, event.grain, event.offset_minutes, event.states_offset],
        stored.terms,
        stored.since_turn,
        atom.origin,
        atom.revision,
        atom.content,
        atom.background,
        atom.predicate,
        atom.value,
        atom.polarity,
        atom.modality,
        *([atom.session] if atom.session else []),
    ]
    return json.dumps(values, ensure_ascii=False, separators=_SEPARATORS).encode()


def decode_atom(atom_id: str, data: bytes) -> StoredAtom:
    """The atom of a row.

    Raises:
        StoreFormatError: the bytes are no atom.
    """
    try:
        (
            type_,
            updated_us,
            created_us,
            subject,
            attribute,
            event,
            found,
            since_turn,
            origin,
            revision,
            content,
            background,
            predicate,
            value,
            polarity,
            modality,
            *session,
        ) = json.loads(data)
        origin = KNOWN_ORIGINS[origin]
    except (KeyError, ValueError) as error:
        raise StoreFormatError("a stored atom is damaged; run `graphmem rebuild`") from error
    stored = StoredAtom(
        atom=Atom(
            atom_id=atom_id,
            type=type_,
            content=content,
            background=background,
            subject=subject,
            predicate=predicate,
            value=value,
            polarity=polarity,
            modality=modality,
            event=event and _event(*event),
            attribute=attribute,
            origin=origin,
            revision=revision,
            created_us=created_us,
            updated_us=updated_us,
            session=session[0] if session else "",
        ),
        since_turn=since_turn,
    )
    stored.__dict__["terms"] = tuple(found)  # what `cached_property` would fill in
    return stored


def changed(stored: StoredAtom, atom: Atom) -> StoredAtom:
    """The same row with another atom in it."""
    return replace(stored, atom=replace(atom, sources=()))


def encode_removed(since_turn: int) -> bytes:
    """The bytes of an atom that was deleted by hand: from which turn on it may be said again."""
    return json.dumps(since_turn).encode()


def decode_removed(data: bytes) -> int:
    """What `encode_removed` wrote.

    Raises:
        StoreFormatError: the bytes are something else.
    """
    try:
        return int(json.loads(data))
    except (TypeError, ValueError) as error:
        raise StoreFormatError("a stored atom is damaged; run `graphmem rebuild`") from error


def _event(
    start_us: int | None,
    end_us: int | None,
    grain: str,
    offset_minutes: int,
    states_offset: bool,  # noqa: FBT001
) -> Interval:
    return Interval(
        start_us=start_us,
        end_us=end_us,
        grain=_GRAINS[grain],
        offset_minutes=offset_minutes,
        states_offset=states_offset,
    )
