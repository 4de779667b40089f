"""Spans of requests and their stages, of no payload, and no cost where nobody wants them."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode
from typing_extensions import override

from graphmem.errors import ConfigError
from graphmem.server.tracing import Tracing
from tests.server.live import Live, an_add, configure, encode, running

MARKER = "my-diary-entry"
PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


@pytest.fixture
def exporter() -> InMemorySpanExporter:
    return InMemorySpanExporter()


@pytest.fixture
def live(tmp_path: Path, exporter: InMemorySpanExporter) -> Iterator[Live]:
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    config = replace(configure(tmp_path, dense=True), embedding_model="fake")
    tracing = Tracing(provider)
    with running(config, tracing=tracing) as server:
        yield server
    tracing.close()


def spans(live: Live, exporter: InMemorySpanExporter) -> dict[str, list[ReadableSpan]]:
    """The spans since the last call."""
    live.settle()
    found: dict[str, list[ReadableSpan]] = {}
    for span in exporter.get_finished_spans():
        found.setdefault(span.name, []).append(span)
    exporter.clear()
    return found


def test_a_request_has_a_span_with_its_stages_below(
    live: Live, exporter: InMemorySpanExporter
) -> None:
    live.add("u", "hello")
    spans(live, exporter)
    reply = live.search("u", "hello")
    found = spans(live, exporter)
    assert set(found) == {"POST /search", "wait", "embed", "store", "rank", "render"}
    (request,) = found.pop("POST /search")
    assert request.context is not None
    assert request.kind is SpanKind.SERVER
    assert dict(request.attributes or {}) == {
        "http.request.method": "POST",
        "http.route": "/search",
        "http.response.status_code": 200,
        "graphmem.trace_id": reply.headers["x-trace-id"],
    }
    for stages in found.values():
        for stage in stages:
            assert stage.parent is not None
            assert stage.parent.span_id == request.context.span_id
            assert not stage.attributes


def test_a_span_continues_the_caller_s_trace(live: Live, exporter: InMemorySpanExporter) -> None:
    live.call("POST", "/add", encode(an_add()), {"traceparent": PARENT})
    (request,) = spans(live, exporter)["POST /add"]
    assert request.context is not None
    assert request.parent is not None
    assert f"{request.context.trace_id:032x}" in PARENT
    assert f"{request.parent.span_id:016x}" in PARENT


def test_a_failure_marks_its_span_and_leaves_nothing_of_a_payload(
    live: Live, exporter: InMemorySpanExporter, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError(MARKER)

    live.add(MARKER, MARKER, X_Tenant_ID=MARKER)
    live.call("GET", f"/{MARKER}?{MARKER}")
    live.call(MARKER.upper(), "/add")
    monkeypatch.setattr(live.service._parts.store, "write", fail)
    assert live.add("u", MARKER).status == 500
    found = spans(live, exporter)
    (failed,) = [s for s in found["POST /add"] if s.status.status_code is StatusCode.ERROR]
    assert not failed.events
    assert {"GET unmatched", "other /add"} <= set(found)
    everything = "".join(span.to_json() for same in found.values() for span in same)
    assert MARKER not in everything.lower()


def test_spans_are_sent_to_where_the_environment_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    received: list[tuple[str, bytes]] = []

    class Sink(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            received.append((self.path, body))
            self.send_response(200)
            self.end_headers()

        @override
        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Sink) as sink:
        thread = threading.Thread(target=sink.serve_forever, args=(0.01,))
        thread.start()
        endpoint = f"http://127.0.0.1:{sink.server_port}"
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint)
        tracing = Tracing.open()
        with running(configure(tmp_path), tracing=tracing) as live:
            live.add("u", MARKER)
        tracing.close()
        sink.shutdown()
        thread.join()
    assert {path for path, _ in received} == {"/v1/traces"}
    sent = b"".join(body for _, body in received)
    assert b"POST /add" in sent
    assert b"graphmem" in sent
    assert MARKER.encode() not in sent


def test_without_the_extra_the_setting_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    with pytest.raises(ConfigError, match=r"tracing: .*pip install 'graphmem\[otel\]'"):
        Tracing.open()


def test_a_server_without_tracing_imports_nothing_of_it() -> None:
    program = "import sys, graphmem.server.run; print('opentelemetry.sdk' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout == b"False\n"
