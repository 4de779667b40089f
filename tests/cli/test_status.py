from __future__ import annotations

from pathlib import Path

import pytest

from graphmem.cli import paging
from tests.cli.conftest import Run


def test_one_memory(run: Run, filled: Path) -> None:
    found = run("status", "harbour", "--data-dir", filled, "--json").json()
    assert (found["memory_id"], found["turns"], found["sessions"]) == ("harbour", 2, 2)
    assert found["state"] == "ready"
    assert (found["embedded_turns"], found["waiting_turns"]) == (0, 0)


def test_all_memories_in_order_over_pages(
    run: Run, filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paging, "_PAGE", 2)
    for memory in ("b", "a", "z"):
        run("add", memory, "s", "x", "--data-dir", filled)
    found = run("status", "--data-dir", filled, "--json").json()["memories"]
    assert [item["memory_id"] for item in found] == ["a", "b", "harbour", "z"]
    shown = run("status", "--data-dir", filled).out
    assert [line.split()[0] for line in shown.splitlines()[1:]] == ["a", "b", "harbour", "z"]


def test_a_tenant_without_memories(run: Run, filled: Path) -> None:
    done = run("status", "--tenant", "other", "--data-dir", filled)
    assert (done.code, done.out) == (0, "tenant other has no memories here\n")


def test_an_unknown_memory_is_an_error(run: Run, filled: Path) -> None:
    done = run("status", "nobody", "--data-dir", filled)
    assert (done.code, done.out) == (1, "")
    assert "no such memory" in done.err
