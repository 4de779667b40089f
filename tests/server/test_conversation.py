"""Contract 3, conversations: every call over HTTP."""

from __future__ import annotations

from datetime import datetime

import pytest

from tests.server.atomic import Api, contents
from tests.server.live import Live

MESSAGE = {"role": "user", "content": "hello"}


@pytest.fixture
def api(server: Live, user: str) -> Api:
    return Api(server, {"user_id": user})


@pytest.mark.parametrize("version", ["v2", "v3"])
def test_what_was_added_comes_back_word_for_word(server: Live, user: str, version: str) -> None:
    api = Api(server, {"user_id": user}, version=version)
    said: list[dict[str, str | None]] = [
        {
            "role": "user",
            "content": " I love tea. ",
            "timestamp": "2026-05-22T14:30:00.000001+08:00",
        },
        {"role": "assistant", "content": "好的。", "timestamp": "2026-05-22T06:31:00"},
        {"role": "system", "content": "{}", "timestamp": None},
    ]
    added = api.ok("conversation/add", session_id="s", messages=said)
    assert added["total_count"] == 3
    shown = api.messages(session_id="s")
    assert [m["id"] for m in shown] == added["accepted_ids"][::-1]
    by_id = {m["id"]: m for m in shown}
    back = [by_id[i] for i in added["accepted_ids"]]
    assert [(m["role"], m["content"]) for m in back] == [(m["role"], m["content"]) for m in said]
    assert back[0]["timestamp"] == "2026-05-22T14:30:00.000001+08:00"
    assert back[1]["timestamp"] == "2026-05-22T06:31:00Z"
    assert datetime.fromisoformat(back[2]["timestamp"]).tzinfo is not None
    assert {m["session_id"] for m in back} == {"s"}


def test_an_add_is_done_once_for_its_request_id(api: Api) -> None:
    first = api.ok("conversation/add", messages=[MESSAGE], request_id="r")
    assert api.ok("conversation/add", messages=[MESSAGE], request_id="r") == first
    assert api.ok("conversation/add", messages=[MESSAGE]) != first
    assert api.refused("conversation/add", messages=[MESSAGE] * 2, request_id="r")[0] == 409
    assert api.ok("conversation/count") == {"total": 2}


def test_request_ids_of_other_contracts_are_others(api: Api, user: str) -> None:
    api.live.add(user, "hello", request_id="r")
    api.ok("conversation/add", messages=[MESSAGE], request_id="r")
    assert api.ok("conversation/count") == {"total": 2}


def test_a_list_has_the_newest_first_and_pages(api: Api) -> None:
    for hour in (3, 1, 2):
        api.say(f"at {hour}", at=f"2026-01-01T0{hour}:00:00Z")
    assert contents(api.messages()) == ["at 3", "at 2", "at 1"]
    page = api.ok("conversation/query", limit=1, offset=1)
    assert (contents(page["messages"]), page["total"]) == (["at 2"], 3)


def test_a_search_gives_the_best_first_within_its_conditions(api: Api) -> None:
    api.say("I play the cello.", at="2026-01-01T00:00:00Z", session_id="a")
    api.say("The cello is old.", at="2026-01-02T00:00:00Z", session_id="b")
    api.say("Nothing of it.", at="2026-01-03T00:00:00Z", session_id="b")
    found = api.ok("conversation/search", query="cello")["messages"]
    assert set(contents(found[:2])) == {"I play the cello.", "The cello is old."}
    scores = [hit["score"] for hit in found]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    late = api.ok("conversation/search", query="cello", limit=1, time_start="2026-01-02")
    assert contents(late["messages"]) == ["The cello is old."]
    early = api.ok("conversation/search", query="cello", limit=1, time_end="2026-01-01")
    assert contents(early["messages"]) == ["I play the cello."]
    one = api.ok("conversation/search", query="cello", limit=1, session_id="b")
    assert contents(one["messages"]) == ["The cello is old."]


def test_a_deletion_takes_messages_and_sessions_at_once(api: Api) -> None:
    (one, _), (other,) = api.say("one", "two"), api.say("three", session_id="s")
    api.say("four", session_id="s", task_id="t")
    api.say("five", session_id="s2")
    asked = {
        "message_ids": [one, "t_" + 24 * "0", "no id"],
        "session_ids": ["s"],
        "session_id": "s2",
    }
    assert api.ok("conversation/delete", **asked) == {"deleted_count": 4}
    assert api.ok("conversation/delete", **asked) == {"deleted_count": 0}
    assert contents(api.messages()) == ["two"]
    assert other not in [m["id"] for m in api.messages()]


def test_a_deletion_takes_a_session_beside_the_most_sessions(api: Api) -> None:
    for i in range(101):
        api.say(f"said {i}", session_id=f"s{i}")
    named = [f"s{i}" for i in range(100)]
    assert api.ok("conversation/delete", session_ids=named, session_id="s100") == {
        "deleted_count": 101
    }
    assert api.ok("conversation/count") == {"total": 0}


def test_a_deletion_within_a_task_leaves_the_session_in_others(api: Api) -> None:
    api.say("three", session_id="s")
    api.say("four", session_id="s", task_id="t")
    assert api.ok("conversation/delete", session_id="s", task_id="t") == {"deleted_count": 1}
    assert contents(api.messages()) == ["three"]


def test_a_session_in_a_header_is_never_deleted_by_the_way(server: Live, user: str) -> None:
    api = Api(server, {"user_id": user}, {"x-tdai-session-id": "s"})
    one, _ = api.say("one", "two")
    assert api.refused("conversation/delete")[0] == 400
    assert api.ok("conversation/delete", message_ids=[one]) == {"deleted_count": 1}
    assert contents(api.messages()) == ["two"]


def test_a_deletion_is_done_once_for_its_request_id(api: Api) -> None:
    api.say("one", session_id="s")
    assert api.ok("conversation/delete", session_id="s", request_id="r") == {"deleted_count": 1}
    api.say("two", session_id="s")
    assert api.ok("conversation/delete", session_id="s", request_id="r") == {"deleted_count": 1}
    assert api.refused("conversation/delete", session_id="t", request_id="r")[0] == 409
    assert contents(api.messages()) == ["two"]
    assert api.ok("conversation/delete", session_id="none", request_id="n") == {"deleted_count": 0}
    api.say("three", session_id="none")
    assert api.ok("conversation/delete", session_id="none", request_id="n") == {"deleted_count": 0}


def test_reads_of_what_is_not_there_are_empty(api: Api) -> None:
    assert api.ok("conversation/query") == {"messages": [], "total": 0}
    assert api.ok("conversation/search", query="tea") == {"messages": []}
    assert api.ok("conversation/count") == {"total": 0}
    assert api.ok("conversation/delete", session_id="s") == {"deleted_count": 0}


@pytest.mark.parametrize(
    ("call", "body", "message"),
    [
        ("add", {}, "messages: is required"),
        ("add", {"messages": []}, "messages: must not be empty"),
        ("add", {"messages": [MESSAGE] * 101}, "messages: "),
        ("add", {"messages": [{"content": "x"}]}, "messages.0.role: is required"),
        ("add", {"messages": [MESSAGE | {"role": "tool"}]}, "messages.0.role: must be"),
        ("add", {"messages": [MESSAGE | {"content": ""}]}, "messages.0.content: must not be blank"),
        ("add", {"messages": [MESSAGE | {"content": "x" * 8193}]}, "messages.0.content: must be"),
        (
            "add",
            {"messages": [MESSAGE, MESSAGE | {"timestamp": "x"}]},
            "messages.1.timestamp: must",
        ),
        ("add", {"messages": [MESSAGE], "session_id": " "}, "session_id: must not be blank"),
        (
            "add",
            {"messages": [MESSAGE], "session_id": "s" * 1000, "task_id": "t" * 1000},
            "session_id: is too long together with task_id",
        ),
        ("query", {"limit": 0}, "limit: must be at least 1"),
        ("query", {"offset": "1"}, "offset: must be a JSON integer"),
        ("search", {}, "query: is required"),
        ("search", {"query": "x", "limit": 101}, "limit: must be at most 100"),
        ("search", {"query": "x", "time_start": "2026-02-30"}, "time_start: must be an ISO 8601"),
        ("delete", {}, "body: name message_ids, session_id or session_ids"),
        ("delete", {"session_ids": None}, "body: name message_ids, session_id or session_ids"),
        ("delete", {"message_ids": []}, "message_ids: must not be empty"),
        ("delete", {"message_ids": ["m"] * 5001}, "message_ids: "),
        ("delete", {"session_ids": ["s"] * 101}, "session_ids: "),
    ],
)
def test_bad_input_is_refused_and_the_field_named(
    api: Api, call: str, body: dict[str, object], message: str
) -> None:
    status, said = api.refused(f"conversation/{call}", **body)
    assert status == 400
    assert said.startswith(message)
    assert api.ok("conversation/count") == {"total": 0}
