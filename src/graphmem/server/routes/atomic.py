"""The routes of contract 3 under `/v2` and `/v3`: atoms and conversations."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from fastapi import FastAPI
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response

from graphmem.domain.access import Right
from graphmem.server.context import Context
from graphmem.server.envelope import PREFIXES, render_ok
from graphmem.server.owner import SCOPE_HEADERS, SERVICE_HEADER, owner_of, service_in
from graphmem.server.routes import atomic_calls, conversation_calls
from graphmem.server.routes.atomic_calls import Asked, Data
from graphmem.server.schema import refusals, request_of
from graphmem.server.surfaces import JSON, trace_id_of
from graphmem.wire import atomic, conversation
from graphmem.wire.atomic_values import ScopedModel

_STATUSES: Final = (400, 401, 403, 408, 413, 429, 500, 503)
_Body = TypeVar("_Body", bound=ScopedModel)


@dataclass(frozen=True, slots=True, kw_only=True)
class Call(Generic[_Body]):
    """One call.

    Attributes:
        path: below the prefix.
        right: what it needs.
        takes: what its body is checked against.
        gives: the data of its answer, for the description.
        answer: does it.
        statuses: of its own errors.
    """

    path: str
    right: Right
    takes: type[_Body]
    gives: type[BaseModel]
    answer: Callable[[Asked, _Body], Data]
    statuses: tuple[int, ...] = ()


def add_atomic_routes(app: FastAPI, context: Context) -> None:
    """Serve contract 3; whatever is called atomic is also called atom."""
    for prefix in PREFIXES:
        _add(app, context, prefix, _ATOMIC_SEARCH)
        _add(app, context, prefix, _ATOMIC_QUERY)
        _add(app, context, prefix, _ATOMIC_COUNT)
        _add(app, context, prefix, _ATOMIC_HISTORY)
        _add(app, context, prefix, _ATOMIC_CREATE)
        _add(app, context, prefix, _ATOMIC_UPDATE)
        _add(app, context, prefix, _ATOMIC_DELETE)
        _add(app, context, prefix, _CONVERSATION_ADD)
        _add(app, context, prefix, _CONVERSATION_SEARCH)
        _add(app, context, prefix, _CONVERSATION_QUERY)
        _add(app, context, prefix, _CONVERSATION_COUNT)
        _add(app, context, prefix, _CONVERSATION_DELETE)


def _add(app: FastAPI, context: Context, prefix: str, call: Call[_Body]) -> None:
    handler = _handler(context, call)
    alias = call.path.replace("/atomic/", "/atom/")
    for path in dict.fromkeys((call.path, alias)):
        app.add_api_route(
            prefix + path,
            handler,
            methods=["POST"],
            operation_id=(prefix + path).strip("/").replace("/", "_"),
            summary=(call.answer.__doc__ or "").splitlines()[0],
            response_model=None,
            responses={
                200: {"model": atomic.Envelope[call.gives]},  # type: ignore[name-defined]
                **refusals(atomic.ErrorEnvelope, *sorted({*_STATUSES, *call.statuses})),
            },
            openapi_extra=request_of(call.takes, SERVICE_HEADER, *SCOPE_HEADERS.values()),
            include_in_schema=path == call.path,
        )


def _handler(context: Context, call: Call[_Body]) -> Callable[[Request], Awaitable[Response]]:
    workers = context.workers
    is_write = call.right == "write"
    lane = workers.atomic_writes if is_write else workers.atomic_reads

    async def handle(request: Request) -> Response:
        access = context.door.admit(request, call.right, service_in)
        async with context.atomic_intake.admit(request, call.takes) as body:
            owner = owner_of(request.headers, body)
            scope, arrived = access.memory(owner.memory_id), time.monotonic()
            trace_id = trace_id_of(request.scope)

            def answer() -> str:
                asked = Asked(
                    service=context.service,
                    scope=scope,
                    owner=owner,
                    waited_seconds=time.monotonic() - arrived,
                    count_turns=context.metrics.count_turns,
                )
                return render_ok(call.answer(asked, body), trace_id)

            # Writes to a memory keep the order in which they came.
            key = (scope.tenant_id, scope.memory_id) if is_write else None
            return Response(await lane.run(answer, key=key), media_type=JSON)

    return handle


_ATOMIC_SEARCH: Final = Call(
    path="/atomic/search",
    right="read",
    takes=atomic.AtomicSearch,
    gives=atomic.AtomHits,
    answer=atomic_calls.search,
)
_ATOMIC_QUERY: Final = Call(
    path="/atomic/query",
    right="read",
    takes=atomic.AtomicQuery,
    gives=atomic.AtomPageAnswer,
    answer=atomic_calls.query,
)
_ATOMIC_COUNT: Final = Call(
    path="/atomic/count",
    right="read",
    takes=atomic.AtomicCount,
    gives=atomic.Counted,
    answer=atomic_calls.count,
)
_ATOMIC_HISTORY: Final = Call(
    path="/atomic/history",
    right="read",
    takes=atomic.AtomicHistory,
    gives=atomic.Versions,
    answer=atomic_calls.history,
    statuses=(404,),
)
_ATOMIC_CREATE: Final = Call(
    path="/atomic/create",
    right="write",
    takes=atomic.AtomicCreate,
    gives=atomic.AtomsMade,
    answer=atomic_calls.create,
    statuses=(409,),
)
_ATOMIC_UPDATE: Final = Call(
    path="/atomic/update",
    right="write",
    takes=atomic.AtomicUpdate,
    gives=atomic.AtomChanged,
    answer=atomic_calls.update,
    statuses=(404, 409),
)
_ATOMIC_DELETE: Final = Call(
    path="/atomic/delete",
    right="write",
    takes=atomic.AtomicDelete,
    gives=atomic.Deleted,
    answer=atomic_calls.delete,
    statuses=(409,),
)
_CONVERSATION_ADD: Final = Call(
    path="/conversation/add",
    right="write",
    takes=conversation.ConversationAdd,
    gives=conversation.Accepted,
    answer=conversation_calls.add,
    statuses=(409,),
)
_CONVERSATION_SEARCH: Final = Call(
    path="/conversation/search",
    right="read",
    takes=conversation.ConversationSearch,
    gives=conversation.MessageHits,
    answer=conversation_calls.search,
)
_CONVERSATION_QUERY: Final = Call(
    path="/conversation/query",
    right="read",
    takes=conversation.ConversationQuery,
    gives=conversation.MessagePageAnswer,
    answer=conversation_calls.query,
)
_CONVERSATION_COUNT: Final = Call(
    path="/conversation/count",
    right="read",
    takes=conversation.ConversationCount,
    gives=atomic.Counted,
    answer=conversation_calls.count,
)
_CONVERSATION_DELETE: Final = Call(
    path="/conversation/delete",
    right="write",
    takes=conversation.ConversationDelete,
    gives=atomic.Deleted,
    answer=conversation_calls.delete,
    statuses=(409,),
)
