"""Random identities."""

from __future__ import annotations

import uuid


class RandomIdentity:
    """Makes random request ids (UUID version 4, RFC 9562)."""

    def new_request_id(self) -> str:
        return f"auto-{uuid.uuid4()}"
