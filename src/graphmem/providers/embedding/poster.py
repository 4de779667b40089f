"""JSON over HTTP to a model's server: time limits, retries, and the one seam for its errors.

The retry loop is written here instead of taken from a library because the wait has three masters:
the back-off, the server's `Retry-After`, and a total time limit that the waits count towards.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import Final, NoReturn
from urllib.parse import urlsplit

import httpx2

from graphmem.errors import (
    ConfigError,
    EmbeddingError,
    EmbeddingResponseError,
    EmbeddingUnavailableError,
)

MAX_TRIES: Final = 4
FIRST_PAUSE_SECONDS: Final = 0.25
MAX_ANSWER_BYTES: Final = 256 * 1024 * 1024

# Timeout, too early, too many requests: the only 4xx that say nothing about the request itself.
_PASSING: Final = frozenset({408, 425, 429})


class Poster:
    """Posts JSON to one URL. Thread-safe; errors never hold the body, the answer or the key."""

    def __init__(
        self,
        url: str,
        *,
        api_key: str | None,
        timeout_seconds: float,
        transport: httpx2.BaseTransport | None = None,
        pause: Callable[[float], object] | None = None,
    ) -> None:
        """Prepare; nothing is sent.

        Args:
            url: where to post to.
            api_key: bearer token, if the server wants one.
            timeout_seconds: the most that one `post` takes, its retries and pauses included.
            transport: in place of the network, for tests.
            pause: waits that many seconds; None waits for real, but no longer than until `close`.

        Raises:
            ConfigError: the URL or the key can't be used.
        """
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise ConfigError("embedding_base_url", "must be a URL such as https://host/v1")
        self._url = url
        self._host = parts.hostname
        self._timeout_seconds = timeout_seconds
        self._closed = threading.Event()
        self._pause = pause or self._closed.wait
        self._client = httpx2.Client(headers=_headers(api_key), transport=transport)

    def post(self, payload: Mapping[str, object]) -> bytes:
        """The body of the answer.

        Raises:
            EmbeddingUnavailableError: no answer in time, after retries.
            EmbeddingResponseError: the server refused the request.
        """
        deadline = time.monotonic() + self._timeout_seconds
        for attempt in range(1, MAX_TRIES + 1):
            try:
                return self._post_once(payload, deadline)
            except _AgainError as again:
                wait = max(again.retry_after, FIRST_PAUSE_SECONDS * 2 ** (attempt - 1))
                if attempt == MAX_TRIES or time.monotonic() + wait >= deadline:
                    raise again.error from again.__cause__
                self._pause(wait)
        raise AssertionError("the last try returns or raises")

    def close(self) -> None:
        """Drop the connections and end the pauses."""
        self._closed.set()
        self._client.close()

    def _post_once(self, payload: Mapping[str, object], deadline: float) -> bytes:
        if self._closed.is_set():
            raise EmbeddingUnavailableError("the embedder is closed; open another one")
        left = max(0.001, deadline - time.monotonic())
        try:
            with self._client.stream("POST", self._url, json=payload, timeout=left) as response:
                if response.status_code != 200:
                    self._refuse(response)
                return self._read(response, deadline)
        except FOREIGN as error:
            translated = translate(error, self._host)
            if isinstance(translated, EmbeddingUnavailableError):
                raise _AgainError(translated) from error
            raise translated from error

    def _refuse(self, response: httpx2.Response) -> NoReturn:
        error = translate_status(response.status_code, self._host)
        if isinstance(error, EmbeddingUnavailableError):
            raise _AgainError(error, _retry_after(response))
        raise error

    def _read(self, response: httpx2.Response, deadline: float) -> bytes:
        body = bytearray()
        for chunk in response.iter_bytes():
            body += chunk
            if len(body) > MAX_ANSWER_BYTES:
                raise EmbeddingResponseError(f"{self._host} sent an answer of more than 256 MiB")
            # The client's time limit is for each read; a server that drips would never meet it.
            if time.monotonic() >= deadline:
                raise EmbeddingUnavailableError(f"{self._host} did not finish its answer in time")
        return bytes(body)


class _AgainError(Exception):
    """A failure that may pass; carries what to raise if it does not."""

    def __init__(self, error: EmbeddingUnavailableError, retry_after: float = 0.0) -> None:
        super().__init__()
        self.error = error
        self.retry_after = retry_after


# Everything that httpx2 raises about a request; a test holds the list against its public names.
# RuntimeError: its stream errors, and a client that another thread closed.
FOREIGN: Final = (httpx2.HTTPError, httpx2.InvalidURL, httpx2.CookieConflict, RuntimeError)


def translate(error: Exception, host: str) -> EmbeddingError:
    """What to raise for an error of httpx2; its text is not passed on."""
    if isinstance(error, httpx2.TimeoutException):
        return EmbeddingUnavailableError(f"the embedding server {host} did not answer in time")
    if isinstance(error, httpx2.TransportError | RuntimeError):
        return EmbeddingUnavailableError(
            f"the embedding server {host} can't be reached; check embedding_base_url and the server"
        )
    return EmbeddingResponseError(f"the embedding server {host} gave an answer that can't be read")


def translate_status(status: int, host: str) -> EmbeddingError:
    """What to raise for an HTTP status other than 200."""
    if status in _PASSING or status >= 500:
        return EmbeddingUnavailableError(
            f"the embedding server {host} is overloaded or failing (HTTP {status})"
        )
    remedies = {401: "check the API key", 403: "check the API key", 404: "check URL and model name"}
    remedy = remedies.get(status, "check the model name and the length of texts")
    return EmbeddingResponseError(
        f"the embedding server {host} refused the request (HTTP {status}); {remedy}"
    )


def _headers(api_key: str | None) -> dict[str, str]:
    if not api_key:
        return {}
    if not (api_key.isascii() and api_key.isprintable()):
        raise ConfigError("embedding.api_key", "must be printable ASCII, without line breaks")
    return {"Authorization": f"Bearer {api_key}"}


def _retry_after(response: httpx2.Response) -> float:
    """Seconds the server asks to wait; 0 where it asks for none, or names a date."""
    value = response.headers.get("Retry-After", "")
    return float(value) if value.isascii() and value.isdigit() else 0.0
