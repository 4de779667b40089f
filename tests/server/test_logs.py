"""A line a request, and nothing in any line that somebody said, whatever goes wrong."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from graphmem.server.logs import JsonFormatter, TextFormatter
from tests.server.live import JsonObject, Live, a_search, an_add, configure, encode, running

MARKER = "my-diary-entry"


@contextmanager
def logged(formatter: logging.Formatter) -> Iterator[io.StringIO]:
    """All that any library logs, at all levels, as the server writes it."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(formatter)
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        yield written
    finally:
        root.removeHandler(handler)
        root.setLevel(level)


def lines(written: io.StringIO) -> list[dict[str, object]]:
    return [json.loads(line) for line in written.getvalue().splitlines()]


def requests(written: io.StringIO) -> list[dict[str, object]]:
    return [line for line in lines(written) if line["message"] == "request"]


@pytest.fixture
def live(tmp_path: Path) -> Iterator[Live]:
    with running(configure(tmp_path)) as server:
        yield server


def marked(name: str, schema: object) -> object:
    """A value for a field of a request, with the marker wherever a string may be."""
    kinds = json.dumps(schema)
    if name == "messages":
        return [{"role": "user", "content": MARKER, "speaker": MARKER, "listener": MARKER}]
    if '"array"' in kinds:
        return [MARKER]
    return MARKER if '"string"' in kinds else 3


def bodies(operation: JsonObject) -> list[bytes | None]:
    """A good body of an operation, if it takes one, and bad ones."""
    taken = operation.get("requestBody")
    if not isinstance(taken, dict):
        return [None]
    properties = taken["content"]["application/json"]["schema"]["properties"]
    good = {name: marked(name, schema) for name, schema in properties.items()}
    first = next(iter(good))
    broken = f'{{"{MARKER}": "{MARKER}'.encode()
    return [
        encode(good),
        encode(good | {first: {MARKER: MARKER}}),
        encode(good | {first: f"{MARKER}-2"}),
        encode({MARKER: MARKER}),
        encode([MARKER]),
        broken,
    ]


def every_route(live: Live) -> Iterator[tuple[str, str, bytes | None]]:
    paths = live.call("GET", "/openapi.json").json()["paths"]
    assert isinstance(paths, dict)
    for path, operations in paths.items():
        for method, operation in operations.items():
            for body in bodies(operation):
                yield method.upper(), re.sub(r"\{.*?\}", MARKER, path), body


@pytest.mark.parametrize("formatter", [JsonFormatter(), TextFormatter()], ids=["json", "text"])
def test_no_route_logs_what_it_was_sent(live: Live, formatter: logging.Formatter) -> None:
    headers = {"X-Tenant-ID": MARKER, "X-Api-Key": MARKER, "User-Agent": MARKER}
    with logged(formatter) as written:
        statuses = {
            live.call(method, f"{path}?q={MARKER}", body, headers).status
            for method, path, body in every_route(live)
        }
        live.call("GET", f"/{MARKER}", headers=headers)
        live.call(MARKER.upper(), "/add", headers=headers)
        live.call("POST", "/add", b"x" * 70_000_000, headers)
        live.settle()
    assert {200, 400, 422} <= statuses
    text = written.getvalue()
    assert text.count("request") > 20
    assert MARKER not in text.lower()


@pytest.mark.parametrize("formatter", [JsonFormatter(), TextFormatter()], ids=["json", "text"])
def test_no_failure_logs_what_it_was_about(
    live: Live, formatter: logging.Formatter, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError(MARKER)

    monkeypatch.setattr(live.service, "add", fail)
    with logged(formatter) as written:
        assert live.post("/add", an_add(MARKER, MARKER)).status == 500
        live.settle()
    assert "RuntimeError" in written.getvalue()
    assert MARKER not in written.getvalue()


@pytest.mark.parametrize("formatter", [JsonFormatter(), TextFormatter()], ids=["json", "text"])
def test_what_another_library_says_is_left_out(formatter: logging.Formatter) -> None:
    async def forget() -> None:
        asyncio.get_running_loop().call_exception_handler({"message": MARKER, "future": MARKER})

    with logged(formatter) as written:
        asyncio.run(forget())
        try:
            _ = dict[str, str]()[MARKER]
        except KeyError:
            logging.getLogger("graphmem.test").exception("it failed")
    assert "asyncio" in written.getvalue()
    assert "KeyError" in written.getvalue()
    assert "in test_what" in written.getvalue()
    assert MARKER not in written.getvalue()


def test_a_request_is_one_line_that_names_its_answer(live: Live) -> None:
    live.add("u", "hello")
    live.settle()
    with logged(JsonFormatter()) as written:
        replies = [live.search("u", "hello"), live.post("/search", {}), live.call("GET", "/x")]
        live.settle()
    found = requests(written)
    assert [line["trace_id"] for line in found] == [r.headers["x-trace-id"] for r in replies]
    assert [line["status"] for line in found] == [200, 422, 404]
    assert [line["route"] for line in found] == ["/search", "/search", "unmatched"]
    first = found[0]
    assert set(first) == {
        "time", "level", "logger", "message", "trace_id", "method", "route", "status", "ms", "key",
        "wait_ms", "store_ms", "rank_ms", "render_ms",
    }  # fmt: skip
    assert (first["method"], first["level"], first["key"]) == ("POST", "info", "none")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", str(first["time"]))


def test_the_line_names_the_key_by_its_public_half(tmp_path: Path) -> None:
    with running(configure(tmp_path, api_key="master-secret")) as live:
        made = live.service.keyring.add(tenants=["acme"], rights=["read"])
        with logged(JsonFormatter()) as written:
            for key in ("master-secret", made.key, "wrong-secret"):
                live.call("POST", "/search", encode(a_search()), {"X-Api-Key": key})
            live.settle()
    assert [line.get("key") for line in requests(written)] == [
        "master",
        made.info.key_id,
        None,
    ]
    assert "secret" not in written.getvalue()
    assert made.key not in written.getvalue()


def test_probes_are_told_at_debug_only(live: Live) -> None:
    with logged(JsonFormatter()) as written:
        live.call("GET", "/health")
        live.call("GET", "/ready")
        live.settle()
    assert {line["level"] for line in requests(written)} == {"debug"}


def test_a_probe_that_is_refused_is_told_as_others_are(tmp_path: Path) -> None:
    with running(configure(tmp_path, api_key="k")) as live, logged(JsonFormatter()) as written:
        live.call("GET", "/metrics")
        live.settle()
    assert [(line["level"], line["status"]) for line in requests(written)] == [("info", 401)]


def test_bytes_that_are_no_http_get_a_trace_id_too(live: Live) -> None:
    with (
        logged(JsonFormatter()) as written,
        socket.create_connection((live.host, live.port), timeout=20) as peer,
    ):
        peer.sendall(f"{MARKER}\r\n\r\n".encode())
        answer = b"".join(iter(lambda: peer.recv(65536), b""))
    head, body = answer.split(b"\r\n\r\n", 1)
    found = re.search(rb"x-trace-id: (tr-[0-9a-f-]{17})", head)
    assert head.startswith(b"HTTP/1.1 400 ")
    assert found
    problem = json.loads(body)
    assert (problem["error"]["code"], problem["trace_id"]) == ("malformed_http", found[1].decode())
    assert found[1].decode() in written.getvalue()
    assert MARKER not in written.getvalue() + body.decode()


@pytest.mark.parametrize("form", ["json", "text"])
def test_the_command_logs_to_stderr_as_it_is_told(tmp_path: Path, form: str) -> None:
    settings = tmp_path / "settings.json"
    settings.write_text(json.dumps({"dense_retrieval": False, "log_level": "debug"}))
    command = [sys.executable, "-m", "graphmem", "serve", "--port", "0", "--log-format", form]
    place = ["--config", str(settings), "--data-dir", str(tmp_path / "data")]
    with subprocess.Popen(
        [*command, *place], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:(\d+)", process.stdout.readline())
        assert found
        live = Live("127.0.0.1", int(found[1]), None)  # type: ignore[arg-type]
        live.add(MARKER, MARKER, request_id=MARKER)
        live.search(MARKER, MARKER)
        live.call("GET", f"/{MARKER}")
        live.settle()
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=60)
    assert MARKER not in out + err
    told = [line for line in err.splitlines() if "/add" in line]
    assert len(told) == 1
    if form == "json":
        assert [json.loads(line)["logger"] for line in err.splitlines()]
        assert json.loads(told[0])["status"] == 200
    else:
        assert "INFO request trace_id=tr-" in told[0]
        assert "status=200" in told[0]
