"""A surface is one HTTP contract as seen from a path: it decides the shape of an error."""

from __future__ import annotations

from dataclasses import replace

from starlette.responses import Response
from starlette.types import Scope

from graphmem.config import AddSearchConfig
from graphmem.server.envelope import is_atomic, render_error
from graphmem.server.failures import OVERLOADED, Failure
from graphmem.wire.addsearch import Detail, ErrorAnswer, FieldReason
from graphmem.wire.problem import Problem, ProblemAnswer

JSON = "application/json"


class Surfaces:
    """Renders failures: Add / Search in the shape of contract 1, `/v2` and `/v3` in that of 3, all else of 2."""

    def __init__(self, config: AddSearchConfig) -> None:
        self._addsearch = frozenset({config.add_path, config.search_path})

    def render(self, failure: Failure, scope: Scope) -> Response:
        """Write a failure in the shape of the path's contract."""
        if scope["path"] in self._addsearch:
            body = render_detail(failure)
        elif is_atomic(scope["path"]):
            failure = _as_atomic(failure)
            body = render_error(failure, trace_id_of(scope))
        else:
            failure = _as_problem(failure)
            body = render_problem(failure, trace_id_of(scope))
        return Response(
            body, status_code=failure.status, headers=dict(failure.headers), media_type=JSON
        )


def _as_problem(failure: Failure) -> Failure:
    """Contract 2 has one status for all that is wrong with a body."""
    return replace(failure, status=400) if failure.status == 422 else failure


def _as_atomic(failure: Failure) -> Failure:
    """Contract 3 has one status for all that is wrong with a request, and 429 for a full queue."""
    if failure.code == OVERLOADED:
        return replace(failure, status=429)
    return _as_problem(failure)


def trace_id_of(scope: Scope) -> str:
    """The id that the edge gave to this exchange."""
    trace_id: str = scope["state"]["trace_id"]
    return trace_id


def render_detail(failure: Failure) -> str:
    """Contract 1: `{"detail":{"reason":...}}`, with `errors` for wrong fields."""
    errors = [FieldReason(field=p.field, reason=p.reason) for p in failure.problems]
    detail = Detail(reason=failure.reason, errors=errors or None)
    return ErrorAnswer(detail=detail).model_dump_json(exclude_none=True)


def render_problem(failure: Failure, trace_id: str) -> str:
    """Contract 2: `{"error":{"code","message","retryable"},"trace_id"}`."""
    problem = Problem(code=failure.code, message=failure.reason, retryable=failure.retryable)
    return ProblemAnswer(error=problem, trace_id=trace_id).model_dump_json()
