"""Run the server: open the service, bind, serve until told to stop, drain, close."""

from __future__ import annotations

import errno
import logging
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from typing import Final

import uvicorn

from graphmem.config import ServiceConfig
from graphmem.errors import ConfigError, GraphmemError
from graphmem.server.app import create_app
from graphmem.server.protocol import Protocol
from graphmem.server.stopping import DRAIN_SECONDS, StoppingServer
from graphmem.server.tracing import Tracing
from graphmem.service.factory import has_data
from graphmem.service.memory import MemoryService

# 64 adds and 256 searches may connect in the same instant.
BACKLOG: Final = 2048
# Longer than clients and proxies keep idle connections (60 s), so that it is never the server that
# closes one while a request is under way.
KEEP_ALIVE_SECONDS: Final = 75
_ANY: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  compared, not bound
_log = logging.getLogger(__name__)
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


def serve(
    config: ServiceConfig,
    *,
    on_ready: Callable[[str], None] | None = None,
    reembed: bool = False,
) -> None:
    """Serve until SIGTERM or SIGINT, then finish the running calls and return.

    Args:
        config: where to bind and where memories are kept.
        on_ready: called with the server's URL once it accepts connections.
        reembed: meanwhile move all memories to the embedding model in force.

    Raises:
        ConfigError: the bind is not allowed or not possible.
        StoreError: the data directory can't be used; another process may hold it.
    """
    with ExitStack() as stack:
        tracing = stack.enter_context(closing(Tracing.open())) if config.tracing else None
        listener = None
        if not has_data(config):  # nothing is made for a server that can't serve
            config.check_bind()
            listener = stack.enter_context(bind(config))
        service = stack.enter_context(closing(MemoryService.open(config=config)))
        config.check_bind(stored_keys=len(service.keyring) > 0)
        listener = listener or stack.enter_context(bind(config))
        server = build_server(service, url_of(listener), on_ready=on_ready, tracing=tracing)
        if reembed:
            threading.Thread(
                target=_reembed, args=(service,), name="graphmem-reembed", daemon=True
            ).start()
        with _outlive_signals():
            server.run(sockets=[listener])


def _reembed(service: MemoryService) -> None:
    """Move all memories to the model in force, or say why that stopped; it can be continued."""
    try:
        report = service.reembed()
    except GraphmemError as error:
        _log.warning("reembedding stopped and can be continued by starting again: %s", error)
    else:
        _log.warning("reembedding is done: %s turns were embedded", report.turns)


def bind(config: ServiceConfig) -> socket.socket:
    """Bind a TCP socket to the configured host and port, 0 for a free port.

    Raises:
        ConfigError: names `host` or `port` and the remedy.
    """
    try:
        found = socket.getaddrinfo(
            config.host.strip("[]"), config.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
    except socket.gaierror as error:
        raise ConfigError("host", f"{config.host} is not an address of this machine") from error
    family, kind, protocol, _, address = found[0]
    listener = socket.socket(family, kind, protocol)
    try:
        if sys.platform != "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except OSError as error:
        listener.close()
        raise _bind_error(config, error) from error
    return listener


def url_of(listener: socket.socket) -> str:
    """The URL at which this machine reaches the socket."""
    host, port = listener.getsockname()[:2]
    host = _ANY.get(host, host)
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _bind_error(config: ServiceConfig, error: OSError) -> ConfigError:
    if error.errno == errno.EADDRINUSE:
        return ConfigError(
            "port", f"{config.port} is in use; stop its holder, choose another port, or 0"
        )
    if error.errno == errno.EACCES:
        return ConfigError("port", f"{config.port} needs privileges; choose one above 1023")
    return ConfigError("host", f"can't bind to {config.host}: {error.strerror}")


def build_server(
    service: MemoryService,
    url: str,
    *,
    on_ready: Callable[[str], None] | None = None,
    tracing: Tracing | None = None,
) -> uvicorn.Server:
    """Build the HTTP server of an open service; run it with the socket bound to `url`."""
    announcement = _Announcement(service, url, on_ready)
    # Whatever handlers the process has: an access line holds the whole target, thus user data.
    logging.getLogger("uvicorn.access").disabled = True
    app = create_app(service, tracing)
    config = uvicorn.Config(
        app,
        http=Protocol,
        ws="none",
        loop="asyncio",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        backlog=BACKLOG,
        callback_notify=announcement.tell,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=DRAIN_SECONDS,
    )
    server = StoppingServer(config, service)
    for intake in app.state.intakes:
        intake.is_stopping = lambda: server.should_exit
    return server


class _Announcement:
    """Tells, once, that the server accepts; uvicorn calls it first after it began to listen."""

    def __init__(
        self, service: MemoryService, url: str, on_ready: Callable[[str], None] | None
    ) -> None:
        self._service = service
        self._url = url
        self._on_ready = on_ready
        self._told = False

    async def tell(self) -> None:
        """Write the address to the lock's holder file, then call `on_ready`."""
        if self._told:
            return
        self._told = True
        self._service.announce(self._url)
        if self._on_ready is not None:
            self._on_ready(self._url)


@contextmanager
def _outlive_signals() -> Iterator[None]:
    """Let a signal end the server well: uvicorn drains on it, then raises it once more."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, lambda *_: None) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
