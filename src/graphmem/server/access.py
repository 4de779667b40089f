"""Access is what one request may touch; the door gives it, and without it no route has a scope."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from starlette.datastructures import Headers
from starlette.requests import Request

from graphmem.domain.access import Grant, Right
from graphmem.domain.scope import DEFAULT_TENANT, Scope
from graphmem.server.failures import Failure, RefusedError
from graphmem.server.tenant import HEADER, tenant_in

_OTHER_TENANT: Final = (
    "this key may not touch this tenant; send a tenant of the key, or another key"
)
_UNNAMED_TENANT: Final = (
    f"this key has several tenants; name one of them in {HEADER}, or x-tdai-service-id"
)
_OTHER_MEMORY: Final = (
    "this key may not touch this user_id (memory); send one of the key's, or another key"
)
_WHOLE_TENANT: Final = "this key may touch some memories only, and this is about a whole tenant"
_WHOLE_SERVICE: Final = "this key is bound to tenants, and this is about the whole service"


@dataclass(frozen=True, slots=True)
class Access:
    """What a request may touch, by its key, with a right that was asked for.

    Attributes:
        grant: the key's.
        key_id: the key's public half, for the log; `master`, or `open` without any key.
    """

    grant: Grant
    key_id: str
    _tenant: str | None

    def memory(self, memory_id: str) -> Scope:
        """The scope of one memory: the only way from a request to a memory.

        Raises:
            RefusedError: 403, the key may not touch it.
        """
        if not self.grant.reaches_memory(memory_id):
            raise forbidden(_OTHER_MEMORY)
        return Scope(tenant_id=self._one_tenant(), memory_id=memory_id)

    def whole_tenant(self) -> str:
        """The tenant, for what concerns all its memories.

        Raises:
            RefusedError: 403, the key may touch some of its memories only.
        """
        if self.grant.memories is not None:
            raise forbidden(_WHOLE_TENANT)
        return self._one_tenant()

    def whole_service(self) -> None:
        """Go on with what concerns all tenants.

        Raises:
            RefusedError: 403, the key is bound to tenants or memories.
        """
        if not self.grant.is_unbound:
            raise forbidden(_WHOLE_SERVICE)

    def _one_tenant(self) -> str:
        if self._tenant is None:
            raise forbidden(_UNNAMED_TENANT)
        return self._tenant


class KeyReader(Protocol):
    """Recognises the key of a request."""

    def require(self, headers: Headers) -> tuple[Grant, str]:
        """What the key allows, and its id for the log.

        Raises:
            RefusedError: 401, the key is missing or wrong.
        """
        ...


class Door:
    """Lets requests in, each with its access."""

    def __init__(self, keys: KeyReader) -> None:
        self._keys = keys

    def admit(
        self,
        request: Request,
        right: Right,
        tenant: Callable[[Headers], str | None] = tenant_in,
    ) -> Access:
        """Who calls, for which tenant; the one check that every route but the probes begins with.

        The tenant is the key's, else the header's, else `default`.

        Args:
            request: what comes.
            right: what it needs.
            tenant: reads the tenant that the headers name.

        Raises:
            RefusedError: 401 no key or a wrong one, 403 it lacks the right or the tenant.
            InvalidBodyError: the tenant header is not one tenant.
        """
        grant, key_id = self._keys.require(request.headers)
        request.scope["state"]["key_id"] = key_id
        if not grant.may(right):
            raise forbidden(f"this key has no right to {right}; use a key that has it")
        return Access(grant, key_id, _tenant_of(tenant(request.headers), grant))

    def recognise(self, request: Request) -> None:
        """Let any key in, whatever its rights.

        Raises:
            RefusedError: 401, no key or a wrong one.
        """
        _, request.scope["state"]["key_id"] = self._keys.require(request.headers)


def forbidden(reason: str) -> RefusedError:
    """A right key that may not do this."""
    return RefusedError(Failure(status=403, code="forbidden", reason=reason))


def _tenant_of(named: str | None, grant: Grant) -> str | None:
    """The tenant; None where a key has several and none is named, which is not always needed."""
    if named is not None:
        if not grant.reaches_tenant(named):
            raise forbidden(_OTHER_TENANT)
        return named
    if grant.reaches_tenant(DEFAULT_TENANT):
        return DEFAULT_TENANT
    tenants = grant.tenants or ()
    return next(iter(tenants)) if len(tenants) == 1 else None
