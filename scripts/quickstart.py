"""Starts a server on new data, replays a sample conversation into it and asks questions.

`scripts/quickstart` prepares the environment and runs this; only the standard library is used
here, as any client could. Exits 1 unless each question's evidence comes first.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

SAMPLE = Path(__file__).resolve().parents[1] / "examples" / "sample-conversation.json"
START_SECONDS = 60.0
STOP_SECONDS = 15.0
TOP_K = 5


class QuickstartError(Exception):
    """Something did not work; the text says what."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """A running server of our own."""

    process: subprocess.Popen[bytes]
    url: str
    directory: Path


def main() -> int:
    """Run the whole tour; the process's exit code."""
    parser = argparse.ArgumentParser(prog="scripts/quickstart", description=__doc__)
    parser.add_argument("--keep", action="store_true", help="leave the server running")
    keep = parser.parse_args().keep
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sample = json.loads(SAMPLE.read_text(encoding="utf-8"))
    try:
        with running_server(keep=keep) as server:
            count = replay(server.url, sample)
            has_vectors = tell_vectors(server.url, count)
            missed = ask_all(server.url, sample, has_vectors=has_vectors)
            show_next_steps(server, sample, keep=keep)
    except QuickstartError as error:
        print(f"quickstart: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 1 if missed else 0


@contextmanager
def running_server(*, keep: bool) -> Iterator[Server]:
    """A server on a new data directory; stopped and thrown away unless all went well and `keep`."""
    directory = Path(tempfile.mkdtemp(prefix="graphmem-quickstart-"))
    log = directory / "server.log"
    command = [sys.executable, "-m", "graphmem", "serve", "--port", "0"]
    command += ["--data-dir", str(directory / "data")]
    environment = {name: value for name, value in os.environ.items() if name != "GRAPHMEM_API_KEY"}
    environment |= {"PYTHONUNBUFFERED": "1"}
    with log.open("wb") as output:
        # Its own session, so that Ctrl-C reaches this script first, and --keep survives it.
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            env=environment,
            cwd=directory,
            start_new_session=True,
        )
    done = False
    try:
        yield Server(process=process, url=wait_for_url(process, log), directory=directory)
        done = True
    finally:
        if not (keep and done):
            stop(process)
            shutil.rmtree(directory, ignore_errors=True)


def wait_for_url(process: subprocess.Popen[bytes], log: Path) -> str:
    """The address at which the server says that it serves."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        said = log.read_text(encoding="utf-8", errors="replace")
        found = re.search(r" at (http://\S+)", said)
        if found:
            return found[1].rstrip("/")
        if process.poll() is not None:
            raise QuickstartError(f"the server ended with code {process.returncode}:\n{said}")
        time.sleep(0.05)
    raise QuickstartError(f"the server did not start within {START_SECONDS:.0f} s; see {log}")


def stop(process: subprocess.Popen[bytes]) -> None:
    """End the server, politely first."""
    if process.poll() is not None:
        return
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def replay(url: str, sample: dict[str, Any]) -> int:
    """Send each session in one Add, each message a minute after the one before; how many."""
    began = time.perf_counter()
    count = 0
    for number, session in enumerate(sample["sessions"]):
        started = datetime.fromisoformat(session["started"])
        body = {
            "request_id": f"quickstart-{number}",
            "user_id": sample["user_id"],
            "session_id": session["session_id"],
            "messages": [
                {
                    "role": message["role"],
                    "content": message["content"],
                    "timestamp": unix_ms(started + timedelta(minutes=at)),
                }
                for at, message in enumerate(session["messages"])
            ],
        }
        answer = post(url, "/add", body)
        if answer.get("success") is not True:
            raise QuickstartError(f"unexpected answer to /add: {answer}")
        count += len(body["messages"])
    seconds = time.perf_counter() - began
    print(f"Remembered {count} messages of {len(sample['sessions'])} sessions in {seconds:.2f} s.")
    return count


def tell_vectors(url: str, count: int) -> bool:
    """Whether meaning counts beside words: all messages were embedded. Says so."""
    found = re.search(r"^graphmem_embedded_turns_total (\S+)$", get(url, "/metrics"), re.MULTILINE)
    embedded = int(float(found[1])) if found else 0
    if embedded == count:
        print("Vectors are used: every message was embedded when its Add answered.\n")
    elif embedded:
        print(
            f"{embedded} messages have vectors so far, the others get theirs in the background.\n"
        )
    else:
        print("No vectors: there is no embedding model here (`graphmem doctor` says why).\n")
    return embedded == count


def ask_all(url: str, sample: dict[str, Any], *, has_vectors: bool) -> int:
    """Ask the questions, show the best hits, and count those whose evidence was not first.

    Without vectors, questions that share no word with their evidence are skipped.
    """
    texts = {m["id"]: m["content"] for s in sample["sessions"] for m in s["messages"]}
    questions = [q for q in sample["questions"] if has_vectors or not q.get("needs_dense")]
    missed = 0
    for asked in questions:
        body = {"query": asked["question"], "user_id": sample["user_id"], "top_k": TOP_K}
        hits = post(url, "/search", body)["data"]
        found = bool(hits) and asked["phrase"] in hits[0]["content"]
        missed += not found
        mark = "  (no word in common)" if asked.get("needs_dense") else ""
        print(f"{'✓' if found else '✗'} {asked['question']}{mark}")
        if hits:
            print(f"    {hits[0]['content']}  (score {hits[0]['score']:.2f})")
        else:
            print("    nothing found")
        if not found:
            print(f"    expected: {texts[asked['evidence']]}")
    count, skipped = len(questions), len(sample["questions"]) - len(questions)
    if skipped:
        print(f"\nSkipped {skipped} questions that only vectors can answer.")
    print(f"\nThe right evidence came first for {count - missed} of {count} questions.")
    return missed


def show_next_steps(server: Server, sample: dict[str, Any], *, keep: bool) -> None:
    """How to go on by hand."""
    add = {
        "request_id": "r1",
        "user_id": sample["user_id"],
        "session_id": "s1",
        "messages": [{"role": "user", "content": "Maya: I bought a green kettle in Porto."}],
    }
    search = {"query": "Where is the kettle from?", "user_id": sample["user_id"], "top_k": 3}
    print(f"\nGo on with your own messages{'' if keep else ' (--keep leaves the server running)'}:")
    for path, body in (("/add", add), ("/search", search)):
        text = json.dumps(body, ensure_ascii=False)
        print(f"  curl -s {server.url}{path} -H 'Content-Type: application/json' -d '{text}'")
    if keep:
        print(f"\nThe server keeps running; its data and log are in {server.directory}")
        print(f"Stop it with:  kill {server.process.pid}")
    else:
        own = f"{Path(sys.executable).parent / 'graphmem'} serve --data-dir ./memory"
        print(f"\nA server of your own:  {own}")


def post(url: str, path: str, body: dict[str, Any]) -> dict[str, Any]:
    """Send one JSON object and read the one that comes back."""
    answer = call(url, "POST", path, json.dumps(body, ensure_ascii=False).encode())
    try:
        return dict(json.loads(answer))
    except ValueError as error:
        raise QuickstartError(f"{path} failed: {error}") from error


def get(url: str, path: str) -> str:
    """Read a page of text."""
    return call(url, "GET", path, None)


def call(url: str, method: str, path: str, data: bytes | None) -> str:
    """The body of the answer to one request."""
    address = urlsplit(url)
    connection = HTTPConnection(address.hostname or "127.0.0.1", address.port, timeout=100)
    try:
        connection.request(method, path, data, {"Content-Type": "application/json"} if data else {})
        response = connection.getresponse()
        answer = response.read().decode("utf-8", "replace")
    except (OSError, HTTPException) as error:
        raise QuickstartError(f"{path} failed: {error}") from error
    finally:
        connection.close()
    if response.status != 200:
        raise QuickstartError(f"{path} answered {response.status}: {answer}")
    return answer


def unix_ms(moment: datetime) -> int:
    """Unix milliseconds, as Add takes them."""
    return round(moment.timestamp() * 1000)


if __name__ == "__main__":
    sys.exit(main())
