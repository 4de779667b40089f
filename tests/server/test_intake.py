"""Bodies: what is JSON, what is too large, what is hostile."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from graphmem.config import AddSearchConfig
from graphmem.server.intake import Room
from graphmem.wire.body import MAX_VALUES
from tests.server.live import Live, a_search, an_add, configure, encode, running

LIMIT = 2048
MALFORMED = {
    "empty": b"",
    "blank": b"  \n",
    "cut": b'{"request_id": "r',
    "trailing": b"{} {}",
    "single quotes": b"{'a': 1}",
    "comment": b"{} // no",
    "raw control character": b'{"a": "\n"}',
    "latin-1": b'{"a": "\xe9"}',
    "utf-16": '{"a": 1}'.encode("utf-16"),
    "encoded surrogate": b'{"a": "\xed\xa0\x80"}',
    "overlong": b'{"a": "\xc0\xaf"}',
    "deep arrays": b"[" * 100_000,
    "deep objects": b'{"a":' * 100_000,
    "huge integer": b'{"top_k": ' + b"9" * 5000 + b"}",
    "duplicate key": b'{"user_id": "a", "user_id": "b"}',
    "duplicate key inside": b'{"messages": [{"x": {"role": 1, "role": 1}}]}',
    "wrong literal": b'{"a": nan}',
    "leading zero": b'{"a": 012}',
}


@pytest.mark.parametrize("path", ["/add", "/search"])
@pytest.mark.parametrize("body", MALFORMED.values(), ids=MALFORMED.keys())
def test_what_is_no_json_is_400(server: Live, path: str, body: bytes) -> None:
    reply = server.call("POST", path, body)
    assert reply.status == 400
    detail = reply.json()["detail"]
    assert isinstance(detail, dict)
    assert list(detail) == ["reason"]


@pytest.mark.parametrize("path", ["/add", "/search"])
@pytest.mark.parametrize("body", [b"[]", b"1", b'"x"', b"null", b"true", b"NaN", b"[{}]"])
def test_a_body_that_is_no_object_is_422(server: Live, path: str, body: bytes) -> None:
    reply = server.call("POST", path, body)
    assert reply.status == 422
    ((field, reason),) = reply.problems()
    assert field == "body"
    assert reason.startswith("must be a JSON object, not ")


@pytest.mark.parametrize(
    "content_type", [None, "application/json", "text/plain", "application/x-www-form-urlencoded",
                     "multipart/form-data", "application/json; charset=latin-1", "nonsense"]
)  # fmt: skip
def test_the_content_type_does_not_matter(
    server: Live, user: str, content_type: str | None
) -> None:
    headers = {} if content_type is None else {"Content-Type": content_type}
    assert server.call("POST", "/add", encode(an_add(user)), headers).status == 200


def test_a_byte_order_mark_is_skipped(server: Live, user: str) -> None:
    assert server.call("POST", "/add", b"\xef\xbb\xbf" + encode(an_add(user))).status == 200


def test_json_escapes_and_white_space_are_read(server: Live, user: str) -> None:
    body = json.dumps(an_add(user, "你好 😀"), indent=4, ensure_ascii=True).encode()
    assert server.call("POST", "/add", b"\r\n\t " + body + b"\n").status == 200
    assert server.search(user, "你好").contents() == ["user: 你好 😀"]


def test_nesting_in_an_ignored_field_is_ignored(server: Live, user: str) -> None:
    deep = json.loads("[" * 200 + "]" * 200)
    assert server.post("/add", an_add(user) | {"metadata": deep}).status == 200


def test_field_failures_name_field_reason_and_remedy(server: Live) -> None:
    messages = [{"role": "user", "content": "hello"}, {"role": 1, "content": " ", "timestamp": "1"}]
    reply = server.post("/add", an_add(messages=[*messages, {}]) | {"user_id": ""})
    errors = [
        {"field": "user_id", "reason": "must not be blank"},
        {"field": "messages.1.role", "reason": "must be a JSON string, not a number"},
        {"field": "messages.1.content", "reason": "must not be blank"},
        {
            "field": "messages.1.timestamp",
            "reason": "must be a JSON integer of Unix milliseconds, not a string",
        },
    ]
    reason = "user_id: must not be blank (and 3 more)"
    assert reply.body == encode({"detail": {"reason": reason, "errors": errors}})


def test_only_the_first_wrong_message_is_told(server: Live) -> None:
    reply = server.post("/add", an_add(messages=[{}] * 5000))
    fields = [field for field, _ in reply.problems()]
    assert (reply.status, fields) == (422, ["messages.0.role", "messages.0.content"])


class TestCrowdedBodies:
    @pytest.mark.parametrize("unit", [b"1,", b"[],", b"{},", b'"",'], ids=str)
    def test_too_many_values_are_413(self, server: Live, unit: bytes) -> None:
        body = b'{"messages":[' + unit * MAX_VALUES + b"1]}"
        reply = server.call("POST", "/add", body)
        assert (reply.status, "several requests" in reply.reason()) == (413, True)

    @pytest.mark.parametrize("text", [",", "{", "[", '"', "\\"], ids=str)
    def test_marks_inside_a_text_are_no_values(self, server: Live, user: str, text: str) -> None:
        body = an_add(user) | {"metadata": text * MAX_VALUES + "," * MAX_VALUES}
        assert server.post("/add", body).status == 200

    @pytest.mark.parametrize("end", [b"", b"\\"], ids=str)
    def test_a_text_without_an_end_is_refused_in_time(self, server: Live, end: bytes) -> None:
        body = b'{"a":"' + b'\\",' * MAX_VALUES + end
        assert server.call("POST", "/add", body).status == 400


class TestBodyLimit:
    @pytest.fixture(scope="class")
    @classmethod
    def small(cls, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
        config = AddSearchConfig(max_body_bytes=LIMIT)
        with running(configure(tmp_path_factory.mktemp("small"), addsearch=config)) as live:
            yield live

    @pytest.mark.parametrize("path", ["/add", "/search"])
    @pytest.mark.parametrize("chunked", [False, True])
    @pytest.mark.parametrize("size", [LIMIT + 1, LIMIT * 500])
    def test_more_is_413(self, small: Live, path: str, chunked: bool, size: int) -> None:
        body = b" " * size
        reply = small.call("POST", path, iter([body[:1000], body[1000:]]) if chunked else body)
        assert reply.status == 413
        assert str(LIMIT) in reply.reason()

    @pytest.mark.parametrize("chunked", [False, True])
    def test_exactly_the_limit_is_taken(self, small: Live, user: str, chunked: bool) -> None:
        body = encode(an_add(user, request_id=f"r-{chunked}")).ljust(LIMIT)
        assert small.call("POST", "/add", iter([body]) if chunked else body).status == 200

    def test_the_declared_length_is_enough_to_refuse(self, small: Live) -> None:
        with socket.create_connection((small.host, small.port), timeout=20) as peer:
            peer.sendall(b"POST /add HTTP/1.1\r\nHost: x\r\nContent-Length: 9999999999999\r\n\r\n")
            assert b" 413 " in peer.recv(65536).split(b"\r\n")[0]

    def test_the_connection_serves_on_after_413(self, small: Live) -> None:
        import http.client

        connection = http.client.HTTPConnection(small.host, small.port, timeout=20)
        statuses = []
        for body in (b" " * LIMIT * 50, encode(a_search())):
            connection.request("POST", "/search", body)
            response = connection.getresponse()
            response.read()
            statuses.append(response.status)
        connection.close()
        assert statuses == [413, 200]


def test_a_client_that_drips_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphmem.server.intake.STALL_SECONDS", 0.3)
    monkeypatch.setattr("graphmem.server.intake._GLANCE_SECONDS", 0.05)
    with (
        running(configure(tmp_path)) as live,
        socket.create_connection((live.host, live.port), timeout=20) as peer,
    ):
        peer.sendall(b"POST /add HTTP/1.1\r\nHost: x\r\nContent-Length: 9000\r\n\r\n{")
        peer.settimeout(0.1)
        answer = b""
        for _ in range(100):
            try:
                answer = peer.recv(65536)
                break
            except TimeoutError:
                peer.sendall(b" ")
        assert b" 408 " in answer.split(b"\r\n")[0]


def test_large_bodies_share_room_in_order_of_arrival() -> None:
    async def play() -> list[str]:
        room, seen = Room(10), []

        async def hold(name: str, size: int, until: asyncio.Event) -> None:
            async with room.of(size):
                seen.append(name)
                await until.wait()

        first, rest = asyncio.Event(), asyncio.Event()
        tasks = [asyncio.create_task(hold("first", 8, first))]
        for name, size in (("large", 9), ("small", 1)):
            await asyncio.sleep(0)
            tasks.append(asyncio.create_task(hold(name, size, rest)))
        await asyncio.sleep(0.01)
        assert seen == ["first"]
        first.set()
        rest.set()
        await asyncio.gather(*tasks)
        return seen

    assert asyncio.run(play()) == ["first", "large", "small"]


def test_a_client_that_stalls_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphmem.server.intake.STALL_SECONDS", 0.2)
    with (
        running(configure(tmp_path)) as live,
        socket.create_connection((live.host, live.port), timeout=20) as peer,
    ):
        peer.sendall(b"POST /add HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")
        assert b" 408 " in peer.recv(65536).split(b"\r\n")[0]
