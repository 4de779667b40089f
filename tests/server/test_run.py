"""A server in a process of its own: start, stop, kill."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from graphmem.config import ServiceConfig
from graphmem.errors import ConfigError, StoreLockedError
from graphmem.server.run import bind, serve, url_of
from graphmem.service.memory import MemoryService
from tests.server.live import Live, an_add, configure

ANY = "0.0.0.0"  # noqa: S104  bound for a moment, nothing listens
PROGRAM = """
import sys
from pathlib import Path
from graphmem.config import ServiceConfig
from graphmem.server.run import serve
config = ServiceConfig(data_dir=Path(sys.argv[1]), port=0, dense_retrieval=False)
serve(config, on_ready=lambda url: print(url, flush=True))
"""


@dataclass(frozen=True, slots=True)
class Child:
    process: subprocess.Popen[str]
    live: Live

    def stop(self, number: int) -> int:
        self.process.send_signal(number)
        return self.process.wait(60)


@contextmanager
def spawned(data_dir: Path, program: str = PROGRAM) -> Iterator[Child]:
    with subprocess.Popen(
        [sys.executable, "-c", program, str(data_dir)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            url = process.stdout.readline().strip()
            host, port = url.removeprefix("http://").split(":")
            # The child holds the service; only the address is used here.
            yield Child(process, Live(host, int(port), None))  # type: ignore[arg-type]
        finally:
            process.kill()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_server_well_and_memories_stay(tmp_path: Path, number: int) -> None:
    with spawned(tmp_path) as child:
        assert child.live.add("u", "hello there").status == 200
        assert child.stop(number) == 0
        assert child.process.stderr is not None
        assert child.process.stderr.read() == ""
    with MemoryService.open(config=configure(tmp_path)) as service:
        assert service.status("default", "u").turns == 1


def test_a_signal_lets_a_running_add_finish(tmp_path: Path) -> None:
    messages = [{"role": "user", "content": f"hello number {i}"} for i in range(4000)]
    statuses: list[int] = []
    with spawned(tmp_path) as child:
        body = an_add("u", messages=messages)
        adding = threading.Thread(
            target=lambda: statuses.append(child.live.post("/add", body).status)
        )
        adding.start()
        wait_until_running(child.live)
        assert child.stop(signal.SIGTERM) == 0
        adding.join(60)
    assert statuses == [200]


def test_an_unfinished_body_does_not_hold_up_a_stop(tmp_path: Path) -> None:
    with spawned(tmp_path) as child:
        address = (child.live.host, child.live.port)
        with socket.create_connection(address, timeout=60) as peer:
            peer.sendall(b"POST /add HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")
            assert child.live.call("GET", "/health").status == 200  # it has read the head by now
            assert child.stop(signal.SIGTERM) == 0
            assert b" 503 " in peer.recv(65536).split(b"\r\n")[0]


@pytest.mark.slow
@pytest.mark.parametrize("pause", [0.0, 0.1, 0.3])
def test_an_add_survives_kill_9_whole_or_not_at_all(tmp_path: Path, pause: float) -> None:
    messages = [{"role": "user", "content": f"hello number {i}"} for i in range(8000)]
    body = an_add("u", messages=messages)
    with spawned(tmp_path) as child:
        adding = threading.Thread(target=lambda: try_add(child.live, body))
        adding.start()
        wait_until_running(child.live)
        threading.Event().wait(pause)
        assert child.stop(signal.SIGKILL) == -signal.SIGKILL
        adding.join(60)
    with spawned(tmp_path) as child:
        assert child.live.post("/add", body).status == 200
        assert child.live.post("/add", body).status == 200
        assert child.stop(signal.SIGTERM) == 0
    with MemoryService.open(config=configure(tmp_path)) as service:
        assert service.status("default", "u").turns == 8000


@pytest.mark.slow
def test_an_acknowledged_add_survives_kill_9(tmp_path: Path) -> None:
    with spawned(tmp_path) as child:
        assert child.live.add("u", "hello there").status == 200
        child.stop(signal.SIGKILL)
    with spawned(tmp_path) as child:
        assert child.live.search("u", "hello").contents() == ["user: hello there"]


def wait_until_running(live: Live) -> None:
    for _ in range(1000):
        if b'calls_running{lane="add"} 1.0' in live.call("GET", "/metrics").body:
            return
        threading.Event().wait(0.002)


def try_add(live: Live, body: object) -> None:
    try:
        live.post("/add", body)
    except (OSError, ValueError):
        return


def test_the_lock_s_holder_tells_where_it_serves(tmp_path: Path) -> None:
    with spawned(tmp_path) as child, pytest.raises(StoreLockedError) as caught:
        serve(configure(tmp_path))
    assert caught.value.address == f"http://127.0.0.1:{child.live.port}"
    assert caught.value.pid == child.process.pid


def test_a_busy_port_is_named_with_the_remedy(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as holder:
        port = holder.getsockname()[1]
        config = replace(configure(tmp_path), port=port)
        with pytest.raises(ConfigError, match=f"port: {port} is in use; .*choose another"):
            serve(config)
    MemoryService.open(config=config).close()


def test_a_server_that_can_t_serve_makes_no_directory(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as holder:
        config = replace(configure(tmp_path / "new"), port=holder.getsockname()[1])
        with pytest.raises(ConfigError, match="port"):
            serve(config)
    assert not config.data_dir.exists()


@pytest.mark.parametrize("host", ["203.0.113.7", "no-such-host.invalid"])
def test_a_host_that_is_not_ours_is_named(tmp_path: Path, host: str) -> None:
    with pytest.raises(ConfigError) as caught:
        serve(ServiceConfig(data_dir=tmp_path, host=host, port=0, insecure=True))
    assert caught.value.field == "host"


def test_an_open_bind_beyond_loopback_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="GRAPHMEM_API_KEY"):
        serve(ServiceConfig(data_dir=tmp_path, host="203.0.113.7", port=0))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("host", [ANY, "127.0.0.1", "localhost"])
def test_the_url_is_one_that_this_machine_reaches(tmp_path: Path, host: str) -> None:
    with bind(replace(configure(tmp_path), host=host)) as listener:
        url, port = url_of(listener), listener.getsockname()[1]
    assert url in {f"http://127.0.0.1:{port}", f"http://[::1]:{port}"}


def test_a_stop_lets_a_product_add_finish_its_build(tmp_path: Path) -> None:
    messages = [{"role": "user", "content": f"hello number {i} " * 30} for i in range(256)]
    body = {"request_id": "r", "memory_id": "m", "session_id": "s", "messages": messages}
    statuses: list[int] = []
    with spawned(tmp_path) as child:
        adding = threading.Thread(
            target=lambda: statuses.append(child.live.post("/v1/add", body).status)
        )
        adding.start()
        wait_until_running(child.live)
        assert child.stop(signal.SIGTERM) == 0
        adding.join(60)
    assert statuses == [200]
    with MemoryService.open(config=configure(tmp_path)) as service:
        assert service.status("default", "m").state == "ready"
