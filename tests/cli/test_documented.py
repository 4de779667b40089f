"""The commands of the documentation do, as they are written, what it says."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from graphmem.config import ServiceConfig
from graphmem.service.memory import MemoryService
from tests.faults.serving import serving

DOCS = Path(__file__).parents[2] / "docs"
MESSAGES = '{"content": "The ferry leaves at noon."}\n{"content": "灯塔的门票是二十元。"}\n'
# What only a machine with Docker can run; the page says that it has not been run.
_NEEDS_DOCKER = re.compile(r"docker compose")


def read(page: str) -> str:
    """The text of a page."""
    return (DOCS / page).read_text(encoding="utf-8")


def commands(page: str, section: str = "") -> list[str]:
    """The lines of a page's shell blocks, or of those of one section."""
    text = read(page)
    if section:
        text = text.split(f"\n## {section}\n")[1].split("\n## ")[0]
    blocks = re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


class Shell:
    """Runs lines in a directory of their own, where `graphmem` is this checkout's."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        program = directory / "bin" / "graphmem"
        program.parent.mkdir()
        program.write_text(f'#!/bin/sh\nexec {sys.executable} -m graphmem "$@"\n', encoding="utf-8")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        self.environment = os.environ | {"PATH": f"{program.parent}:{os.environ['PATH']}"}

    def run(self, line: str, **environment: str) -> str:
        done = subprocess.run(
            ["/bin/sh", "-c", line],
            cwd=self.directory,
            env=self.environment | environment,
            input="y\n",  # for those that ask before they delete
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, (line, done.stdout, done.stderr)
        return done.stdout


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.delenv("GRAPHMEM_API_KEY", raising=False)
    return Shell(tmp_path)


def test_every_block_is_run_here() -> None:
    """A new one needs a test that runs it."""
    sections = ("Forgetting", "Keys", "Metrics", "Deployment")
    known = [line for section in sections for line in commands("operations.md", section)]
    assert sorted(known) == sorted(commands("operations.md"))
    assert all(map(_NEEDS_DOCKER.search, commands("operations.md", "Deployment")))


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("page", ["quickstart.md", "zh/quickstart.md"])
def test_the_quickstart(shell: Shell, page: str) -> None:
    (shell.directory / "messages.jsonl").write_text(MESSAGES, encoding="utf-8")
    said = {line.split("  ")[0]: shell.run(line) for line in commands(page)}
    found = next(text for line, text in said.items() if line.startswith("graphmem search"))
    (shown,) = re.findall(r"^```text\n(.*?)^```$", read(page), re.MULTILINE | re.DOTALL)
    assert without_score(found)[:2] == without_score(shown)
    (add,) = [line for line in commands(page) if "--file" in line]
    with (shell.directory / "messages.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"content": "The last ferry goes at nine."}\n')
    assert shell.run(add) == "stored 1 message, 2 were there already\n"


def without_score(hits: str) -> list[str]:
    """Lines of hits as they are shown, without the figure that every change of ranking moves."""
    return [line.split(maxsplit=1)[1].strip() for line in hits.splitlines()]


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_forgetting(shell: Shell) -> None:
    config = ServiceConfig(data_dir=shell.directory / "memory", dense_retrieval=False)
    shell.run("graphmem add user-7 s-1 'The ferry' --data-dir ./memory")
    shell.run("graphmem add user-7 s-2 'The choir' --data-dir ./memory")
    shell.run("graphmem add user-7 s-2 'The bread' --data-dir ./memory")
    shell.run("graphmem add user-8 s-1 'The tower' --tenant acme --data-dir ./memory")
    with MemoryService.open(config=config, read_only=True) as service:
        ids = [h.id for h in service.retrieve("default", "user-7", "choir bread", limit=2).hits]
    turns, session, memory, age, tenant = commands("operations.md", "Forgetting")
    turns = turns.replace("t_0a1b...", ids[0]).replace("t_2c3d...", ids[1])
    assert "deleted 2 turns" in shell.run(turns)
    assert "deleted 1 turn, 1 session; no byte of them is left" in shell.run(session)
    assert "deleted 0 turns" in shell.run(memory)
    assert "nothing is older than 30d" in shell.run(age)
    assert "deleted 1 turns; memories looked at: 1" in shell.run(tenant)


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_keys_and_metrics(shell: Shell) -> None:
    *made, listed, revoked = commands("operations.md", "Keys")
    keys = [shell.run(line).strip() for line in made]
    assert shell.run(listed).count("\n") == 1 + len(keys)
    shell.run(revoked.replace("0123456789abcdef", keys[0].split("_")[1]))
    if shutil.which("curl") is None:
        pytest.skip("no curl")
    (scrape,) = commands("operations.md", "Metrics")
    with serving(shell.directory / "memory") as server:
        line = scrape.replace("http://127.0.0.1:8420", server.address)
        assert "graphmem_http_requests_total" in shell.run(line, GRAPHMEM_API_KEY=keys[-1])
        assert "graphmem_" not in shell.run(line, GRAPHMEM_API_KEY=keys[0]).replace("graphmem.", "")
