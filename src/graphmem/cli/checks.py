"""The checks of `graphmem doctor`: each looks at one thing, and none writes a memory."""

from __future__ import annotations

import os
import shutil
import socket
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Final

from graphmem.cli.embedding_checks import check_embedding, check_vectors
from graphmem.cli.findings import Finding
from graphmem.config import API_KEY_VARIABLE, ServiceConfig
from graphmem.domain.holder import Holder
from graphmem.errors import ConfigError, StoreError
from graphmem.service.factory import find_holder
from graphmem.service.memory import MemoryService

_PYTHON: Final = (3, 11)
_MIB: Final = 1024 * 1024
_SCARCE_BYTES: Final = 1024 * _MIB
_FULL_BYTES: Final = 64 * _MIB
_DATABASE: Final = "memory.sqlite"

_WHERE: Final = "pass --data-dir, or set data_dir in the settings file"


def run_checks(config: ServiceConfig) -> list[Finding]:
    """All findings about this machine and these settings, in the order to read them."""
    return [finding for check in _CHECKS for finding in check(config)]


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
    works = mode == "wal"
    yield Finding(
        check="sqlite",
        state="ok" if works else "fail",
        detail=f"{version}, journal {mode}",
        remedy="" if works else f"keep the data directory on a local disk: {_WHERE}",
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
    """Whether the memories can be read, and who holds them; nothing is opened for writing."""
    if not (config.data_dir / _DATABASE).is_file():
        yield Finding(check="database", state="ok", detail="none yet; the first write makes it")
        return
    yield Finding(check="holder", state="ok", detail=_describe(find_holder(config)))
    try:
        lexical = replace(config, dense_retrieval=False)
        with MemoryService.open(config=lexical, read_only=True) as service:
            service.ping()
    except StoreError as error:
        yield _broken(error)
    else:
        yield Finding(check="database", state="ok", detail="opens and answers")
        yield from check_vectors(config)


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


def check_port(config: ServiceConfig) -> Iterator[Finding]:
    """Whether `graphmem serve` could bind."""
    place = f"{config.host}:{config.port}"
    remedy = "stop what holds it, or serve with --port 0 for a free one"
    try:
        family, kind, _, _, address = socket.getaddrinfo(
            config.host, config.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        detail = f"{place} can't be bound: {error.strerror}"
        yield Finding(check="port", state="warn", detail=detail, remedy=remedy)
    else:
        yield Finding(check="port", state="ok", detail=f"{place} is free")


def check_access(config: ServiceConfig) -> Iterator[Finding]:
    """Whether the server would be open to more than this machine without a key."""
    keys = _stored_keys(config)
    try:
        config.check_bind(stored_keys=keys > 0)
    except ConfigError as error:
        remedy = f"set {API_KEY_VARIABLE} to a long random secret, or bind to 127.0.0.1"
        yield Finding(check="access", state="fail", detail=error.reason, remedy=remedy)
        return
    if config.api_key:
        yield Finding(check="access", state="ok", detail=f"{API_KEY_VARIABLE} is set")
    elif keys:
        yield Finding(check="access", state="ok", detail=f"only with one of the keys made: {keys}")
    elif config.is_loopback:
        detail = f"no {API_KEY_VARIABLE}: open, but to this machine only"
        yield Finding(check="access", state="ok", detail=detail)
    else:
        detail = f"{config.host} is open to everyone who can reach it (insecure)"
        remedy = f"set {API_KEY_VARIABLE} unless this is a public smoke test"
        yield Finding(check="access", state="warn", detail=detail, remedy=remedy)


def _describe(holder: Holder | None) -> str:
    if holder is None:
        return "no process holds the data directory"
    by = f"process {holder.pid}" if holder.pid is not None else "another process"
    return f"held by {by}" + (f", which serves at {holder.address}" if holder.address else "")


def _broken(error: StoreError) -> Finding:
    return Finding(
        check="database",
        state="fail",
        detail=str(error),
        remedy=f"do as it says; a damaged {_DATABASE}: restore a copy, or choose another directory",
    )


def _stored_keys(config: ServiceConfig) -> int:
    """How many keys were made; a database that can't be read is told by its own check."""
    if not _exists(config.data_dir / _DATABASE):
        return 0
    try:
        lexical = replace(config, dense_retrieval=False)
        with MemoryService.open(config=lexical, read_only=True) as service:
            return len(service.keyring)
    except StoreError:
        return 0


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


_CHECKS: Final[tuple[Callable[[ServiceConfig], Iterator[Finding]], ...]] = (
    check_python,
    check_sqlite,
    check_words,
    check_embedding,
    check_directory,
    check_disk,
    check_database,
    check_port,
    check_access,
)
