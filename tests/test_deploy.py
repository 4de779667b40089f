"""What is deployed starts a command that exists, as nobody in particular, with a key, and stops in time."""

from __future__ import annotations

import json
import re
import shlex
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from graphmem.cli import main
from graphmem.config import API_KEY_VARIABLE, MODEL_KEY_VARIABLE, TOKENIZER_VARIABLE
from graphmem.server.stopping import DRAIN_SECONDS

ROOT = Path(__file__).resolve().parents[1]
DOCKERFILE = (ROOT / "deploy/memory/Dockerfile").read_text(encoding="utf-8")
UNIT = (ROOT / "deploy/graphmem.service").read_text(encoding="utf-8")
IGNORED = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()


def compose() -> Any:
    text = (ROOT / "deploy/memory/compose.yaml").read_text(encoding="utf-8")
    return import_module("yaml").safe_load(text)


def instruction(name: str) -> Any:
    """The arguments of the last such instruction of the Dockerfile, which is in force."""
    found: str = re.findall(rf"^{name} (.*)$", DOCKERFILE, re.MULTILINE)[-1]
    return json.loads(found) if found.startswith("[") else found


def value(name: str) -> str:
    """What the unit says last."""
    found: str = re.findall(rf"^{name}=(.*)$", UNIT, re.MULTILINE)[-1]
    return found


@pytest.mark.parametrize(
    "arguments",
    [instruction("CMD"), shlex.split(value("ExecStart"))[1:]],
    ids=["Dockerfile", "unit"],
)
def test_the_command_line_is_one_of_ours(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*arguments, "--help"])
    assert ended.value.code == 0, capsys.readouterr().err
    assert "--log-format" in capsys.readouterr().out


def test_nothing_runs_as_root() -> None:
    assert instruction("USER") == "10001:10001"
    assert value("User") not in {"", "root", "0"}


def test_a_container_gets_its_keys_from_outside_and_refuses_to_start_without() -> None:
    memory = compose()["services"]["memory"]
    assert memory["environment"][API_KEY_VARIABLE].startswith(f"${{{API_KEY_VARIABLE}:?")
    assert MODEL_KEY_VARIABLE in memory["environment"]
    assert API_KEY_VARIABLE not in DOCKERFILE.replace("# It needs GRAPHMEM_API_KEY", "")


def test_a_container_is_published_to_this_machine_and_keeps_its_data_on_a_volume() -> None:
    whole = compose()
    memory = whole["services"]["memory"]
    assert all(port.startswith("127.0.0.1:") for port in memory["ports"])
    assert memory["volumes"][0] == "memory:/data"
    assert "memory" in whole["volumes"]
    assert instruction("VOLUME") == "/data"
    assert instruction("CMD")[instruction("CMD").index("--data-dir") + 1] == "/data"
    assert (memory["read_only"], memory["cap_drop"]) == (True, ["ALL"])


def test_a_container_is_given_the_tokenizer_that_the_environment_names() -> None:
    memory = compose()["services"]["memory"]
    inside = memory["environment"][TOKENIZER_VARIABLE]
    assert inside == f"${{{TOKENIZER_VARIABLE}:+/tokenizer}}"
    assert f"${{{TOKENIZER_VARIABLE}:-/dev/null}}:/tokenizer:ro" in memory["volumes"]
    assert "tokenizer" in re.findall(r"\.\[(.*)\]", DOCKERFILE)[0].split(",")


def test_the_build_reads_what_its_context_has() -> None:
    memory = compose()["services"]["memory"]
    context = ROOT / "deploy/memory" / memory["build"]["context"]
    assert (context / memory["build"]["dockerfile"]).samefile(ROOT / "deploy/memory/Dockerfile")
    copied = {
        name.removeprefix("./")
        for line in re.findall(r"^COPY (?!--from)(.*)$", DOCKERFILE, re.MULTILINE)
        for name in line.split()[:-1]
    }
    assert copied == {line[1:] for line in IGNORED if line.startswith("!")}
    assert all((ROOT / name).exists() for name in copied)


def test_stopping_leaves_the_time_that_draining_takes() -> None:
    assert int(compose()["services"]["memory"]["stop_grace_period"].rstrip("s")) > DRAIN_SECONDS
    assert int(value("TimeoutStopSec")) > DRAIN_SECONDS


def test_the_unit_may_write_to_its_own_directory_only() -> None:
    assert value("ProtectSystem") == "strict"
    assert f"/var/lib/{value('StateDirectory')}" in value("ExecStart")
    assert (value("StateDirectoryMode"), value("UMask")) == ("0700", "0077")
