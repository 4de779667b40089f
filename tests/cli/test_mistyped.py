"""A data directory that is not there was mistyped: only what brings in something new makes one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run


@pytest.mark.parametrize(
    "arguments",
    [
        ("delete", "m", "--all", "--yes"),
        ("purge", "--older-than", "1d", "--yes"),
        ("rebuild", "--all"),
        ("rebuild", "m"),
        ("keys", "list"),
        ("keys", "revoke", "k_1"),
        ("status",),
        ("search", "m", "ferry"),
        ("prepare", "m", "ferry"),
        ("ask", "m", "ferry"),
        ("inspect", "m"),
        ("export", "-"),
        ("backup", "copy.sqlite"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("is_there", [False, True])
def test_a_command_refuses_a_directory_without_memories(
    run: Run, tmp_path: Path, arguments: tuple[str, ...], is_there: bool
) -> None:
    place = tmp_path / "elsewhere"
    if is_there:
        place.mkdir()
    done = run(*arguments, "--data-dir", place)
    assert (done.code, done.out) == (1, "")
    assert f"no memory database in {place}; check the path" in done.err
    assert [path for path in tmp_path.rglob("*") if path != place] == []
    assert place.exists() == is_there


def test_moving_to_another_model_refuses_it_too(run_dense: Run, tmp_path: Path) -> None:
    done = run_dense("reembed", "--data-dir", tmp_path / "elsewhere")
    assert (done.code, "check the path" in done.err) == (1, True)
    assert list(tmp_path.iterdir()) == []


def test_the_first_key_makes_it(run: Run, data_dir: Path) -> None:
    assert run("keys", "add", "--tenant", "acme", "--data-dir", data_dir).code == 0
    assert run("keys", "list", "--data-dir", data_dir).code == 0
