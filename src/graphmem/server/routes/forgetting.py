"""The routes that delete: from a memory, and by age or everything from a tenant."""

from __future__ import annotations

from typing import Final

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response

from graphmem.domain.erasure import ErasureReceipt, PurgeReport
from graphmem.domain.scope import Scope
from graphmem.server.context import Context
from graphmem.server.parameters import read_parameters
from graphmem.server.routes.responding import respond
from graphmem.server.schema import parameters_of, refusals, request_of
from graphmem.wire.forgetting import (
    DeleteRequest,
    ErasureAnswer,
    ErasuresAnswer,
    PurgeAnswer,
    PurgeRequest,
)
from graphmem.wire.problem import ProblemAnswer

DELETE_PATH: Final = "/v1/delete"
PURGE_PATH: Final = "/v1/purge"
ERASURES_PATH: Final = "/v1/erasures/{memory_id:path}"
_STATUSES: Final = (400, 401, 403, 408, 413, 429, 500, 503)
_PLAIN: Final = (400, 401, 403, 429, 500, 503)


def add_forgetting_routes(app: FastAPI, context: Context) -> None:
    """Serve deletions."""
    handlers = Forgetting(context)
    app.add_api_route(
        DELETE_PATH,
        handlers.delete,
        methods=["POST"],
        operation_id="v1_delete",
        summary="Delete turns, a session or a memory",
        response_model=None,
        responses={200: {"model": ErasureAnswer}, **refusals(ProblemAnswer, *_STATUSES)},
        openapi_extra=request_of(DeleteRequest),
    )
    app.add_api_route(
        PURGE_PATH,
        handlers.purge,
        methods=["POST"],
        operation_id="v1_purge",
        summary="Delete from all memories by age, or all memories of a tenant",
        response_model=None,
        responses={200: {"model": PurgeAnswer}, **refusals(ProblemAnswer, *_STATUSES)},
        openapi_extra=request_of(PurgeRequest),
    )
    app.add_api_route(
        ERASURES_PATH,
        handlers.erasures,
        methods=["GET"],
        operation_id="v1_erasures",
        summary="What was deleted from a memory, and since when no byte of it is left",
        response_model=None,
        responses={200: {"model": ErasuresAnswer}, **refusals(ProblemAnswer, *_PLAIN)},
        openapi_extra=parameters_of({}, in_path=("memory_id",)),
    )


class Forgetting:
    """Handlers of deletions."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._service = context.service
        self._lane = context.workers.product

    async def delete(self, request: Request) -> Response:
        """Delete from one memory."""
        with self._context.entry.admit(request, "write") as access:
            async with self._context.product_intake.admit(request, DeleteRequest) as body:
                scope = access.memory(body.memory_id)
                # Behind the adds to this memory that came before it.
                key = (scope.tenant_id, scope.memory_id)
                return await respond(
                    self._lane, lambda: self._delete(scope, body).to_dict(), key=key
                )

    async def purge(self, request: Request) -> Response:
        """Delete from all memories of a tenant, or of all tenants."""
        with self._context.entry.admit(request, "admin") as access:
            async with self._context.product_intake.admit(request, PurgeRequest) as body:
                tenant = None
                if body.all_tenants:
                    access.whole_service()
                else:
                    tenant = access.whole_tenant()
                return await respond(self._lane, lambda: self._purge(tenant, body).to_dict())

    async def erasures(self, request: Request) -> Response:
        """The receipts of the deletions from one memory, as they are now."""
        with self._context.entry.admit(request, "read") as access:
            read_parameters(request)
            scope = access.memory(request.path_params["memory_id"])
            return await respond(self._lane, lambda: {"erasures": self._erasures(scope)})

    def _delete(self, scope: Scope, body: DeleteRequest) -> ErasureReceipt:
        place = (scope.tenant_id, scope.memory_id)
        if body.turn_ids:
            return self._service.delete_messages(*place, body.turn_ids)
        if body.session_id is not None:
            return self._service.delete_session(*place, body.session_id)
        return self._service.delete_memory(*place)

    def _purge(self, tenant_id: str | None, body: PurgeRequest) -> PurgeReport:
        if body.older_than is not None:
            return self._service.purge(body.older_than, tenant_id=tenant_id)
        if tenant_id is None:
            raise AssertionError("the wire model lets nobody delete all tenants")
        return self._service.delete_tenant(tenant_id)

    def _erasures(self, scope: Scope) -> list[dict[str, object]]:
        found = self._service.erasures(scope.tenant_id, scope.memory_id)
        return [receipt.to_dict() for receipt in found]
