"""Retelling brings atoms to what is recorded of scenes: after an answer, at publication, in a deletion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graphmem.build.extract import extract
from graphmem.domain.scope import Scope
from graphmem.domain.turn import Turn
from graphmem.ports.scenes import SceneRow
from graphmem.ports.store import WriteTransaction
from graphmem.service.atoms.listing import place_of, scene_turns_of
from graphmem.service.atoms.recorded import told_by, told_scenes
from graphmem.service.atoms.restating import restate
from graphmem.service.atoms.sayings import sayings


def retell(
    tx: WriteTransaction, scope: Scope, row: SceneRow, *, ready_turns: int, version: int
) -> bool:
    """Bring the atoms of a scene's published turns to what is recorded of it, else to the rules'.

    Args:
        tx: a write transaction of the memory.
        scope: the memory.
        row: the scene.
        ready_turns: turns with numbers below this are published.
        version: the version to which the changes belong.

    Returns:
        Whether any row is not as it was.
    """
    numbers = [number for number in row.turn_nos[: row.told] if number < ready_turns]
    turns = tx.turns(numbers)
    by_model = told_by(tx, row)
    found = [by_model.get(turn.turn_no) or extract(turn) for turn in turns]
    return restate(tx, scope, numbers, sayings(scope, turns, found), version)


def retell_all(
    tx: WriteTransaction, scope: Scope, turn_nos: Sequence[int], *, ready_turns: int, version: int
) -> None:
    """Retell the scenes of turns that are published now, whose rules' atoms have been written."""
    if not scene_turns_of(tx.head()):
        return
    for row in told_scenes(tx, tx.turns(turn_nos)):
        retell(tx, scope, row, ready_turns=ready_turns, version=version)


def forget_scenes(tx: WriteTransaction, scope: Scope, turns: Sequence[Turn], version: int) -> None:
    """Take turns out of their scenes, before they go.

    What a model said of their scenes goes with them, since it may stand on their words; the turns
    that stay are told by rules until the model is asked anew.

    Args:
        tx: a write transaction of the memory.
        scope: the memory.
        turns: the turns that go.
        version: the version of the deletion.
    """
    head = tx.head()
    size = scene_turns_of(head)
    if head is None or not size:
        return
    gone = frozenset(turn.turn_no for turn in turns)
    rows = tx.scenes_at([place_of(turn, size) for turn in turns])
    tx.delete_answers([row.place for row in rows])
    left = [
        replace(
            row,
            turn_nos=tuple(number for number in row.turn_nos if number not in gone),
            told=0,
            key="",
            attempts=0,
        )
        for row in rows
    ]
    tx.delete_scenes([row.place for row in left if not row.turn_nos])
    tx.put_scenes([row for row in left if row.turn_nos])
    had_answer = {row.place for row in rows if row.key}
    stay = [no for row in left if row.place in had_answer for no in row.turn_nos]
    published = tx.turns([number for number in stay if number < head.ready_turns])
    numbers = [turn.turn_no for turn in published]
    restate(tx, scope, numbers, sayings(scope, published), version)
