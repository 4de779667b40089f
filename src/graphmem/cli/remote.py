"""A remote is the process that holds the data directory, reached over HTTP instead of the file.

A command that writes opens the directory by `open_writer`; beside a running `serve` it gets a
`Remote`, which has `add` as the service has it, and `post` and `get` for everything else of `/v1`.
"""

from __future__ import annotations

import ipaddress
import json
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TypeAlias
from urllib.parse import urlsplit

from graphmem.cli.answers import read_object, read_receipt, refusal_of, retry_after
from graphmem.config import API_KEY_VARIABLE
from graphmem.domain.moment import Moment
from graphmem.domain.scope import DEFAULT_TENANT
from graphmem.errors import (
    ConfigError,
    GraphmemError,
    InvalidInputError,
    RemoteError,
    StoreLockedError,
)

if TYPE_CHECKING:
    from graphmem.config import ServiceConfig
    from graphmem.domain.message import Message
    from graphmem.domain.receipt import AddReceipt
    from graphmem.service.memory import MemoryService

MAX_TRIES: Final = 5
FIRST_PAUSE_SECONDS: Final = 0.25
LONGEST_PAUSE_SECONDS: Final = 10.0
CONNECT_SECONDS: Final = 5.0
# A call of contract 2 may wait for one model call of 180 s and its retries.
ANSWER_SECONDS: Final = 300.0


Writer: TypeAlias = "MemoryService | Remote"


@contextmanager
def open_writer(
    config: ServiceConfig, *, may_make: bool = False
) -> Iterator[MemoryService | Remote]:
    """The service on the data directory, or a `Remote` while a server holds it.

    Args:
        config: the settings.
        may_make: make a directory that is not there. Only what brings in something new does: for
            everything else it is a path that was mistyped.

    Raises:
        RemoteError: another process holds it, which can't be asked over HTTP.
        StoreError: the directory can't be used.
    """
    from graphmem.service.factory import require_data
    from graphmem.service.memory import MemoryService

    if not may_make:
        require_data(config)
    try:
        service = MemoryService.open(config=config)
    except StoreLockedError as error:
        locked = error
    else:
        with service:
            yield service
        return
    with Remote.of(locked, config.api_key) as remote:
        yield remote


class Remote:
    """Calls the `/v1` of the process that holds a data directory; used by one thread."""

    def __init__(
        self,
        address: str,
        *,
        api_key: str | None,
        who: str = "another process",
    ) -> None:
        """Prepare; nothing is sent.

        Args:
            address: the server's loopback URL.
            api_key: the service secret, if the server has one.
            who: how messages name the server's process.

        Raises:
            ConfigError: no header can carry the key.
        """
        import httpx2

        if api_key and not api_key.isprintable():
            raise ConfigError(API_KEY_VARIABLE, "must hold printable characters only")
        self.address = address
        self._who = who
        self._client = httpx2.Client(
            base_url=address,
            headers={b"Authorization": b"Bearer " + api_key.encode()} if api_key else {},
            timeout=httpx2.Timeout(ANSWER_SECONDS, connect=CONNECT_SECONDS),
            trust_env=False,  # no proxy stands between this machine and itself
        )

    @classmethod
    def of(cls, locked: StoreLockedError, api_key: str | None) -> Remote:
        """The holder that a directory was refused for.

        Raises:
            RemoteError: it serves nowhere, or not on the loopback.
        """
        who = f"process {locked.pid}" if locked.pid is not None else "another process"
        if locked.address is None:
            raise RemoteError(
                f"{locked} ({who} serves at no address: it is a program that uses the library, "
                "or a server that is still starting)"
            ) from locked
        if not is_loopback(locked.address):
            raise RemoteError(
                f"{who} holds the data directory and serves at {locked.address}, which is not on "
                "this machine's loopback, and a key is sent nowhere else; talk to it over HTTP, "
                "or stop it first"
            ) from locked
        return cls(locked.address, api_key=api_key, who=who)

    def __enter__(self) -> Remote:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def add(
        self,
        tenant_id: str,
        memory_id: str,
        session_id: str,
        messages: Sequence[Message],
        *,
        request_id: str | None = None,
    ) -> AddReceipt:
        """Add as `MemoryService.add` does, under one request id for all tries.

        Raises:
            GraphmemError: as there, or `RemoteError`.
        """
        body = {
            "request_id": f"auto-{uuid.uuid4()}" if request_id is None else request_id,
            "memory_id": memory_id,
            "session_id": session_id,
            "messages": [_message(message) for message in messages],
        }
        answer = self.post("/v1/add", body, tenant_id=tenant_id, is_repeatable=True)
        return read_receipt(answer, self.address)

    def post(
        self,
        path: str,
        body: Mapping[str, object],
        *,
        tenant_id: str | None,
        is_repeatable: bool,
        names_default: bool = False,
    ) -> dict[str, object]:
        """Post a JSON object and give the one that answers it.

        Args:
            path: such as `/v1/rebuild`.
            body: the request.
            tenant_id: whose memories it is about; None and `default` leave that to the key.
            is_repeatable: whether it may be sent again when its answer was lost.
            names_default: whether `default` is meant and not left to the key: what deletes must
                not reach another tenant than the one that was confirmed.

        Raises:
            GraphmemError: the server's refusal, as the service itself would have raised it.
            RemoteError: it did not answer, or not as this version does.
        """
        content = json.dumps(body, allow_nan=False).encode()  # lone surrogates stay escaped
        tenant = None if tenant_id == DEFAULT_TENANT and not names_default else tenant_id
        headers = _headers(tenant) | {b"Content-Type": b"application/json"}
        return self._call("POST", path, content, headers, is_repeatable=is_repeatable)

    def get(self, path: str, *, tenant_id: str | None) -> dict[str, object]:
        """The JSON object at a path; see `post`."""
        return self._call("GET", path, None, _headers(tenant_id), is_repeatable=True)

    def _call(
        self,
        method: str,
        path: str,
        content: bytes | None,
        headers: Mapping[bytes, bytes],
        *,
        is_repeatable: bool,
    ) -> dict[str, object]:
        for attempt in range(1, MAX_TRIES + 1):
            try:
                return self._call_once(method, path, content, headers, is_repeatable=is_repeatable)
            except _AgainError as again:
                if attempt == MAX_TRIES:
                    raise again.error from again.__cause__
                backoff = FIRST_PAUSE_SECONDS * 2 ** (attempt - 1)
                time.sleep(min(max(again.seconds, backoff), LONGEST_PAUSE_SECONDS))
        raise AssertionError("the last try returns or raises")

    def _call_once(
        self,
        method: str,
        path: str,
        content: bytes | None,
        headers: Mapping[bytes, bytes],
        *,
        is_repeatable: bool,
    ) -> dict[str, object]:
        import httpx2

        try:
            answer = self._client.request(method, path, content=content, headers=headers)
        except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
            raise _AgainError(self._silence(), 0.0) from error
        except httpx2.TransportError as error:
            lost = self._loss(is_repeatable=is_repeatable)
            if is_repeatable:
                raise _AgainError(lost, 0.0) from error
            raise lost from error
        if answer.is_success:
            return read_object(answer.content, self.address)
        refusal = refusal_of(answer.status_code, answer.content, self.address)
        if answer.status_code in {429, 503}:
            raise _AgainError(refusal, retry_after(answer.headers.get("Retry-After", "")))
        raise refusal

    def refuse_all(self) -> RemoteError:
        """What to raise where the server does for all memories what it was to be asked for."""
        return RemoteError(
            f"{self._who} serves the data directory at {self.address} and brings all memories up "
            "to its settings by itself; change the settings, and start it again with them"
        )

    def _silence(self) -> RemoteError:
        return RemoteError(
            f"{self._who} holds the data directory and named {self.address}, but nothing answers "
            "there; if it is stopping, run this again; otherwise stop it"
        )

    def _loss(self, *, is_repeatable: bool) -> RemoteError:
        advice = (
            "run it again: what was done is not done twice"
            if is_repeatable
            else "look whether it was done before you run it again"
        )
        return RemoteError(f"the server at {self.address} broke off; {advice}")


class _AgainError(Exception):
    """A failure that may pass: what to raise if it does not, and how long the server asks to wait."""

    def __init__(self, error: GraphmemError, seconds: float) -> None:
        super().__init__()
        self.error = error
        self.seconds = seconds


def is_loopback(address: str) -> bool:
    """Whether a URL is plain HTTP to this machine alone."""
    try:
        parts = urlsplit(address)
        return (
            parts.port != 0
            and parts.scheme == "http"
            and ipaddress.ip_address(parts.hostname or "").is_loopback
        )
    except ValueError:
        return False


def _headers(tenant_id: str | None) -> dict[bytes, bytes]:
    if tenant_id is None:
        return {}
    if tenant_id != tenant_id.strip() or not tenant_id.isprintable():
        raise InvalidInputError(
            "tenant",
            "holds characters that no HTTP header can carry; stop the server that holds the data "
            "directory, then run this again",
        )
    return {b"X-Tenant-ID": tenant_id.encode()}


def _message(message: Message) -> dict[str, str]:
    at = message.timestamp
    values = {
        "role": message.role,
        "content": message.content,
        "speaker": message.speaker,
        "listener": message.listener,
        "timestamp": at.iso() if isinstance(at, Moment) else at,
    }
    return {name: value for name, value in values.items() if value is not None}
