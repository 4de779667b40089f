"""Reads what a server answered: results, and refusals as the service itself would raise them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from graphmem.config import API_KEY_VARIABLE
from graphmem.domain.receipt import AddReceipt
from graphmem.errors import (
    GraphmemError,
    InvalidInputError,
    KeyNotFoundError,
    MemoryNotFoundError,
    RemoteError,
    RequestConflictError,
)

if TYPE_CHECKING:
    from graphmem.service.rebuild import RebuildReport

_OWN: Final = {
    "key_not_found": KeyNotFoundError,
    "memory_not_found": MemoryNotFoundError,
    "request_conflict": RequestConflictError,
}
_REMEDIES: Final = {
    401: f"set {API_KEY_VARIABLE} to the key that the server was started with, or to one made by `graphmem keys add`",
    403: f"the key in {API_KEY_VARIABLE} is bound to another tenant, or lacks the right",
    404: "the server is of another version of graphmem",
}


def read_object(content: bytes, address: str) -> dict[str, object]:
    """The JSON object of an answer.

    Raises:
        RemoteError: it is none.
    """
    try:
        value = json.loads(content)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise _stranger(address)
    return value


def read_receipt(answer: dict[str, object], address: str) -> AddReceipt:
    """The receipt of an add.

    Raises:
        RemoteError: the answer is none.
    """
    match answer:
        case {
            "version": int(version),
            "ready_version": int(ready_version),
            "state": "ready" | "pending" as state,
            "turn_ids": list(turn_ids),
            "replayed": bool(replayed),
        }:
            return AddReceipt(
                version=version,
                ready_version=ready_version,
                state=state,
                turn_ids=tuple(map(str, turn_ids)),
                replayed=replayed,
            )
    raise _stranger(address)


def read_rebuild(answer: dict[str, object], address: str) -> RebuildReport:
    """The report of a rebuild.

    Raises:
        RemoteError: the answer is none.
    """
    from graphmem.service.rebuild import RebuildReport

    match answer:
        case {
            "memories": int(memories),
            "reindexed": int(reindexed),
            "remade": int(remade),
            "turns": int(turns),
            "refused": int(refused),
        }:
            return RebuildReport(
                memories=memories,
                reindexed=reindexed,
                remade=remade,
                turns=turns,
                refused=refused,
            )
    raise _stranger(address)


def refusal_of(status: int, content: bytes, address: str) -> GraphmemError:
    """The error that stands for a status other than 2xx."""
    code, message, trace_id = _problem(content)
    field, colon, reason = message.partition(": ")
    if code in _OWN:
        error: GraphmemError = _OWN[code]()
        error.args = (message,)  # the server's words, which name the tenant
        return error
    if status in {400, 422} and colon and " " not in field:
        return InvalidInputError(field, reason)
    if not message:
        return _stranger(address, status)
    trace = f" ({trace_id})" if trace_id else ""
    remedy = f"; {_REMEDIES[status]}" if status in _REMEDIES else ""
    return RemoteError(
        f"the server at {address} refused with {status}: {message}{remedy}{trace}", status=status
    )


def retry_after(value: str) -> float:
    """The seconds that a `Retry-After` asks for; 0 where it asks for none, or names a date."""
    return float(value) if value.isascii() and value.isdigit() else 0.0


def _problem(content: bytes) -> tuple[str, str, str]:
    """Code, message and trace id of an error's body; empty where it is not one of ours."""
    try:
        value = json.loads(content)
    except ValueError:
        return "", "", ""
    match value:
        case {"error": {"code": str(code), "message": str(message)}, "trace_id": str(trace_id)}:
            return code, message, trace_id
    return "", "", ""


def _stranger(address: str, status: int = 200) -> RemoteError:
    return RemoteError(
        f"what answers at {address} (HTTP {status}) is no graphmem server of this version; "
        "stop what holds the data directory, or use its own version of graphmem",
        status=status,
    )
