"""Schemathesis holds the server to its own description, with every check that it has.

No 5xx, no status or body that is not described, no payload in an error or in the log.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.faults.serving import SETTINGS, serving
from tests.providers.chat.server import ChatServer, said
from tests.server.fuzzing import MARK

KEY = "fuzzed-key"
ROOT = Path(__file__).parents[2]


def fuzz(directory: Path, *options: str) -> dict[str, Any]:
    """Run it against a server; give its report."""
    log = directory / "log"
    with (
        ChatServer() as chat,
        serving(
            directory / "data",
            settings=SETTINGS
            | {
                "generate_answers": True,
                "answer_model": "scripted",
                "answer_base_url": chat.base_url,
            },
            key=KEY,
            log=log,
        ) as served,
    ):
        chat.usual = said("I do not know.")
        program = [sys.executable, "-m", "schemathesis.cli"]
        done = subprocess.run(
            [
                *program, "run", f"{served.address}/openapi.json",
                "--checks", "all", "--header", f"Authorization: Bearer {KEY}",
                "--report", "json", "--report-json-path", str(directory / "report.json"),
                "--generation-deterministic", "--no-color", *options,
            ],
            cwd=directory,
            env=os.environ | {"PYTHONPATH": str(ROOT), "SCHEMATHESIS_HOOKS": "tests.server.fuzzing"},
            capture_output=True,
            text=True,
            check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        assert served.is_alive
    assert MARK not in log.read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads((directory / "report.json").read_text(encoding="utf-8"))
    assert found["operations"]["tested"] == found["operations"]["total"] > 10
    return found


@pytest.mark.slow
def test_the_server_keeps_to_its_description(tmp_path: Path) -> None:
    options = ("--max-examples", "8", "--phases", "fuzzing,stateful")
    assert fuzz(tmp_path, *options)["test_cases"]["generated"] > 100


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.timeout(600)  # two busy cores need 150 s, for 5,600 cases
def test_the_server_keeps_to_its_description_in_2_000_cases(tmp_path: Path) -> None:
    assert fuzz(tmp_path, "--max-examples", "30")["test_cases"]["generated"] >= 2000
