"""From the bytes of an answer to its envelope, or to the error that it stands for."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from graphmem.client.errors import AnswerError, MemoryClientError, kind_of
from graphmem.client.retry import PASSING, AgainError, read_retry_after

TRACE_HEADER: Final = "x-trace-id"
_LONGEST_MESSAGE: Final = 500
_HIDDEN: Final = "***"
# A shorter text may well be a word of the message itself.
_SHORTEST_TEXT_BYTES: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a server sent; the names of its headers are taken in any case."""

    status: int
    headers: Mapping[str, str]
    body: bytes = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ids:
    request_id: str
    trace_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """Reads the answers to one request.

    Attributes:
        host: how messages name the server.
        api_key: never repeated, should a server echo it.
        texts: of the request; neither.
        wall: the time of day.
    """

    host: str
    api_key: str | None = field(repr=False)
    texts: Iterable[str] = field(repr=False)
    wall: Callable[[], datetime]

    def read(self, answer: Answer) -> dict[str, object]:
        """The envelope of a success; its `data` is a dictionary, its ids are strings.

        Raises:
            AgainError: the server is overloaded or away; the request may be sent again.
            MemoryClientError: it refused, failed, or speaks another language.
        """
        envelope = _parse(answer.body)
        code = _code_of(envelope, answer.status)
        if code == 0 and envelope is not None:
            return self._success(envelope, answer)
        error = self._error(code, envelope or {}, answer)
        if code in PASSING:
            raise AgainError(error)
        raise error

    def _success(self, envelope: Mapping[str, object], answer: Answer) -> dict[str, object]:
        data = {} if envelope.get("data") is None else envelope["data"]
        ids = _ids(envelope, answer)
        if not isinstance(data, dict):
            raise AnswerError(
                f"data: the answer of {self.host} holds something else than an object",
                request_id=ids.request_id,
                trace_id=ids.trace_id,
            )
        return {
            "code": 0,
            "message": "ok",
            **envelope,
            "request_id": ids.request_id,
            "data": data,
            "trace_id": ids.trace_id,
        }

    def _error(
        self, code: int | None, envelope: Mapping[str, object], answer: Answer
    ) -> MemoryClientError:
        ids = _ids(envelope, answer)
        if code is None or code == 0:
            return AnswerError(
                self._strange(answer.status), request_id=ids.request_id, trace_id=ids.trace_id
            )
        message = envelope.get("message")
        said = self._mask(message) if isinstance(message, str) else ""
        error = kind_of(code)(
            said or f"{self.host} answered with HTTP {answer.status} and no message of its own",
            code=code,
            request_id=ids.request_id,
            trace_id=ids.trace_id,
        )
        error.retry_after = read_retry_after(answer.headers.get("Retry-After"), self.wall)
        return error

    def _strange(self, status: int) -> str:
        if 300 <= status < 400:
            return (
                f"{self.host} redirects (HTTP {status}), which is not followed, since that would "
                "carry the key elsewhere; set base_url to the final address"
            )
        return (
            f"{self.host} answered with HTTP {status}, but not in the shape of this contract; "
            "check that base_url leads to a memory server"
        )

    def _mask(self, message: str) -> str:
        for text in sorted(self.texts, key=len, reverse=True):
            if len(text.encode(errors="replace")) >= _SHORTEST_TEXT_BYTES:
                message = message.replace(text, _HIDDEN)
        if self.api_key:
            message = message.replace(self.api_key, _HIDDEN)
        return message[:_LONGEST_MESSAGE]


def _parse(body: bytes) -> dict[str, object] | None:
    """The object that a body holds, None if it is no envelope."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    code = value.get("code")
    return value if isinstance(code, int) and not isinstance(code, bool) else None


def _code_of(envelope: Mapping[str, object] | None, status: int) -> int | None:
    """The code of an answer, 0 for a success; None if it is neither that nor an error."""
    code = 0 if envelope is None else envelope["code"]
    if isinstance(code, int) and code != 0:
        return code
    if 400 <= status < 600:
        return status
    return 0 if envelope is not None and 200 <= status < 300 else None


def _ids(envelope: Mapping[str, object], answer: Answer) -> _Ids:
    request_id, trace_id = envelope.get("request_id"), envelope.get("trace_id")
    header = answer.headers.get(TRACE_HEADER, "")
    return _Ids(
        request_id=request_id if isinstance(request_id, str) else "",
        trace_id=trace_id if isinstance(trace_id, str) and trace_id else header,
    )
