from __future__ import annotations

import os
import shutil
import socket
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from graphmem._version import __version__
from graphmem.cli import checks, network_checks
from graphmem.cli.findings import Finding
from graphmem.config import ServiceConfig
from graphmem.errors import ConfigError
from graphmem.server.run import bind
from graphmem.service.memory import MemoryService
from tests.cli.conftest import Run
from tests.cli.scripted import Reply, ScriptedServer


def findings(run: Run, *arguments: object) -> dict[str, dict[str, str]]:
    given = [str(argument) for argument in arguments]
    report = run("doctor", "--port", "0", "--json", *given).json()
    return {finding["check"]: finding for finding in report["checks"]}


def only(found: Any) -> Finding:
    (finding,) = found
    assert isinstance(finding, Finding)
    return finding


def test_a_new_place_is_healthy_and_left_as_it_was(run: Run, data_dir: Path) -> None:
    found = findings(run, "--data-dir", data_dir)
    assert {finding["state"] for finding in found.values()} <= {"ok", "warn"}
    assert set(found) == {
        "settings",
        "python",
        "sqlite",
        "chinese segmenter",
        "stemmer",
        "embedding model",
        "reranking model",
        "chat model",
        "answers",
        "tokenizer",
        "data directory",
        "disk",
        "holder",
        "database",
        "port",
        "access",
    }
    assert not data_dir.exists()


def test_a_used_place_opens(run: Run, filled: Path) -> None:
    found = findings(run, "--data-dir", filled)
    assert found["database"]["detail"] == "opens and answers"
    assert found["holder"]["detail"] == "no process holds the data directory"


def test_the_doctor_writes_nothing(run: Run, filled: Path) -> None:
    before = {path.name: path.stat().st_mtime_ns for path in filled.iterdir()}
    findings(run, "--data-dir", filled)
    after = {path.name: path.stat().st_mtime_ns for path in filled.iterdir()}
    assert after["memory.sqlite"] == before["memory.sqlite"]
    assert set(after) - set(before) <= {"memory.sqlite-wal", "memory.sqlite-shm"}


def test_people_get_a_line_for_each_check(run: Run, filled: Path) -> None:
    done = run("doctor", "--data-dir", filled, "--port", "0")
    assert done.code == 0
    assert "ok  python" in done.out


def test_a_broken_database_fails_with_a_remedy(run: Run, filled: Path) -> None:
    shutil.rmtree(filled)
    filled.mkdir()
    (filled / "memory.sqlite").write_bytes(b"no database at all" * 100)
    done = run("doctor", "--data-dir", filled, "--port", "0", "--json")
    broken = [f for f in done.json()["checks"] if f["state"] == "fail"]
    assert done.code == 1
    assert done.json()["ok"] is False
    assert [f["check"] for f in broken] == ["database"]
    assert "restore" in broken[0]["remedy"]


def test_a_file_in_the_place_of_the_directory_fails(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("x", encoding="utf-8")
    found = findings(run, "--data-dir", path / "data")
    assert found["data directory"]["state"] == "fail"


def test_a_taken_port_is_a_warning(run: Run, data_dir: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = run("doctor", "--data-dir", data_dir, "--port", port, "--json").json()
    states = {finding["check"]: finding["state"] for finding in done["checks"]}
    assert (done["ok"], states["port"]) == (True, "warn")


def test_an_open_bind_without_a_key_fails(run: Run, data_dir: Path) -> None:
    found = findings(run, "--data-dir", data_dir, "--host", "0.0.0.0")  # noqa: S104
    assert found["access"]["state"] == "fail"
    assert "GRAPHMEM_API_KEY" in found["access"]["remedy"]


def test_the_key_is_never_shown(run: Run, data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRAPHMEM_API_KEY", "very-secret-value")
    done = run("doctor", "--data-dir", data_dir, "--port", "0")
    assert "GRAPHMEM_API_KEY is set" in done.out
    assert "very-secret-value" not in done.out + done.err


def test_an_insecure_bind_is_a_warning() -> None:
    config = ServiceConfig(host="0.0.0.0", insecure=True)  # noqa: S104
    assert only(network_checks.check_access(config)).state == "warn"


@pytest.mark.parametrize(("mib", "state"), [(10, "fail"), (500, "warn"), (5000, "ok")])
def test_scarce_room_is_told(monkeypatch: pytest.MonkeyPatch, mib: int, state: str) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=mib * 1024 * 1024))
    finding = only(checks.check_disk(ServiceConfig()))
    assert (finding.state, bool(finding.remedy)) == (state, state != "ok")


def test_a_missing_segmenter_fails_with_a_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> object:
        raise ImportError(f"no {name}")

    monkeypatch.setattr(checks, "import_module", missing)
    found = list(checks.check_words(ServiceConfig()))
    assert [finding.state for finding in found] == ["fail", "fail"]
    assert "pip install" in found[0].remedy


def test_an_old_python_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 10, 1))
    finding = only(checks.check_python(ServiceConfig()))
    assert (finding.state, finding.remedy) == ("fail", "install Python 3.11 or newer")


def test_a_place_where_sqlite_cannot_write_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError("not here")

    monkeypatch.setattr(tempfile, "TemporaryDirectory", refuse)
    finding = only(checks.check_sqlite(ServiceConfig()))
    assert finding.state == "fail"
    assert "not here" in finding.detail


def test_made_keys_make_an_open_bind_healthy(run: Run, data_dir: Path) -> None:
    run("keys", "add", "--all-tenants", "--data-dir", data_dir)
    found = findings(run, "--data-dir", data_dir, "--host", "0.0.0.0")  # noqa: S104
    assert (found["access"]["state"], found["access"]["detail"][-1]) == ("ok", "1")


def test_wrong_settings_are_a_finding_with_a_remedy(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "s.json"
    for text in ('{"prot": 1}', '{"runtime_overrides": {"retrieval": {"x": 1}}}', "{"):
        file.write_text(text, encoding="utf-8")
        done = run("doctor", "--config", file, "--json")
        (finding,) = done.json()["checks"]
        assert (done.code, finding["check"], finding["state"]) == (1, "settings", "fail")
        assert "graphmem init" in finding["remedy"]


def test_every_page_is_read_when_asked(run: Run, filled: Path) -> None:
    assert "pages" not in findings(run, "--data-dir", filled)
    assert findings(run, "--data-dir", filled, "--deep")["pages"]["state"] == "ok"
    path = filled / "memory.sqlite"
    data = bytearray(path.read_bytes())
    data[-4096:-3996] = bytes(100)  # the last page, which opening does not read
    path.write_bytes(data)
    found = findings(run, "--data-dir", filled, "--deep")["pages"]
    assert found["state"] == "fail"
    assert "restore a backup" in found["remedy"]


def test_a_message_that_was_altered_on_disk_is_told_when_asked(run: Run, filled: Path) -> None:
    with closing(sqlite3.connect(filled / "memory.sqlite")) as raw, raw:
        raw.execute("UPDATE turns SET content = upper(content)")
    found = findings(run, "--data-dir", filled, "--deep")["pages"]
    assert (found["state"], "not those that it brought" in found["detail"]) == ("fail", True)


def test_nothing_to_read_is_no_finding(data_dir: Path) -> None:
    assert list(checks.check_all_pages(ServiceConfig(data_dir=data_dir))) == []


def test_a_sqlite_without_threads_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sqlite3.threadsafety", 0)
    finding = only(checks.check_sqlite(ServiceConfig()))
    assert (finding.state, "SQLITE_THREADSAFE" in finding.remedy) == ("fail", True)


@pytest.fixture
def holder(filled: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MemoryService]:
    monkeypatch.setattr("graphmem.cli.remote.time.sleep", lambda _: None)
    config = ServiceConfig(data_dir=filled, dense_retrieval=False)
    with MemoryService.open(config=config) as service:
        yield service


@pytest.mark.parametrize(
    ("version", "state", "said"),
    [(__version__, "ok", "and answers"), ("0.0.0", "warn", "another version")],
)
def test_a_holder_is_asked_whether_it_answers(
    holder: MemoryService, version: str, state: str, said: str
) -> None:
    with ScriptedServer(Reply(body={"status": "ok", "version": version})) as server:
        holder.announce(server.address)
        finding = only(network_checks.check_holder(holder.config))
        port = int(server.address.rpartition(":")[2])
        ours = only(network_checks.check_port(replace(holder.config, port=port)))
    assert (finding.state, said in finding.detail) == (state, True)
    assert (ours.state, "by the holder" in ours.detail) == ("ok", True)


def test_a_holder_that_does_not_answer_is_a_warning(holder: MemoryService) -> None:
    holder.announce("http://127.0.0.1:9")
    finding = only(network_checks.check_holder(holder.config))
    assert (finding.state, "nothing answers" in finding.detail) == ("warn", True)


def test_a_holder_without_an_address_is_named(holder: MemoryService) -> None:
    finding = only(network_checks.check_holder(holder.config))
    assert (finding.state, finding.detail) == ("ok", f"held by process {os.getpid()}")


def test_a_port_is_free_where_serve_could_bind_it(run: Run, data_dir: Path) -> None:
    expected = "ok"
    try:
        bind(ServiceConfig(host="[::1]", port=0)).close()
    except ConfigError:  # a machine without IPv6
        expected = "warn"
    found = run("doctor", "--host", "[::1]", "--port", "0", "--data-dir", data_dir, "--json")
    (port,) = [check for check in found.json()["checks"] if check["check"] == "port"]
    assert port["state"] == expected
