"""The published TypeScript client runs against our server as it is: /v3 and /v2."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.server.conftest import KEY
from tests.server.live import Live

PROJECT = Path(__file__).parent / "published"
OLDEST_NODE = 20
TRACE = re.compile(r"tr-[0-9a-f]{8}-[0-9a-f]{8}")
pytestmark = pytest.mark.slow


def node() -> str:
    """Node, new enough; without it the tests are skipped."""
    found = shutil.which("node")
    if found is None or shutil.which("npm") is None:
        pytest.skip("needs Node.js 20 or newer with npm, to run the published client")
    told = subprocess.run([found, "--version"], check=True, capture_output=True, text=True).stdout
    if int(told.strip().removeprefix("v").split(".")[0]) < OLDEST_NODE:
        pytest.skip(f"needs Node.js 20 or newer; this is {told.strip()}")
    return found


@pytest.fixture(scope="module")
def steps(locked: Live, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the client saw, step by step."""
    program, place = node(), tmp_path_factory.mktemp("published")
    for name in ("package.json", "drive.mjs"):
        shutil.copy(PROJECT / name, place)
    install = ["npm", "install", "--no-audit", "--no-fund", "--no-package-lock"]
    subprocess.run(install, cwd=place, check=True, capture_output=True, timeout=300)
    address = f"http://{locked.host}:{locked.port}"
    done = subprocess.run(
        [program, "drive.mjs", address, KEY, "用户-7"],
        cwd=place,
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return {line["step"]: line["seen"] for line in lines}


@pytest.mark.parametrize("step", ["v3 add", "v3 search", "v3 empty", "v2 add", "v2 query"])
def test_every_success_has_a_trace_id(steps: dict[str, Any], step: str) -> None:
    assert TRACE.fullmatch(steps[step]["trace_id"])


def test_v3_adds_and_finds(steps: dict[str, Any]) -> None:
    assert len(steps["v3 add"]["accepted_ids"]) == steps["v3 add"]["total_count"] == 2
    (item,) = steps["v3 search"]["items"]
    assert (item["type"], item["content"]) == ("persona", "我喜欢关西线路。")
    assert 0 < item["score"] <= 1
    assert steps["v3 query"]["total"] == 2
    assert steps["v3 count"]["total"] == 1
    assert len(steps["v3 messages"]["messages"]) == steps["v3 messages"]["total"] == 2
    assert steps["v3 message search"]["messages"][0]["role"] == "user"
    assert steps["v3 message count"]["total"] == 2


def test_v3_keeps_sessions_and_users_apart(steps: dict[str, Any]) -> None:
    assert steps["v3 other session"]["total"] == 0
    assert steps["v3 other user"]["items"] == []


def test_v3_updates_and_deletes(steps: dict[str, Any]) -> None:
    (found,) = steps["v3 search again"]["items"]
    assert found["content"] == "我喜欢关东线路。"
    assert found["id"] == steps["v3 update"]["id"]
    assert found["updated_at"] == steps["v3 update"]["updated_at"]
    assert steps["v3 delete"]["deleted_count"] == 1
    assert steps["v3 message delete"]["deleted_count"] == 2
    assert steps["v3 empty"]["items"] == []


@pytest.mark.parametrize(
    ("step", "code", "message"),
    [
        ("v3 bad limit", 400, "limit: must be at most 100"),
        ("v3 blank", 400, "query: must not be blank"),
        ("v3 bad type", 400, "type: must be"),
        ("v3 unknown", 404, "no such atom"),
        ("v3 no route", 404, "no such route"),
        ("v3 wrong key", 401, "API key"),
        ("v2 bad limit", 400, "limit: must be at least 1"),
        ("v2 wrong key", 401, "API key"),
    ],
)
def test_errors_reach_the_client_typed(
    steps: dict[str, Any], step: str, code: int, message: str
) -> None:
    seen = steps[step]
    assert (seen["kind"], seen["code"]) == ("TDAMError", code)
    assert message in seen["message"]
    if step.startswith("v3"):
        assert TRACE.fullmatch(seen["requestId"])


def test_v2_does_the_same_through_the_transport(steps: dict[str, Any]) -> None:
    (item,) = steps["v2 search"]
    assert item["content"] == "I love window seats."
    assert steps["v2 query"]["total"] == 1
    assert steps["v2 update"]["id"] == item["id"]
    assert steps["v2 delete"]["deleted_count"] == 1
