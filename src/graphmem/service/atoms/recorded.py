"""What turns say by the answers that are recorded for their scenes, and by rules where there is none."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.build.extract import Extraction, extract
from graphmem.build.scenes.reply import read_reply
from graphmem.build.scenes.telling import tell
from graphmem.domain.atom import Atom
from graphmem.domain.scope import Scope
from graphmem.domain.turn import Turn
from graphmem.errors import ChatResponseError
from graphmem.ports.atoms import AtomSourceRow
from graphmem.ports.scenes import SceneRow
from graphmem.ports.store import ReadTransaction
from graphmem.service.atoms.listing import place_of, scene_turns_of
from graphmem.service.atoms.sayings import Saying, sayings


def told_sayings(read: ReadTransaction, scope: Scope, turns: Sequence[Turn]) -> list[Saying]:
    """All that some turns say, in turn and text order."""
    by_model = {
        turn_no: extraction
        for row in told_scenes(read, turns)
        for turn_no, extraction in told_by(read, row).items()
    }
    return sayings(scope, turns, [by_model.get(turn.turn_no) or extract(turn) for turn in turns])


def told_scenes(read: ReadTransaction, turns: Sequence[Turn]) -> list[SceneRow]:
    """The scenes of these turns of which an answer is recorded."""
    size = scene_turns_of(read.head())
    if not size:
        return []
    return [row for row in read.scenes_at([place_of(turn, size) for turn in turns]) if row.key]


def told_by(read: ReadTransaction, row: SceneRow) -> dict[int, Extraction]:
    """What the answer in force says of the turns of a scene, by their numbers, as far as it goes."""
    answer = read.answer(row.key) if row.key else None
    if answer is None:
        return {}
    turns = read.turns(row.turn_nos[: row.told])
    try:
        told = tell(turns, read_reply(answer.data.decode()))
    except ChatResponseError:  # an earlier release took it
        return {}
    return dict(zip((turn.turn_no for turn in turns), told.extractions, strict=True))


def first_said(
    read: ReadTransaction, scope: Scope, atom_id: str, sources: list[AtomSourceRow]
) -> tuple[Atom | None, list[AtomSourceRow]]:
    """The atom as the first of these sources says it that still does, and the sources from there on.

    One that does not was found by another release.
    """
    for place, source in enumerate(sources):
        said = told_sayings(read, scope, read.turns([source.turn_no]))
        atom = next((one.atom() for one in said if one.atom_id == atom_id), None)
        if atom is not None:
            return atom, sources[place:]
    return None, []
