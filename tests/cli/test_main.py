from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from graphmem import __version__
from graphmem.cli import serve as serve_module
from graphmem.cli.main import with_default_command
from graphmem.errors import OverloadedError
from tests.cli.conftest import Run

COMMANDS = (
    ("serve",),
    ("add",),
    ("search",),
    ("status",),
    ("reembed",),
    ("doctor",),
    ("bench",),
    ("bench", "retrieval"),
    ("bench", "speed"),
)


def shell(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "graphmem", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_help_lists_every_command_and_loads_nothing_heavy() -> None:
    probe = (
        "import sys; from graphmem.cli import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "heavy = {'numpy', 'fastapi', 'uvicorn', 'rjieba'} & set(sys.modules)\n"
        "print('HEAVY', sorted(heavy))"
    )
    done = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, text=True, timeout=60, check=True
    )
    assert "HEAVY []" in done.stdout
    assert all(command[0] in done.stdout for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_has_help(run: Run, command: tuple[str, ...]) -> None:
    shown = run(*command, "--help")
    assert shown.code == 0
    assert "Usage: graphmem " + " ".join(command) in shown.out


def test_the_version(run: Run) -> None:
    assert run("--version").out == f"graphmem {__version__}\n"


def test_the_module_is_the_command() -> None:
    done = shell("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"graphmem {__version__}\n", "")


@pytest.mark.parametrize(
    "arguments",
    [
        ("search",),
        ("nothing",),
        ("search", "m", "q", "--limit", "0"),
        ("serve", "--port", "70000"),
        ("--no-such-option",),
        ("add", "m", "s"),
        ("add", "m", "s", "text", "--file", "f"),
    ],
    ids=" ".join,
)
def test_a_wrong_command_line_exits_2_and_says_so_on_stderr(
    run: Run, arguments: tuple[str, ...]
) -> None:
    done = run(*arguments)
    assert (done.code, done.out) == (2, "")
    assert "Usage" in done.err


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ([], ["serve"]),
        (["--port", "0"], ["serve", "--port", "0"]),
        (["--debug", "--data-dir", "d"], ["--debug", "serve", "--data-dir", "d"]),
        (["status", "--json"], ["status", "--json"]),
        (["--help"], ["--help"]),
        (["--debug", "--version"], ["--debug", "--version"]),
    ],
)
def test_without_a_command_it_serves(given: list[str], meant: list[str]) -> None:
    assert with_default_command(given) == meant


class TestFailures:
    def fail_with(self, monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
        def load(*_: object, **__: object) -> None:
            raise error

        monkeypatch.setattr(serve_module, "load_config", load)

    def test_an_error_of_ours_is_one_line(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        self.fail_with(monkeypatch, OverloadedError(3))
        done = run("serve")
        assert (done.code, done.out) == (1, "")
        assert done.err == "graphmem: too many requests are waiting; try again in 3 s\n"

    def test_an_unexpected_one_is_named_without_a_traceback(
        self, run: Run, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.fail_with(monkeypatch, ZeroDivisionError("by zero"))
        done = run("serve")
        assert done.code == 1
        assert "unexpected failure: ZeroDivisionError\n" in done.err
        assert "--debug" in done.err
        assert "Traceback" not in done.err

    def test_what_somebody_said_is_not_repeated(
        self, run: Run, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.fail_with(monkeypatch, RuntimeError("my-diary-entry"))
        done = run("serve")
        assert "unexpected failure: RuntimeError" in done.err
        assert "my-diary-entry" not in done.out + done.err

    def test_debug_lets_the_traceback_through(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from graphmem.cli import main

        self.fail_with(monkeypatch, ZeroDivisionError("by zero"))
        with pytest.raises(ZeroDivisionError):
            main(["--debug", "serve"])

    def test_an_interrupt_exits_130(self, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
        self.fail_with(monkeypatch, KeyboardInterrupt())
        assert run("serve").code == 130

    def test_with_json_the_error_is_an_object_too(self, run: Run, tmp_path: Path) -> None:
        done = run("bench", "retrieval", tmp_path / "none.json", "--json")
        assert done.code == 1
        error = done.json()["error"]
        assert (error["code"], error["field"]) == ("InvalidInput", "file")
        assert error["message"] in done.err
