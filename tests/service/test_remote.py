"""A service on a remote embedding model over real HTTP, which is killed and misbehaves."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from graphmem import MemoryService, ServiceConfig
from graphmem.config import DenseConfig
from graphmem.service import catchup
from tests.providers.server import Answer, EmbeddingServer, pack, rows_for, status
from tests.service.conftest import LenientService, says

PATIENCE = 60.0


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catchup, "FIRST_PAUSE_SECONDS", 0.02)
    monkeypatch.setattr(catchup, "LONGEST_PAUSE_SECONDS", 0.2)


@contextmanager
def _service(directory: Path, base_url: str) -> Iterator[MemoryService]:
    config = ServiceConfig(
        data_dir=directory,
        embedding_model="m",
        embedding_base_url=base_url,
        dense=DenseConfig(in_call_seconds=2.0, timeout_seconds=1.0),
    )
    with LenientService.open(config=config) as service:
        yield service


def _counts(service: MemoryService) -> tuple[int, int]:
    found = service.status("t", "m")
    return found.embedded_turns, found.waiting_turns


def test_a_killed_server_that_comes_back_is_caught_up_with(tmp_path: Path) -> None:
    with ExitStack() as first:
        server = first.enter_context(EmbeddingServer())
        with _service(tmp_path, server.base_url) as service:
            service.add("t", "m", "s", says("I adopted a kitten"))
            assert _counts(service) == (1, 0)
            first.close()
            service.add("t", "m", "s", says("We bake bread", "The river rose"))
            assert service.retrieve("t", "m", "bread").hits[0].content == "We bake bread"
            assert _counts(service) == (1, 2)
            with EmbeddingServer(server.port):
                assert service.catch_up(PATIENCE)
                assert _counts(service) == (3, 0)
                assert service.retrieve("t", "m", "the river").trace.vectors == 3


def test_a_server_that_was_never_there_is_waited_for_across_a_restart(tmp_path: Path) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    url = f"http://127.0.0.1:{port}/v1"
    with _service(tmp_path, url) as service:
        service.add("t", "m", "s", says("I adopted a kitten"))
        assert service.retrieve("t", "m", "kitten").hits
        assert _counts(service) == (0, 1)
    with EmbeddingServer(port), _service(tmp_path, url) as service:
        assert service.catch_up(PATIENCE)
        assert _counts(service) == (1, 0)


def _wrong_dimension(texts: list[str]) -> Answer:
    return pack(rows_for(texts, 16))


def _not_a_number(texts: list[str]) -> Answer:
    return Answer(body=pack(rows_for(texts)).body.replace(b"[0.", b"[NaN, 0.", 1))


def _hanging(texts: list[str]) -> Answer:
    return Answer(hangs=True)


@pytest.mark.parametrize(
    "step",
    [_wrong_dimension, _not_a_number, _hanging, status(500), status(400), status(401)],
    ids=["wrong dimension", "NaN", "hanging", "500", "400", "401"],
)
def test_whatever_it_answers_nothing_is_lost_and_all_lands_in_the_end(
    tmp_path: Path, step: object
) -> None:
    assert callable(step)
    with EmbeddingServer() as server, _service(tmp_path, server.base_url) as service:
        service.add("t", "m", "s", says("I adopted a kitten"))
        server.script = [step] * 6
        service.add("t", "m", "s", says("We bake bread", "The river rose"))
        assert service.retrieve("t", "m", "river").hits[0].content == "The river rose"
        server.script = []
        assert service.catch_up(PATIENCE)
        assert _counts(service) == (3, 0)


def test_texts_and_keys_stay_out_of_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with EmbeddingServer() as server, _service(tmp_path, server.base_url) as service:
        server.script = [status(400)] * 3 + [status(500)] * 3
        service.add("t", "m", "s", says("zanzibar"))
        service.retrieve("t", "m", "zanzibar")
        server.script = []
        assert service.catch_up(PATIENCE)
    assert caplog.records
    assert "zanzibar" not in caplog.text
