"""An export carries what a chat model told: after an import nobody has to ask it again."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, strategies as st
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
from tests.service.scenes.test_laws import Batch, _add, conversations, quick, sizes
from tests.service.test_exchange import Lines, change, index_of, lines_of, sealed

from graphmem.errors import BuildFailedError, ChatResponseError, InvalidInputError
from graphmem.ports.store import Store
from graphmem.service.memory import MemoryService
from graphmem.service.policy import ADD_SEARCH
from graphmem.stores.memory.store import MemoryStore

TOLD = {"I love sushi.": "llm", "I live in Oslo.": "llm"}
BY_RULES = dict.fromkeys(TOLD, "rules")


def exported(service: MemoryService) -> bytes:
    file = io.BytesIO()
    service.export(file)
    return file.getvalue()


def told_file(*texts: str, scene_turns: int = 8) -> bytes:
    """The export of a memory that a model has told."""
    with told_service(MemoryStore(), ScriptedChat(lister), scene_turns=scene_turns) as service:
        say(service, *(texts or TOLD))
        return exported(service)


def of_file(file: bytes) -> Lines:
    return [json.loads(line) for line in file.splitlines()]


def test_nothing_is_asked_again_and_no_version_is_added(store: Store) -> None:
    file = told_file("I love sushi.", "I live in Oslo.", "I own a bike.", scene_turns=2)
    model = ScriptedChat(is_out)
    with told_service(store, model, scene_turns=2) as service:
        report = service.import_(io.BytesIO(file))
        assert (report.imported, report.pending) == (1, 0)
        assert origins(service) == TOLD | {"I own a bike.": "llm"}
        assert service.status("t", "m").state == "ready"
        assert exported(service) == file
        before = atoms(service)
        service.rebuild("t", "m")
        assert atoms(service) == before
    assert not model.asked


@quick
@given(conversations, sizes, st.data())
def test_a_round_trip_loses_nothing(
    conversation: list[Batch], size: int, data: st.DataObject
) -> None:
    """Also after deletions and rebuilds, and of what waits."""
    source, model, other = MemoryStore(), ScriptedChat(lister), ScriptedChat(is_out)
    with (
        told_service(source, model, scene_turns=size) as service,
        told_service(MemoryStore(), other, scene_turns=size) as target,
    ):
        _add(service, model, conversation)
        with source.read(SCOPE) as snapshot:
            ids = [turn.turn_id for turn in snapshot.turns(snapshot.turn_nos())]
        gone = data.draw(st.sets(st.sampled_from(ids), max_size=2))
        service.delete_messages("t", "m", sorted(gone))
        is_whole = len(gone) < len(ids) and data.draw(st.booleans())
        if is_whole:
            service.rebuild("t", "m")
        file = exported(service)
        report = target.import_(io.BytesIO(file))
        assert exported(target) == file
        assert atoms(target) == atoms(service)
        assert not is_whole or (report.pending, other.asked) == (0, [])


def test_what_waits_goes_on_waiting_with_its_failures(store: Store) -> None:
    model = ScriptedChat(lister)
    with told_service(MemoryStore(), model, scene_turns=2) as service:
        say(service, "I love sushi.", policy=ADD_SEARCH)
        service._builder.telling.tell(SCOPE)
        say(service, "I live in Oslo.", "I own a bike.", policy=ADD_SEARCH, request_id="2")
        model.script = says_nothing_of_use
        with pytest.raises(ChatResponseError):
            service._builder.telling.tell(SCOPE)
        file = exported(service)
        before = service._parts.store
        with told_service(store, ScriptedChat(is_out), scene_turns=2) as target:
            assert target.import_(io.BytesIO(file)).pending == 1
            assert exported(target) == file
            assert scenes(store) == scenes(before)
            assert [(row.told, row.attempts) for row in scenes(store)] == [(1, 1), (0, 1)]
            assert origins(target) == {
                "I love sushi.": "llm", "I live in Oslo.": "rules", "I own a bike.": "rules",
            }  # fmt: skip


def test_scenes_that_were_left_to_rules_stay_so(store: Store) -> None:
    with told_service(MemoryStore(), ScriptedChat(says_nothing_of_use), max_attempts=1) as service:
        say(service, *TOLD)
        file = exported(service)
    model = ScriptedChat(lister)
    with told_service(store, model) as target:
        assert target.import_(io.BytesIO(file)).pending == 0
        assert origins(target) == BY_RULES
        assert not model.asked
        target.rebuild("t", "m")
        assert origins(target) == TOLD


def test_what_was_spent_counts_on(store: Store) -> None:
    file = told_file("I love sushi.", scene_turns=1)
    model = ScriptedChat(lister)
    with told_service(store, model, scene_turns=1, token_budget=1) as service:
        service.import_(io.BytesIO(file))
        say(service, "I live in Oslo.", request_id="2")
        assert origins(service) == {"I love sushi.": "llm", "I live in Oslo.": "rules"}
    assert not model.asked


def test_without_a_model_rules_tell_it_and_the_answers_wait_for_its_return(store: Store) -> None:
    file = told_file()
    with told_service(store, None) as service:
        assert service.import_(io.BytesIO(file)).pending == 0
        assert origins(service) == BY_RULES
    model = ScriptedChat(is_out)
    with told_service(store, model) as service:
        assert service.status("t", "m").needs_rebuild
        service.rebuild("t", "m")
        assert origins(service) == TOLD
    assert not model.asked


@pytest.mark.parametrize("other", ["model", "scenes"])
def test_another_model_or_other_scenes_are_told_anew(store: Store, other: str) -> None:
    file = told_file()
    model = ScriptedChat(lister, fingerprint="other" if other == "model" else "scripted")
    size = 1 if other == "scenes" else 8
    with told_service(store, model, scene_turns=size) as service:
        assert service.import_(io.BytesIO(file)).pending == 0
        assert len(model.asked) == (2 if other == "scenes" else 1)
        assert origins(service) == TOLD
        assert service.import_(io.BytesIO(file)).unchanged == 1


def test_a_model_that_is_out_is_not_needed_where_another_one_told(store: Store) -> None:
    file = told_file()
    with told_service(store, ScriptedChat(is_out, fingerprint="other")) as service:
        assert service.import_(io.BytesIO(file)).pending == 1
        assert origins(service) == BY_RULES


def test_a_file_without_scenes_is_told_as_it_comes(store: Store) -> None:
    """As releases wrote it that did not know of scenes."""
    lines = [line for line in of_file(told_file()) if line["type"] != "scene"]
    for name in ("chat", "scene_turns", "chat_tokens"):
        del lines[index_of(lines, "memory")][name]
    model = ScriptedChat(lister)
    with told_service(store, model) as service:
        assert service.import_(io.BytesIO(sealed(lines))).pending == 0
        assert origins(service) == TOLD
    assert len(model.asked) == 1


def test_what_was_deleted_is_in_no_scene_of_the_file() -> None:
    with told_service(MemoryStore(), ScriptedChat(lister)) as service:
        ids = say(service, "I love sushi.", "I live in Oslo.")
        service.delete_messages("t", "m", ids[:1])
        file = exported(service)
    assert b"sushi" not in file
    (scene,) = (line for line in of_file(file) if line["type"] == "scene")
    assert (scene["turn_nos"], scene["told"]) == ([1], 0)
    assert scene.keys().isdisjoint({"key", "answer"})


def test_a_deleted_memory_names_no_model() -> None:
    with told_service(MemoryStore(), ScriptedChat(lister)) as service:
        say(service, *TOLD)
        service.delete_memory("t", "m")
        file = exported(service)
        assert b"chat" not in file
        with told_service(MemoryStore(), ScriptedChat(lister)) as target:
            target.import_(io.BytesIO(file))
            assert exported(target) == file


def without_model(lines: Lines) -> None:
    for name in ("chat", "scene_turns"):
        del lines[index_of(lines, "memory")][name]


def out_of_order(lines: Lines) -> None:
    at = index_of(lines, "scene")
    lines[at], lines[at + 1] = lines[at + 1], lines[at]


def before_its_turns(lines: Lines) -> None:
    at = index_of(lines, "scene")
    lines.insert(index_of(lines, "turn"), lines.pop(at))


def twice(lines: Lines) -> None:
    at = index_of(lines, "scene")
    lines.insert(at, dict(lines[at]))


# Three turns of one session in scenes of two: header, memory, session, three turns, two scenes.
BAD: list[tuple[Callable[[Lines], None], str]] = [
    (change("memory", chat=" "), "line 2.chat"),
    (change("memory", chat=...), "line 2.chat"),
    (change("memory", scene_turns=...), "line 2.scene_turns"),
    (change("memory", scene_turns=0), "line 2.scene_turns"),
    (change("memory", scene_turns=2**31), "line 2.scene_turns"),
    (change("memory", scene_turns=3), "line 8.turn_nos"),
    (change("memory", chat_tokens=-1), "line 2.chat_tokens"),
    (change("memory", chat_tokens=2**60), "line 2.chat_tokens"),
    (change("memory", chat_tokens=True), "line 2.chat_tokens"),
    (change("scene", session_no=1), "line 7.session_no"),
    (change("scene", session_no=...), "line 7.session_no"),
    (change("scene", scene_no=-1), "line 7.scene_no"),
    (change("scene", scene_no=2**63), "line 7.scene_no"),
    (change("scene", scene_no=7, key=..., answer=...), "line 7.turn_nos"),
    (change("scene", turn_nos=[]), "line 7.turn_nos"),
    (change("scene", turn_nos=[1, 0]), "line 7.turn_nos"),
    (change("scene", turn_nos=[0, 0]), "line 7.turn_nos"),
    (change("scene", turn_nos=[0, 2]), "line 7.turn_nos"),
    (change("scene", turn_nos=[0, 3]), "line 7.turn_nos"),
    (change("scene", turn_nos=[0, 2**63]), "line 7.turn_nos"),
    (change("scene", turn_nos=[0, 1.0]), "line 7.turn_nos"),
    (change("scene", turn_nos=[0, True]), "line 7.turn_nos"),
    (change("scene", turn_nos="01"), "line 7.turn_nos"),
    (change("scene", told=3), "line 7.told"),
    (change("scene", told=0), "line 7.told"),
    (change("scene", told=...), "line 7.told"),
    (change("scene", attempts=-1), "line 7.attempts"),
    (change("scene", attempts="1"), "line 7.attempts"),
    (change("scene", key=...), "line 7.key"),
    (change("scene", key=""), "line 7.key"),
    (change("scene", key="0" * 32 + ".0.1"), "line 7.key"),
    (change("scene", key="x" * 32 + ".0.0"), "line 7.key"),
    (change("scene", answer=...), "line 7.answer"),
    (change("scene", answer={"atoms": []}), "line 7.answer"),
    (change("scene", answer="\ud800"), "line 7.answer"),
    (change("scene", model="x"), "line 7.model"),
    (without_model, "line 7.type"),
    (out_of_order, "line 8.type"),
    (before_its_turns, "line 4.turn_nos"),
    (twice, "line 8.type"),
]


@pytest.mark.parametrize(("alter", "field"), BAD)
def test_a_wrong_line_is_named_and_nothing_comes_in(
    alter: Callable[[Lines], None], field: str
) -> None:
    lines = of_file(told_file("I love sushi.", "I live in Oslo.", "I own a bike.", scene_turns=2))
    alter(lines)
    with told_service(MemoryStore(), ScriptedChat(lister), scene_turns=2) as service:
        with pytest.raises(InvalidInputError) as caught:
            service.import_(io.BytesIO(sealed(lines)))
        assert caught.value.field == field
        assert "sushi" not in str(caught.value)
        assert lines_of(service)[1]["type"] == "footer"


@pytest.mark.parametrize("answer", ["", "no JSON", '{"atoms": [{"position": 9}]}', "[" * 100_000])
def test_an_answer_of_no_use_leaves_the_scene_to_rules(store: Store, answer: str) -> None:
    lines = of_file(told_file())
    change("scene", answer=answer)(lines)
    file = sealed(lines)
    with told_service(store, ScriptedChat(is_out)) as service:
        assert service.import_(io.BytesIO(file)).pending == 0
        assert origins(service) == BY_RULES
        assert of_file(exported(service))[-1]["lines"] == lines[-1]["lines"]


def test_an_answer_that_claims_what_nobody_said_makes_no_atom(store: Store) -> None:
    lines = of_file(told_file())
    line: dict[str, Any] = lines[index_of(lines, "scene")]
    line["answer"] = line["answer"].replace("I love sushi.", "I hate sushi.")
    with told_service(store, ScriptedChat(is_out)) as service:
        service.import_(io.BytesIO(sealed(lines)))
        assert not [content for content in origins(service) if "hate" in content]


def test_an_import_that_is_repeated_leaves_what_was_told_since_as_it_is(store: Store) -> None:
    model = ScriptedChat(is_out)
    with told_service(MemoryStore(), ScriptedChat(is_out)) as service:
        with pytest.raises(BuildFailedError):
            say(service, *TOLD)
        file = exported(service)
    with told_service(store, model) as target:
        assert target.import_(io.BytesIO(file)).pending == 1
        model.script = lister
        again = target.import_(io.BytesIO(file))
        assert (again.unchanged, again.pending) == (1, 0)
        assert origins(target) == TOLD
