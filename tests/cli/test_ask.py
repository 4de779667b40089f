"""`graphmem prepare` and `graphmem ask`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.providers.chat.server import ChatServer, said, status
from tests.providers.pairs import build_cross_encoder

TOKENS = {"prompt_tokens": 70, "completion_tokens": 9}


def test_prepare_prints_the_messages(run: Run, filled: Path) -> None:
    done = run("prepare", "harbour", "When does the ferry leave?", "--data-dir", filled)
    assert done.code == 0
    assert done.out.startswith("--- system ---\n")
    assert "Ada: The ferry leaves at noon.\n" in done.out
    assert done.out.endswith("Question: When does the ferry leave?\n")


def test_options_and_the_time_of_asking_stand_in_the_prompt(run: Run, filled: Path) -> None:
    arguments = ("--option", "noon", "--option", "night", "--asked-at", "2024-06-01")
    done = run("prepare", "harbour", "When?", *arguments, "--data-dir", filled)
    assert "The question was asked on 2024-06-01.\n" in done.out
    assert "(1) noon\n(2) night\n" in done.out


def test_ask_shows_the_evidence_in_order(run: Run, filled: Path) -> None:
    done = run("ask", "harbour", "灯塔门票多少钱？", "--data-dir", filled)
    assert any("m" in line and "灯塔的门票是二十元。" in line for line in done.out.splitlines())


def test_explain_shows_how_the_question_was_read_and_the_shares(run: Run, filled: Path) -> None:
    arguments = ("ask", "harbour", "When does the ferry leave?", "--data-dir", filled)
    done = run(*arguments, "--explain")
    assert "read as temporal_point, asks for: time" in done.out
    assert "tokens (built-in), v5_81" in done.out
    shares = run(*arguments, "--explain", "--json").json()["evidence"][0]["shares"]
    assert all(name in done.out for name in shares)
    assert "shares" not in run(*arguments, "--json").json()["evidence"][0]


def test_explain_says_what_a_reranking_model_did(run: Run, filled: Path, tmp_path: Path) -> None:
    model = build_cross_encoder(tmp_path / "tiny")
    file = tmp_path / "settings.json"
    values = {"rerank_model": f"onnx:{model}", "dense_retrieval": False}
    file.write_text(json.dumps(values), encoding="utf-8")
    beside = ("--data-dir", filled, "--config", file, "--explain")
    assert "the first 2 reordered by tiny" in run("ask", "harbour", "ferry 灯塔", *beside).out
    (model / "model.onnx").write_bytes(b"garbage")
    broken = run("ask", "harbour", "ferry 灯塔", *beside)
    assert broken.code == 0
    assert "not reordered by tiny (failed)" in broken.out


def test_nothing_found_is_said(run: Run, filled: Path) -> None:
    done = run("ask", "harbour", "zebra", "--data-dir", filled)
    assert (done.code, done.out) == (0, "no evidence found\n")


@pytest.mark.parametrize("command", ["ask", "prepare"])
def test_an_error_is_told_as_elsewhere(run: Run, filled: Path, command: str) -> None:
    missing = run(command, "nobody", "ferry", "--data-dir", filled, "--json")
    assert (missing.code, missing.json()["error"]["code"]) == (1, "MemoryNotFound")
    wrong = run(command, "harbour", "ferry", "--asked-at", "soon", "--data-dir", filled)
    assert (wrong.code, "asked_at" in wrong.err) == (1, True)


@pytest.mark.parametrize("command", ["ask", "prepare"])
def test_stored_text_cannot_drive_the_terminal(run: Run, data_dir: Path, command: str) -> None:
    run("add", "m", "s", "red \x1b[31malert\x07 [bold]plain[/bold]", "--data-dir", data_dir)
    done = run(command, "m", "plain", "--data-dir", data_dir)
    assert "\x1b" not in done.out
    assert "[bold]plain[/bold]" in done.out


@pytest.fixture
def chat() -> Iterator[ChatServer]:
    with ChatServer() as started:
        started.usual = said("At noon [m1] [m7]. \x1b[31m", usage=TOKENS)
        yield started


@pytest.fixture
def answering(chat: ChatServer, tmp_path: Path) -> Path:
    """Settings that enable answers."""
    file = tmp_path / "answering.json"
    settings = {
        "dense_retrieval": False,
        "generate_answers": True,
        "answer_model": "talker",
        "answer_base_url": chat.base_url,
    }
    file.write_text(json.dumps(settings), encoding="utf-8")
    return file


def test_with_answers_enabled_the_model_s_answer_follows_the_evidence(
    run: Run, filled: Path, answering: Path
) -> None:
    arguments = ("harbour", "When does the ferry leave?", "--data-dir", filled)
    done = run("ask", *arguments, "--config", answering)
    lines = done.out.splitlines()
    assert "The ferry leaves at noon." in done.out
    assert lines[-2:] == [
        r"At noon [m1]. \x1b[31m",
        "(talker: 70 + 9 tokens; taken out, not in the evidence: m7)",
    ]
    told = run("ask", *arguments, "--config", answering, "--json").json()
    assert (told["citations"], told["trace"]["invented"]) == (["m1"], ["m7"])
    explained = run("ask", *arguments, "--config", answering, "--explain")
    assert "read as temporal_point" in explained.out


def test_a_model_that_fails_leaves_the_evidence(
    run: Run, filled: Path, answering: Path, chat: ChatServer
) -> None:
    chat.usual = status(401)
    arguments = ("harbour", "When does the ferry leave?", "--data-dir", filled)
    done = run("ask", *arguments, "--config", answering)
    assert (done.code, "401" in done.err) == (1, True)
    assert "The ferry leaves at noon." in done.out
    assert set(run("ask", *arguments, "--config", answering, "--json").json()) == {"error"}


def test_no_answer_shows_the_evidence_alone(
    run: Run, filled: Path, answering: Path, chat: ChatServer
) -> None:
    arguments = ("harbour", "When does the ferry leave?", "--data-dir", filled)
    done = run("ask", *arguments, "--config", answering, "--no-answer")
    assert "The ferry leaves at noon." in done.out
    assert "At noon" not in done.out
    assert chat.requests == []


def test_without_evidence_no_model_is_asked(
    run: Run, filled: Path, answering: Path, chat: ChatServer
) -> None:
    done = run("ask", "harbour", "zebra", "--data-dir", filled, "--config", answering)
    assert done.out.splitlines() == [
        "no evidence found",
        "",
        "I do not know: the records hold nothing about this.",
        "(no model was asked)",
    ]
    assert chat.requests == []
