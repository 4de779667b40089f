"""The routes for whoever runs the server: health, readiness, metrics, and the API's description."""

from __future__ import annotations

from typing import Final

from fastapi import FastAPI
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from graphmem._version import __version__
from graphmem.server.context import Context
from graphmem.server.schema import refusals, with_keys
from graphmem.server.surfaces import JSON, trace_id_of
from graphmem.wire.problem import Problem, ProblemAnswer
from graphmem.wire.readiness import ReadinessProblem, ReadinessReason, ReadyAnswer

READY_RETRY_SECONDS: Final = 5
_OPEN_PATHS: Final = ("/health", "/ready")


def add_operation_routes(app: FastAPI, context: Context) -> None:
    """Serve the operator's pages; `/health` and `/ready` need no key, for probes hold none."""
    pages = Operations(app, context)
    app.add_api_route("/health", pages.health, summary="The process serves", response_model=None)
    app.add_route("/health", pages.health, methods=["HEAD"], include_in_schema=False)
    app.add_api_route(
        "/ready",
        pages.ready,
        summary="Calls can be served, or the reasons why not",
        response_model=None,
        responses={200: {"model": ReadyAnswer}, **refusals(ReadinessProblem, 503)},
    )
    app.add_api_route(
        "/metrics",
        pages.metrics,
        summary="Prometheus metrics",
        response_class=Response,
        response_model=None,
        responses={
            200: {"content": {"text/plain": {"schema": {"type": "string"}}}},
            **refusals(ProblemAnswer, 400, 401, 403, 500, 503),
        },
    )
    app.add_api_route("/openapi.json", pages.openapi, response_model=None, include_in_schema=False)


class Operations:
    """Handlers of the operator's pages."""

    def __init__(self, app: FastAPI, context: Context) -> None:
        self._app = app
        self._context = context

    async def health(self, request: Request) -> Response:
        """The process is alive and its event loop turns."""
        return JSONResponse({"status": "ok", "version": __version__})

    async def ready(self, request: Request) -> Response:
        """Whether calls can be served now, and if not, why."""
        found = await self._context.workers.operations.run(self._context.service.readiness)
        if found.is_ready:
            return JSONResponse(found.to_dict())
        first = found.blockers[0]
        problem = Problem(code="not_ready", message=first.reason, retryable=True)
        body = ReadinessProblem(
            error=problem,
            trace_id=trace_id_of(request.scope),
            reasons=[ReadinessReason(part=r.part, reason=r.reason) for r in found.blockers],
        )
        return Response(
            body.model_dump_json(),
            status_code=503,
            headers={"Retry-After": str(READY_RETRY_SECONDS)},
            media_type=JSON,
        )

    async def metrics(self, request: Request) -> Response:
        """Counters and gauges: sums over all tenants, without ids."""
        self._context.door.admit(request, "admin").whole_service()
        text = await self._context.workers.operations.run(self._context.metrics.render)
        return Response(text, media_type=CONTENT_TYPE_LATEST)

    async def openapi(self, request: Request) -> Response:
        """The API's description."""
        self._context.door.recognise(request)
        return JSONResponse(with_keys(self._app.openapi(), open_paths=_OPEN_PATHS))
