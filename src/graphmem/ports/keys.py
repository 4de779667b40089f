"""The key port: rows that say which keys there are and what each may do, without the keys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from graphmem.domain.access import Grant


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyRow:
    """One key as it is kept.

    Attributes:
        key_id: the key's public half.
        name: for people.
        grant: what it may do.
        salt: random bytes of its own.
        digest: stands for the whole key under the salt; the key can't be had from it.
        created_us: microseconds since 1970 UTC.
        revoked_us: when it stopped to be valid, None while it is.
    """

    key_id: str
    name: str
    grant: Grant
    salt: bytes
    digest: bytes
    created_us: int
    revoked_us: int | None = None


class KeyStore(Protocol):
    """Keeps keys beside the memories; each call is a transaction of its own, durable as writes are.

    A key's row is never removed: a service that ever had keys does not become open again because
    the last one was revoked.
    """

    def access_keys(self) -> list[KeyRow]:
        """All keys, revoked ones too, ordered by creation, then id."""
        ...

    def put_key(self, key: KeyRow) -> None:
        """Insert a key.

        Raises:
            StoreError: there is one with this id; nothing was changed.
        """
        ...

    def revoke_key(self, key_id: str, revoked_us: int) -> bool:
        """Mark a key as revoked; False when there is none, or it is revoked already."""
        ...
