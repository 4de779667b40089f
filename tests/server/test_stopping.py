"""A stop does not wait for a model for ever: the add is answered, kept and completed later."""

from __future__ import annotations

import signal
import threading
from dataclasses import replace
from pathlib import Path

from graphmem.service.memory import MemoryService
from tests.server.live import Live, Reply, configure
from tests.server.test_product import product_add, refusal
from tests.server.test_run import spawned

PROGRAM = """
import sys
from pathlib import Path
from graphmem.config import DenseConfig, ServiceConfig
from graphmem.providers.embedding.fake import Failure, FakeEmbedder
from graphmem.server import stopping
from graphmem.server.run import serve
stopping.GIVE_UP_SECONDS = 1.0
begin = FakeEmbedder._begin
def hang(self):
    self.break_down(Failure.HANG)
    return begin(self)
FakeEmbedder._begin = hang
config = ServiceConfig(
    data_dir=Path(sys.argv[1]), port=0, embedding_model="fake",
    dense=DenseConfig(timeout_seconds=300.0),
)
serve(config, on_ready=lambda url: print(url, flush=True))
"""


def test_an_add_that_waits_for_a_model_is_left_pending(tmp_path: Path) -> None:
    replies: list[Reply] = []
    body = product_add("m", "I adopted a kitten")
    with spawned(tmp_path, PROGRAM) as child:
        adding = threading.Thread(target=lambda: replies.append(child.live.post("/v1/add", body)))
        adding.start()
        wait_until_kept(child.live)
        assert child.stop(signal.SIGTERM) == 0
        adding.join(60)
        assert child.process.stderr is not None
        said = child.process.stderr.read()
    assert refusal(replies[0]) == (503, "build_failed", True)
    first, *others = said.splitlines()
    assert "completed after the next start" in first
    assert "Traceback" not in said
    assert [line for line in others if "BuildFailedError" not in line] == []
    config = replace(configure(tmp_path, dense=True), embedding_model="fake")
    with MemoryService.open(config=config) as service:
        assert service.catch_up(30)
        status = service.status("default", "m")
        assert (status.turns, status.state) == (1, "ready")


def wait_until_kept(live: Live) -> None:
    for _ in range(1000):
        if live.call("GET", "/v1/memories/m").status == 200:
            return
        threading.Event().wait(0.01)
    raise AssertionError("the add was not stored")
