"""Python clients of the atomic memory API: `MemoryClient`, and `AsyncMemoryClient` with the same calls."""

from __future__ import annotations

from graphmem.client._async.client import AsyncMemoryClient
from graphmem.client._sync.client import MemoryClient
from graphmem.client.errors import (
    AnswerError,
    AuthError,
    BadRequestError,
    ConflictError,
    ConnectionFailedError,
    ForbiddenError,
    MemoryClientError,
    NotFoundError,
    RateLimitedError,
    RequestTimeoutError,
    ServerError,
)
from graphmem.client.result import ListResult, Result
from graphmem.client.retry import Pace, Timeouts
from graphmem.client.values import Atom, AtomHit, AtomVersion, ConversationMessage, MessageHit

# The names that published snippets catch.
TDAMError = MemoryClientError
TdaiMemoryError = MemoryClientError

__all__ = [
    "AnswerError",
    "AsyncMemoryClient",
    "Atom",
    "AtomHit",
    "AtomVersion",
    "AuthError",
    "BadRequestError",
    "ConflictError",
    "ConnectionFailedError",
    "ConversationMessage",
    "ForbiddenError",
    "ListResult",
    "MemoryClient",
    "MemoryClientError",
    "MessageHit",
    "NotFoundError",
    "Pace",
    "RateLimitedError",
    "RequestTimeoutError",
    "Result",
    "ServerError",
    "TDAMError",
    "TdaiMemoryError",
    "Timeouts",
]
