"""The ASGI application around one service."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from http import HTTPStatus

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match, Route

from graphmem._version import __version__
from graphmem.errors import GraphmemError
from graphmem.server.context import Context
from graphmem.server.edge import Edge
from graphmem.server.failures import failure_of
from graphmem.server.routes.addsearch import add_addsearch_routes
from graphmem.server.routes.atomic import add_atomic_routes
from graphmem.server.routes.forgetting import add_forgetting_routes
from graphmem.server.routes.keys import add_key_routes
from graphmem.server.routes.operations import add_operation_routes
from graphmem.server.routes.product import add_product_routes
from graphmem.server.surfaces import trace_id_of
from graphmem.server.tracing import Tracing
from graphmem.service.memory import MemoryService

_log = logging.getLogger("graphmem.server")


def create_app(service: MemoryService, tracing: Tracing | None = None) -> FastAPI:
    """Build the application; the caller opens the service before and closes it afterwards.

    Args:
        service: what is served.
        tracing: where spans go, None for none; the caller closes it.

    There are no `/docs`: the usual page loads its scripts from a third party.
    """
    context = Context.around(service)
    app = FastAPI(
        title="graphmem",
        version=__version__,
        summary="Long-term memory for AI agents",
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        # It would hand bodies and exception texts, thus what users said, to an exporter.
        telemetry={
            "tracing": False,
            "metrics": False,
            "logs": False,
            "operation_spans": False,
            "auto_configure": False,
        },
        middleware=[
            Middleware(Edge, metrics=context.metrics, surfaces=context.surfaces, tracing=tracing)
        ],
        lifespan=_drain(context),
    )
    refuse = _refuser(context)
    app.add_exception_handler(GraphmemError, refuse)
    app.add_exception_handler(HTTPException, refuse)
    app.state.intakes = (context.intake, context.product_intake, context.atomic_intake)
    app.state.metrics = context.metrics
    add_addsearch_routes(app, context)
    add_product_routes(app, context)
    add_atomic_routes(app, context)
    add_forgetting_routes(app, context)
    add_key_routes(app, context)
    add_operation_routes(app, context)
    return app


def _with_all_methods(error: Exception, request: Request) -> Exception:
    """Of a path with several routes, the router names the methods of the first one only."""
    if not isinstance(error, HTTPException) or error.status_code != HTTPStatus.METHOD_NOT_ALLOWED:
        return error
    found = [
        route.methods or set()
        for route in request.app.routes
        if isinstance(route, Route) and route.matches(request.scope)[0] is not Match.NONE
    ]
    allowed = ", ".join(sorted(set().union(*found)))
    return HTTPException(error.status_code, headers={"Allow": allowed})


def _drain(context: Context) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        await asyncio.to_thread(context.workers.close)

    return lifespan


def _refuser(context: Context) -> Callable[[Request, Exception], Awaitable[Response]]:
    async def refuse(request: Request, error: Exception) -> Response:
        failure = failure_of(_with_all_methods(error, request))
        if failure.status >= 500:
            name = type(error).__name__
            _log.warning("%s: %d, %s", trace_id_of(request.scope), failure.status, name)
        return context.surfaces.render(failure, request.scope)

    return refuse
