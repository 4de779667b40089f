"""Sayings are an extraction's drafts with their ids, in the turns that the memory has given numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from graphmem.build.extract import Extraction, extract
from graphmem.domain.atom import Atom, AtomDraft, make_atom_id
from graphmem.domain.moment import Moment
from graphmem.domain.scope import Scope
from graphmem.domain.turn import Turn
from graphmem.ports.atoms import AtomSourceRow
from graphmem.service.intake import Utterance


@dataclass(frozen=True, slots=True, kw_only=True)
class Saying:
    """One claim where a turn makes it.

    Attributes:
        atom_id: the atom that it names.
        draft: the claim.
        turn_no: the turn.
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

    def source(self, atom_no: int) -> AtomSourceRow:
        """Its place, as a source of an atom with this number."""
        return AtomSourceRow(
            atom_no=atom_no,
            turn_no=self.turn_no,
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


def sayings(
    scope: Scope, turns: Sequence[Turn], found: Iterable[Extraction] | None = None
) -> Iterator[Saying]:
    """All that some turns say, in turn and text order.

    Args:
        scope: their memory.
        turns: the turns.
        found: what was extracted from each of them; None to do it now.
    """
    extractions = map(extract, turns) if found is None else found
    for turn, extraction in zip(turns, extractions, strict=True):
        for draft in extraction.drafts:
            yield Saying(
                atom_id=make_atom_id(scope, draft),
                draft=draft,
                turn_no=turn.turn_no,
                said_us=turn.occurred.us if turn.occurred else turn.recorded_us,
                background=extraction.background,
            )
