"""What was exported and imported is the same: ids, order, times, ledger, graves, answers."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from graphmem.domain.message import Message
from graphmem.errors import InvalidInputError, MemoryNotFoundError
from graphmem.ports.store import Store
from graphmem.service.memory import MemoryService
from graphmem.service.policy import ADD_SEARCH, PRODUCT
from graphmem.stores.memory import MemoryStore
from graphmem.stores.postgres import PostgresStore
from graphmem.stores.sqlite import SqliteStore
from tests.providers.chat.scripted import ScriptedChat
from tests.service.conftest import make_service
from tests.service.scenes.makers import is_out, lister, origins, told_service
from tests.stores.server import Server

Make = Callable[[], AbstractContextManager[Store]]
TEXTS = st.sampled_from(
    [
        "I joined a choir",
        "Ann: The ferry leaves at noon",
        "灯塔的门票是二十元。",
        "a\u2028b\r\nc 🙂",
    ]
) | st.text(st.characters(codec="utf-8"), min_size=1, max_size=40).filter(str.strip)
NAMES = st.none() | st.sampled_from(["Ann", "小明"])
MESSAGES = st.builds(
    Message,
    role=st.sampled_from(["user", "assistant"]),
    content=TEXTS,
    speaker=NAMES,
    listener=NAMES,
    timestamp=st.none() | st.sampled_from(["2023-05-08", "2023-05-08T13:56:00.000001+09:30"]),
)
ADD = st.tuples(
    st.just("add"),
    st.sampled_from(["t", "租户"]),
    st.sampled_from(["m", "记忆"]),
    st.sampled_from(["s1", "会话"]),
    st.lists(MESSAGES, min_size=1, max_size=4),
    st.sampled_from([PRODUCT, ADD_SEARCH]),
)
DELETE = st.tuples(
    st.sampled_from(["session", "memory", "first"]),
    st.sampled_from(["t", "租户"]),
    st.sampled_from(["m", "记忆"]),
)
STEPS: st.SearchStrategy[list[Any]] = st.lists(ADD | ADD | DELETE, min_size=1, max_size=10)
PLACES = [(tenant, memory) for tenant in ("t", "租户") for memory in ("m", "记忆")]


@pytest.fixture(params=["memory", "postgres", "sqlite"])
def make(request: pytest.FixtureRequest) -> Make:
    """Makes new stores of one kind."""
    if request.param == "postgres":
        server: Server = request.getfixturevalue("server")
        return lambda: _postgres(server)
    return _memory if request.param == "memory" else _sqlite


@contextmanager
def _memory() -> Iterator[Store]:
    yield MemoryStore()


@contextmanager
def _sqlite() -> Iterator[Store]:
    with TemporaryDirectory() as directory:
        store = SqliteStore.open(Path(directory))
        yield store
        store.close()


@contextmanager
def _postgres(server: Server) -> Iterator[Store]:
    with server.lent() as name:
        store = PostgresStore.open(server.url(name))
        yield store
        store.close()


def play(service: MemoryService, steps: list[Any]) -> None:
    for number, step in enumerate(steps):
        kind, tenant, memory, *rest = step
        if kind == "add":
            session, messages, policy = rest
            service.add(tenant, memory, session, messages, request_id=f"r{number}", policy=policy)
        elif kind == "session":
            service.delete_session(tenant, memory, "s1")
        elif kind == "memory":
            service.delete_memory(tenant, memory)
        else:
            ids = [hit.id for hit in find(service, tenant, memory)]
            service.delete_messages(tenant, memory, ids[:1])


def find(service: MemoryService, tenant: str, memory: str) -> tuple[Any, ...]:
    try:
        return service.retrieve(tenant, memory, "choir ferry 灯塔 Ann", explain=True).hits
    except MemoryNotFoundError:
        return ()


def exported(service: MemoryService, **options: Any) -> bytes:
    file = io.BytesIO()
    service.export(file, **options)
    return file.getvalue()


def imported(service: MemoryService, data: bytes, **options: Any) -> dict[str, object]:
    return service.import_(io.BytesIO(data), **options).to_dict()


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(steps=STEPS)
def test_a_round_trip_loses_nothing(make: Make, steps: list[Any]) -> None:
    source = make_service(MemoryStore())
    play(source, steps)
    data = exported(source)
    with make() as store:
        target = make_service(store)
        imported(target, data)
        assert exported(target) == data
        for tenant, memory in PLACES:
            assert find(target, tenant, memory) == find(source, tenant, memory)
            assert target.erasures(tenant, memory) == source.erasures(tenant, memory)
        for number, (kind, tenant, memory, *rest) in enumerate(steps):
            if kind == "add":
                session, messages, policy = rest
                arguments = (tenant, memory, session, messages)
                again = target.add(*arguments, request_id=f"r{number}", policy=policy)
                assert again.replayed
                assert again == source.add(*arguments, request_id=f"r{number}", policy=policy)
        # It goes on as the other would have.
        grown = [("add", "t", "m", "s1", [Message(role="user", content="choir")], PRODUCT)]
        for service in (source, target):
            play(service, [*[("first", "-", "-")] * len(steps), *grown])
        assert exported(target) == exported(source)


@settings(
    max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(steps=STEPS, cut=st.floats(0, 0.999))
def test_what_is_cut_off_can_be_imported_again(make: Make, steps: list[Any], cut: float) -> None:
    source = make_service(MemoryStore())
    play(source, steps)
    data = exported(source)
    with make() as store:
        target = make_service(store)
        with pytest.raises(InvalidInputError, match="line"):
            imported(target, data[: int(len(data) * cut)])
        for part in exported(target).splitlines()[1:-1]:
            assert part in data.splitlines()
        first, second = imported(target, data), imported(target, data)
        assert exported(target) == data
        assert (second["imported"], first["imported"]) >= (0, 0)
        assert second["unchanged"] == int(str(first["imported"])) + int(str(first["unchanged"]))


def filled() -> MemoryService:
    service = make_service(MemoryStore())
    for tenant in ("t", "u"):
        for memory in ("a", "b"):
            said = [Message(role="user", content=f"choir of {memory}", timestamp="2023-05-08")]
            service.add(tenant, memory, "s", said, request_id="r")
    return service


def test_only_what_was_asked_for(make: Make) -> None:
    source = filled()
    of_tenant = [json.loads(line) for line in exported(source, tenant_id="t").splitlines()]
    assert {line["tenant_id"] for line in of_tenant if line["type"] == "memory"} == {"t"}
    with make() as store:
        target = make_service(store)
        report = imported(target, exported(source), tenant_id="u", memory_id="b")
        assert (report["imported"], report["skipped"], report["turns"]) == (1, 3, 1)
        assert find(target, "u", "b")
        assert not find(target, "t", "b")


def test_a_memory_that_has_grown_since_is_left_alone(make: Make) -> None:
    data = exported(filled())
    with make() as store:
        target = make_service(store)
        imported(target, data)
        target.add("t", "a", "s", [Message(role="user", content="more")])
        before = exported(target)
        assert imported(target, data)["unchanged"] == 4
        assert exported(target) == before


@pytest.mark.parametrize("change", ["other", "deleted", "older"])
def test_a_memory_with_other_contents_is_refused_and_left_as_it_is(make: Make, change: str) -> None:
    source = filled()
    with make() as store:
        target = make_service(store)
        if change == "other":
            target.add("t", "b", "s", [Message(role="user", content="mine")], request_id="r")
        else:
            imported(target, exported(source, tenant_id="t", memory_id="b"))
        if change == "deleted":
            target.delete_memory("t", "b")
        if change == "older":
            source.add("t", "b", "s", [Message(role="user", content="newer")])
        before = exported(target, tenant_id="t", memory_id="b")
        with pytest.raises(InvalidInputError, match=r"^line \d+\.memory_id: such a memory is here"):
            imported(target, exported(source))
        assert exported(target, tenant_id="t", memory_id="b") == before
        assert find(target, "t", "a")  # the one before it came in


def test_what_a_chat_model_told_goes_along(make: Make) -> None:
    said = [Message(role="user", content=f"I own a {thing}.") for thing in ("bike", "灯塔", "car")]
    with told_service(MemoryStore(), ScriptedChat(lister), scene_turns=2) as source:
        source.add("t", "m", "s", said, request_id="r")
        data = exported(source)
    model = ScriptedChat(is_out)
    with make() as store, told_service(store, model, scene_turns=2) as target:
        assert imported(target, data)["pending"] == 0
        assert exported(target) == data
        assert set(origins(target).values()) == {"llm"}
    assert not model.asked
