"""Witnesses of change: who reads what was true once should also read what replaced it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from graphmem.build.graph import Chain
from graphmem.readout.facts import Facts
from graphmem.readout.select import Candidate

MOST: Final = 4


def with_witnesses(
    shown: Collection[int], rest: Sequence[Candidate], facts: Facts
) -> list[Candidate]:
    """The turns behind the stage, those first that replace a value which the stage shows.

    Args:
        shown: the numbers of the turns of the stage.
        rest: the turns behind it, best first.
        facts: what is known of both.
    """
    wanted = {
        chain.head.turn_no
        for chain in facts.chains
        if chain.head.turn_no not in shown and _shows_what_is_gone(chain, shown)
    }
    first = [one for one in rest if one.number in wanted][:MOST]
    taken = {one.number for one in first}
    return [*first, *(one for one in rest if one.number not in taken)]


def _shows_what_is_gone(chain: Chain, shown: Collection[int]) -> bool:
    gone = chain.gone
    return any(one.turn_no in shown and one.atom.atom_id in gone for one in chain.states)
