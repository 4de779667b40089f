"""The envelope in which contract 3 wraps every answer."""

from __future__ import annotations

import json
import secrets
from typing import Final

from graphmem.server.failures import Failure

PREFIXES: Final = ("/v2", "/v3")


def is_atomic(path: str) -> bool:
    """Whether a path belongs to contract 3."""
    return path in PREFIXES or path.startswith(tuple(f"{prefix}/" for prefix in PREFIXES))


def render_ok(data: dict[str, object], trace_id: str) -> str:
    """`{"code":0,"message":"ok","request_id","data","trace_id"}`."""
    return _render(0, "ok", trace_id, {"data": data})


def render_error(failure: Failure, trace_id: str) -> str:
    """`{"code","message","request_id","trace_id"}`; there is no `data`, not even null."""
    return _render(failure.status, failure.reason, trace_id, {})


def _render(code: int, message: str, trace_id: str, data: dict[str, object]) -> str:
    request_id = f"req-{secrets.token_hex(8)}"
    values = {"code": code, "message": message, "request_id": request_id, **data}
    return json.dumps({**values, "trace_id": trace_id}, ensure_ascii=False)
