"""The commands on a PostgreSQL database, also beside a server that serves it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from graphmem.cli import database_checks
from graphmem.config import ServiceConfig
from graphmem.domain.database import DatabaseReport
from tests.cli.conftest import Result, Run
from tests.stores.server import Server

On = Callable[..., Result]
FIT = DatabaseReport(
    name="postgresql://db/x",
    version="16.4",
    schema=6,
    known_schema=6,
    may_make=True,
    may_write=True,
    owns=True,
    lacks_fsync=False,
    is_read_only=False,
    max_connections=100,
)


@pytest.fixture
def url(postgres_server: Server) -> Iterator[str]:
    with postgres_server.copied("template0") as name:
        yield postgres_server.url(name)


@pytest.fixture
def on(run: Run, url: str) -> On:
    """Runs a command on the database."""

    def call(*arguments: str | Path) -> Result:
        return run(*arguments, "--database-url", url)

    return call


def checks(done: Result) -> dict[str, dict[str, str]]:
    return {finding["check"]: finding for finding in done.json()["checks"]}


def test_every_command_of_a_memory_works(on: On, tmp_path: Path) -> None:
    assert "no memories" in on("status", "harbour").err
    options = ("--timestamp", "2024-05-01T10:00:00Z", "--speaker", "Ada")
    for text in ("The ferry leaves at noon.", "灯塔的门票是二十元。"):
        assert on("add", "harbour", "s1", text, *options).code == 0
    assert on("status", "harbour", "--json").json()["turns"] == 2
    assert "ferry" in on("search", "harbour", "When does the ferry leave?").out
    assert "The ferry leaves" in on("prepare", "harbour", "When does the ferry leave?").out
    atoms = on("inspect", "harbour", "--json").json()["atoms"]
    assert on("why", atoms[0]["id"], "--memory", "harbour").code == 0
    assert on("rebuild", "harbour").code == 0
    assert on("export", tmp_path / "e.jsonl").code == 0
    done = on("delete", "harbour", "--all", "--yes", "--json")
    assert done.json()["erased_at"]
    assert on("purge", "--older-than", "1d", "--yes").code == 0


def test_a_deletion_claims_no_more_than_holds(on: On) -> None:
    on("add", "harbour", "s1", "The ferry leaves at noon.")
    said = on("delete", "harbour", "--all", "--yes").out
    assert "vacuumed" in said
    assert "write-ahead log" in said
    assert "no byte" not in said


def test_an_export_of_a_directory_is_imported(
    run: Run, on: On, filled: Path, tmp_path: Path
) -> None:
    run("export", tmp_path / "e.jsonl", "--data-dir", filled)
    assert on("import", tmp_path / "e.jsonl", "--json").json()["imported"] == 1
    asked = ("search", "harbour", "When does the ferry leave?", "--json")
    assert on(*asked).out == run(*asked, "--data-dir", filled).out


def test_keys_are_made_listed_and_revoked(run_dense: Run, url: str) -> None:
    made = run_dense("keys", "add", "--tenant", "acme", "--database-url", url, "--json").json()
    listed = run_dense("keys", "list", "--database-url", url, "--json").json()["keys"]
    assert [key["key_id"] for key in listed] == [made["key_id"]]
    assert run_dense("keys", "revoke", made["key_id"], "--database-url", url).code == 0


def test_backup_and_restore_name_the_way(run: Run, on: On, url: str, tmp_path: Path) -> None:
    on("add", "harbour", "s1", "The ferry leaves at noon.")
    done = on("backup", tmp_path / "b.sqlite")
    assert (done.code, "pg_dump" in done.err, "graphmem export" in done.err) == (1, True, True)
    assert not (tmp_path / "b.sqlite").exists()
    done = run("restore", tmp_path / "b.sqlite", url)
    assert (done.code, "graphmem import" in done.err) == (1, True)


def test_a_password_is_refused_and_not_shown(run: Run) -> None:
    done = run("status", "m", "--database-url", "postgresql://ada:hunter2@db/x")
    assert done.code == 1
    assert "PGPASSWORD" in done.err
    assert "hunter2" not in done.err + done.out


def test_two_places_are_refused(on: On, tmp_path: Path) -> None:
    done = on("status", "m", "--data-dir", tmp_path)
    assert (done.code, "one of the two" in done.err) == (1, True)


def test_a_directory_that_an_option_names_wins_over_the_files_database(
    run_dense: Run, filled: Path, tmp_path: Path
) -> None:
    file = tmp_path / "settings.json"
    values = {"dense_retrieval": False, "database_url": "postgresql://127.0.0.1:1/x"}
    file.write_text(json.dumps(values), encoding="utf-8")
    done = run_dense("status", "harbour", "--config", file, "--data-dir", filled, "--json")
    assert done.json()["turns"] == 2


def test_the_doctor_looks_at_the_server_and_at_no_directory(on: On, tmp_path: Path) -> None:
    found = checks(on("doctor", "--deep", "--json"))
    assert found["schema"]["detail"].startswith("none yet")
    on("add", "harbour", "s1", "The ferry leaves at noon.")
    found = checks(on("doctor", "--deep", "--json"))
    assert {found[check]["state"] for check in ("schema", "rights", "database", "pages")} == {"ok"}
    assert found["database server"]["state"] == "warn"  # the tests' server does without fsync
    assert "pg_amcheck" in found["pages"]["detail"]
    assert not {"sqlite", "data directory", "disk", "holder"} & found.keys()


def test_the_doctor_says_what_to_do_about_a_server_that_is_not_there(run: Run) -> None:
    done = run("doctor", "--database-url", "postgresql://ada@127.0.0.1:1/x", "--json")
    assert done.code == 1
    finding = checks(done)["database server"]
    assert finding["state"] == "fail"
    assert "check that the server runs" in finding["remedy"]


@pytest.mark.parametrize(
    ("changed", "check", "state"),
    [
        ({}, "", "ok"),
        ({"lacks_fsync": True}, "database server", "warn"),
        ({"is_read_only": True}, "database server", "fail"),
        ({"schema": 0}, "", "ok"),
        ({"schema": 0, "may_make": False}, "schema", "fail"),
        ({"schema": 5}, "schema", "warn"),
        ({"schema": 7}, "schema", "fail"),
        ({"may_write": False}, "rights", "fail"),
        ({"owns": False}, "rights", "warn"),
    ],
)
def test_what_a_server_lacks_is_told_with_its_remedy(
    changed: dict[str, int], check: str, state: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = replace(FIT, **changed)  # type: ignore[arg-type]
    monkeypatch.setattr(database_checks, "look_at_database", lambda _: report)
    found = list(database_checks.check_database_server(ServiceConfig()))
    odd = {finding.check: finding for finding in found if finding.state != "ok"}
    assert {name: finding.state for name, finding in odd.items()} == (
        {check: state} if check else {}
    )
    assert all(finding.remedy for finding in odd.values())
