from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Run
from tests.cli.test_beside import held

__all__ = ["held"]


def test_backup_and_restore(run: Run, filled: Path, tmp_path: Path) -> None:
    path, new = tmp_path / "b.sqlite", tmp_path / "new"
    done = run("backup", path, "--data-dir", filled)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("backed up 2 turns of 1 memories (")
    done = run("restore", path, new)
    assert done.out.startswith("restored 2 turns of 1 memories (")
    question = ("search", "harbour", "ferry", "--json", "--data-dir")
    assert run(*question, new).out == run(*question, filled).out


def test_the_reports_as_json(run: Run, filled: Path, tmp_path: Path) -> None:
    report = run("backup", tmp_path / "b", "--data-dir", filled, "--json").json()
    assert (report["memories"], report["turns"], report["path"]) == (1, 2, str(tmp_path / "b"))
    assert run("restore", tmp_path / "b", tmp_path / "n", "--json").json()["turns"] == 2


def test_a_backup_beside_the_holder(run: Run, held: tuple[Path, int], tmp_path: Path) -> None:
    data_dir, _ = held
    assert run("backup", tmp_path / "b", "--data-dir", data_dir).code == 0
    assert run("restore", tmp_path / "b", tmp_path / "new", "--json").json()["turns"] == 2


def test_nothing_is_overwritten(run: Run, filled: Path, tmp_path: Path) -> None:
    (tmp_path / "b").touch()
    done = run("backup", tmp_path / "b", "--data-dir", filled, "--json")
    assert (done.code, done.json()["error"]["field"]) == (1, "path")
    run("backup", tmp_path / "c", "--data-dir", filled)
    done = run("restore", tmp_path / "c", filled, "--json")
    assert (done.code, done.json()["error"]["field"]) == (1, "data_dir")


def test_a_wrong_command_line_is_exit_2(run: Run) -> None:
    assert run("restore", "only-one").code == 2
    assert run("backup").code == 2
