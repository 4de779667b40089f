"""A scope is the isolation namespace: one memory of one tenant."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

DEFAULT_TENANT = "default"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """One memory of one tenant; ids are compared byte for byte, never trimmed or folded."""

    tenant_id: str
    memory_id: str

    @property
    def digest(self) -> bytes:
        """32 bytes that stand for the scope in keys of bounded length (BLAKE2b, RFC 7693)."""
        return digest_parts(self.tenant_id, self.memory_id)


def digest_parts(*parts: str) -> bytes:
    """Hash strings so that no two different lists of strings share an input (length-prefixed)."""
    state = hashlib.blake2b(digest_size=32)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        state.update(len(data).to_bytes(8, "little"))
        state.update(data)
    return state.digest()
