from __future__ import annotations

import socket

import pytest

from tests.server.live import Live, a_search, encode


def test_tenants_do_not_see_each_other(server: Live, user: str) -> None:
    server.add(user, "hello from one", X_Tenant_ID="one")
    server.add(user, "hello from two", X_Tenant_ID="two")
    assert server.search(user, "hello", X_Tenant_ID="one").contents() == ["user: hello from one"]
    assert server.search(user, "hello", X_Tenant_ID="two").contents() == ["user: hello from two"]
    assert server.search(user, "hello").hits() == []


def test_the_tenant_is_default_unless_named(server: Live, user: str) -> None:
    server.add(user, "hello there")
    assert len(server.search(user, "hello", X_Tenant_ID="default").hits()) == 1


@pytest.mark.parametrize("tenant", ["", "  ", "x" * 1025], ids=["empty", "blank", "long"])
@pytest.mark.parametrize("path", ["/add", "/search"])
def test_a_bad_tenant_is_422(server: Live, path: str, tenant: str) -> None:
    reply = server.call("POST", path, encode(a_search()), {"X-Tenant-ID": tenant})
    assert (reply.status, reply.problems()[0][0]) == (422, "X-Tenant-ID")


def test_a_tenant_of_1024_characters_is_taken(server: Live, user: str) -> None:
    assert server.add(user, "hello", X_Tenant_ID="x" * 1024).status == 200


@pytest.mark.parametrize(
    "head", [b"X-Tenant-ID: \xff\xfe\r\n", b"X-Tenant-ID: a\r\nX-Tenant-ID: b\r\n"]
)
def test_an_unclear_tenant_is_422(server: Live, head: bytes) -> None:
    body = encode(a_search())
    with socket.create_connection((server.host, server.port), timeout=20) as peer:
        peer.sendall(
            b"POST /search HTTP/1.1\r\nHost: x\r\nConnection: close\r\n%bContent-Length: %d\r\n\r\n%b"
            % (head, len(body), body)
        )
        answer = b"".join(iter(lambda: peer.recv(65536), b""))
    assert b" 422 " in answer.split(b"\r\n")[0]
    assert b'"field":"X-Tenant-ID"' in answer
