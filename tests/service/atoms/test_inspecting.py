"""What inspecting costs: texts are read once, and not at all where only what follows from atoms is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import pytest
from tests.service.atoms.makers import only, say, service_on
from tests.service.conftest import StillClock

from graphmem.domain.turn import Turn
from graphmem.service.memory import MemoryService
from graphmem.stores.memory.store import MemoryStore
from graphmem.stores.memory.transaction import MemoryRead

Reads = Counter[int]


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Reads:
    """How often the text of each turn is read."""
    counted: Reads = Counter()
    turns: Callable[[MemoryRead, Sequence[int]], list[Turn]] = MemoryRead.turns

    def counting(self: MemoryRead, turn_nos: Sequence[int]) -> list[Turn]:
        counted.update(turn_nos)
        return turns(self, turn_nos)

    monkeypatch.setattr(MemoryRead, "turns", counting)
    return counted


def told(service: MemoryService) -> None:
    texts = [f"I visited house {number} in Rome. I own book {number}." for number in range(30)]
    say(service, *texts, "I live in Rome.", "I live in Oslo.", at="2023-05-08T10:00:00Z")


def test_inspecting_reads_every_turn_once(reads: Reads) -> None:
    with service_on(MemoryStore(), clock=StillClock()) as service:
        told(service)
        service.query_atoms("t", "m", limit=1)
        reads.clear()
        found = service.inspect("t", "m")
    assert len(found.atoms) > 60
    assert all(len(one.turn_ids) == 1 for one in found.atoms)
    assert dict(reads) == dict.fromkeys(range(32), 1)


def test_explaining_reads_no_turn_but_the_atoms_own(reads: Reads) -> None:
    with service_on(MemoryStore(), clock=StillClock()) as service:
        told(service)
        atom_id = only(service, "I live in Rome.").atom.atom_id
        reads.clear()
        found = service.explain_atom("t", "m", atom_id)
    assert found.chain is not None
    assert len(found.chain.states) == 2
    assert set(reads) == {30}


def test_preparing_reads_no_turn_twice_for_what_the_graph_knows(reads: Reads) -> None:
    with service_on(MemoryStore(), clock=StillClock()) as service:
        told(service)
        service.prepare("t", "m", "Where does Ann live?")
        reads.clear()
        ready = service.prepare("t", "m", "Where does Ann live?")
    assert ready.evidence
    assert (reads[30], reads[31]) == (1, 1)  # those of the chain
