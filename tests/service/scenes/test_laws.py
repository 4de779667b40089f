"""However turns arrive and whenever the model is out: the same atoms, and a rebuild changes nothing."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from hypothesis import HealthCheck, given, settings, strategies as st
from tests.providers.chat.scripted import ScriptedChat
from tests.service.atoms.makers import TEXTS, atoms, say
from tests.service.scenes.makers import SCOPE, is_out, lister, scenes, told_service

from graphmem.domain.atom_query import FoundAtom
from graphmem.errors import BuildFailedError
from graphmem.service.memory import MemoryService
from graphmem.service.policy import ADD_SEARCH, PRODUCT, Policy
from graphmem.stores.memory.store import MemoryStore


@dataclass(frozen=True)
class Batch:
    texts: list[str]
    session: str
    policy: Policy
    is_out: bool


batches = st.builds(
    Batch,
    st.lists(st.sampled_from(TEXTS), min_size=1, max_size=4),
    st.sampled_from("ab"),
    st.sampled_from([PRODUCT, ADD_SEARCH]),
    st.booleans(),
)
conversations = st.lists(batches, min_size=1, max_size=6)
sizes = st.integers(min_value=1, max_value=5)
quick = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def _add(service: MemoryService, model: ScriptedChat, conversation: list[Batch]) -> None:
    for number, batch in enumerate(conversation):
        model.script = is_out if batch.is_out else lister
        with suppress(BuildFailedError):
            say(
                service,
                *batch.texts,
                session=batch.session,
                policy=batch.policy,
                request_id=str(number),
            )
    model.script = lister
    service._builder.bring_up(SCOPE, seconds=60)


def _built(conversation: list[Batch], size: int, *, rebuild: bool = False) -> list[FoundAtom]:
    model = ScriptedChat(lister)
    with told_service(MemoryStore(), model, scene_turns=size) as service:
        _add(service, model, conversation)
        assert service.status("t", "m").state == "ready"
        if rebuild:
            calls, model.script = len(model.asked), is_out
            service.rebuild("t", "m")
            assert len(model.asked) == calls
        return atoms(service)


@quick
@given(conversations, sizes)
def test_batches_and_outages_do_not_matter(conversation: list[Batch], size: int) -> None:
    told = _built(conversation, size)
    single = [
        Batch([text], batch.session, batch.policy, is_out=False)
        for batch in conversation
        for text in batch.texts
    ]
    assert [one.atom for one in _built(single, size)] == [one.atom for one in told]


@quick
@given(conversations, sizes)
def test_a_rebuild_changes_nothing(conversation: list[Batch], size: int) -> None:
    assert _built(conversation, size, rebuild=True) == _built(conversation, size)


@quick
@given(conversations, sizes, st.data())
def test_after_a_deletion_nothing_stands_on_what_was_deleted(
    conversation: list[Batch], size: int, data: st.DataObject
) -> None:
    store, model = MemoryStore(), ScriptedChat(lister)
    with told_service(store, model, scene_turns=size) as service:
        _add(service, model, conversation)
        with store.read(SCOPE) as snapshot:
            ids = [turn.turn_id for turn in snapshot.turns(snapshot.turn_nos())]
        gone = data.draw(st.sets(st.sampled_from(ids), min_size=1))
        service.delete_messages("t", "m", sorted(gone))
        touched = {row.place for row in scenes(store) if row.waits}
        for found in atoms(service):
            assert gone.isdisjoint(found.turn_ids)
        with store.read(SCOPE) as snapshot:
            for row in scenes(store):
                assert (snapshot.answer(row.key) is None) == (row.place in touched)
                for source in snapshot.sources_in(row.turn_nos):
                    assert row.place not in touched or source.origin != "llm"
        if len(gone) < len(ids):
            service._builder.bring_up(SCOPE, seconds=60)
            before = atoms(service)
            assert {len(one.atom.predicate) for one in before if one.atom.origin == "llm"} <= {
                len(row.turn_nos) for row in scenes(store)
            }
            service.rebuild("t", "m")
            assert atoms(service) == before
