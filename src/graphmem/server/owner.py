"""The owner of a request of contract 3: whose memory it is about, by body and headers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from starlette.datastructures import Headers

from graphmem.domain.address import memory_of
from graphmem.server.tenant import HEADER, header_in, tenant_in
from graphmem.wire.atomic_values import ScopedModel
from graphmem.wire.body import FieldProblem, InvalidBodyError

SERVICE_HEADER: Final = "x-tdai-service-id"
SCOPE_HEADERS: Final = {
    "team_id": "x-tdai-team-id",
    "agent_id": "x-tdai-agent-id",
    "user_id": "x-tdai-user-id",
    "session_id": "x-tdai-session-id",
    "task_id": "x-tdai-task-id",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """What a request is about.

    Attributes:
        memory_id: the memory.
        session_id: the session that is named, by body or header.
        task_id: the task, likewise.
    """

    memory_id: str
    session_id: str | None
    task_id: str | None


def owner_of(headers: Headers, body: ScopedModel) -> Owner:
    """Read the scope; the body wins.

    Raises:
        InvalidBodyError: a header is blank, too long, not UTF-8, or sent twice.
    """
    said = {name: header_in(headers, header) for name, header in SCOPE_HEADERS.items()}
    return Owner(
        memory_id=memory_of(
            body.user_id or said["user_id"],
            body.team_id or said["team_id"],
            body.agent_id or said["agent_id"],
        ),
        session_id=body.session_id or said["session_id"],
        task_id=body.task_id or said["task_id"],
    )


def service_in(headers: Headers) -> str | None:
    """The tenant that a request of contract 3 names, by its own header or by that of contract 2.

    Raises:
        InvalidBodyError: a header is blank, too long, not UTF-8, or sent twice, or the two differ.
    """
    service, tenant = header_in(headers, SERVICE_HEADER), tenant_in(headers)
    if service is not None and tenant is not None and service != tenant:
        reason = f"must be the same as {HEADER}; send one of them"
        raise InvalidBodyError([FieldProblem(field=SERVICE_HEADER, reason=reason)])
    return service or tenant
