"""`graphmem serve` as a process of its own, and what a client sees of it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

SETTINGS = {"dense_retrieval": False}


@dataclass(slots=True)
class Served:
    """A running server."""

    process: subprocess.Popen[str]
    port: int
    acknowledged: set[int] = field(default_factory=set)

    @property
    def is_alive(self) -> bool:
        return self.process.poll() is None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def post(self, path: str, body: object, **headers: str) -> tuple[int, Any]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request("POST", path, body=json.dumps(body), headers=headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read())
        finally:
            connection.close()

    def add(self, user: str, number: int, text: str = "") -> int:
        """Add a numbered turn; what was acknowledged is kept in mind."""
        request = f"r{number}"
        body = {
            "request_id": request,
            "user_id": user,
            "session_id": "s",
            "messages": [{"role": "user", "content": f"number {number} {text}"}],
        }
        status, _ = self.post("/add", body)
        if status == 200:
            self.acknowledged.add(number)
        return status

    def found(self, user: str) -> tuple[int, set[int]]:
        """The status of a search for all numbers, and those found."""
        body = {"query": "number", "user_id": user, "top_k": 1000}
        status, answer = self.post("/search", body)
        return status, {number_of(hit["content"]) for hit in answer.get("data", [])}


def number_of(content: str) -> int:
    """The number that a turn's text states."""
    found = re.search(r"number (\d+)", content)
    assert found
    return int(found[1])


@contextmanager
def serving(
    data_dir: Path,
    *,
    settings: Mapping[str, object] = SETTINGS,
    key: str | None = None,
    log: Path | None = None,
) -> Iterator[Served]:
    """A server on a data directory; asked to stop at the end, and not left behind."""
    file = data_dir.parent / f"{data_dir.name}-settings.json"
    file.write_text(json.dumps(settings), encoding="utf-8")
    command = [sys.executable, "-m", "graphmem", "serve", "--port", "0", "--config", str(file)]
    environment = {name: text for name, text in os.environ.items() if name != "GRAPHMEM_API_KEY"}
    with (
        Path(log or os.devnull).open("w", encoding="utf-8") as errors,
        subprocess.Popen(
            [*command, "--data-dir", str(data_dir)],
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env=environment | ({"GRAPHMEM_API_KEY": key} if key else {}),
        ) as process,
    ):
        assert process.stdout is not None
        said = process.stdout.readline()
        assert " at http://127.0.0.1:" in said, said
        try:
            yield Served(process, int(said.split(" at http://127.0.0.1:")[1].split()[0]))
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(timeout=60)
            finally:
                process.kill()
