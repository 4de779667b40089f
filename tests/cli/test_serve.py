from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path

from graphmem import MemoryService, Message, ServiceConfig
from tests.cli.conftest import Run


def test_it_says_where_it_serves_and_stops_when_interrupted(data_dir: Path) -> None:
    command = [sys.executable, "-m", "graphmem", "--port", "0", "--data-dir", str(data_dir)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        said = server.stdout.readline()
        found = re.search(r" at http://127\.0\.0\.1:(\d+)", said)
        assert found, said
        connection = HTTPConnection("127.0.0.1", int(found[1]), timeout=20)
        connection.request("GET", "/health")
        assert connection.getresponse().status == 200
        connection.close()
        server.send_signal(signal.SIGINT)
        server.communicate(timeout=30)
    assert server.returncode in {0, 130}


def test_machines_are_told_where_it_serves(data_dir: Path) -> None:
    command = [sys.executable, "-m", "graphmem", "serve", "--json", "--port", "0"]
    with subprocess.Popen(
        [*command, "--data-dir", str(data_dir)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdout is not None
        said = json.loads(server.stdout.readline())
        server.send_signal(signal.SIGTERM)
        server.communicate(timeout=30)
    assert said["place"] == str(data_dir)
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+", said["url"])


def test_memories_move_to_another_model_while_they_are_served(
    tmp_path: Path, data_dir: Path
) -> None:
    settings = tmp_path / "fake.json"
    settings.write_text(json.dumps({"embedding_model": "fake"}), encoding="utf-8")
    with MemoryService.open(
        config=ServiceConfig(data_dir=data_dir, dense_retrieval=False)
    ) as plain:
        plain.add("default", "m", "s", [Message(role="user", content="hello there")] * 40)
    command = [sys.executable, "-m", "graphmem", "serve", "--port", "0", "--reembed"]
    with subprocess.Popen(
        [*command, "--config", str(settings), "--data-dir", str(data_dir)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stderr is not None
        said = server.stderr.readline()
        server.send_signal(signal.SIGTERM)
        server.communicate(timeout=30)
    assert said.endswith(" WARNING reembedding is done: 40 turns were embedded\n")
    moved = ServiceConfig(data_dir=data_dir, embedding_model="fake")
    with MemoryService.open(config=moved) as service:
        assert service.status("default", "m").embedded_turns == 40


def test_an_open_bind_needs_a_key(run: Run, data_dir: Path) -> None:
    done = run("serve", "--host", "0.0.0.0", "--port", "0", "--data-dir", data_dir)  # noqa: S104
    assert done.code == 1
    assert "GRAPHMEM_API_KEY" in done.err


def test_an_unknown_setting_is_named(run: Run, tmp_path: Path) -> None:
    settings = tmp_path / "settings.json"
    settings.write_text(json.dumps({"prot": 1}), encoding="utf-8")
    done = run("serve", "--config", settings)
    assert done.code == 1
    assert "prot: unknown field; the nearest known one is 'port'" in done.err
