"""Every call of the contract: where it goes, what it carries, what it gives back."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from graphmem.client import (
    Atom,
    AtomHit,
    AtomVersion,
    BadRequestError,
    ConversationMessage,
    MemoryClient,
    MessageHit,
    Result,
)
from tests.client.conftest import Connect
from tests.client.server import ScriptedServer, ok

AT = "2026-05-22T14:30:00+08:00"
WHEN = datetime(2026, 5, 22, 6, 30, tzinfo=UTC)
ATOM = {
    "id": "atom-aaaa",
    "type": "persona",
    "content": "用户偏好关西线路",
    "background": "旅行",
    "version": 3,
    "created_at": AT,
    "updated_at": AT,
    "source_message_ids": ["m-1"],
}
MESSAGE = {"id": "m-1", "role": "user", "content": "我喜欢关西线路", "timestamp": AT}
WINDOW = {"time_start": "2026-05-25T10:00:00Z", "time_end": "2026-05-26T10:00:00+08:00"}

CALLS: dict[str, tuple[Callable[[MemoryClient], Result], str, dict[str, object], object]] = {
    "search_atomic": (
        lambda c: c.search_atomic("用户旅行偏好", limit=10, type="persona", **WINDOW),
        "atomic/search",
        {"query": "用户旅行偏好", "limit": 10, "type": "persona", **WINDOW},
        {"items": [{**ATOM, "score": 0.872}]},
    ),
    "query_atomic": (
        lambda c: c.query_atomic(type="episodic", limit=3, offset=6, **WINDOW),
        "atomic/query",
        {"type": "episodic", "limit": 3, "offset": 6, **WINDOW},
        {"items": [ATOM], "total": 7},
    ),
    "create_atomic": (
        lambda c: c.create_atomic(
            [{"content": "喝茶", "type": "persona", "background": None, "event_time": WHEN}],
            request_id="r-1",
        ),
        "atomic/create",
        {
            "items": [{"content": "喝茶", "type": "persona", "event_time": "2026-05-22T06:30:00Z"}],
            "request_id": "r-1",
        },
        {"items": [ATOM]},
    ),
    "update_atomic": (
        lambda c: c.update_atomic(
            "atom-aaaa", "喝咖啡", background="", expected_version=3, request_id="r-1"
        ),
        "atomic/update",
        {
            "id": "atom-aaaa",
            "content": "喝咖啡",
            "background": "",
            "expected_version": 3,
            "request_id": "r-1",
        },
        {"id": "atom-aaaa", "version": 4, "updated_at": AT},
    ),
    "delete_atomic": (
        lambda c: c.delete_atomic(["atom-aaaa", "atom-bbbb"]),
        "atomic/delete",
        {"ids": ["atom-aaaa", "atom-bbbb"]},
        {"deleted_count": 1},
    ),
    "count_atomic": (
        lambda c: c.count_atomic(type="instruction", **WINDOW),
        "atomic/count",
        {"type": "instruction", **WINDOW},
        {"total": 7},
    ),
    "history_atomic": (
        lambda c: c.history_atomic("atom-aaaa"),
        "atomic/history",
        {"id": "atom-aaaa"},
        {"items": [{"version": 1, "content": "喝茶", "updated_at": AT, "reason": "created"}]},
    ),
    "add_conversation": (
        lambda c: c.add_conversation(
            [{"role": "user", "content": "你好", "timestamp": None}],
            session_id="s-1",
            request_id="r-1",
        ),
        "conversation/add",
        {
            "messages": [{"role": "user", "content": "你好"}],
            "session_id": "s-1",
            "request_id": "r-1",
        },
        {"accepted_ids": ["m-1"], "total_count": 1},
    ),
    "query_conversation": (
        lambda c: c.query_conversation(session_id="s-1", limit=3, offset=6, **WINDOW),
        "conversation/query",
        {"session_id": "s-1", "limit": 3, "offset": 6, **WINDOW},
        {"messages": [MESSAGE], "total": 7},
    ),
    "search_conversation": (
        lambda c: c.search_conversation("线路", session_id="s-1", limit=3, **WINDOW),
        "conversation/search",
        {"query": "线路", "session_id": "s-1", "limit": 3, **WINDOW},
        {"messages": [{**MESSAGE, "score": 1}]},
    ),
    "count_conversation": (
        lambda c: c.count_conversation(session_id="s-1", **WINDOW),
        "conversation/count",
        {"session_id": "s-1", **WINDOW},
        {"total": 7},
    ),
    "delete_conversation": (
        lambda c: c.delete_conversation(
            message_ids=["m-1"], session_id="s-1", session_ids=("s-2", "s-3")
        ),
        "conversation/delete",
        {"message_ids": ["m-1"], "session_id": "s-1", "session_ids": ["s-2", "s-3"]},
        {"deleted_count": 12},
    ),
}
WRITES = {
    "create_atomic",
    "update_atomic",
    "delete_atomic",
    "add_conversation",
    "delete_conversation",
}
BY_ID = {"update_atomic", "delete_atomic", "history_atomic", "delete_conversation"}


def test_there_is_a_case_for_every_call() -> None:
    public = {name for name in dir(MemoryClient) if not name.startswith("_")}
    assert public == {*CALLS, "close"}


@pytest.mark.parametrize("version", ["v2", "v3"])
@pytest.mark.parametrize("name", CALLS)
def test_a_call_sends_what_it_was_given_and_gives_what_it_was_sent(
    connect: Connect, server: ScriptedServer, name: str, version: str
) -> None:
    call, path, body, data = CALLS[name]
    server.script.append(ok(data))
    result = call(connect(version=version))
    assert result["data"] == data
    assert server.last.path == f"/{version}/{path}"
    sent = dict(server.last.body)
    if name in WRITES:
        assert sent["request_id"]
        sent.pop("request_id") if "request_id" not in body else None
    assert sent == body


@pytest.mark.parametrize("name", ["search_atomic", "search_conversation"])
def test_none_is_not_sent(client: MemoryClient, server: ScriptedServer, name: str) -> None:
    getattr(client, name)(query="茶", limit=None, time_start=None, time_end=None)
    assert server.last.body == {"query": "茶"}


@pytest.mark.parametrize("name", CALLS)
def test_key_service_and_scope_go_with_every_call(
    connect: Connect, server: ScriptedServer, name: str
) -> None:
    scope = {"user_id": " 用户-7 ", "team_id": "t", "agent_id": "a"}
    part = {"session_id": "own", "task_id": "own"}
    CALLS[name][0](connect(api_key="sk-钥匙", service_id="租户", **scope, **part))
    assert server.last.headers["authorization"] == "Bearer sk-钥匙"
    assert server.last.headers["x-tdai-service-id"] == "租户"
    assert scope.items() <= server.last.body.items()
    assert ("task_id" in server.last.body) == (name not in BY_ID)


@pytest.mark.parametrize("name", CALLS)
def test_nothing_is_made_up_where_nothing_was_given(
    client: MemoryClient, server: ScriptedServer, name: str
) -> None:
    CALLS[name][0](client)
    assert not {"authorization", "x-tdai-service-id"} & server.last.headers.keys()
    assert not {"user_id", "team_id", "agent_id", "task_id"} & server.last.body.keys()


def test_the_session_of_a_call_stands_before_that_of_the_client(
    connect: Connect, server: ScriptedServer
) -> None:
    client = connect(session_id="own")
    client.count_conversation()
    client.count_conversation(session_id="other")
    client.count_atomic()
    assert [seen.body["session_id"] for seen in server.seen] == ["own", "other", "own"]


@pytest.mark.parametrize("name", sorted(BY_ID))
def test_the_session_of_the_client_is_never_deleted_by_the_way(
    connect: Connect, server: ScriptedServer, name: str
) -> None:
    client = connect(session_id="own")
    if name == "delete_conversation":
        client.delete_conversation(message_ids=["m-1"])
    else:
        CALLS[name][0](client)
    assert "session_id" not in server.last.body


def test_a_deletion_of_nothing_named_is_not_sent(
    client: MemoryClient, server: ScriptedServer
) -> None:
    with pytest.raises(BadRequestError, match="message_ids"):
        client.delete_conversation()
    assert server.seen == []


@pytest.mark.parametrize("prefix", ["", "/", "/gateway", "/gateway/"])
def test_a_base_url_may_have_a_path(connect: Connect, server: ScriptedServer, prefix: str) -> None:
    connect(server.url + prefix).count_atomic()
    assert server.last.path == f"{prefix.rstrip('/')}/v2/atomic/count"


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        (datetime(2026, 5, 25, 10, tzinfo=UTC), "2026-05-25T10:00:00Z"),
        (
            datetime(2026, 5, 25, 10, 0, 0, 1, tzinfo=timezone(timedelta(hours=8))),
            "2026-05-25T10:00:00.000001+08:00",
        ),
        # Local mean time of Shanghai, whose offset no ISO 8601 text can hold.
        (
            datetime(1900, 1, 1, 8, 5, 43, tzinfo=timezone(timedelta(seconds=29143))),
            "1900-01-01T00:00:00Z",
        ),
        ("whatever the server reads", "whatever the server reads"),
    ],
)
def test_times_may_be_aware_datetimes_or_text(
    client: MemoryClient, server: ScriptedServer, given: datetime | str, sent: str
) -> None:
    client.search_atomic("茶", time_start=given, time_end=given)
    assert (server.last.body["time_start"], server.last.body["time_end"]) == (sent, sent)
    client.add_conversation([{"role": "user", "content": "茶", "timestamp": given}])
    assert server.last.body["messages"][0]["timestamp"] == sent


def _examples() -> list[str]:
    page = (Path(__file__).parents[2] / "docs" / "atomic.md").read_text(encoding="utf-8")
    return re.findall(r"```python\n(.*?)```", page, re.DOTALL)


def test_the_examples_of_the_documentation_run(
    server: ScriptedServer, capsys: pytest.CaptureFixture[str]
) -> None:
    examples = _examples()
    for example in examples:
        server.script.append(ok(CALLS["search_atomic"][3]))
        exec(example.replace("http://127.0.0.1:8420", server.url), {})  # noqa: S102 - the page's own
    assert capsys.readouterr().out.splitlines() == ["[0.872] 用户偏好关西线路"] * 2
    assert [seen.body["user_id"] for seen in server.seen] == ["user-7"] * 2
    assert [seen.body["query"] for seen in server.seen] == ["travel preferences", "用户旅行偏好"]


NAIVE = datetime(2026, 5, 25, 10)  # noqa: DTZ001 - what is refused


@pytest.mark.parametrize(
    ("call", "field"),
    [
        (lambda c: c.search_atomic("茶", time_start=NAIVE), "time_start"),
        (lambda c: c.count_conversation(time_end=NAIVE), "time_end"),
        (
            lambda c: c.add_conversation([{"role": "user", "content": "茶", "timestamp": NAIVE}]),
            "messages.0.timestamp",
        ),
    ],
)
def test_a_time_without_a_zone_is_refused_before_anything_is_sent(
    client: MemoryClient, server: ScriptedServer, call: Callable[[Any], object], field: str
) -> None:
    with pytest.raises(BadRequestError, match=f"^{field}: .*time zone"):
        call(client)
    assert server.seen == []


@pytest.mark.parametrize(
    "call",
    [
        lambda c: c.delete_atomic("atom-aaaa"),
        lambda c: c.delete_conversation(message_ids="m-1"),
        lambda c: c.delete_conversation(session_ids="s-1"),
        lambda c: c.add_conversation({"role": "user", "content": "茶"}),
    ],
    ids=["ids", "message_ids", "session_ids", "messages"],
)
def test_a_single_value_is_not_taken_for_a_list(
    client: MemoryClient, server: ScriptedServer, call: Callable[[Any], object]
) -> None:
    with pytest.raises(BadRequestError, match="list"):
        call(client)
    assert server.seen == []


@pytest.mark.parametrize("value", [float("nan"), object(), date(2026, 5, 25), {1, 2}, b"x"])
def test_what_json_has_not_is_refused_before_anything_is_sent(
    client: MemoryClient, server: ScriptedServer, value: Any
) -> None:
    with pytest.raises(BadRequestError, match="JSON") as caught:
        client.search_atomic("茶", limit=value)
    assert server.seen == []
    assert caught.value.__cause__ is None


@pytest.mark.parametrize("text", ["", "🍵" * 2048, "\x00", "\ud83c", '"\\\n', "e\u0301"], ids=ascii)
def test_any_text_arrives_as_it_is(client: MemoryClient, server: ScriptedServer, text: str) -> None:
    client.search_atomic(text)
    assert server.last.body["query"] == text


def test_typed_values() -> None:
    """The frozen values below are what the next tests expect; the fields are those of the contract."""
    assert set(ATOM) <= set(Atom.__dataclass_fields__)


HIT = {
    "id": "atom-aaaa",
    "type": "persona",
    "content": "用户偏好关西线路",
    "background": "旅行",
    "version": 3,
    "created_at": WHEN,
    "updated_at": WHEN,
    "source_message_ids": ("m-1",),
}
SAID = {
    "id": "m-1",
    "role": "user",
    "content": "我喜欢关西线路",
    "timestamp": WHEN,
    "session_id": "",
}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("search_atomic", AtomHit(**HIT, score=0.872)),  # type: ignore[arg-type]
        ("query_atomic", Atom(**HIT)),  # type: ignore[arg-type]
        ("create_atomic", Atom(**HIT)),  # type: ignore[arg-type]
        (
            "history_atomic",
            AtomVersion(
                version=1, content="喝茶", background="", updated_at=WHEN, reason="created"
            ),
        ),
        ("query_conversation", ConversationMessage(**SAID)),  # type: ignore[arg-type]
        ("search_conversation", MessageHit(**SAID, score=1.0)),  # type: ignore[arg-type]
    ],
)
def test_lists_are_also_frozen_values(
    client: MemoryClient, server: ScriptedServer, name: str, value: object
) -> None:
    call, _, _, data = CALLS[name]
    server.script.append(ok(data))
    result: Any = call(client)
    assert result.items_typed == (value,)
    assert type(result.items_typed[0]) is type(value)
