"""Listing cuts sessions into scenes, and keeps the list of what a chat model has to tell.

Scenes are fixed windows of a session's positions, so that batches do not matter.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from graphmem.domain.turn import Turn
from graphmem.ports.scenes import ScenePlace, SceneRow
from graphmem.ports.store import Head, ReadTransaction, Span, WriteTransaction
from graphmem.service.build import Build

_PAGE: Final = 1000  # turns whose texts are held at once


def scene_turns_of(head: Head | None) -> int:
    """How many turns a scene of this memory has; 0 when no model has to do with it."""
    return Build.from_text(head.build).scene_turns if head else 0


def place_of(turn: Turn, scene_turns: int) -> ScenePlace:
    """The scene that a turn belongs to."""
    return turn.session_no, turn.position // scene_turns


def list_turns(tx: WriteTransaction, turns: Iterable[Turn], scene_turns: int) -> None:
    """Put turns that come behind all others on the list; a scene that grows waits again."""
    found: dict[ScenePlace, list[int]] = defaultdict(list)
    for turn in turns:
        found[place_of(turn, scene_turns)].append(turn.turn_no)
    known = {row.place: row for row in tx.scenes_at(list(found))}
    tx.put_scenes([_grown(known.get(place), place, numbers) for place, numbers in found.items()])


def _grown(known: SceneRow | None, place: ScenePlace, numbers: Sequence[int]) -> SceneRow:
    row = known or SceneRow(session_no=place[0], scene_no=place[1], turn_nos=())
    return replace(row, turn_nos=(*row.turn_nos, *numbers), attempts=0)


def list_all(tx: WriteTransaction, scene_turns: int) -> None:
    """Put all turns of a memory on the list, and nothing else; 0 turns a scene: nothing at all."""
    tx.delete_scenes([row.place for row in tx.scenes()])
    numbers = tx.turn_nos() if scene_turns else []
    for start in range(0, len(numbers), _PAGE):
        list_turns(tx, tx.turns(numbers[start : start + _PAGE]), scene_turns)


def list_given_up(tx: WriteTransaction) -> None:
    """Put those scenes on the list again that the model had failed at."""
    given_up = [row for row in tx.scenes() if row.told and not row.key]
    tx.put_scenes([replace(row, told=0, attempts=0) for row in given_up])


def untold(read: ReadTransaction, build: Build) -> tuple[Span, ...]:
    """Turns that wait for the model of this build."""
    head = read.head()
    if not build.chat or head is None or Build.from_text(head.build).telling != build.telling:
        return ()
    return tuple(span for row in read.waiting_scenes() for span in _runs(row.turn_nos[row.told :]))


def _runs(numbers: Sequence[int]) -> list[Span]:
    runs: list[Span] = []
    for number in numbers:
        last = runs[-1] if runs else None
        if last and last.first_turn + last.turns == number:
            runs[-1] = replace(last, turns=last.turns + 1)
        else:
            runs.append(Span(first_turn=number, turns=1))
    return runs
