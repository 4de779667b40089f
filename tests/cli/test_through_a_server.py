"""Commands beside a real `graphmem serve`: they say and do what they would alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.faults.serving import Served, serving

KEY = "a-key-for-tests"


@pytest.fixture
def served(filled: Path) -> Iterator[Served]:
    with serving(filled) as server:
        yield server


def test_an_add_is_answered_as_it_is_alone(
    run: Run, served: Served, filled: Path, tmp_path: Path
) -> None:
    arguments = ("add", "m", "s", "I planted basil. 我种了罗勒。", "--request-id", "r1", "--json")
    beside = run(*arguments, "--data-dir", filled)
    alone = run(*arguments, "--data-dir", tmp_path / "alone")
    assert (beside.code, beside.err) == (0, "")
    assert beside.out == alone.out
    again = run(*arguments, "--data-dir", filled).json()
    assert (again["stored"], again["already_stored"]) == (0, 1)


def test_a_file_of_several_batches(run: Run, served: Served, filled: Path, tmp_path: Path) -> None:
    file = tmp_path / "m.jsonl"
    lines = (json.dumps({"content": f"note {n}", "speaker": "小明"}) for n in range(600))
    file.write_text("\n".join(lines), encoding="utf-8")
    arguments = ("add", "m", "s", "--file", file, "--data-dir", filled)
    assert run(*arguments).out == "stored 600 messages\n"
    assert run(*arguments).out == "stored 0 messages, 600 were there already\n"
    status = run("status", "m", "--data-dir", filled, "--json").json()
    assert (status["turns"], status["state"]) == (600, "ready")


@pytest.mark.parametrize(
    "arguments",
    [
        ("m", "s", "Other.", "--request-id", "r1"),
        ("m", "s", "x", "--role", "narrator"),
        ("m", "s", "x", "--timestamp", "soon"),
        ("m", " ", "x"),
        ("m", "s", "\ud800 half a pair"),
    ],
)
def test_a_refusal_is_the_same_as_alone(
    run: Run, served: Served, filled: Path, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    found = []
    for place in (filled, tmp_path / "alone"):
        run("add", "m", "s", "First.", "--request-id", "r1", "--data-dir", place)
        done = run("add", *arguments, "--data-dir", place, "--json")
        error = done.json().get("error", {})
        found.append((done.code, error.get("code"), error.get("field")))
    assert found[0] == found[1]


def test_the_tenant_goes_along(run: Run, served: Served, filled: Path) -> None:
    run("add", "m", "s", "Ours.", "--tenant", "Grün", "--data-dir", filled)
    listed = run("status", "--tenant", "Grün", "--data-dir", filled, "--json").json()
    assert [memory["memory_id"] for memory in listed["memories"]] == ["m"]


def test_the_servers_key_is_needed(run: Run, filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ("add", "m", "s", "x", "--data-dir", filled)
    with serving(filled, key=KEY):
        refused = run(*arguments)
        assert (refused.code, refused.out) == (1, "")
        assert "GRAPHMEM_API_KEY" in refused.err
        monkeypatch.setenv("GRAPHMEM_API_KEY", KEY)
        assert run(*arguments).code == 0


def test_a_memory_is_rebuilt_by_the_server(run: Run, served: Served, filled: Path) -> None:
    done = run("rebuild", "harbour", "--data-dir", filled, "--json")
    assert (done.code, done.json()["memories"], done.json()["reindexed"]) == (0, 1, 1)
    missing = run("rebuild", "nobody", "--data-dir", filled, "--json")
    assert (missing.code, missing.json()["error"]["code"]) == (1, "MemoryNotFound")


@pytest.mark.parametrize("command", [("rebuild", "--all"), ("reembed",)])
def test_what_a_server_does_by_itself_is_left_to_it(
    run: Run, served: Served, filled: Path, command: tuple[str, ...]
) -> None:
    done = run(*command, "--data-dir", filled)
    assert done.code == 1
    assert "by itself" in done.err


def test_reading_and_backing_up_go_on(
    run: Run, served: Served, filled: Path, tmp_path: Path
) -> None:
    assert run("search", "harbour", "ferry", "--data-dir", filled, "--json").json()["hits"]
    assert run("backup", tmp_path / "b", "--data-dir", filled, "--json").json()["turns"] == 2
    checks = run("doctor", "--data-dir", filled, "--port", served.port, "--json").json()["checks"]
    found = {finding["check"]: finding for finding in checks}
    assert found["holder"]["detail"].endswith("and answers")
    assert "served by the holder" in found["port"]["detail"]
