"""Certificates are verified unless somebody says otherwise."""

from __future__ import annotations

import ssl
from collections.abc import Iterator

import pytest
import trustme

from graphmem.client import ConnectionFailedError
from tests.client.conftest import Connect
from tests.client.server import ScriptedServer


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def secured(authority: trustme.CA) -> Iterator[ScriptedServer]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    with ScriptedServer(context) as server:
        yield server


def test_an_unknown_certificate_is_refused(connect: Connect, secured: ScriptedServer) -> None:
    with pytest.raises(ConnectionFailedError, match="certificate") as caught:
        connect(secured.url, max_retries=0).count_atomic()
    assert "verify failed" in str(caught.value.__cause__)
    assert secured.seen == []


def test_an_authority_may_be_given(
    connect: Connect, secured: ScriptedServer, authority: trustme.CA
) -> None:
    context = ssl.create_default_context()
    authority.configure_trust(context)
    assert connect(secured.url, verify=context).count_atomic()["code"] == 0


def test_verification_may_be_switched_off(connect: Connect, secured: ScriptedServer) -> None:
    assert connect(secured.url, verify=False).count_atomic()["code"] == 0
