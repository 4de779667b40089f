"""`/ready` says whether calls can be served, and every reason why not, or why worse than usual."""

from __future__ import annotations

import shutil
from collections import namedtuple
from pathlib import Path

import pytest

from graphmem.errors import StoreUnavailableError
from graphmem.providers.embedding.fake import Failure
from tests.server.live import Live, configure, running
from tests.server.test_metrics import modelled

MARKER = "my-diary-entry"
Usage = namedtuple("Usage", "total used free")


def parts(live: Live, among: str) -> list[str]:
    found = live.call("GET", "/ready").json()[among]
    assert isinstance(found, list)
    assert all(reason["reason"] for reason in found)
    return [reason["part"] for reason in found]


def test_a_healthy_service_is_ready(tmp_path: Path) -> None:
    with running(configure(tmp_path)) as live:
        reply = live.call("GET", "/ready")
    assert reply.status == 200
    assert reply.json() == {"status": "ready", "reasons": [], "degraded": []}


def test_a_store_and_a_full_disk_are_reasons_both(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone() -> None:
        raise StoreUnavailableError(MARKER)

    with running(configure(tmp_path)) as live:
        monkeypatch.setattr(live.service._parts.store, "ping", gone)
        monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10**9, 10**9, 10**6))
        reply = live.call("GET", "/ready")
        assert (reply.status, reply.headers["retry-after"]) == (503, "5")
        assert parts(live, "reasons") == ["store", "disk"]
    assert set(reply.json()) == {"error", "trace_id", "reasons"}
    assert MARKER.encode() not in reply.body


def test_a_model_that_is_out_degrades_and_does_not_block(tmp_path: Path) -> None:
    with modelled(tmp_path) as (live, model):
        model.break_down(Failure.DOWN)
        live.add("u", "hello")
        assert live.call("GET", "/ready").status == 200
        assert parts(live, "degraded") == ["model", "rebuild"]
        assert live.search("u", "hello").contents() == ["user: hello"]
        model.recover()
        assert live.service.catch_up(30)
        assert parts(live, "degraded") == []
