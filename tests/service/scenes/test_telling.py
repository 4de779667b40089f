"""A memory whose atoms a chat model finds: what it waits for, what serves meanwhile, what is kept."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import pytest
from tests.providers.chat.scripted import ScriptedChat
from tests.service.atoms.makers import atoms, say
from tests.service.scenes.makers import (
    SCOPE,
    is_out,
    lister,
    origins,
    says_nothing_of_use,
    scenes,
    told_service,
)

from graphmem.domain.message import Message
from graphmem.errors import BuildFailedError, ChatResponseError, MemoryPendingError
from graphmem.ports.chat import ChatMessage
from graphmem.ports.scenes import SceneRow
from graphmem.ports.store import Store
from graphmem.service.atoms.maker import AtomMaker
from graphmem.service.atoms.sayings import Saying
from graphmem.service.policy import ADD_SEARCH
from graphmem.stores.memory.scenes import MemorySceneReads
from graphmem.stores.memory.store import MemoryStore

TOLD = {"I love sushi.": "llm", "I live in Oslo.": "llm"}
BY_RULES = {"I love sushi.": "rules", "I live in Oslo.": "rules"}


@pytest.mark.parametrize("dense", [False, True])
def test_a_strict_add_waits_for_the_model(store: Store, dense: bool) -> None:
    model = ScriptedChat(lister)
    with told_service(store, model, dense=dense) as service:
        say(service, "I love sushi.", "I live in Oslo.")
        assert origins(service) == TOLD
        assert service.status("t", "m").state == "ready"
        assert len(model.asked) == 1


@pytest.mark.parametrize("dense", [False, True])
def test_without_the_model_a_strict_add_is_pending_and_the_same_request_completes_it(
    store: Store, dense: bool
) -> None:
    model = ScriptedChat(is_out)
    with told_service(store, model, dense=dense) as service:
        with pytest.raises(BuildFailedError):
            say(service, "I love sushi.", "I live in Oslo.", request_id="r")
        status = service.status("t", "m")
        assert (status.state, status.needs_rebuild) == ("pending", False)
        with pytest.raises(MemoryPendingError):
            service.retrieve("t", "m", "sushi")
        model.script = lister
        say(service, "I love sushi.", "I live in Oslo.", request_id="r")
        assert origins(service) == TOLD
        assert len(service.retrieve("t", "m", "sushi").hits) == 2


def test_add_and_search_go_on_with_rules_until_the_model_has_told(store: Store) -> None:
    model = ScriptedChat(is_out)
    with told_service(store, model) as service:
        say(service, "I love sushi.", "I live in Oslo.", policy=ADD_SEARCH)
        assert origins(service) == BY_RULES
        assert service.retrieve("t", "m", "sushi", policy=ADD_SEARCH).hits
        with pytest.raises(MemoryPendingError):
            service.retrieve("t", "m", "sushi")
        before = {one.atom.atom_id for one in atoms(service)}
        model.script = lister
        assert service._builder.telling.tell(SCOPE) == 1
        assert origins(service) == TOLD
        assert {one.atom.atom_id for one in atoms(service)} == before
        assert service.retrieve("t", "m", "sushi").hits


def test_the_background_tells_what_was_left_and_what_an_earlier_process_left(store: Store) -> None:
    with told_service(store, ScriptedChat(is_out)) as service:
        say(service, "I love sushi.", "I live in Oslo.", policy=ADD_SEARCH)
    with told_service(store, ScriptedChat(lister), background=True) as service:
        assert service.catch_up(20)
        assert origins(service) == TOLD
        say(service, "I own a red bike.", policy=ADD_SEARCH, request_id="2")
        assert service.catch_up(20)
        assert origins(service) == TOLD | {"I own a red bike.": "llm"}


def test_a_strict_add_that_is_completed_in_the_background_is_published(store: Store) -> None:
    model = ScriptedChat(is_out)
    with told_service(store, model) as service, pytest.raises(BuildFailedError):
        say(service, "I love sushi.", "I live in Oslo.")
    with told_service(store, ScriptedChat(lister), background=True) as service:
        assert service.catch_up(20)
        assert service.status("t", "m").state == "ready"
        assert origins(service) == TOLD


def test_memories_that_came_while_the_model_was_out_are_told_when_it_is_back(store: Store) -> None:
    exported = io.BytesIO()
    with told_service(MemoryStore(), None) as service:
        said = [Message(role="user", content=text, speaker="Ann") for text in BY_RULES]
        for memory in ("m", "n"):
            service.add("t", memory, "s", said)
        service.export(exported)
    exported.seek(0)
    with told_service(store, ScriptedChat(is_out)) as service:
        assert service.import_(exported).pending == 2
        assert origins(service) == BY_RULES
    with told_service(store, ScriptedChat(lister), background=True) as service:
        assert service.catch_up(20)
        assert origins(service) == origins(service, "n") == TOLD
        assert service.status("t", "n").state == "ready"


def test_a_rebuild_asks_nothing_that_is_on_record(store: Store) -> None:
    model = ScriptedChat(lister)
    with told_service(store, model, scene_turns=1) as service:
        say(service, "I love sushi.", "I live in Oslo.")
        before, model.script = atoms(service), is_out
        service.rebuild("t", "m")
        assert atoms(service) == before
        assert len(model.asked) == 2


def test_a_scene_that_grows_is_told_again_and_its_old_answer_goes(store: Store) -> None:
    model = ScriptedChat(lister)
    with told_service(store, model) as service:
        say(service, "I love sushi.")
        (first,) = scenes(store)
        say(service, "I live in Oslo.")
        (grown,) = scenes(store)
        assert grown.told == len(grown.turn_nos) == 2
        assert {one.atom.predicate for one in atoms(service)} == {"xx"}
        with store.read(SCOPE) as snapshot:
            assert snapshot.answer(first.key) is None
            assert snapshot.answer(grown.key) is not None


def test_scenes_are_windows_of_sessions(store: Store) -> None:
    model = ScriptedChat(lister)
    with told_service(store, model, scene_turns=2) as service:
        say(service, *["I love sushi."] * 3, session="a")
        say(service, *["I love sushi."] * 2, session="b")
        say(service, "I love sushi.", session="a")
        assert [row.turn_nos for row in scenes(store)] == [(0, 1), (2, 5), (3, 4)]


def test_answers_of_no_use_leave_the_scene_to_rules_after_a_few(store: Store) -> None:
    model = ScriptedChat(says_nothing_of_use)
    with told_service(store, model, max_attempts=3) as service:
        for _ in range(2):
            with pytest.raises(BuildFailedError):
                say(service, "I love sushi.", "I live in Oslo.", request_id="r")
            assert service.status("t", "m").state == "pending"
        say(service, "I love sushi.", "I live in Oslo.", request_id="r")
        assert origins(service) == BY_RULES
        assert service.status("t", "m").state == "ready"
        assert len(model.asked) == 3
        model.script = lister
        service.rebuild("t", "m")
        assert origins(service) == TOLD


def test_one_scene_of_no_use_keeps_no_other_waiting(store: Store) -> None:
    def of_two(messages: object) -> str:
        return lister(messages) if "sushi" in str(messages) else "no"  # type: ignore[arg-type]

    with told_service(store, ScriptedChat(of_two), scene_turns=1) as service:
        say(service, "I live in Oslo.", "I love sushi.", policy=ADD_SEARCH)
        with pytest.raises(ChatResponseError):
            service._builder.telling.tell(SCOPE)
        assert origins(service) == {"I love sushi.": "llm", "I live in Oslo.": "rules"}


def test_an_outage_costs_no_attempt(store: Store) -> None:
    model = ScriptedChat(is_out)
    with told_service(store, model, max_attempts=1) as service:
        for _ in range(3):
            with pytest.raises(BuildFailedError):
                say(service, "I love sushi.", "I live in Oslo.", request_id="r")
        model.script = lister
        say(service, "I love sushi.", "I live in Oslo.", request_id="r")
        assert origins(service) == TOLD


def test_when_the_budget_is_spent_rules_go_on_alone(store: Store) -> None:
    model = ScriptedChat(lister)
    with told_service(store, model, scene_turns=1, token_budget=1) as service:
        say(service, "I love sushi.")
        say(service, "I live in Oslo.")
        assert origins(service) == {"I love sushi.": "llm", "I live in Oslo.": "rules"}
        assert service.status("t", "m").state == "ready"
        assert len(model.asked) == 1
        with store.read(SCOPE) as snapshot:
            assert snapshot.chat_tokens() > 1


@pytest.mark.parametrize("count", [3, 12])
def test_the_list_is_not_read_again_for_each_scene(
    monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    store, model = MemoryStore(), ScriptedChat(is_out)
    reads: list[int] = []
    of_store = MemorySceneReads.waiting_scenes

    def counted(read: MemorySceneReads) -> list[SceneRow]:
        reads.append(1)
        return of_store(read)

    with told_service(store, model, scene_turns=1) as service:
        say(service, *[f"I own {number} bikes." for number in range(count)], policy=ADD_SEARCH)
        model.script = lister
        monkeypatch.setattr(MemorySceneReads, "waiting_scenes", counted)
        assert service._builder.telling.tell(SCOPE) == count
    assert len(reads) == 2  # to begin with, and at the end, whether others put more on it


def test_what_others_do_to_the_list_meanwhile_counts(store: Store) -> None:
    """One deletes a turn of a later scene, has another told, and adds a third."""
    model = ScriptedChat(is_out)
    with told_service(store, model, scene_turns=2) as service:
        texts = [f"I own {thing}." for thing in ("bikes", "boats", "cars", "dogs", "cats", "pans")]
        ids = say(service, *texts, policy=ADD_SEARCH)

        def meanwhile(messages: Sequence[ChatMessage]) -> str:
            model.script = lister
            service.delete_messages("t", "m", [ids[2]])
            say(service, "I own a kite.", session="b", policy=ADD_SEARCH, request_id="2")
            assert service._builder.telling.tell(SCOPE) == 4
            return lister(messages)

        model.script = meanwhile
        assert service._builder.telling.tell(SCOPE) == 1
        assert len(model.asked) == 5
        assert not any("cars" in str(messages) for messages in model.asked[1:])
        assert set(origins(service).values()) == {"llm"}
        assert len(origins(service)) == 6
        assert not any(row.waits for row in scenes(store))


def test_a_scene_that_is_told_while_atoms_are_made_anew_keeps_what_was_told(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = ScriptedChat(is_out)
    with told_service(store, model) as service:
        say(service, "I love sushi.", "I live in Oslo.", policy=ADD_SEARCH)
        model.script = lister
        read = AtomMaker._sayings
        told: list[int] = []

        def and_then_told(maker: AtomMaker, *args: Any) -> list[Saying]:
            said = read(maker, *args)
            if not told:
                told.append(service._builder.telling.tell(SCOPE))
            return said

        monkeypatch.setattr(AtomMaker, "_sayings", and_then_told)
        assert service._builder.atoms.make(SCOPE, anew=True)
        assert told == [1]
        assert set(origins(service).values()) == {"llm"}


def test_what_was_changed_by_hand_stays(store: Store) -> None:
    model = ScriptedChat(is_out)
    with told_service(store, model) as service:
        say(service, "I love sushi.", "I live in Oslo.", policy=ADD_SEARCH)
        sushi, oslo = sorted(
            (one.atom for one in atoms(service)), key=lambda a: a.content, reverse=True
        )
        service.update_atom("t", "m", oslo.atom_id, content="I live in Bergen.")
        model.script = lister
        service._builder.telling.tell(SCOPE)
        assert [one.atom.content for one in atoms(service) if one.atom.atom_id == oslo.atom_id] == [
            "I live in Bergen."
        ]
        service.delete_atoms("t", "m", [sushi.atom_id])
        say(service, "I own a red bike.")
        assert sushi.atom_id not in {one.atom.atom_id for one in atoms(service)}


def test_another_model_asks_for_a_rebuild_and_none_makes_the_atoms_by_rules(store: Store) -> None:
    with told_service(store, None) as service:
        say(service, "I love sushi.", "I live in Oslo.")
    model = ScriptedChat(lister)
    with told_service(store, model) as service:
        status = service.status("t", "m")
        assert (status.state, status.needs_rebuild) == ("pending", True)
        with pytest.raises(MemoryPendingError):
            service.retrieve("t", "m", "sushi")
        service.rebuild_all()
        assert service.status("t", "m").state == "ready"
        assert origins(service) == TOLD
    with told_service(store, None, background=True) as service:
        assert service.catch_up(20)
        assert origins(service) == BY_RULES
        assert service.status("t", "m").state == "ready"
        assert scenes(store) == []


@pytest.mark.parametrize("other", [None, "other"])
def test_what_came_while_the_model_was_not_in_force_is_told_when_it_is_again(
    store: Store, other: str | None
) -> None:
    with told_service(store, ScriptedChat(lister)) as service:
        say(service, "I love sushi.")
    with told_service(store, ScriptedChat(is_out, fingerprint=other) if other else None) as service:
        say(service, "I live in Oslo.", policy=ADD_SEARCH, request_id="2")
        assert origins(service) == {"I love sushi.": "llm", "I live in Oslo.": "rules"}
        assert service.status("t", "m").needs_rebuild == (other is not None)
    with told_service(store, ScriptedChat(lister)) as service:
        assert service.status("t", "m").state == "pending"
        assert service._builder.telling.tell(SCOPE) == 1
        assert origins(service) == TOLD
        assert service.status("t", "m").state == "ready"


def test_no_memory_sees_the_answer_of_another(store: Store) -> None:
    model = ScriptedChat(lister)
    with told_service(store, model) as service:
        say(service, "I love sushi.")
        service.add("t", "n", "s", [Message(role="user", content="I love sushi.", speaker="Ann")])
        assert len(model.asked) == 2
        assert origins(service, "n") == {"I love sushi.": "llm"}


def test_counts_tell_calls_tokens_and_failures(store: Store) -> None:
    model = ScriptedChat(is_out)
    with told_service(store, model) as service:
        with pytest.raises(BuildFailedError):
            say(service, "I love sushi.", request_id="r")
        assert not service.statistics().chat_is_well
        assert service.backlog().pending_memories == 1
        model.script = lister
        say(service, "I love sushi.", request_id="r")
        now = service.statistics()
        assert now.chat_is_well
        assert now.chat is not None
        assert (now.chat.calls, now.chat.unavailable, now.chat.atoms) == (2, 1, 1)
        assert now.chat.prompt_tokens > 100
        assert service.backlog().pending_memories == 0
