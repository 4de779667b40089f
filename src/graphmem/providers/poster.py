"""JSON over HTTP to a model's server: time limits, retries, and the one seam for its errors.

The retry loop is written here instead of taken from a library because the wait has three masters:
the back-off, the server's `Retry-After`, and a total time limit that the waits count towards.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from typing import Any, Final, NoReturn
from urllib.parse import urlsplit
from weakref import WeakSet

import httpx2

from graphmem.errors import (
    ChatResponseError,
    ChatUnavailableError,
    ConfigError,
    EmbeddingResponseError,
    EmbeddingUnavailableError,
    ModelError,
    ResponseError,
    UnavailableError,
)

MAX_TRIES: Final = 4
FIRST_PAUSE_SECONDS: Final = 0.25
MAX_ANSWER_BYTES: Final = 256 * 1024 * 1024

# Timeout, too early, too many requests: the only 4xx that say nothing about the request itself.
_PASSING: Final = frozenset({408, 425, 429})
# Events of the HTTP client after which there is a new socket.
_CONNECTED: Final = frozenset({"connection.connect_tcp.complete", "connection.start_tls.complete"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """What sort of server is asked, for its errors.

    Attributes:
        server: what errors call it.
        settings: the start of its settings' names.
        advice: what to check when it refuses a request.
        unavailable: raised when it gives no answer.
        response: raised when it gives one that is of no use.
    """

    server: str
    settings: str
    advice: str
    unavailable: type[UnavailableError]
    response: type[ResponseError]


EMBEDDING: Final = Kind(
    server="embedding server",
    settings="embedding",
    advice="check the model name and the length of texts",
    unavailable=EmbeddingUnavailableError,
    response=EmbeddingResponseError,
)
CHAT: Final = Kind(
    server="chat server",
    settings="llm",
    advice="check the model name, and that the model's window holds a scene",
    unavailable=ChatUnavailableError,
    response=ChatResponseError,
)
ANSWER: Final = replace(
    CHAT,
    settings="answer",
    advice="check the model name, and that the model's window holds prompt and answer",
)


class Poster:
    """Posts JSON to one URL. Thread-safe; errors never hold the body, the answer or the key."""

    def __init__(
        self,
        url: str,
        *,
        kind: Kind,
        api_key: str | None,
        timeout_seconds: float,
        transport: httpx2.BaseTransport | None = None,
        pause: Callable[[float], object] | None = None,
    ) -> None:
        """Prepare; nothing is sent.

        Args:
            url: where to post to.
            kind: what sort of server that is.
            api_key: bearer token, if the server wants one.
            timeout_seconds: the most that one `post` takes, its retries and pauses included.
            transport: in place of the network, for tests.
            pause: waits that many seconds; None waits for real, but no longer than until `close`.

        Raises:
            ConfigError: the URL or the key can't be used.
        """
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise ConfigError(f"{kind.settings}_base_url", "must be a URL such as https://host/v1")
        self._kind = kind
        self._url = url
        self._host = parts.hostname
        self._timeout_seconds = timeout_seconds
        self._closed = threading.Event()
        self._pause = pause or self._closed.wait
        self._sockets = WeakSet[socket.socket]()
        self._client = httpx2.Client(headers=_headers(api_key, kind), transport=transport)

    def post(self, payload: Mapping[str, object], *, seconds: float | None = None) -> bytes:
        """The body of the answer.

        Args:
            payload: what to post.
            seconds: the most that this call takes, if less than all others.

        Raises:
            UnavailableError: no answer in time, after retries.
            ResponseError: the server refused the request.
        """
        limit = self._timeout_seconds
        deadline = time.monotonic() + (limit if seconds is None else min(limit, seconds))
        for attempt in range(1, MAX_TRIES + 1):
            try:
                return self._post_once(payload, deadline)
            except _AgainError as again:
                wait = max(again.retry_after, FIRST_PAUSE_SECONDS * 2 ** (attempt - 1))
                is_last = attempt == MAX_TRIES or self._closed.is_set()
                if is_last or time.monotonic() + wait >= deadline:
                    raise again.error from again.__cause__
                self._pause(wait)
        raise AssertionError("the last try returns or raises")

    def close(self) -> None:
        """Drop the connections, and end the pauses and the calls that wait for an answer."""
        self._closed.set()
        for each in list(self._sockets):
            with suppress(OSError):  # it was closed meanwhile
                each.shutdown(socket.SHUT_RDWR)
        self._client.close()

    def _watch(self, event: str, info: Mapping[str, Any]) -> None:
        """Keep the sockets of the connections, of which the client would close none while it reads."""
        if event in _CONNECTED:
            found = info["return_value"].get_extra_info("socket")
            if isinstance(found, socket.socket):
                self._sockets.add(found)

    def _post_once(self, payload: Mapping[str, object], deadline: float) -> bytes:
        if self._closed.is_set():
            raise self._kind.unavailable(
                f"the {self._kind.server}'s client is closed; open another one"
            )
        left = max(0.001, deadline - time.monotonic())
        try:
            with self._client.stream(
                "POST",
                self._url,
                json=payload,
                timeout=left,
                extensions={"trace": self._watch},
            ) as response:
                if response.status_code != 200:
                    self._refuse(response)
                return self._read(response, deadline)
        except FOREIGN as error:
            translated = translate(error, self._host, self._kind)
            if isinstance(translated, UnavailableError):
                raise _AgainError(translated) from error
            raise translated from error

    def _refuse(self, response: httpx2.Response) -> NoReturn:
        error = translate_status(response.status_code, self._host, self._kind)
        if isinstance(error, UnavailableError):
            raise _AgainError(error, _retry_after(response))
        raise error

    def _read(self, response: httpx2.Response, deadline: float) -> bytes:
        body = bytearray()
        for chunk in response.iter_bytes():
            body += chunk
            if len(body) > MAX_ANSWER_BYTES:
                raise self._kind.response(f"{self._host} sent an answer of more than 256 MiB")
            # The client's time limit is for each read; a server that drips would never meet it.
            if time.monotonic() >= deadline:
                raise self._kind.unavailable(f"{self._host} did not finish its answer in time")
        return bytes(body)


class _AgainError(Exception):
    """A failure that may pass; carries what to raise if it does not."""

    def __init__(self, error: UnavailableError, retry_after: float = 0.0) -> None:
        super().__init__()
        self.error = error
        self.retry_after = retry_after


# Everything that httpx2 raises about a request; a test holds the list against its public names.
# RuntimeError: its stream errors, and a client that another thread closed.
FOREIGN: Final = (httpx2.HTTPError, httpx2.InvalidURL, httpx2.CookieConflict, RuntimeError)


def translate(error: Exception, host: str, kind: Kind) -> ModelError:
    """What to raise for an error of httpx2; its text is not passed on."""
    if isinstance(error, httpx2.TimeoutException):
        return kind.unavailable(f"the {kind.server} {host} did not answer in time")
    if isinstance(error, httpx2.TransportError | RuntimeError):
        return kind.unavailable(
            f"the {kind.server} {host} can't be reached; "
            f"check {kind.settings}_base_url and the server"
        )
    return kind.response(f"the {kind.server} {host} gave an answer that can't be read")


def translate_status(status: int, host: str, kind: Kind) -> ModelError:
    """What to raise for an HTTP status other than 200."""
    if status in _PASSING or status >= 500:
        return kind.unavailable(
            f"the {kind.server} {host} is overloaded or failing (HTTP {status})"
        )
    remedies = {401: "check the API key", 403: "check the API key", 404: "check URL and model name"}
    remedy = remedies.get(status, kind.advice)
    error = kind.response(f"the {kind.server} {host} refused the request (HTTP {status}); {remedy}")
    error.status = status
    return error


def _headers(api_key: str | None, kind: Kind) -> dict[str, str]:
    if not api_key:
        return {}
    if not (api_key.isascii() and api_key.isprintable()):
        raise ConfigError(
            f"{kind.settings}.api_key", "must be printable ASCII, without line breaks"
        )
    return {"Authorization": f"Bearer {api_key}"}


def _retry_after(response: httpx2.Response) -> float:
    """Seconds the server asks to wait; a date counts from the server's own; 0 if it asks for none."""
    value = response.headers.get("Retry-After", "")
    if value.isascii() and value.isdigit():
        return float(value)
    try:
        until, now = map(parsedate_to_datetime, (value, response.headers.get("Date", "")))
        return max(0.0, (until - now).total_seconds())
    except (ValueError, TypeError):  # TypeError: only one of them has a zone
        return 0.0
