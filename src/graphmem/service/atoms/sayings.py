"""Sayings are an extraction's drafts with their ids, in the turns that the memory has given numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from graphmem.build.extract import Extraction, extract
from graphmem.domain.atom import Atom, AtomDraft, make_atom_id
from graphmem.domain.moment import Moment
from graphmem.domain.scope import Scope
from graphmem.domain.turn import Turn
from graphmem.index.atom_codec import StoredAtom, encode_atom
from graphmem.ports.atoms import AtomSourceRow
from graphmem.service.intake import Utterance


@dataclass(frozen=True, kw_only=True)
class Saying:
    """One claim where a turn makes it.

    Attributes:
        atom_id: the atom that it names.
        draft: the claim.
        turn_no: the turn, or its place in a batch that has no numbers yet.
        said_us: when it was said, else recorded.
        background: who said it, and when.
    """

    atom_id: str
    draft: AtomDraft
    turn_no: int
    said_us: int
    background: str

    def atom(self) -> Atom:
        """The atom if this is its first source."""
        draft = self.draft
        return Atom(
            atom_id=self.atom_id,
            type=draft.type,
            content=draft.content,
            background=self.background,
            subject=draft.subject,
            predicate=draft.predicate,
            value=draft.value,
            polarity=draft.polarity,
            modality=draft.modality,
            event=draft.event,
            attribute=draft.attribute,
            origin=draft.origin,
            revision=1,
            created_us=self.said_us,
            updated_us=self.said_us,
        )

    @cached_property
    def data(self) -> bytes:
        """The row of the atom if this is its first source; costly, since it holds the terms."""
        return encode_atom(StoredAtom(atom=self.atom()))

    def source(self, atom_no: int, shift: int = 0) -> AtomSourceRow:
        """Its place, as a source of an atom with this number.

        Args:
            atom_no: the atom's number.
            shift: the number of the batch's first turn, if `turn_no` is a place in it.
        """
        return AtomSourceRow(
            atom_no=atom_no,
            turn_no=self.turn_no + shift,
            start=self.draft.source.start,
            end=self.draft.source.end,
            origin=self.draft.origin,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Unplaced:
    """A message that has no number yet."""

    turn_no: int
    role: str
    speaker: str | None
    content: str
    occurred: Moment | None


def extract_unplaced(utterances: Sequence[Utterance]) -> tuple[Extraction, ...]:
    """What a batch says, before its turns have their numbers."""
    return tuple(
        extract(
            _Unplaced(
                turn_no=position,
                role=said.role,
                speaker=said.speaker,
                content=said.content,
                occurred=said.occurred,
            )
        )
        for position, said in enumerate(utterances)
    )


def unplaced_sayings(
    scope: Scope,
    utterances: Sequence[Utterance],
    found: Sequence[Extraction],
    now_us: int,
) -> list[Saying]:
    """All that a batch says, ready to be written, with places in it for the numbers of its turns."""
    said = [
        one
        for place, (utterance, extraction) in enumerate(zip(utterances, found, strict=True))
        for one in _of(scope, extraction, place, utterance.occurred, now_us)
    ]
    for one in said:
        _ = one.data  # made here, outside of any lock
    return said


def sayings(
    scope: Scope, turns: Sequence[Turn], found: Sequence[Extraction] | None = None
) -> list[Saying]:
    """All that some turns say, in turn and text order.

    Args:
        scope: their memory.
        turns: the turns.
        found: what was extracted from each of them; None to do it now.
    """
    extractions = map(extract, turns) if found is None else found
    return [
        one
        for turn, extraction in zip(turns, extractions, strict=True)
        for one in _of(scope, extraction, turn.turn_no, turn.occurred, turn.recorded_us)
    ]


def _of(
    scope: Scope, extraction: Extraction, turn_no: int, occurred: Moment | None, recorded_us: int
) -> Iterator[Saying]:
    for draft in extraction.drafts:
        yield Saying(
            atom_id=make_atom_id(scope, draft),
            draft=draft,
            turn_no=turn_no,
            said_us=occurred.us if occurred else recorded_us,
            background=extraction.background,
        )
