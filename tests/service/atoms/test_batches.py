"""However turns arrive, a memory has the same atoms; a rebuild finds nothing to change."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from hypothesis import HealthCheck, given, settings, strategies as st
from tests.service.atoms.makers import TEXTS, service_on

from graphmem.domain.message import Message
from graphmem.domain.scope import Scope
from graphmem.errors import BuildFailedError
from graphmem.ports.store import Store
from graphmem.providers.embedding.fake import Failure, FakeEmbedder
from graphmem.service.memory import MemoryService
from graphmem.service.policy import ADD_SEARCH, PRODUCT, Policy
from graphmem.stores.memory.store import MemoryStore

SCOPE = Scope(tenant_id="t", memory_id="m")


@dataclass(frozen=True)
class Line:
    """A message, whether a new add begins with it, and whether the model is out meanwhile."""

    text: str
    speaker: str | None
    at: str | None
    begins: bool
    policy: Policy
    is_out: bool = False


lines = st.builds(
    Line,
    st.lists(st.sampled_from(TEXTS), min_size=1, max_size=2).map(" ".join),
    st.sampled_from(["Ann", "Bob", None]),
    st.sampled_from([None, "2023-05-08T10:00:00Z", "2023-06-01T08:00:00+08:00"]),
    st.booleans(),
    st.sampled_from([PRODUCT, ADD_SEARCH]),
    st.booleans(),
)
conversations = st.lists(lines, min_size=1, max_size=12)
quick = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def add_all(
    service: MemoryService, conversation: list[Line], *, at_once: bool, first: int = 0
) -> None:
    """Add a conversation line by line as it says, or whole."""
    batch: list[Line] = []
    batches = [batch]
    for line in conversation:
        if line.begins and batch and not at_once:
            batch = []
            batches.append(batch)
        batch.append(line)
    number = first
    for batch in batches:
        messages = [
            Message(role="user", content=x.text, speaker=x.speaker, timestamp=x.at) for x in batch
        ]
        service.add("t", "m", "s", messages, request_id=f"r{number}", policy=batch[0].policy)
        number += len(batch)


def rows(store: Store) -> list[object]:
    """Everything that the memory holds of atoms, but for their versions."""
    with store.read(SCOPE) as snapshot:
        found = snapshot.atoms(since=-1)
        sources = snapshot.atom_sources([row.atom_no for row in found])
        names = {row.atom_no: row.atom_id for row in found}
        return [
            sorted((row.atom_id, row.is_live, row.data) for row in found),
            sorted((names[s.atom_no], s.turn_no, s.start, s.end, s.origin) for s in sources),
            snapshot.atom_edits([row.atom_id for row in found]),
        ]


@quick
@given(conversations, st.booleans())
def test_the_cut_into_batches_changes_no_atom(conversation: list[Line], dense: bool) -> None:
    one, other = MemoryStore(), MemoryStore()
    with service_on(one, dense=dense) as service:
        add_all(service, conversation, at_once=False)
    with service_on(other, dense=dense) as service:
        add_all(service, conversation, at_once=True)
    assert rows(one) == rows(other)


@quick
@given(conversations)
def test_adds_that_were_published_late_change_no_atom(conversation: list[Line]) -> None:
    one, other, model = MemoryStore(), MemoryStore(), FakeEmbedder()
    with service_on(one, model=model) as service:
        for number, line in enumerate(conversation):
            if line.is_out:
                model.break_down(Failure.DOWN)
            with suppress(BuildFailedError):
                add_all(service, [line], at_once=True, first=number)
            model.recover()
        service.rebuild_all()
    with service_on(other) as service:
        add_all(service, conversation, at_once=True)
    assert rows(one) == rows(other)


@quick
@given(conversations)
def test_a_rebuild_finds_nothing_to_change(conversation: list[Line]) -> None:
    store = MemoryStore()
    with service_on(store) as service:
        add_all(service, conversation, at_once=False)
        before = rows(store)
        with store.read(SCOPE) as snapshot:
            versions = [row.version for row in snapshot.atoms(since=-1)]
        assert service.rebuild("t", "m").remade == 1
        with store.read(SCOPE) as snapshot:
            assert [row.version for row in snapshot.atoms(since=-1)] == versions
    assert rows(store) == before


@quick
@given(conversations)
def test_atoms_that_are_wanted_later_are_those_that_would_have_been_there(
    conversation: list[Line],
) -> None:
    store, twin = MemoryStore(), MemoryStore()
    with service_on(store, semantic=False) as service:
        add_all(service, conversation, at_once=False)
    assert rows(store) == [[], [], []]
    with service_on(store) as service, service_on(twin) as other:
        add_all(other, conversation, at_once=False)
        assert service.status("t", "m").state == "pending"
        service.rebuild_all()
        assert service.status("t", "m").state == "ready"
    assert rows(store) == rows(twin)


@quick
@given(conversations)
def test_atoms_that_are_wanted_no_more_go(conversation: list[Line]) -> None:
    store = MemoryStore()
    with service_on(store) as service:
        add_all(service, conversation, at_once=False)
    with service_on(store, semantic=False) as service:
        service.rebuild_all()
    assert rows(store) == [[], [], []]
