"""Contract 3, atoms: every call over HTTP."""

from __future__ import annotations

from datetime import datetime

import pytest

from tests.server.atomic import Api, contents
from tests.server.live import Live

BOTH = pytest.mark.parametrize("version", ["v2", "v3"])
ATOM_FIELDS = {
    "id", "type", "content", "background", "version", "created_at", "updated_at",
    "source_message_ids", "superseded",
}  # fmt: skip


@pytest.fixture
def api(server: Live, user: str) -> Api:
    return Api(server, {"user_id": user})


@BOTH
@pytest.mark.parametrize("name", ["atomic", "atom"])
def test_what_was_said_is_found_typed_and_with_its_sources(
    server: Live, user: str, version: str, name: str
) -> None:
    api = Api(server, {"user_id": user}, version=version)
    (message,) = api.say("我喜欢关西线路。", at="2026-05-22T14:30:00+08:00")
    (found,) = api.ok(f"{name}/search", query="关西", type="persona", limit=10)["items"]
    assert set(found) == ATOM_FIELDS | {"score"}
    assert (found["type"], found["content"]) == ("persona", "我喜欢关西线路。")
    assert found["source_message_ids"] == [message]
    assert 0 < found["score"] <= 1
    said = datetime.fromisoformat("2026-05-22T14:30:00+08:00")
    assert datetime.fromisoformat(found["created_at"]) == said
    assert datetime.fromisoformat(found["updated_at"]) == said


def test_scores_fall_from_one_at_most_and_are_the_same_for_the_same_request(api: Api) -> None:
    api.make(*(f"tea of kind {'x ' * i}" for i in range(8)))
    found = api.search("kind of tea", limit=8)
    scores = [item["score"] for item in found]
    assert len(scores) == 8
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    assert api.search("kind of tea", limit=8) == found


def test_a_search_gives_five_unless_told_and_never_a_total(api: Api) -> None:
    api.make(*(f"tea number {i}" for i in range(9)))
    assert len(api.search("tea")) == 5
    assert len(api.search("tea", limit=7)) == 7
    assert set(api.ok("atomic/search", query="tea")) == {"items"}


def test_a_list_has_the_last_changed_first_and_pages(api: Api) -> None:
    made = api.make(*(f"fact {i}" for i in range(25)))
    api.ok("atomic/update", id=made[3]["id"], content="fact 3, changed")
    first = api.ok("atomic/query")
    assert (len(first["items"]), first["total"]) == (20, 25)
    assert first["items"][0]["content"] == "fact 3, changed"
    rest = api.ok("atomic/query", offset=20, limit=100)["items"]
    ids = [item["id"] for item in [*first["items"], *rest]]
    assert sorted(ids) == sorted(atom["id"] for atom in made)
    assert all("score" not in item for item in first["items"])
    times = [item["updated_at"] for item in [*first["items"], *rest]]
    assert times == sorted(times, key=datetime.fromisoformat, reverse=True)


def test_count_is_the_total_of_the_list(api: Api) -> None:
    api.make("one", "two")
    api.make("three", kind="persona")
    assert api.ok("atomic/count") == {"total": 3}
    assert api.ok("atomic/count", type="persona") == {"total": 1}
    assert api.ok("atomic/count", time_end="2000-01-01T00:00:00Z") == {"total": 0}


def test_create_gives_the_atoms_in_order_with_all_that_was_said_of_them(api: Api) -> None:
    (message,) = api.say("We met on Monday.")
    (made,) = api.ok(
        "atomic/create",
        items=[
            {
                "content": "The meeting is over.",
                "type": "episodic",
                "background": "said in passing",
                "event_time": "2026-05-25T10:00:00+08:00",
                "source_message_ids": [message],
            }
        ],
    )["items"]
    assert made["version"] == 1
    assert made["background"] == "said in passing"
    assert made["source_message_ids"] == [message]
    assert made["event_time"].startswith("2026-05-25")
    assert contents(api.search("meeting over", limit=1)) == ["The meeting is over."]


def test_an_update_keeps_the_id_and_raises_the_version(api: Api) -> None:
    (made,) = api.make("drinks tea")
    changed = api.ok("atomic/update", id=made["id"], content="drinks coffee", background="note")
    assert set(changed) == {"id", "version", "updated_at"}
    assert (changed["id"], changed["version"]) == (made["id"], 2)
    api.ok("atomic/update", id=made["id"], content="drinks milk")
    (kept,) = api.listed()
    assert (kept["background"], kept["version"]) == ("note", 3)
    api.ok("atomic/update", id=made["id"], content="drinks milk", background="")
    (cleared,) = api.listed()
    assert cleared["background"] == ""


def test_an_update_of_a_version_that_moved_is_refused_and_changes_nothing(api: Api) -> None:
    (made,) = api.make("drinks tea")
    api.ok("atomic/update", id=made["id"], content="drinks milk", expected_version=1)
    status, _ = api.refused("atomic/update", id=made["id"], content="beer", expected_version=1)
    assert status == 409
    assert contents(api.listed()) == ["drinks milk"]


def test_the_history_has_each_version_with_time_and_reason(api: Api) -> None:
    (made,) = api.make("drinks tea")
    api.ok("atomic/update", id=made["id"], content="drinks milk")
    items = api.ok("atomic/history", id=made["id"])["items"]
    assert [(i["version"], i["content"], i["reason"]) for i in items] == [
        (1, "drinks tea", "created"),
        (2, "drinks milk", "updated"),
    ]
    assert items[0]["updated_at"] <= items[1]["updated_at"]
    assert api.refused("atomic/history", id="a_" + 24 * "0")[0] == 404


def test_a_deletion_counts_what_was_really_deleted(api: Api) -> None:
    first, second = (atom["id"] for atom in api.make("one", "two"))
    unknown = "a_" + 24 * "0"
    asked = [first, first, unknown, "no id at all"]
    assert api.ok("atomic/delete", ids=asked) == {"deleted_count": 1}
    assert api.ok("atomic/delete", ids=asked) == {"deleted_count": 0}
    assert [item["id"] for item in api.listed()] == [second]


@pytest.mark.parametrize("call", ["create", "update", "delete"])
def test_a_write_is_done_once_for_its_request_id(api: Api, call: str) -> None:
    (made,) = api.make("drinks tea")
    body: dict[str, object] = {
        "create": {"items": [{"content": "new", "type": "persona"}]},
        "update": {"id": made["id"], "content": "drinks milk"},
        "delete": {"ids": [made["id"]]},
    }[call]
    other: dict[str, object] = {
        "create": {"items": [{"content": "newer", "type": "persona"}]},
        "update": {"id": made["id"], "content": "drinks beer"},
        "delete": {"ids": ["a_" + 24 * "0"]},
    }[call]
    first = api.ok(f"atomic/{call}", request_id="r", **body)
    assert api.ok(f"atomic/{call}", request_id="r", **body) == first
    before = api.listed()
    status, message = api.refused(f"atomic/{call}", request_id="r", **other)
    assert (status, "request_id" in message) == (409, True)
    assert api.listed() == before


def test_null_is_absent_and_unknown_fields_are_ignored(api: Api) -> None:
    api.make("drinks tea")
    names = "limit type time_start time_end session_id task_id team_id agent_id"
    nothing: dict[str, object] = dict.fromkeys(names.split())
    assert len(api.search("tea", **nothing, colour="red")) == 1
    items = [{"content": "x", "type": "persona", "background": None, "colour": "red"}]
    assert api.ok("atomic/create", items=items, request_id=None)["items"]


@pytest.mark.parametrize(
    ("call", "body", "message"),
    [
        ("search", {}, "query: is required"),
        ("search", {"query": None}, "query: is required"),
        ("search", {"query": ""}, "query: must not be blank"),
        ("search", {"query": " \n"}, "query: must not be blank"),
        ("search", {"query": 7}, "query: must be a JSON string, not a number"),
        ("search", {"query": "x" * 2049}, "query: must be at most 2048 characters"),
        ("search", {"query": "x", "limit": 0}, "limit: must be at least 1"),
        ("search", {"query": "x", "limit": 101}, "limit: must be at most 100"),
        ("search", {"query": "x", "limit": "5"}, "limit: must be a JSON integer, not a string"),
        ("search", {"query": "x", "limit": True}, "limit: must be a JSON integer, not a boolean"),
        ("search", {"query": "x", "type": "fact"}, "type: must be"),
        ("search", {"query": "x", "type": ""}, "type: must be"),
        ("search", {"query": "x", "time_start": "soon"}, "time_start: must be an ISO 8601 time"),
        ("search", {"query": "x", "time_end": 0}, "time_end: must be a JSON string"),
        (
            "search",
            {
                "query": "x",
                "time_start": "2026-01-02T00:00:00Z",
                "time_end": "2026-01-01T00:00:00Z",
            },
            "time_start: must not be after time_end",
        ),
        ("search", {"query": "x", "user_id": ""}, "user_id: must not be blank"),
        ("query", {"limit": 101}, "limit: must be at most 100"),
        ("query", {"offset": -1}, "offset: must be 0 or more"),
        ("query", {"type": "fact"}, "type: must be"),
        ("count", {"time_end": "2026-13-01"}, "time_end: must be an ISO 8601 time"),
        ("create", {"items": []}, "items: must not be empty"),
        ("create", {"items": [{"content": "x"}]}, "items.0.type: is required"),
        ("create", {"items": [{"content": "", "type": "persona"}]}, "items.0.content: must not be"),
        (
            "create",
            {"items": [{"content": "x" * 8193, "type": "persona"}]},
            "items.0.content: must be at most 8192 characters",
        ),
        (
            "create",
            {"items": [{"content": "x", "type": "persona", "source_message_ids": ["t_0"]}]},
            "items.0.source_message_ids: names a message that the memory does not hold",
        ),
        ("update", {"content": "x"}, "id: is required"),
        ("update", {"id": "a"}, "content: is required"),
        ("update", {"id": "a", "content": "x", "expected_version": 0}, "expected_version: must be"),
        ("delete", {"ids": []}, "ids: must not be empty"),
        ("delete", {"ids": "a"}, "ids: must be a JSON array, not a string"),
        ("delete", {"ids": [None]}, "ids.0: must be a JSON string, not null"),
        ("history", {}, "id: is required"),
    ],
)
def test_bad_input_is_refused_and_the_field_named(
    api: Api, call: str, body: dict[str, object], message: str
) -> None:
    status, said = api.refused(f"atomic/{call}", **body)
    assert status == 400
    assert said.startswith(message)


def test_limits_are_exact(api: Api) -> None:
    item = {"content": "y" * 8192, "type": "episodic"}
    assert len(api.ok("atomic/create", items=[item] * 100)["items"]) == 100
    assert api.refused("atomic/create", items=[item] * 101)[0] == 400
    assert api.search("q" * 2048) == []
    assert len(api.listed()) == 100
    ids = [f"a_{number:024x}" for number in range(5000)]
    assert api.ok("atomic/delete", ids=ids) == {"deleted_count": 0}
    assert api.refused("atomic/delete", ids=[*ids, "a"])[0] == 400


def test_reads_of_what_is_not_there_are_empty(api: Api) -> None:
    assert api.search("tea") == []
    assert api.ok("atomic/query") == {"items": [], "total": 0}
    assert api.ok("atomic/count") == {"total": 0}
    assert api.ok("atomic/history", id="a_" + 24 * "0") == {"items": []}
    assert api.ok("atomic/delete", ids=["a"]) == {"deleted_count": 0}
    assert api.refused("atomic/update", id="a", content="x")[0] == 404


def test_a_newer_value_leaves_the_search_and_stays_in_the_list(api: Api) -> None:
    api.say("I live in Berlin.", at="2026-01-01T00:00:00Z", session_id="a")
    api.say("I live in Paris.", at="2026-02-01T00:00:00Z", session_id="b")
    assert contents(api.search("live", limit=10)) == ["I live in Paris."]
    assert {i["content"]: i["superseded"] for i in api.listed()} == {
        "I live in Berlin.": True,
        "I live in Paris.": False,
    }
