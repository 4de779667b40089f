"""The routes for whoever runs the server: health, readiness, metrics, and the API's description."""

from __future__ import annotations

import logging
from typing import Final

from fastapi import FastAPI
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from graphmem._version import __version__
from graphmem.errors import GraphmemError
from graphmem.server.context import Context
from graphmem.server.failures import Failure
from graphmem.server.schema import refusals
from graphmem.server.surfaces import trace_id_of
from graphmem.wire.problem import ProblemAnswer

READY_RETRY_SECONDS: Final = 5
_log = logging.getLogger("graphmem.server")


def add_operation_routes(app: FastAPI, context: Context) -> None:
    """Serve the operator's pages; `/health` and `/ready` need no key, for probes hold none."""
    pages = Operations(app, context)
    app.add_api_route("/health", pages.health, summary="The process serves", response_model=None)
    app.add_route("/health", pages.health, methods=["HEAD"], include_in_schema=False)
    app.add_api_route(
        "/ready",
        pages.ready,
        summary="The store answers",
        response_model=None,
        responses=refusals(ProblemAnswer, 503),
    )
    app.add_api_route(
        "/metrics",
        pages.metrics,
        summary="Prometheus metrics",
        response_model=None,
        responses=refusals(ProblemAnswer, 401, 403),
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
        """The store answers now."""
        try:
            await self._context.workers.operations.run(self._context.service.ping)
        except GraphmemError as error:
            name = type(error).__name__
            _log.warning("%s: not ready, %s", trace_id_of(request.scope), name)
            failure = Failure(
                status=503,
                code="not_ready",
                reason=f"the store does not answer ({name}); the server's log says more",
                headers={"Retry-After": str(READY_RETRY_SECONDS)},
            )
            return self._context.surfaces.render(failure, request.scope)
        return JSONResponse({"status": "ready"})

    async def metrics(self, request: Request) -> Response:
        """Counters and gauges: sums over all tenants, without ids."""
        self._context.door.admit(request, "admin")
        return Response(self._context.metrics.render(), media_type=CONTENT_TYPE_LATEST)

    async def openapi(self, request: Request) -> Response:
        """The API's description."""
        self._context.door.recognise(request)
        return JSONResponse(self._app.openapi())
