"""From a grant and a request to a scope, or a refusal that says which bound was met."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from starlette.datastructures import Headers
from starlette.requests import Request

from graphmem.domain.access import EVERYTHING, Grant, Right
from graphmem.domain.scope import Scope
from graphmem.server.access import Access, Door
from graphmem.server.failures import RefusedError


class OneGrant:
    """Recognises every request as the same key's."""

    def __init__(self, grant: Grant) -> None:
        self._grant = grant

    def require(self, headers: Headers) -> tuple[Grant, str]:
        return self._grant, "0123"


def bound(*tenants: str, memories: frozenset[str] | None = None, rights: str = "read") -> Grant:
    named: list[Right] = [right for right in ("read", "write", "admin") if right in rights]
    return Grant(tenants=frozenset(tenants), memories=memories, rights=frozenset(named))


def admit(grant: Grant, right: Right = "read", tenant: str | None = None) -> Access:
    headers = [] if tenant is None else [(b"x-tenant-id", tenant.encode())]
    request = Request({"type": "http", "headers": headers, "state": {}})
    return Door(OneGrant(grant)).admit(request, right)


def refusal(grant: Grant, right: Right = "read", tenant: str | None = None) -> str:
    with pytest.raises(RefusedError) as caught:
        admit(grant, right, tenant)
    assert (caught.value.failure.status, caught.value.failure.code) == (403, "forbidden")
    return caught.value.failure.reason


def test_the_tenant_is_the_key_s_without_a_header() -> None:
    assert admit(bound("acme")).whole_tenant() == "acme"
    assert admit(bound("acme", "default")).whole_tenant() == "default"
    assert admit(EVERYTHING).whole_tenant() == "default"


def test_a_header_may_name_any_tenant_of_the_key() -> None:
    assert admit(bound("acme", "beta"), tenant="beta").whole_tenant() == "beta"
    assert admit(EVERYTHING, tenant="whoever").whole_tenant() == "whoever"


def test_a_header_with_another_tenant_is_refused_without_quoting_it() -> None:
    reason = refusal(bound("acme"), tenant="my-secret-tenant")
    assert "may not touch this tenant" in reason
    assert "my-secret-tenant" not in reason


def test_a_key_of_several_tenants_has_to_name_one_where_it_matters() -> None:
    access = admit(bound("acme", "beta"))
    touches: list[Callable[[], object]] = [access.whole_tenant, lambda: access.memory("m")]
    for touch in touches:
        with pytest.raises(RefusedError, match="X-Tenant-ID"):
            touch()


@pytest.mark.parametrize("right", ["write", "admin"])
def test_a_missing_right_is_named(right: Right) -> None:
    assert right in refusal(bound("acme"), right)


def test_a_key_of_some_memories_reaches_no_other_and_no_whole_tenant() -> None:
    access = admit(bound("acme", memories=frozenset({"user-7"})))
    assert access.memory("user-7") == Scope(tenant_id="acme", memory_id="user-7")
    with pytest.raises(RefusedError, match="user_id"):
        access.memory("user-8")
    with pytest.raises(RefusedError, match="whole tenant"):
        access.whole_tenant()


@pytest.mark.parametrize(
    "grant",
    [bound("acme"), Grant(tenants=None, memories=frozenset({"m"}), rights=frozenset({"read"}))],
    ids=["tenant", "memory"],
)
def test_a_bound_key_does_not_reach_the_whole_service(grant: Grant) -> None:
    with pytest.raises(RefusedError, match="whole service"):
        admit(grant).whole_service()
    admit(EVERYTHING).whole_service()
