"""Every error of the client, in one tree, typed by the code that the server answered with.

MemoryClientError
├── BadRequestError        400 and every other 4xx: a value is wrong; its field is named
├── AuthError              401: no key, or not one of this server
├── ForbiddenError         403: the key may not do this, or not here
├── NotFoundError          404: no such thing in the scope of this client
├── ConflictError          409: the version moved, or the request id came with another payload
├── RateLimitedError       429: too many requests, also after the retries
├── ServerError            5xx: the server failed; note the trace id
├── AnswerError            what answered does not speak this contract
├── ConnectionFailedError  no answer: not reached, broken off, certificate refused, client closed
└── RequestTimeoutError    no answer in time
"""

from __future__ import annotations

from typing import Final

from typing_extensions import override

NO_CODE: Final = -1


class MemoryClientError(Exception):
    """Root of all errors of the client. Their texts hold no key and no text of yours.

    Attributes:
        code: the code of the server's answer; -1 where there is none.
        message: what went wrong and what to do, without code and trace id.
        request_id: what the server calls the request; empty where it did not say.
        trace_id: by which the server's operator finds the request in the log; empty without one.
        sent_request_id: the request id that a write was sent with, None for reads. A write whose
            answer was lost can be called again under it and is not done twice.
        retry_after: seconds that the server asks to wait, None where it does not ask.
    """

    def __init__(
        self,
        message: str,
        *,
        code: int = NO_CODE,
        request_id: str = "",
        trace_id: str = "",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.request_id = request_id
        self.trace_id = trace_id
        self.sent_request_id: str | None = None
        self.retry_after: float | None = None

    @override
    def __str__(self) -> str:
        code = "" if self.code == NO_CODE else f"[{self.code}] "
        trace = f" (trace_id={self.trace_id})" if self.trace_id else ""
        return f"{code}{self.message}{trace}"


class BadRequestError(MemoryClientError):
    """A value is wrong; the message names its field. Nothing was changed."""


class AuthError(MemoryClientError):
    """The server wants a key and got none that it knows."""


class ForbiddenError(MemoryClientError):
    """The key is known, but it may not do this, or not for this service, user, team or agent."""


class NotFoundError(MemoryClientError):
    """There is no such thing in the scope of this client, or no such call on this server."""


class ConflictError(MemoryClientError):
    """The version moved meanwhile, or the request id was used before with another payload."""


class RateLimitedError(MemoryClientError):
    """Too many requests, also after the retries; `retry_after` says when to try again."""


class ServerError(MemoryClientError):
    """The server failed. A 500 is not tried again by the client; note the trace id."""


class AnswerError(MemoryClientError):
    """What answered does not speak this contract: no envelope, or one with wrong types."""


class ConnectionFailedError(MemoryClientError):
    """No answer: the server could not be reached, or broke off, also after the retries."""


class RequestTimeoutError(MemoryClientError):
    """No answer within the time limits, also after the retries."""


_KINDS: Final[dict[int, type[MemoryClientError]]] = {
    401: AuthError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    429: RateLimitedError,
}


def kind_of(code: int) -> type[MemoryClientError]:
    """The error that stands for a code."""
    if code in _KINDS:
        return _KINDS[code]
    if 400 <= code < 500:
        return BadRequestError
    return ServerError if 500 <= code < 600 else MemoryClientError
