"""The one place where errors of httpx2 become errors of the client."""

from __future__ import annotations

from typing import Final

import httpx2

from graphmem.client.errors import (
    AnswerError,
    ConnectionFailedError,
    MemoryClientError,
    RequestTimeoutError,
)

# Everything that httpx2 raises about a request; a test holds the list against its public names.
FOREIGN: Final = (
    httpx2.HTTPError,
    httpx2.InvalidURL,
    httpx2.CookieConflict,
    httpx2.StreamError,
)


def translate(error: Exception, host: str) -> MemoryClientError:
    """What to raise for an error of httpx2."""
    if isinstance(error, httpx2.TimeoutException):
        return RequestTimeoutError(f"{host} did not answer in time; see `timeout`")
    if isinstance(error, httpx2.ConnectError):
        return ConnectionFailedError(
            f"{host} can't be reached; check base_url, the server and its certificate"
        )
    if isinstance(error, httpx2.TransportError | httpx2.StreamError):
        return ConnectionFailedError(f"{host} broke off the connection")
    return AnswerError(f"{host} gave an answer that can't be read")


def cause_of(error: Exception) -> Exception | None:
    """The error to name as the cause: one whose text comes from the system, not from the wire."""
    is_safe = isinstance(error, httpx2.NetworkError | httpx2.TimeoutException)
    return error if is_safe else None


def may_pass(error: MemoryClientError) -> bool:
    """Whether the next try may end otherwise."""
    return isinstance(error, ConnectionFailedError | RequestTimeoutError)
