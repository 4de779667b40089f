"""`graphmem doctor` on a chat model that answers, refuses, is out or is not wanted, and its tokenizer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from graphmem.cli.chat_checks import check_answers, check_chat
from graphmem.cli.findings import Finding
from graphmem.config import ServiceConfig
from tests.cli.conftest import Run
from tests.providers.chat.server import ChatServer, said, status


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with ChatServer() as started:
        started.usual = said("Yes")
        yield started


def _found(base_url: str) -> Finding:
    (finding,) = check_chat(ServiceConfig(llm_model="m", llm_base_url=base_url))
    return finding


def test_a_model_that_answers_is_well(server: ChatServer) -> None:
    finding = _found(server.base_url)
    assert (finding.state, finding.detail) == ("ok", "m answers")
    assert "response_format" not in server.requests[0]


def test_a_refused_key_is_told_with_its_remedy(server: ChatServer) -> None:
    server.usual = status(401)
    finding = _found(server.base_url)
    assert finding.state == "warn"
    assert "check the API key" in finding.detail
    assert "llm_base_url" in finding.remedy


def test_a_model_that_is_out_is_a_warning_since_rules_go_on() -> None:
    with ChatServer() as gone:
        address = gone.base_url
    finding = _found(address)
    assert finding.state == "warn"
    assert "rules find the atoms" in finding.detail


def test_a_wrong_address_fails() -> None:
    assert _found("model.example/v1").state == "fail"


def test_without_a_model_rules_are_no_fault() -> None:
    (finding,) = check_chat(ServiceConfig())
    assert finding.state == "ok"


@pytest.mark.parametrize(("is_required", "state"), [(True, "fail"), (False, "warn")])
def test_a_model_without_its_tokenizer_is_one_finding_and_hides_no_other(
    run: Run, filled: Path, tmp_path: Path, server: ChatServer, is_required: bool, state: str
) -> None:
    file = tmp_path / "settings.json"
    settings = {
        "data_dir": str(filled),
        "llm_model": "m",
        "llm_base_url": server.base_url,
        "require_exact_tokenizer": is_required,
    }
    file.write_text(json.dumps(settings))
    report = run("doctor", "--port", "0", "--json", "--config", file).json()
    found = {finding["check"]: finding["state"] for finding in report["checks"]}
    assert found["tokenizer"] == state
    assert found["database"] == found["chat model"] == "ok"
    assert report["ok"] is not is_required


def _answering(base_url: str, **changes: object) -> Finding:
    config = ServiceConfig(generate_answers=True, answer_model="talker", answer_base_url=base_url)
    (finding,) = check_answers(replace(config, **changes))  # type: ignore[arg-type]
    return finding


def test_the_model_that_answers_is_asked_as_it_will_be(server: ChatServer) -> None:
    finding = _answering(server.base_url, answer_request_profile="qwen")
    assert (finding.state, finding.detail) == ("ok", "talker answers")
    assert server.requests[0]["frequency_penalty"] == 0.2


def test_a_model_that_does_not_answer_is_told_with_its_settings(server: ChatServer) -> None:
    server.usual = status(401)
    finding = _answering(server.base_url)
    assert finding.state == "warn"
    assert "answer_base_url" in finding.remedy
    assert _answering("model.example/v1").state == "fail"


def test_without_answers_no_model_is_asked() -> None:
    (finding,) = check_answers(ServiceConfig())
    assert (finding.state, "generate_answers" in finding.detail) == ("ok", True)
