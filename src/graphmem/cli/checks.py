"""The checks of `graphmem doctor`: each looks at one thing, and none writes a memory."""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Final, TypeAlias

from graphmem.cli.chat_checks import check_answers, check_chat, check_tokenizer
from graphmem.cli.database_checks import check_database_server, check_server_pages
from graphmem.cli.embedding_checks import check_embedding, check_vectors
from graphmem.cli.findings import Finding
from graphmem.cli.network_checks import check_access, check_holder, check_port
from graphmem.cli.options import without_models
from graphmem.cli.rerank_checks import check_reranker
from graphmem.config import ServiceConfig
from graphmem.errors import ConfigError, StoreError, StoreFormatError
from graphmem.service.factory import check_pages, has_data
from graphmem.service.memory import MemoryService

_PYTHON: Final = (3, 11)
_MIB: Final = 1024 * 1024
_SCARCE_BYTES: Final = 1024 * _MIB
_FULL_BYTES: Final = 64 * _MIB

_WHERE: Final = "pass --data-dir, or set data_dir in the settings file"


def run_checks(config: ServiceConfig, *, deep: bool = False) -> list[Finding]:
    """All findings about this machine and these settings, in the order to read them."""
    is_server = bool(config.database_url)
    place = _DATABASE_CHECKS if is_server else _DIRECTORY_CHECKS
    pages = check_server_pages if is_server else check_all_pages
    checks = (*_FIRST_CHECKS, *place, *_LAST_CHECKS)
    if deep:
        checks = (*checks, pages)
    return [finding for check in checks for finding in check(config)]


def check_python(_config: ServiceConfig) -> Iterator[Finding]:
    """Whether this Python is new enough."""
    running = ".".join(map(str, sys.version_info[:3]))
    yield Finding(
        check="python",
        state="ok" if sys.version_info >= _PYTHON else "fail",
        detail=f"{running} at {sys.executable}",
        remedy="" if sys.version_info >= _PYTHON else "install Python 3.11 or newer",
    )


def check_sqlite(config: ServiceConfig) -> Iterator[Finding]:
    """Whether SQLite can keep a write-ahead log where the memories are, which network disks can't."""
    place = config.data_dir if _is_directory(config.data_dir) else None
    version = sqlite3.sqlite_version
    try:
        with (
            tempfile.TemporaryDirectory(dir=place, prefix="graphmem-doctor-") as directory,
            closing(sqlite3.connect(Path(directory) / "probe.sqlite")) as probe,
        ):
            mode = probe.execute("PRAGMA journal_mode=WAL").fetchone()[0]
    except (OSError, sqlite3.Error) as error:
        yield Finding(
            check="sqlite",
            state="fail",
            detail=f"{version}; can't make a database: {error}",
            remedy=f"make the data directory writable, or choose another: {_WHERE}",
        )
        return
    remedy = ""
    if mode != "wal":
        remedy = f"keep the data directory on a local disk: {_WHERE}"
    elif not sqlite3.threadsafety:
        remedy = "use a Python whose SQLite was built for threads (SQLITE_THREADSAFE)"
    yield Finding(
        check="sqlite",
        state="fail" if remedy else "ok",
        detail=f"{version}, journal {mode}, thread safety {sqlite3.threadsafety}",
        remedy=remedy,
    )


def check_directory(config: ServiceConfig) -> Iterator[Finding]:
    """Whether the data directory is there, or can be made, and can be written."""
    directory = config.data_dir.resolve()
    there = _nearest_existing(directory)
    usable = _is_directory(there) and os.access(there, os.W_OK | os.X_OK)
    if not usable:
        what = "is not a directory" if not _is_directory(there) else "can't be written by this user"
        yield Finding(
            check="data directory",
            state="fail",
            detail=f"{there} {what}",
            remedy=f"change its owner or mode, or choose another: {_WHERE}",
        )
    elif there != directory:
        detail = f"{directory} does not exist yet; the first write makes it"
        yield Finding(check="data directory", state="ok", detail=detail)
    else:
        yield Finding(check="data directory", state="ok", detail=f"{directory}, writable")


def check_disk(config: ServiceConfig) -> Iterator[Finding]:
    """Whether there is room for more memories."""
    there = _nearest_existing(config.data_dir.resolve())
    free = shutil.disk_usage(there).free
    scarce = free < _SCARCE_BYTES
    yield Finding(
        check="disk",
        state="fail" if free < _FULL_BYTES else "warn" if scarce else "ok",
        detail=f"{free / _MIB:,.0f} MiB free at {there}",
        remedy="free some space, or move the data directory" if scarce else "",
    )


def check_database(config: ServiceConfig) -> Iterator[Finding]:
    """Whether the memories can be read; nothing is opened for writing."""
    try:
        if not has_data(config):
            yield Finding(check="database", state="ok", detail="none yet; the first write makes it")
            return
        with MemoryService.open(config=without_models(config), read_only=True) as service:
            service.ping()
    except ConfigError:
        return  # another check tells
    except StoreError as error:
        yield _broken(error)
    else:
        yield Finding(check="database", state="ok", detail="opens and answers")
        yield from check_vectors(config)


def check_all_pages(config: ServiceConfig) -> Iterator[Finding]:
    """Whether every page can be read and every message is what was brought; takes its time."""
    try:
        if not has_data(config):
            return
        check_pages(config)
    except StoreError as error:
        yield replace(_broken(error), check="pages")
    else:
        yield Finding(
            check="pages",
            state="ok",
            detail="every page of the database fits, every message is as it came",
        )


def check_words(_config: ServiceConfig) -> Iterator[Finding]:
    """Whether the Chinese segmenter and the English stemmer can be loaded."""
    for check, module in (("chinese segmenter", "rjieba"), ("stemmer", "Stemmer")):
        try:
            import_module(module)
        except ImportError as error:
            yield Finding(
                check=check,
                state="fail",
                detail=f"{module} can't be imported: {error}",
                remedy="install graphmem again into this Python: pip install --force-reinstall graphmem",
            )
        else:
            yield Finding(check=check, state="ok", detail=f"{module} loads")


def _broken(error: StoreError) -> Finding:
    return Finding(
        check="database",
        state="fail",
        detail=str(error),
        remedy=(
            "do as it says; a damaged file: restore a backup, or choose another directory"
            if isinstance(error, StoreFormatError)
            else "do as it says"
        ),
    )


def _nearest_existing(directory: Path) -> Path:
    return next(path for path in (directory, *directory.parents) if _exists(path))


def _exists(path: Path) -> bool:
    """Whether there is such a file that this user may know of."""
    try:
        return path.exists()
    except OSError:
        return False


def _is_directory(path: Path) -> bool:
    return _exists(path) and path.is_dir()


_Checks: TypeAlias = tuple[Callable[[ServiceConfig], Iterator[Finding]], ...]

_FIRST_CHECKS: Final[_Checks] = (
    check_python,
    check_words,
    check_embedding,
    check_reranker,
    check_chat,
    check_answers,
    check_tokenizer,
)
_DIRECTORY_CHECKS: Final[_Checks] = (
    check_sqlite,
    check_directory,
    check_disk,
    check_holder,
)
_DATABASE_CHECKS: Final[_Checks] = (check_database_server,)
_LAST_CHECKS: Final[_Checks] = (
    check_database,
    check_port,
    check_access,
)
