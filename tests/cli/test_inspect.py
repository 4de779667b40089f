"""`graphmem inspect` and `graphmem why`: what a memory holds of atoms, and what they stand on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run


@pytest.fixture
def believing(run: Run, data_dir: Path) -> Path:
    """A memory with a value that was replaced, a collection, and words that are kept as they are."""
    for day, text in (
        (1, "I live in Berlin. I visited Rome."),
        (2, "I live in Paris. I visited Oslo."),
        (3, "20.04, 3 kg, Bob"),
    ):
        options = ("--data-dir", data_dir, "--timestamp", f"2024-05-0{day}T10:00:00Z")
        assert run("add", "ann", f"s{day}", text, *options, "--speaker", "Ann").code == 0
    return data_dir


def test_an_inspection_shows_atoms_entities_chains_collections_and_coverage(
    run: Run, believing: Path
) -> None:
    found = run("inspect", "ann", "--data-dir", believing, "--json").json()
    contents = {atom["content"]: atom["superseded"] for atom in found["atoms"]}
    assert contents["I live in Berlin."] is True
    assert contents["I live in Paris."] is False
    assert found["superseded"] == 1
    assert found["entities"][0] == {"name": "Ann", "atoms": 5}
    (chain,) = found["chains"]
    assert [state["content"] for state in chain["states"]] == [
        "I live in Berlin.",
        "I live in Paris.",
    ]
    assert [c["values"] for c in found["collections"]] == [["Rome", "Oslo"]]
    assert found["coverage"]["share"] == 1.0
    assert found["coverage"]["verbatim"] > 0
    assert found["coverage"]["verbatim_turns"] == 1
    assert sum(found["types"].values()) == len(found["atoms"]) == sum(found["origins"].values())


def test_an_inspection_reads_well(run: Run, believing: Path) -> None:
    shown = run("inspect", "ann", "--data-dir", believing, "--limit", "2")
    assert shown.code == 0
    for part in (
        "5 atoms",
        "coverage 1.000",
        "chains (1)",
        "I live in Berlin. -> I live in Paris.",
    ):
        assert part in shown.out
    assert "Oslo" in shown.out
    assert "20.04" not in shown.out


def test_why_marks_the_words_that_an_atom_stands_on(run: Run, believing: Path) -> None:
    atoms = run("inspect", "ann", "--data-dir", believing, "--json").json()["atoms"]
    (old,) = [atom for atom in atoms if atom["content"] == "I live in Berlin."]
    shown = run("why", old["id"], "--data-dir", believing)
    assert shown.code == 0
    assert "[[I live in Berlin.]] I visited Rome." in shown.out
    assert "superseded" in shown.out
    assert "I live in Berlin. -> I live in Paris." in shown.out
    told = run("why", old["id"], "--memory", "ann", "--data-dir", believing, "--json").json()
    assert told["memory_id"] == "ann"
    assert [source["words"] for source in told["sources"]] == ["I live in Berlin."]
    assert [state["reason"] for state in told["history"]] == ["found"]


def test_why_an_atom_that_is_not_there_says_so(run: Run, believing: Path) -> None:
    for options in ((), ("--memory", "ann")):
        ended = run("why", "a_" + 24 * "0", "--data-dir", believing, *options)
        assert (ended.code, ended.out) == (1, "")
        assert "no such atom" in ended.err


def test_an_inspection_of_no_memory_says_so(run: Run, believing: Path) -> None:
    ended = run("inspect", "nobody", "--data-dir", believing)
    assert (ended.code, ended.out) == (1, "")
    assert "no such memory" in ended.err
