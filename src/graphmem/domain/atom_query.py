"""What is asked of a memory's atoms, and what is answered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from graphmem.domain.address import WHOLE, Part
from graphmem.domain.atom import Atom
from graphmem.domain.claim import AtomType
from graphmem.domain.moment import Moment

EditReason = Literal["found", "created", "updated"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AtomFilter:
    """Which atoms are wanted; every condition must hold.

    Attributes:
        type: their type, None for all.
        start_us: changed at or after this time (`updated_us`), None for all.
        end_us: changed at or before this time, None for all.
        subject: whom they speak of, None for everybody; case, width and spaces don't count.
        part: the sessions in which they were said.
        as_of_us: as the memory was at this time: what was said or made later is left out, and does
            not supersede anything; None for now.
        superseded: whether atoms are wanted of which a newer value took the place.
    """

    type: AtomType | None = None
    start_us: int | None = None
    end_us: int | None = None
    subject: str | None = None
    part: Part = WHOLE
    as_of_us: int | None = None
    superseded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NewAtom:
    """An atom that somebody makes by hand.

    Attributes:
        content: the claim in words, 1 to 8,192 characters.
        type: what sort of memory it is.
        background: a note beside it.
        event_time: when it is true or happened: ISO 8601 or a `Moment`; None when it does not say.
        source_turn_ids: turns of the memory that it stands on; it goes when the last of them does.
    """

    content: str
    type: AtomType
    background: str = ""
    event_time: str | Moment | None = None
    source_turn_ids: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundAtom:
    """An atom as callers see it.

    Attributes:
        atom: what it says.
        turn_ids: the turns it stands on, in order.
        is_superseded: whether a newer value of the same attribute took its place.
        score: how well it answers, 0 to 1; None where nothing was asked.
    """

    atom: Atom
    turn_ids: tuple[str, ...]
    is_superseded: bool
    score: float | None = None

    def to_dict(self) -> dict[str, object]:
        """The atom as JSON-ready values; `score` only in an answer to a search."""
        atom = self.atom
        values: dict[str, object] = {
            "id": atom.atom_id,
            "type": atom.type,
            "content": atom.content,
            "background": atom.background,
            "version": atom.revision,
            "created_at": Moment(us=atom.created_us).iso_utc(),
            "updated_at": Moment(us=atom.updated_us).iso_utc(),
            "source_turn_ids": list(self.turn_ids),
            "subject": atom.subject,
            "predicate": atom.predicate,
            "value": atom.value,
            "polarity": atom.polarity,
            "modality": atom.modality,
            "attribute": atom.attribute,
            "event": atom.event.text() if atom.event else None,
            "origin": atom.origin,
            "superseded": self.is_superseded,
        }
        return values if self.score is None else values | {"score": self.score}


@dataclass(frozen=True, slots=True, kw_only=True)
class AtomSearch:
    """The answer to a search: atoms in final order.

    Attributes:
        items: best first; ties by id.
        version: the version of the memory that was searched.
    """

    items: tuple[FoundAtom, ...]
    version: int

    def to_dict(self) -> dict[str, object]:
        """The answer as JSON-ready values."""
        return {"items": [item.to_dict() for item in self.items], "version": self.version}


@dataclass(frozen=True, slots=True, kw_only=True)
class AtomPage:
    """Some of a memory's atoms, the last changed first; ties by id.

    Attributes:
        items: at most as many as were asked for.
        total: how many there are in all.
    """

    items: tuple[FoundAtom, ...]
    total: int

    def to_dict(self) -> dict[str, object]:
        """The page as JSON-ready values."""
        return {"items": [item.to_dict() for item in self.items], "total": self.total}


@dataclass(frozen=True, slots=True, kw_only=True)
class AtomReceipt:
    """The answer to a write of atoms.

    Attributes:
        version: the version of the memory that holds it.
        atom_ids: the atoms that were made or changed, in the order of the request.
        items: those of them that the memory still holds, as they are now.
        replayed: True when the same request had been applied before and nothing was stored now.
    """

    version: int
    atom_ids: tuple[str, ...]
    items: tuple[FoundAtom, ...]
    replayed: bool

    def to_dict(self) -> dict[str, object]:
        """The receipt as JSON-ready values."""
        return {
            "version": self.version,
            "ids": list(self.atom_ids),
            "items": [item.to_dict() for item in self.items],
            "replayed": self.replayed,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class AtomChange:
    """The answer to an update.

    Attributes:
        atom_id: the atom.
        revision: the revision that the update made.
        updated_us: when; microseconds since 1970 UTC.
        replayed: True when the same request had been applied before and nothing was stored now.
    """

    atom_id: str
    revision: int
    updated_us: int
    replayed: bool

    def to_dict(self) -> dict[str, object]:
        """The change as JSON-ready values."""
        return {
            "id": self.atom_id,
            "version": self.revision,
            "updated_at": Moment(us=self.updated_us).iso_utc(),
            "replayed": self.replayed,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class AtomState:
    """An atom as it was from one time on.

    Attributes:
        revision: 1 upwards.
        content: what it said.
        background: the note beside it.
        changed_us: since when; microseconds since 1970 UTC.
        reason: `found` by the build, `created` or `updated` by hand.
    """

    revision: int
    content: str
    background: str
    changed_us: int
    reason: EditReason

    def to_dict(self) -> dict[str, object]:
        """The state as JSON-ready values."""
        return {
            "version": self.revision,
            "content": self.content,
            "background": self.background,
            "updated_at": Moment(us=self.changed_us).iso_utc(),
            "reason": self.reason,
        }
