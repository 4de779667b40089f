"""Rows of keys to values and back, for the SQL stores."""

from __future__ import annotations

import json

from graphmem.domain.access import RIGHTS, Grant
from graphmem.ports.keys import KeyRow
from graphmem.stores.rows import Row, Value


def key_values(key: KeyRow) -> tuple[Value, ...]:
    """A key's columns; ids are JSON, since a key has few and nothing looks them up by SQL."""
    return (
        key.key_id,
        key.name,
        _listed(key.grant.tenants),
        _listed(key.grant.memories),
        json.dumps([right for right in RIGHTS if key.grant.may(right)]),
        key.salt,
        key.digest,
        key.created_us,
        key.revoked_us,
    )


def to_key(row: Row) -> KeyRow:
    """Read a key."""
    key_id, name, tenants, memories, rights, salt, digest, created_us, revoked_us = row
    return KeyRow(
        key_id=key_id,
        name=name,
        grant=Grant(
            tenants=_read(tenants), memories=_read(memories), rights=frozenset(json.loads(rights))
        ),
        salt=salt,
        digest=digest,
        created_us=created_us,
        revoked_us=revoked_us,
    )


def in_order(keys: list[KeyRow]) -> list[KeyRow]:
    """Keys by their creation, then id."""
    return sorted(keys, key=lambda key: (key.created_us, key.key_id))


def _listed(ids: frozenset[str] | None) -> str | None:
    return None if ids is None else json.dumps(sorted(ids))


def _read(listed: str | None) -> frozenset[str] | None:
    return None if listed is None else frozenset(json.loads(listed))
