"""What is public: listed, sorted, documented, light to import, and the same in both colours."""

from __future__ import annotations

import inspect
import os
import re
import runpy
import subprocess
import sys
import time
from pathlib import Path

import pytest

import graphmem.client
from graphmem.client import AsyncMemoryClient, MemoryClient

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "atomic.md").read_text(encoding="utf-8")


def _methods(kind: type) -> dict[str, object]:
    return {
        {"aclose": "close"}.get(name, name): member
        for name, member in inspect.getmembers(kind, callable)
        if not name.startswith("_") or name == "__init__"
    }


SYNC, ASYNC = _methods(MemoryClient), _methods(AsyncMemoryClient)


def test_the_list_of_public_names_is_sorted_and_complete() -> None:
    names = graphmem.client.__all__
    assert names == sorted(names)
    public = {
        name
        for name, value in vars(graphmem.client).items()
        if inspect.isclass(value) and value.__module__.startswith("graphmem.client")
    }
    assert set(names) == public


@pytest.mark.parametrize("name", graphmem.client.__all__)
def test_every_public_name_is_documented(name: str) -> None:
    value = getattr(graphmem.client, name)
    assert value.__doc__
    assert not value.__doc__.startswith(f"{name}(")  # what dataclasses make up
    assert re.search(rf"`[^`\n]*\b{name}\b[^`\n]*`", PAGE)


@pytest.mark.parametrize("name", sorted({*SYNC, *ASYNC} - {"__init__"}))
def test_every_call_is_documented_in_both_languages(name: str) -> None:
    assert inspect.getdoc(SYNC[name])
    english, chinese = PAGE.split("\n# 原子记忆", 1)
    assert f"{name}(" in english
    assert f"{name}(" in chinese


@pytest.mark.parametrize("name", sorted({*SYNC, *ASYNC}))
def test_both_colours_have_the_same_calls(name: str) -> None:
    sync, other = SYNC[name], ASYNC[name]
    assert callable(sync)
    assert callable(other)
    assert inspect.signature(sync) == inspect.signature(other)
    assert inspect.iscoroutinefunction(other) == (name != "__init__")
    assert not inspect.iscoroutinefunction(sync)


def test_the_signature_of_the_contract() -> None:
    signature = str(inspect.signature(MemoryClient.search_atomic))
    plain = re.sub(r": '[^']*'|self, | ->.*", "", signature).replace(" = ", "=")
    assert plain == "(query, *, limit=None, type=None, time_start=None, time_end=None)"


def test_the_generated_half_is_current() -> None:
    script = runpy.run_path(str(ROOT / "scripts" / "client.py"))
    assert script["stale"]() == [], "run scripts/client.py"


_IMPORT = """
import sys
import graphmem.client
engine = ("numpy", "pydantic", "fastapi", "starlette", "sqlite3", "graphmem.service", "graphmem.index",
          "graphmem.retrieval", "graphmem.text", "graphmem.stores", "graphmem.providers",
          "graphmem.server", "graphmem.wire", "graphmem.readout")
print([name for name in engine if name in sys.modules])
"""


def _uncovered() -> dict[str, str]:
    """The environment without what makes coverage start in a child, which brings sqlite3 along."""
    return {key: value for key, value in os.environ.items() if not key.startswith("COVERAGE")}


def _fresh(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        check=True,
        capture_output=True,
        text=True,
        env={**_uncovered(), "PYTHONPATH": str(ROOT / "src")},
    )
    return done.stdout.strip()


def test_importing_the_client_brings_in_no_engine() -> None:
    assert _fresh(_IMPORT) == "[]"


def test_importing_the_client_is_quick() -> None:
    """0.12 s of processor time where it was measured; other work on the machine does not count."""
    code = "import time; t = time.process_time(); import graphmem.client; print(time.process_time() - t)"
    assert min(float(_fresh(code)) for _ in range(3)) < 0.3


def test_it_works_as_a_context_manager() -> None:
    with MemoryClient("http://127.0.0.1:1") as client:
        assert isinstance(client, MemoryClient)
    assert client._caller._http.is_closed


async def test_it_works_as_an_asynchronous_context_manager() -> None:
    async with AsyncMemoryClient("http://127.0.0.1:1") as client:
        assert isinstance(client, AsyncMemoryClient)
    assert client._caller._http.is_closed


def test_the_clock_is_real_by_default() -> None:
    pace = graphmem.client.Pace()
    assert abs(pace.clock() - time.monotonic()) < 60
    assert abs(pace.wall().timestamp() - time.time()) < 60
    assert all(0 <= pace.jitter() < 1 for _ in range(100))
