"""Builds atoms without an extractor."""

from __future__ import annotations

from graphmem.build.graph import Graph, TurnPlace
from graphmem.domain.atom import Atom, AtomDraft, AtomSource, Origin, make_atom_id
from graphmem.domain.claim import AtomType
from graphmem.domain.interval import Interval
from graphmem.domain.scope import Scope

SCOPE = Scope(tenant_id="t", memory_id="m")
DAY_US = 86_400_000_000


def atom(
    content: str,
    *turns: int,
    subject: str = "Ann",
    predicate: str = "say",
    value: str = "",
    attribute: str = "",
    event: str | None = None,
    type: AtomType = "persona",  # noqa: A002
    origin: Origin = "rules",
) -> Atom:
    """An atom said in these turns, each a day after the one before."""
    interval = Interval.parse(event) if event else None
    draft = AtomDraft(
        type=type,
        content=content,
        subject=subject,
        predicate=predicate,
        value=value,
        polarity="affirmed",
        modality="asserted",
        event=interval,
        attribute=attribute,
        origin=origin,
        source=AtomSource(turn_no=0, start=0, end=1),
    )
    said = turns[0] * DAY_US if turns else 0
    return Atom(
        atom_id=make_atom_id(SCOPE, draft),
        type=type,
        content=content,
        background="",
        subject=subject,
        predicate=predicate,
        value=value,
        polarity="affirmed",
        modality="asserted",
        event=interval,
        attribute=attribute,
        origin=origin,
        revision=1,
        created_us=said,
        updated_us=said,
        sources=tuple(AtomSource(turn_no=turn, start=0, end=1) for turn in turns),
    )


def graph(*atoms: Atom, turns_a_scene: int = 10) -> Graph:
    """Their graph; every ten turns are a scene."""
    turns = {source.turn_no for one in atoms for source in one.sources}
    places = {t: TurnPlace(scene=t // turns_a_scene, time_us=t * DAY_US) for t in turns}
    return Graph(atoms=atoms, turns=places)
