"""The routes of the keys: whoever has the right `admin` makes, lists and revokes lesser keys."""

from __future__ import annotations

import logging
from typing import Final

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from graphmem.domain.access import Grant
from graphmem.domain.key import KeyInfo, NewKey
from graphmem.server.access import forbidden
from graphmem.server.context import Context
from graphmem.server.schema import refusals, request_of
from graphmem.service.keyring import check_grant
from graphmem.wire.keys import KeyAnswer, KeysAnswer, MakeKeyRequest, NewKeyAnswer, RevokeKeyRequest
from graphmem.wire.problem import ProblemAnswer

PATH: Final = "/v1/keys"
REVOKE_PATH: Final = "/v1/keys/revoke"
_STATUSES: Final = (400, 401, 403, 408, 413, 500, 503)
_PLAIN: Final = (400, 401, 403, 500, 503)
_BEYOND: Final = "a key can make only keys that can do no more than itself"
_log = logging.getLogger(__name__)


def add_key_routes(app: FastAPI, context: Context) -> None:
    """Serve the making, listing and revoking of keys."""
    handlers = Keys(context)
    app.add_api_route(
        PATH,
        handlers.make,
        methods=["POST"],
        operation_id="make_key",
        summary="Make a key; it is shown once",
        response_model=None,
        responses={200: {"model": NewKeyAnswer}, **refusals(ProblemAnswer, *_STATUSES)},
        openapi_extra=request_of(MakeKeyRequest),
    )
    app.add_api_route(
        PATH,
        handlers.list,
        methods=["GET"],
        operation_id="list_keys",
        summary="List the keys that can do no more than the caller's, without their secrets",
        response_model=None,
        responses={200: {"model": KeysAnswer}, **refusals(ProblemAnswer, *_PLAIN)},
    )
    app.add_api_route(
        REVOKE_PATH,
        handlers.revoke,
        methods=["POST"],
        operation_id="revoke_key",
        summary="Make a key invalid at once",
        response_model=None,
        responses={200: {"model": KeyAnswer}, **refusals(ProblemAnswer, 404, *_STATUSES)},
        openapi_extra=request_of(RevokeKeyRequest),
    )


class Keys:
    """Handlers of the keys' routes."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._keyring = context.service.keyring

    async def make(self, request: Request) -> Response:
        """Make a key that can do no more than the caller's."""
        grant = self._context.door.admit(request, "admin").grant
        async with self._context.product_intake.admit(request, MakeKeyRequest) as body:
            made = await self._context.workers.operations.run(lambda: self._make(grant, body))
            return _answer(made)

    async def list(self, request: Request) -> Response:
        """The keys within the bounds of the caller's."""
        grant = self._context.door.admit(request, "admin").grant
        found = await self._context.workers.operations.run(lambda: self._keyring.list(within=grant))
        return JSONResponse({"keys": [info.to_dict() for info in found]})

    async def revoke(self, request: Request) -> Response:
        """Revoke a key within the bounds of the caller's."""
        grant = self._context.door.admit(request, "admin").grant
        async with self._context.product_intake.admit(request, RevokeKeyRequest) as body:
            return _answer(
                await self._context.workers.operations.run(
                    lambda: self._keyring.revoke(body.key_id, within=grant)
                )
            )

    def _make(self, grant: Grant, body: MakeKeyRequest) -> NewKey:
        wanted = check_grant(tenants=body.tenants, memories=body.memories, rights=body.rights)
        if not grant.covers(wanted):
            raise forbidden(_BEYOND)
        is_first = not len(self._keyring)
        made = self._keyring.add(
            tenants=body.tenants, memories=body.memories, rights=body.rights, name=body.name
        )
        if is_first:
            _log.warning("the first key was made: requests without a key are refused from now on")
        return made


def _answer(value: KeyInfo | NewKey) -> Response:
    # A secret is for the caller alone, not for a cache on the way.
    return JSONResponse(value.to_dict(), headers={"Cache-Control": "no-store"})
