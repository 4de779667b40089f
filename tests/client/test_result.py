"""The result is the envelope, with its data in reach; what is no envelope is an error."""

from __future__ import annotations

import copy
import json
import pickle
from typing import Any

import pytest

from graphmem.client import AnswerError, MemoryClient
from tests.client.server import REQUEST_ID, TRACE_ID, Reply, ScriptedServer, ok

ITEM = {
    "id": "atom-aaaa",
    "type": "persona",
    "content": "用户偏好关西线路",
    "created_at": "2026-05-22T14:30:00+08:00",
    "updated_at": "2026-05-22T14:30:00",
    "score": 0.872,
}


def test_both_spellings(client: MemoryClient, server: ScriptedServer) -> None:
    server.script.append(ok({"items": [ITEM], "total": 7}))
    result = client.query_atomic()
    assert result["data"]["items"] == result["items"] == [ITEM]
    assert result["total"] == result["data"]["total"] == 7
    assert (result["code"], result["message"]) == (0, "ok")
    assert (result["request_id"], result["trace_id"]) == (REQUEST_ID, TRACE_ID)
    assert "items" in result
    assert "total" in result
    assert "score" not in result
    assert result.get("total") == 7
    assert result.get("score", 1) == 1
    with pytest.raises(KeyError):
        result["score"]


def test_a_result_is_plain_json_and_survives_copies(
    client: MemoryClient, server: ScriptedServer
) -> None:
    server.script.append(ok({"items": [ITEM]}))
    result = client.search_atomic("用户旅行偏好")
    assert json.loads(json.dumps(result))["data"] == {"items": [ITEM]}
    for twin in (copy.copy(result), copy.deepcopy(result), pickle.loads(pickle.dumps(result))):  # noqa: S301
        assert twin == result
        assert twin["items"] == [ITEM]
        assert twin.items_typed == result.items_typed


def test_the_answer_printed_in_the_seed_is_read(
    client: MemoryClient, server: ScriptedServer
) -> None:
    """It has neither versions nor sources, and a time without a zone is UTC."""
    server.script.append(ok({"items": [ITEM]}))
    result = client.search_atomic(query="用户旅行偏好", limit=10, type="persona")
    lines = [f"[{item['score']:.3f}] {item['content']}" for item in result["data"]["items"]]
    assert lines == ["[0.872] 用户偏好关西线路"]
    (hit,) = result.items_typed
    assert (hit.version, hit.background, hit.source_message_ids) == (None, "", ())
    assert hit.updated_at.isoformat() == "2026-05-22T14:30:00+00:00"


@pytest.mark.parametrize("reply", [ok(), ok(data=None), Reply(body=b'{"code":0,"data":null}')])
def test_data_may_be_left_out_or_null(
    client: MemoryClient, server: ScriptedServer, reply: Reply
) -> None:
    server.script.append(reply)
    result = client.search_atomic("茶")
    assert result["data"]["items"] == result["items"] == []
    assert result.items_typed == ()
    assert client.delete_atomic(["a"])["data"] == {}


def test_the_trace_id_of_the_header_stands_in_for_a_missing_one(
    client: MemoryClient, server: ScriptedServer
) -> None:
    server.script.append(Reply(body=b'{"code":0,"message":"ok"}', headers={"X-Trace-Id": "tr-1-2"}))
    assert client.count_atomic()["trace_id"] == "tr-1-2"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html><body>It works!</body></html>",
        b'{"code":0,"message":"ok","data":{"items":[',
        b"\xff\xfe",
        b"[" * 100_000,
        b"null",
        b"[]",
        b'"ok"',
        b"{}",
        b'{"code":"0","data":{}}',
        b'{"code":true,"data":{}}',
        b'{"code":0,"data":[]}',
        b'{"code":0,"data":"x"}',
        b'{"code":0,"data":{"items":{}}}',
        b'{"code":0,"data":{"items":["x"]}}',
    ],
    ids=lambda body: ascii(body[:40]),
)
def test_what_is_no_envelope_is_refused_and_not_tried_again(
    client: MemoryClient, server: ScriptedServer, body: bytes
) -> None:
    server.script.append(Reply(body=body, headers={"x-trace-id": TRACE_ID}))
    with pytest.raises(AnswerError) as caught:
        client.search_atomic("茶")
    assert (caught.value.code, caught.value.trace_id) == (-1, TRACE_ID)
    assert len(server.seen) == 1


@pytest.mark.parametrize("status", [301, 307])
def test_a_redirect_is_not_followed(
    client: MemoryClient, server: ScriptedServer, status: int
) -> None:
    server.script.append(Reply(status=status, headers={"Location": "/v2/atomic/count"}))
    with pytest.raises(AnswerError, match="redirects"):
        client.count_atomic()
    assert len(server.seen) == 1


def test_an_answer_without_end_is_given_up(
    client: MemoryClient, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for colour in ("_async", "_sync"):
        monkeypatch.setattr(f"graphmem.client.{colour}.caller.MAX_ANSWER_BYTES", 10)
    with pytest.raises(AnswerError, match="more than"):
        client.count_atomic()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("id", None),
        ("id", 7),
        ("content", ["茶"]),
        ("background", 1),
        ("version", "3"),
        ("version", True),
        ("updated_at", "yesterday"),
        ("updated_at", 1779431400),
        ("source_message_ids", "m-1"),
        ("source_message_ids", [1]),
        ("score", "high"),
        ("score", True),
    ],
)
def test_a_typed_value_that_the_contract_does_not_know_names_its_field(
    client: MemoryClient, server: ScriptedServer, field: str, value: object
) -> None:
    server.script.append(ok({"items": [{**ITEM, field: value}]}))
    result: Any = client.search_atomic("茶")
    assert result["items"][0][field] == value
    with pytest.raises(AnswerError, match=f"^{field}: "):
        _ = result.items_typed


def test_the_repr_of_a_result_shows_no_text(client: MemoryClient, server: ScriptedServer) -> None:
    server.script.append(ok({"items": [ITEM], "total": 1}))
    assert repr(client.query_atomic()) == f"<ListResult of 'items', 'total', trace_id='{TRACE_ID}'>"
    assert repr(client.count_atomic()) == f"<Result of nothing, trace_id='{TRACE_ID}'>"
