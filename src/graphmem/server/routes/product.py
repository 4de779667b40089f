"""The routes of contract 2 under `/v1`: add, retrieve, rebuild, and the memories there are."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, Protocol, TypeVar

from fastapi import FastAPI
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response

from graphmem.domain.scope import Scope
from graphmem.server.context import Context
from graphmem.server.parameters import read_parameters, read_whole
from graphmem.server.routes.responding import respond
from graphmem.server.schema import parameters_of, refusals, request_of
from graphmem.wire.problem import ProblemAnswer
from graphmem.wire.product import (
    AnswerAnswer,
    MemoriesAnswer,
    PreparedAnswer,
    ProductAdd,
    ProductPrepare,
    ProductRebuild,
    ProductRetrieve,
    RebuildAnswer,
    ReceiptAnswer,
    RetrievalAnswer,
    StatusAnswer,
)
from graphmem.wire.values import NON_BLANK_PATTERN

PREFIX: Final = "/v1"
PAGE: Final = 100
_BODY: Final = (400, 401, 403, 408, 413, 429, 500, 503)
_PLAIN: Final = (400, 401, 403, 429, 500, 503)
_Body = TypeVar("_Body", bound=BaseModel)


class Value(Protocol):
    """What the service answers."""

    def to_dict(self) -> dict[str, object]:
        """The value as JSON-ready values."""
        ...


def add_product_routes(app: FastAPI, context: Context) -> None:
    """Serve contract 2."""
    routes = Product(context)
    _post(app, f"{PREFIX}/add", routes.add, ProductAdd, ReceiptAnswer, _BODY, 409)
    for path in (f"{PREFIX}/retrieve", "/retrieve"):
        _post(app, path, routes.retrieve, ProductRetrieve, RetrievalAnswer, _BODY, 404, 409)
    for path in (f"{PREFIX}/prepare", "/prepare"):
        _post(app, path, routes.prepare, ProductPrepare, PreparedAnswer, _BODY, 404, 409)
    _post(app, f"{PREFIX}/answer", routes.answer, ProductPrepare, AnswerAnswer, _BODY, 404, 409)
    _post(app, f"{PREFIX}/rebuild", routes.rebuild, ProductRebuild, RebuildAnswer, _BODY, 404)
    app.add_api_route(
        f"{PREFIX}/memories",
        routes.memories,
        summary="The tenant's memories, page by page",
        response_model=None,
        responses={200: {"model": MemoriesAnswer}, **refusals(ProblemAnswer, *_PLAIN)},
        openapi_extra=parameters_of(
            {
                "after": {"type": "string", "pattern": NON_BLANK_PATTERN, "maxLength": 1024},
                "limit": {"type": "integer", "minimum": 1, "maximum": 1000, "default": PAGE},
            }
        ),
    )
    app.add_api_route(
        f"{PREFIX}/memories/{{memory_id:path}}",
        routes.memory,
        summary="What a memory holds",
        response_model=None,
        responses={200: {"model": StatusAnswer}, **refusals(ProblemAnswer, *_PLAIN, 404)},
        openapi_extra=parameters_of({}, in_path=("memory_id",)),
    )


def _post(
    app: FastAPI,
    path: str,
    handler: Callable[[Request], object],
    takes: type[BaseModel],
    gives: type[BaseModel],
    statuses: tuple[int, ...],
    *more: int,
) -> None:
    app.add_api_route(
        path,
        handler,
        methods=["POST"],
        operation_id=path.strip("/").replace("/", "_"),
        summary=(handler.__doc__ or "").splitlines()[0],
        response_model=None,
        responses={200: {"model": gives}, **refusals(ProblemAnswer, *sorted({*statuses, *more}))},
        openapi_extra=request_of(takes),
    )


class Product:
    """Handlers of contract 2."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._service = context.service

    async def add(self, request: Request) -> Response:
        """Append messages to a session; the answer comes when the memory is built."""
        with self._context.entry.admit(request, "write") as access:
            async with self._context.product_intake.admit(request, ProductAdd) as body:
                scope = access.memory(body.memory_id)
                key = (scope.tenant_id, scope.memory_id)
                return await self._run(lambda: self._add(scope, body), key=key)

    async def retrieve(self, request: Request) -> Response:
        """Rank the turns of a memory for a query, best first."""
        with self._context.entry.admit(request, "read") as access:
            async with self._context.product_intake.admit(request, ProductRetrieve) as body:
                scope, arrived = access.memory(body.memory_id), time.monotonic()
                return await self._run(
                    lambda: self._service.retrieve(
                        scope.tenant_id,
                        scope.memory_id,
                        body.query,
                        limit=body.limit,
                        session_id=body.session_id,
                        options=body.options,
                        time_start=body.time_start,
                        time_end=body.time_end,
                        as_of=body.as_of,
                        asked_at=body.asked_at,
                        explain=body.explain,
                        waited_seconds=time.monotonic() - arrived,
                    )
                )

    async def prepare(self, request: Request) -> Response:
        """Make the messages with which a chat model answers a question."""
        return await self._ask(request, self._service.prepare)

    async def answer(self, request: Request) -> Response:
        """Let the chat model of the settings answer a question from the evidence of prepare."""
        return await self._ask(request, self._service.answer)

    async def rebuild(self, request: Request) -> Response:
        """Make a memory's index anew and the vectors that it lacks."""
        with self._context.entry.admit(request, "write") as access:
            async with self._context.product_intake.admit(request, ProductRebuild) as body:
                scope = access.memory(body.memory_id)
                return await self._run(
                    lambda: self._service.rebuild(scope.tenant_id, scope.memory_id)
                )

    async def memories(self, request: Request) -> Response:
        """The tenant's memories, ordered by id."""
        with self._context.entry.admit(request, "read") as access:
            tenant = access.whole_tenant()
            asked = read_parameters(request, ("after", "limit"))
            limit = read_whole("limit", asked.get("limit", str(PAGE)))
            after = asked.get("after")
            return await self._run(
                lambda: self._service.list_memories(tenant, after=after, limit=limit)
            )

    async def memory(self, request: Request) -> Response:
        """What a memory holds."""
        with self._context.entry.admit(request, "read") as access:
            read_parameters(request)
            scope = access.memory(request.path_params["memory_id"])
            return await self._run(lambda: self._service.status(scope.tenant_id, scope.memory_id))

    async def _ask(self, request: Request, call: Callable[..., Value]) -> Response:
        """Put a question to one of the calls that take the arguments of `prepare`."""
        with self._context.entry.admit(request, "read") as access:
            async with self._context.product_intake.admit(request, ProductPrepare) as body:
                scope, arrived = access.memory(body.memory_id), time.monotonic()
                return await self._run(
                    lambda: call(
                        scope.tenant_id,
                        scope.memory_id,
                        body.query,
                        options=body.options,
                        asked_at=body.asked_at,
                        waited_seconds=time.monotonic() - arrived,
                    )
                )

    def _add(self, scope: Scope, body: ProductAdd) -> Value:
        receipt = self._service.add(
            scope.tenant_id,
            scope.memory_id,
            body.session_id,
            body.to_domain(),
            request_id=body.request_id,
        )
        if not receipt.replayed:
            self._context.metrics.count_turns(len(receipt.turn_ids))
        return receipt

    async def _run(
        self, call: Callable[[], Value], *, key: tuple[str, str] | None = None
    ) -> Response:
        lane = self._context.workers.product
        return await respond(lane, lambda: call().to_dict(), key=key)
