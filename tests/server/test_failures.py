"""Every error of the tree has a status of its own choice, none falls through by accident."""

from __future__ import annotations

import inspect

import pytest

from graphmem import errors
from graphmem.server.failures import failure_of

STATUSES: list[tuple[Exception, int, bool]] = [
    (errors.InvalidInputError("query", "must be text"), 422, False),
    (errors.MemoryNotFoundError(), 404, False),
    (errors.KeyNotFoundError(), 404, False),
    (errors.AtomNotFoundError(), 404, False),
    (errors.AtomConflictError(3), 409, False),
    (errors.RequestConflictError(), 409, False),
    (errors.MemoryPendingError(needs_rebuild=False), 409, True),
    (errors.MemoryPendingError(needs_rebuild=True), 409, False),
    (errors.BuildFailedError("x"), 503, True),
    (errors.GenerationDisabledError(), 503, False),
    (errors.OverloadedError(3), 503, True),
    (errors.ServiceClosedError(), 503, True),
    (errors.StoreError("x"), 503, True),
    (errors.StoreLockedError("/d", pid=1, address=None), 503, True),
    (errors.StoreFullError("x"), 503, True),
    (errors.StoreUnavailableError("x"), 503, True),
    (errors.StoreFormatError("x"), 503, True),
    (errors.ModelError("x"), 503, True),
    (errors.RerankError("x"), 503, True),
    (errors.RerankUnavailableError("x"), 503, True),
    (errors.RerankResponseError("x"), 503, True),
    (errors.RerankRefusedError("x"), 503, True),
    (errors.UnavailableError("x"), 503, True),
    (errors.ResponseError("x"), 503, True),
    (errors.ChatError("x"), 503, True),
    (errors.ChatUnavailableError("x"), 503, True),
    (errors.ChatResponseError("x"), 503, True),
    (errors.EmbeddingError("x"), 503, True),
    (errors.EmbeddingUnavailableError("x"), 503, True),
    (errors.EmbeddingResponseError("x"), 503, True),
    # A setting is wrong and yet the server runs, or an error we do not know: ours to look into.
    (errors.ConfigError("port", "x"), 500, True),
    (errors.RemoteError("x"), 500, True),
    (errors.GraphmemError("x"), 500, True),
]


@pytest.mark.parametrize(
    ("error", "status", "retryable"),
    STATUSES,
    ids=[f"{type(e).__name__}-{retryable}" for e, _, retryable in STATUSES],
)
def test_each_error_has_its_status(error: Exception, status: int, retryable: bool) -> None:
    failure = failure_of(error)
    assert (failure.status, failure.retryable) == (status, retryable)
    assert ("Retry-After" in failure.headers) == (status == 503 and retryable)


def test_the_table_is_complete() -> None:
    known = {kind for _, kind in inspect.getmembers(errors, inspect.isclass)}
    raised = {kind for kind in known if issubclass(kind, errors.GraphmemError)}
    assert raised == {type(error) for error, _, _ in STATUSES}


def test_of_a_damaged_database_the_remedy_is_no_retry() -> None:
    reason = failure_of(errors.StoreFormatError("x")).reason
    assert "graphmem doctor --deep" in reason
    assert "again" not in reason
