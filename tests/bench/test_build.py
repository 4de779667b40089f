"""`bench build` counts what the build of a set gives, and builds it twice alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphmem.bench.build import measure
from graphmem.bench.datasets import load
from graphmem.config import ServiceConfig
from graphmem.errors import ChatUnavailableError
from tests.bench.samples import native, write
from tests.providers.chat.server import ChatServer, status
from tests.service.scenes.makers import told


def test_a_build_covers_every_fact_and_is_the_same_twice(tmp_path: Path) -> None:
    report = measure(load(write(tmp_path, native())))
    assert report.is_same
    assert report.turns == 4
    assert report.atoms == sum(report.origins.values()) > 0
    assert report.facts == report.in_claims + report.verbatim > 0
    told = report.to_dict()
    assert told["coverage"] == 1.0
    assert isinstance(told["in_claims"], float)
    assert told["time_expressions"] == {"duration": 1}  # "all day"
    assert told["time_resolved"] == {}
    assert told["tokens"] == told["model_calls"] == 0
    assert report.seconds > 0


def test_a_chat_model_is_asked_once_and_its_tokens_are_counted(tmp_path: Path) -> None:
    with ChatServer() as server:
        server.usual = told
        config = ServiceConfig(
            llm_model="m", llm_base_url=server.base_url, require_exact_tokenizer=False
        )
        report = measure(load(write(tmp_path, native())), config=config)
    assert report.is_same
    assert report.origins["llm"] > 0
    assert report.model_calls == len(server.requests) > 0
    assert report.tokens > 0
    assert report.to_dict()["coverage"] == 1.0


def test_a_chat_model_that_is_out_ends_the_measurement(tmp_path: Path) -> None:
    with ChatServer() as server:
        server.usual = status(503)
        config = ServiceConfig(
            llm_model="m",
            llm_base_url=server.base_url,
            require_exact_tokenizer=False,
            model_timeout_seconds=0.2,
        )
        with pytest.raises(ChatUnavailableError, match="doctor"):
            measure(load(write(tmp_path, native())), config=config)


def test_the_same_set_has_the_same_digest_in_every_run(tmp_path: Path) -> None:
    evidence = load(write(tmp_path, native()))
    assert measure(evidence).digest == measure(evidence).digest
