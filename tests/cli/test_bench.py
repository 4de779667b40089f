from __future__ import annotations

from pathlib import Path

from tests.bench import samples
from tests.cli.conftest import Run


def test_retrieval_prints_one_object(run: Run, tmp_path: Path) -> None:
    path = samples.write(tmp_path, samples.native())
    report = run("bench", "retrieval", path, "--k", "3", "--ablate", "--json").json()
    assert (report["set"], report["questions"], report["embedder"]) == ("tiny", 3, "none")
    assert set(report["recall"]) == {"1", "3", "5", "10", "32", "100"}
    assert set(report["seconds"]) == {"add", "query_p50", "query_p95"}
    assert "without context" in report["ablation"]


def test_retrieval_shows_tables(run: Run, tmp_path: Path) -> None:
    shown = run("bench", "retrieval", samples.write(tmp_path, samples.native())).out
    assert all(word in shown for word in ("overall", "single", "by session", "query p95"))


def test_an_unknown_embedder_is_refused_with_the_known_ones(run: Run, tmp_path: Path) -> None:
    path = samples.write(tmp_path, samples.native())
    done = run("bench", "retrieval", path, "--embedder", "word2vec")
    assert done.code == 1
    assert "known are: none" in done.err


def test_speed_prints_one_object(run: Run) -> None:
    report = run("bench", "speed", "--size", "100", "--queries", "2", "--json").json()
    assert [size["turns"] for size in report["runs"]] == [100]


def test_speed_shows_a_table(run: Run) -> None:
    assert "turns/s" in run("bench", "speed", "--size", "100", "--queries", "2").out
