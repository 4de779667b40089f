"""The checks of `graphmem doctor` that look at who serves, where, and for whom."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

from graphmem._version import __version__
from graphmem.cli.findings import Finding
from graphmem.cli.options import without_models
from graphmem.cli.remote import Remote, is_loopback
from graphmem.config import API_KEY_VARIABLE, ServiceConfig
from graphmem.domain.holder import Holder
from graphmem.errors import ConfigError, GraphmemError, StoreError
from graphmem.server.run import bind
from graphmem.service.factory import find_holder, has_data
from graphmem.service.memory import MemoryService


def check_holder(config: ServiceConfig) -> Iterator[Finding]:
    """Who holds the data directory, and whether it answers where it says that it serves."""
    holder = find_holder(config)
    if holder is None:
        yield _holder("no process holds the data directory")
        return
    who = _describe(holder)
    if holder.address is None or not is_loopback(holder.address):
        yield _holder(who)
        return
    try:
        with Remote(holder.address, api_key=None) as remote:
            version = remote.get("/health", tenant_id=None).get("version")
    except GraphmemError:
        remedy = "if it is not just starting or stopping, look at its log, or stop that process"
        yield _holder(f"{who}, but nothing answers there", remedy)
        return
    if version == __version__:
        yield _holder(f"{who} and answers")
    else:
        remedy = f"restart it to run version {__version__}"
        yield _holder(f"{who}, another version of graphmem", remedy)


def check_port(config: ServiceConfig) -> Iterator[Finding]:
    """Whether `graphmem serve` could bind."""
    place = f"{config.host}:{config.port}"
    try:
        bind(config).close()
    except ConfigError as error:
        holder = find_holder(config)
        if holder and holder.address and urlsplit(holder.address).port == config.port:
            detail = f"{place} is served by the holder of the data directory"
            yield Finding(check="port", state="ok", detail=detail)
            return
        remedy = "serve with another --host or --port; --port 0 is a free one"
        yield Finding(check="port", state="warn", detail=str(error), remedy=remedy)
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


def _holder(detail: str, remedy: str = "") -> Finding:
    return Finding(check="holder", state="warn" if remedy else "ok", detail=detail, remedy=remedy)


def _describe(holder: Holder) -> str:
    by = f"process {holder.pid}" if holder.pid is not None else "another process"
    return f"held by {by}" + (f", which serves at {holder.address}" if holder.address else "")


def _stored_keys(config: ServiceConfig) -> int:
    """How many keys were made; a database that can't be read is told by its own check."""
    try:
        if not has_data(config):
            return 0
        with MemoryService.open(config=without_models(config), read_only=True) as service:
            return len(service.keyring)
    except (ConfigError, StoreError):
        return 0
