from __future__ import annotations

import json
from pathlib import Path

import pytest

from graphmem.config import ServiceConfig
from graphmem.service.memory import MemoryService
from tests.cli.conftest import Run
from tests.cli.scripted import Reply, ScriptedServer

REPORT = {"memories": 1, "reindexed": 1, "remade": 1, "turns": 0, "refused": 0}


@pytest.fixture
def fake(tmp_path: Path) -> Path:
    """Settings with a made-up model."""
    path = tmp_path / "fake.json"
    path.write_text(json.dumps({"embedding_model": "fake"}), encoding="utf-8")
    return path


def test_a_memory_is_made_anew_and_answers_as_before(run: Run, filled: Path) -> None:
    asked = ("search", "harbour", "ferry", "--data-dir", filled, "--json")
    before = run(*asked).json()
    done = run("rebuild", "harbour", "--data-dir", filled)
    said = "indexes made anew: 1; atoms made anew: 1; turns embedded: 0; memories looked at: 1\n"
    assert (done.code, done.out) == (0, said)
    assert run(*asked).json()["hits"] == before["hits"]
    assert run("rebuild", "harbour", "--data-dir", filled, "--json").json() == REPORT


def test_a_search_says_what_to_do_when_the_model_is_another(
    run: Run, filled: Path, fake: Path
) -> None:
    options = ("--data-dir", filled, "--config", fake)
    refused = run("search", "harbour", "ferry", *options)
    assert refused.code == 1
    assert "run graphmem rebuild" in refused.err
    assert "rebuild" in run("status", *options).out
    done = run("rebuild", "--all", *options, "--json").json()
    assert done == {"memories": 1, "reindexed": 0, "remade": 0, "turns": 2, "refused": 0}
    assert run("search", "harbour", "ferry", *options).code == 0


def test_one_memory_or_all_of_them(run: Run, filled: Path) -> None:
    assert run("rebuild", "--data-dir", filled).code == 2
    assert run("rebuild", "harbour", "--all", "--data-dir", filled).code == 2


def test_an_unknown_memory_is_an_error(run: Run, filled: Path) -> None:
    done = run("rebuild", "nobody", "--data-dir", filled)
    assert (done.code, done.out) == (1, "")
    assert "no such memory" in done.err


def test_beside_a_server_it_goes_through_it(run: Run, filled: Path) -> None:
    with (
        ScriptedServer(Reply(body=REPORT)) as server,
        MemoryService.open(config=ServiceConfig(data_dir=filled, dense_retrieval=False)) as holder,
    ):
        holder.announce(server.address)
        done = run("rebuild", "harbour", "--data-dir", filled, "--json")
    assert done.json() == REPORT
    (asked,) = server.asked
    assert (asked.path, asked.body) == ("/v1/rebuild", {"memory_id": "harbour"})
