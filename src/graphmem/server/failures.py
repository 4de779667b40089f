"""A failure is an error as HTTP tells it; the one place where errors become statuses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Final

from starlette.exceptions import HTTPException

from graphmem.errors import (
    AtomConflictError,
    AtomNotFoundError,
    BuildFailedError,
    ChatError,
    GenerationDisabledError,
    GraphmemError,
    InvalidInputError,
    KeyNotFoundError,
    MemoryNotFoundError,
    MemoryPendingError,
    ModelError,
    OverloadedError,
    RequestConflictError,
    ServiceClosedError,
    StoreError,
    StoreFormatError,
    StoreFullError,
)
from graphmem.wire.body import CrowdedBodyError, FieldProblem, InvalidBodyError, MalformedBodyError

# A full disk or a broken store needs a person; retrying sooner only adds load.
STORE_RETRY_SECONDS: Final = 5
MODEL_RETRY_SECONDS: Final = 5
RESTART_RETRY_SECONDS: Final = 2
PENDING: Final = "memory_pending"
OUTDATED: Final = "memory_outdated"
OVERLOADED: Final = "overloaded"
GENERATION_DISABLED: Final = "generation_disabled"
_MISSING: Final[Mapping[type[Exception], str]] = {
    AtomNotFoundError: "atom_not_found",
    KeyNotFoundError: "key_not_found",
    MemoryNotFoundError: "memory_not_found",
}
_Outage = OverloadedError | StoreError | ModelError | ServiceClosedError | BuildFailedError


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """What to answer instead of a result.

    Attributes:
        status: the HTTP status.
        code: a stable name for programs.
        reason: what is wrong and what to do, without anything the caller sent.
        problems: the wrong fields, for status 422.
        headers: extra headers such as `Retry-After` or `Allow`.
    """

    status: int
    code: str
    reason: str
    problems: tuple[FieldProblem, ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def retryable(self) -> bool:
        """Whether the same request may succeed later."""
        if self.code == GENERATION_DISABLED:  # it takes other settings
            return False
        return self.status in {408, 429} or self.status >= 500 or self.code == PENDING


class RefusedError(GraphmemError):
    """The HTTP layer refuses a request.

    Attributes:
        failure: what to answer.
    """

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.reason)
        self.failure = failure


INTERNAL: Final = Failure(status=500, code="internal", reason="internal error")


_DAMAGED: Final = (
    "the database is damaged, or of another version of graphmem; its operator looks with "
    "`graphmem doctor --deep`"
)
_NO_VECTORS: Final = "embedding model gave no vectors"


def failure_of(error: Exception) -> Failure:
    """Translate an error that the service, the wire or the router raised on purpose."""
    match error:
        case RefusedError():
            return error.failure
        case HTTPException():
            return _routing_failure(error)
        case CrowdedBodyError():
            return Failure(status=413, code="too_large", reason=error.reason)
        case (
            OverloadedError()
            | StoreError()
            | ModelError()
            | ServiceClosedError()
            | BuildFailedError()
        ):
            return _unavailable(error)
        case _:
            return _rejection(error)


def _rejection(error: Exception) -> Failure:
    match error:
        case MalformedBodyError():
            return Failure(status=400, code="malformed", reason=error.reason)
        case InvalidBodyError():
            return _invalid(error.reason, error.problems)
        case InvalidInputError():
            problem = FieldProblem(field=error.field, reason=error.reason)
            return _invalid(f"{error.field}: {error.reason}", (problem,))
        case GenerationDisabledError():
            return Failure(status=503, code=GENERATION_DISABLED, reason=str(error))
        case MemoryNotFoundError() | KeyNotFoundError() | AtomNotFoundError():
            return Failure(status=404, code=_MISSING[type(error)], reason=str(error))
        case _:
            return _clash(error)


def _clash(error: Exception) -> Failure:
    match error:
        case RequestConflictError():
            return Failure(status=409, code="request_conflict", reason=str(error))
        case AtomConflictError():
            return Failure(status=409, code="atom_conflict", reason=str(error))
        case MemoryPendingError():
            code = OUTDATED if error.needs_rebuild else PENDING
            return Failure(status=409, code=code, reason=str(error))
        case _:
            return INTERNAL


def _unavailable(error: _Outage) -> Failure:
    seconds, code, reason = _outage(error)
    headers = {"Retry-After": str(seconds)}
    return Failure(status=503, code=code, reason=reason, headers=headers)


def _outage(error: _Outage) -> tuple[int, str, str]:
    again = "send the same request again"
    match error:
        case OverloadedError():
            return error.retry_after_seconds, OVERLOADED, str(error)
        case StoreFullError():
            return STORE_RETRY_SECONDS, "store_full", f"the disk is full; free some and {again}"
        case StoreError():
            is_damaged = isinstance(error, StoreFormatError)
            reason = (
                _DAMAGED if is_damaged else f"the store failed and nothing was changed; {again}"
            )
            return STORE_RETRY_SECONDS, "store_unavailable", reason
        case ModelError():
            gave = "chat model gave no answer" if isinstance(error, ChatError) else _NO_VECTORS
            reason = f"the {gave}; {again}"
            return MODEL_RETRY_SECONDS, "model_unavailable", reason
        case BuildFailedError():
            reason = f"what was added is kept, but the memory could not be built; {again}"
            return MODEL_RETRY_SECONDS, "build_failed", reason
        case ServiceClosedError():
            return RESTART_RETRY_SECONDS, "closed", f"the service is stopping; {again}"


def _invalid(reason: str, problems: tuple[FieldProblem, ...]) -> Failure:
    return Failure(status=422, code="invalid", reason=reason, problems=problems)


def _routing_failure(error: HTTPException) -> Failure:
    status = HTTPStatus(error.status_code)
    headers = dict(error.headers or {})
    reasons = {
        404: "no such route; GET /openapi.json lists them",
        405: f"wrong method; use {headers.get('Allow', 'another one')}",
    }
    reason = reasons.get(status, status.phrase)
    return Failure(
        status=status,
        code=status.phrase.lower().replace(" ", "_"),
        reason=reason,
        headers=headers,
    )
