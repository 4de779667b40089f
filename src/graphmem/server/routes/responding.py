"""A success of contract 2 is what a call of the service gives, written down off the event loop."""

from __future__ import annotations

import json
from collections.abc import Callable

from starlette.responses import Response

from graphmem.server.surfaces import JSON
from graphmem.server.workers import Lane


async def respond(
    lane: Lane, call: Callable[[], dict[str, object]], *, key: tuple[str, str] | None = None
) -> Response:
    """Call the service on a lane and answer with its values; see `Lane.run`."""
    body = await lane.run(lambda: json.dumps(call(), ensure_ascii=False), key=key)
    return Response(body, media_type=JSON)
