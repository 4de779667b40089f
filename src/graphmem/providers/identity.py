"""Random identities and secrets."""

from __future__ import annotations

import secrets
import uuid


class RandomIdentity:
    """Makes random request ids (UUID version 4, RFC 9562) and random bytes of the system."""

    def new_request_id(self) -> str:
        return f"auto-{uuid.uuid4()}"

    def random_bytes(self, count: int) -> bytes:
        return secrets.token_bytes(count)
