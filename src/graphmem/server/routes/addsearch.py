"""The routes of the Add / Search contract."""

from __future__ import annotations

import time
from typing import Final

from fastapi import FastAPI
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response

from graphmem.domain.address import memory_of
from graphmem.domain.hit import Hit
from graphmem.domain.scope import Scope
from graphmem.errors import MemoryNotFoundError
from graphmem.ports.stage import stage
from graphmem.readout.render import render_hit
from graphmem.server.context import Context
from graphmem.server.schema import refusals, request_of
from graphmem.server.surfaces import JSON
from graphmem.service.policy import ADD_SEARCH
from graphmem.wire.addsearch import (
    AddAnswer,
    AddPartsRequest,
    AddRequest,
    ErrorAnswer,
    SearchAnswer,
    SearchItem,
    SearchPartsRequest,
    SearchRequest,
)

_STATUSES: Final = (400, 401, 403, 408, 413, 422, 500, 503)


def add_addsearch_routes(app: FastAPI, context: Context) -> None:
    """Serve Add and Search at their configured paths."""
    config = context.service.config.addsearch
    handlers = AddSearch(context)
    app.add_api_route(
        config.add_path,
        handlers.add,
        methods=["POST"],
        name="add",
        operation_id="add",
        summary="Remember messages; the answer comes when they are durable and searchable",
        response_model=None,
        responses={200: {"model": AddAnswer}, **refusals(ErrorAnswer, *_STATUSES)},
        openapi_extra=request_of(handlers.add_model),
    )
    app.add_api_route(
        config.search_path,
        handlers.search,
        methods=["POST"],
        name="search",
        operation_id="search",
        summary="Find evidence in one user's memory, best first",
        response_model=None,
        responses={200: {"model": SearchAnswer}, **refusals(ErrorAnswer, *_STATUSES)},
        openapi_extra=request_of(handlers.search_model),
    )


class AddSearch:
    """Handlers of Add and Search.

    Attributes:
        add_model: what the body of an Add is checked against.
        search_model: what the body of a Search is checked against.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self._service = context.service
        config = context.service.config.addsearch
        self._top_k_max = config.top_k_max
        self.add_model: type[AddRequest] | type[AddPartsRequest] = AddRequest
        self.search_model: type[SearchRequest] = SearchRequest
        if config.content_parts:
            self.add_model, self.search_model = AddPartsRequest, SearchPartsRequest

    async def add(self, request: Request) -> Response:
        """Store the messages, then answer with the ids of this request."""
        access = self._context.door.admit(request, "write")
        body: AddRequest | AddPartsRequest
        async with self._context.intake.admit(request, self.add_model) as body:
            scope, arrived = access.memory(memory_of(body.user_id)), time.monotonic()
            await self._context.workers.adds.run(
                lambda: self._store(scope, body, time.monotonic() - arrived),
                key=(scope.tenant_id, scope.memory_id),
            )
            return _answer(body.answer())

    async def search(self, request: Request) -> Response:
        """Answer with the best turns of this user."""
        access = self._context.door.admit(request, "read")
        async with self._context.intake.admit(request, self.search_model) as body:
            scope = access.memory(memory_of(body.user_id))
            if body.top_k == 0:
                return _answer(SearchAnswer(data=[]))
            arrived = time.monotonic()
            found = await self._context.workers.searches.run(
                lambda: self._find(scope, body, time.monotonic() - arrived)
            )
            return _answer(found)

    def _store(
        self, scope: Scope, body: AddRequest | AddPartsRequest, waited_seconds: float
    ) -> None:
        receipt = self._service.add(
            scope.tenant_id,
            scope.memory_id,
            body.session_id,
            body.to_domain(),
            request_id=body.request_id,
            policy=ADD_SEARCH,
            waited_seconds=waited_seconds,
        )
        if not receipt.replayed:
            self._context.metrics.count_turns(len(receipt.turn_ids))

    def _find(self, scope: Scope, body: SearchRequest, waited_seconds: float) -> SearchAnswer:
        limit = min(body.top_k, self._top_k_max)
        options = body.options or ()
        try:
            found = self._service.retrieve(
                scope.tenant_id,
                scope.memory_id,
                body.query,
                limit=limit,
                options=options,
                policy=ADD_SEARCH,
                waited_seconds=waited_seconds,
            )
        except MemoryNotFoundError:
            return SearchAnswer(data=[])
        with stage("render"):
            return SearchAnswer(data=[_item(hit) for hit in found.hits])


def _item(hit: Hit) -> SearchItem:
    return SearchItem(
        id=hit.id, content=render_hit(hit), score=hit.score, created_at=hit.created_at
    )


def _answer(body: BaseModel) -> Response:
    return Response(body.model_dump_json(), media_type=JSON)
