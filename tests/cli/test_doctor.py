from __future__ import annotations

import shutil
import socket
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from graphmem.cli import checks
from graphmem.cli.findings import Finding
from graphmem.config import ServiceConfig
from tests.cli.conftest import Run


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
        "python",
        "sqlite",
        "chinese segmenter",
        "stemmer",
        "embedding model",
        "data directory",
        "disk",
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
    assert only(checks.check_access(config)).state == "warn"


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
