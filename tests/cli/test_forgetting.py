from __future__ import annotations

from pathlib import Path

import pytest

from graphmem.service.memory import MemoryService
from tests.cli.conftest import Run
from tests.server.live import configure, running
from tests.service.conftest import says
from tests.stores.test_erasure import left_in

WHERE = "--data-dir"
LEFT = "no byte of them is left in the data directory"


@pytest.fixture
def ids(run: Run, filled: Path) -> list[str]:
    found = run("search", "harbour", "ferry 灯塔", "--json", WHERE, filled).json()
    return [hit["id"] for hit in found["hits"]]


def turns(run: Run, data_dir: Path, memory: str = "harbour") -> int:
    found = run("status", memory, "--json", WHERE, data_dir)
    return int(found.json()["turns"]) if found.code == 0 else 0


def test_turns_are_deleted_and_erased(run: Run, filled: Path, ids: list[str]) -> None:
    options = ("--turn", ids[0], "--turn", "t_unknown", "--yes", WHERE, filled)
    done = run("delete", "harbour", *options)
    assert (done.code, done.err) == (0, "")
    assert done.out == f"deleted 1 turn, 1 session; {LEFT}\nids that the memory does not hold: 1\n"
    assert turns(run, filled) == 1


def test_a_session_is_deleted(run: Run, filled: Path) -> None:
    done = run("delete", "harbour", "--session", "s1", "--yes", "--json", WHERE, filled)
    receipt = done.json()
    assert (receipt["kind"], receipt["turns"], receipt["session_id"]) == ("session", 1, "s1")
    assert receipt["erased_at"] >= receipt["deleted_at"]
    assert turns(run, filled) == 1


def test_no_byte_of_a_deleted_memory_is_left(run: Run, data_dir: Path) -> None:
    run("add", "harbour", "s", "SecretOfTheChoir 合唱团的秘密", WHERE, data_dir)
    assert left_in(data_dir)
    assert run("delete", "harbour", "--all", "--yes", WHERE, data_dir).code == 0
    assert left_in(data_dir) == []


def test_old_turns_are_purged(run: Run, filled: Path) -> None:
    run("add", "harbour", "s", "x", "--tenant", "other", WHERE, filled)
    done = run("purge", "--older-than", "1d", "--yes", WHERE, filled)
    assert done.out == "nothing to delete: nothing is older than 1d; memories looked at: 2\n"
    done = run("purge", "--older-than", "0s", "--tenant", "default", "--yes", WHERE, filled)
    assert done.out == f"deleted 2 turns; memories looked at: 1; {LEFT}\n"
    command = ("purge", "--older-than", "0s", "--tenant", "other", "--yes", "--json")
    report = run(*command, WHERE, filled).json()
    assert (report["memories"], report["turns"]) == (1, 1)
    assert report["receipts"][0]["erased_at"]


def test_a_tenant_is_deleted(run: Run, filled: Path) -> None:
    done = run("purge", "--all", "--tenant", "default", "--yes", WHERE, filled)
    assert done.out == f"deleted 2 turns; memories looked at: 1; {LEFT}\n"
    assert run("status", "harbour", WHERE, filled).code == 1


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (("delete", "nowhere", "--all"), "there is no memory nowhere under tenant default"),
        (
            ("delete", "harbour", "--session", "nowhere"),
            "there is no memory harbour under tenant default, or it holds none of this",
        ),
        (
            ("delete", "harbour", "--all", "--tenant", "nobody"),
            "there is no memory harbour under tenant nobody",
        ),
        (
            ("purge", "--all", "--tenant", "nobody"),
            "tenant nobody has no memory; memories looked at: 0",
        ),
    ],
)
def test_what_was_not_there_is_not_told_as_deleted(
    run: Run, filled: Path, command: tuple[str, ...], told: str
) -> None:
    done = run(*command, "--yes", WHERE, filled)
    assert (done.code, done.out) == (0, f"nothing to delete: {told}\n")
    assert turns(run, filled) == 2


def test_nothing_is_deleted_without_a_yes(run: Run, filled: Path) -> None:
    done = run("delete", "harbour", "--all", WHERE, filled)
    assert done.code == 1
    assert "Delete everything of memory harbour of tenant default?" in done.err
    assert turns(run, filled) == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ("delete", "m"),
        ("delete", "m", "--all", "--session", "s"),
        ("delete", "m", "--turn", "t", "--session", "s"),
        ("purge",),
        ("purge", "--all"),
        ("purge", "--all", "--older-than", "1d"),
        ("purge", "--older-than", "soon"),
        ("purge", "--older-than", "0d"),
    ],
)
def test_a_wrong_command_line_is_exit_2(
    run: Run, data_dir: Path, arguments: tuple[str, ...]
) -> None:
    assert run(*arguments, "--yes", WHERE, data_dir).code == 2
    assert not data_dir.exists()


def put(service: MemoryService) -> tuple[str, ...]:
    service.add("default", "harbour", "s2", says("stays"))
    return service.add("default", "harbour", "s1", says("goes", "goes too")).turn_ids


def test_beside_a_running_server_it_goes_through_it(run: Run, data_dir: Path) -> None:
    with running(configure(data_dir)) as live:
        ids = put(live.service)
        done = run("delete", "harbour", "--turn", ids[0], "--yes", WHERE, data_dir)
        assert done.out == (
            "deleted 1 turn, 0 sessions; their bytes are being erased in the background\n"
        )
        done = run("delete", "harbour", "--session", "s1", "--yes", "--json", WHERE, data_dir)
        assert done.json()["turns"] == 1
        done = run("purge", "--older-than", "1d", "--yes", "--json", WHERE, data_dir)
        assert done.json() == {"memories": 1, "turns": 0, "receipts": []}
        done = run("delete", "harbour", "--all", "--yes", "--json", WHERE, data_dir)
        assert (done.json()["kind"], done.json()["turns"]) == ("memory", 1)
        assert live.service.list_memories("default").memories == ()
        put(live.service)
        done = run("purge", "--all", "--tenant", "default", "--yes", "--json", WHERE, data_dir)
        assert done.json()["turns"] == 3


def test_beside_a_server_only_the_confirmed_tenant_is_reached(
    run: Run, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rights = ("--right=read", "--right=write", "--right=admin")
    key = run("keys", "add", "--tenant", "acme", *rights, WHERE, data_dir).out.strip()
    with running(configure(data_dir)) as live:
        live.service.add("acme", "harbour", "s", says("stays"))
        monkeypatch.setenv("GRAPHMEM_API_KEY", key)
        deleted = run("delete", "harbour", "--all", "--yes", WHERE, data_dir)
        purged = run("purge", "--all", "--tenant", "default", "--yes", WHERE, data_dir)
        assert (deleted.code, purged.code) == (1, 1)
        assert live.service.status("acme", "harbour").turns == 1


def test_the_question_names_what_is_deleted(run: Run, filled: Path) -> None:
    asked = run("delete", "harbour", "--session", "", WHERE, filled)
    assert "Delete session  of memory harbour" in asked.err
