"""Failpoints end the process by SIGKILL at a named place; they are set from outside, in a child.

The product knows nothing of them: a function, or the running of a statement, is wrapped.
"""

from __future__ import annotations

import importlib
import os
import re
import signal
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any, Final, Literal

from graphmem.stores.sqlite.connection import Connection

_BUILDER: Final = "graphmem.service.builder"
_TELLING: Final = "graphmem.service.scenes.telling"
_FORGETTING: Final = "graphmem.service.forgetting"
_RUN: Final = "graphmem.stores.sqlite.connection:Connection.run"
_COMMENTS: Final = re.compile(r"\A(?:\s*--[^\n]*\n)*\s*")


@dataclass(frozen=True, slots=True)
class Site:
    """A place to die at.

    Attributes:
        target: `module:name` of a function, as the module that calls it knows it.
        when: before or after it has run, or `within`, by steps of its work.
        hits: at which call, or at which step.
        sql: count only calls whose statement begins so.
    """

    target: str
    when: Literal["before", "after", "within"]
    hits: int = 1
    sql: str = ""


FAILPOINTS: Final[Mapping[str, tuple[Site, ...]]] = {
    "build": (
        Site(f"{_BUILDER}:Builder._land", "before", 3),
        Site("graphmem.service.ingest:add_segment", "after", 9),
        Site(f"{_BUILDER}:Builder._replace_index", "after"),
        Site(f"{_BUILDER}:Builder._land", "after", 5),
        Site("graphmem.service.dense:Dense.embed_in_full", "after", 7),
    ),
    "publish": (
        Site(f"{_BUILDER}:publish", "after", 3),
        Site(f"{_BUILDER}:Builder._finish", "after", 5),
        Site("graphmem.service.ingest:_write", "after", 11),
        Site(f"{_BUILDER}:Builder.settle", "after", 7),
        Site("graphmem.service.ingest:_store", "after", 13),
    ),
    "telling": (
        Site(f"{_TELLING}:Telling._land", "before", 5),
        Site(f"{_TELLING}:Telling._record", "after", 7),
        Site(f"{_TELLING}:retell", "after", 3),
        Site(f"{_TELLING}:Telling._land", "after", 9),
        Site("graphmem.service.atoms.retelling:restate", "before", 4),
    ),
    "backup": (
        Site("graphmem.stores.sqlite.connection:Connection.copy_to", "within", 3),
        Site("os:link", "before"),
        Site("os:link", "after"),
        Site("graphmem.stores.sqlite.connection:Connection.copy_to", "before", 2),
        Site("graphmem.stores.sqlite.connection:Connection.copy_to", "within", 40),
    ),
    "migration": (
        Site(_RUN, "after", 3, sql="CREATE"),
        Site(_RUN, "before", 1, sql="COMMIT"),
        Site(_RUN, "after", 1, sql="COMMIT"),
        Site(_RUN, "after", 2, sql="ALTER"),
        Site(_RUN, "before", 3, sql="INSERT INTO migrations"),
    ),
    "erasure": (
        Site(f"{_FORGETTING}:_take", "after", 2),
        Site("graphmem.service.forgetter:forget", "after", 3),
        Site("graphmem.stores.sqlite.erase:_note", "before"),
        Site(f"{_FORGETTING}:_delete", "after", 4),
        Site("graphmem.stores.sqlite.erase:_note", "after"),
    ),
    "vacuum": (
        Site(_RUN, "within", 20, sql="VACUUM"),
        Site(_RUN, "after", 1, sql="VACUUM"),
        Site(_RUN, "within", 100, sql="VACUUM"),
        Site(_RUN, "before", 1, sql="VACUUM"),
        Site(_RUN, "within", 400, sql="VACUUM"),
    ),
}


def die() -> None:
    """End at once, as by the system: nothing is flushed, closed or undone."""
    os.kill(os.getpid(), signal.SIGKILL)


def set_failpoint(name: str, number: int) -> None:
    """Let this process die at one of the sites of a failpoint."""
    site = FAILPOINTS[name][number]
    module_name, _, path = site.target.partition(":")
    owner: Any = importlib.import_module(module_name)
    *outer, attribute = path.split(".")
    for part in outer:
        owner = getattr(owner, part)
    setattr(owner, attribute, _wrapped(getattr(owner, attribute), site))


def _wrapped(function: Callable[..., Any], site: Site) -> Callable[..., Any]:
    is_due = _countdown(site.hits)

    @wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        if site.sql and not _COMMENTS.sub("", str(args[1])).startswith(site.sql):
            return function(*args, **kwargs)
        if site.when == "within":
            return _by_steps(function, is_due, *args, **kwargs)
        if site.when == "before" and is_due():
            die()
        result = function(*args, **kwargs)
        if site.when == "after" and is_due():
            die()
        return result

    return wrapper


def _by_steps(
    function: Callable[..., Any], is_due: Callable[[], bool], *args: Any, **kwargs: Any
) -> Any:
    """Copying is done by pages, a statement by the instructions of SQLite's machine."""

    def step(*_: object) -> int:
        if is_due():
            die()
        return 0

    if "tell" in kwargs:
        return function(*args, **kwargs | {"tell": step, "pages": 1})
    connection = args[0]
    assert isinstance(connection, Connection)
    connection._raw.set_progress_handler(step, 50)
    try:
        return function(*args, **kwargs)
    finally:
        connection._raw.set_progress_handler(None, 0)


def _countdown(hits: int) -> Callable[[], bool]:
    lock = threading.Lock()
    left = hits

    def is_due() -> bool:
        nonlocal left
        with lock:
            left -= 1
            return left == 0

    return is_due
