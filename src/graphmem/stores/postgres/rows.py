"""What PostgreSQL keeps in a way of its own: memories' numbers, and texts as bytes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING
from uuid import UUID

from graphmem.domain.scope import Scope

if TYPE_CHECKING:
    from graphmem.stores.postgres.connection import Value
    from graphmem.stores.rows import Row


def ns_of(scope: Scope) -> UUID:
    """The memory's number in all keys: half of the digest, which is enough to be unique."""
    return UUID(bytes=scope.digest[:16])


def lock_number(scope: Scope) -> int:
    """The number of the memory's lock; two memories that share one only wait for each other."""
    return int.from_bytes(scope.digest[:8], "big", signed=True)


def claim_numbers(scope: Scope) -> tuple[int, int]:
    """The numbers of the memory's claim, 31 bits each; two memories may share them, if hardly."""
    parts = (scope.digest[8:12], scope.digest[12:16])
    high, low = (int.from_bytes(part, "big") & 0x7FFF_FFFF for part in parts)
    return high, low


def scope_values(scope: Scope) -> tuple[UUID, bytes, bytes]:
    """A memory's number and its ids."""
    return (ns_of(scope), scope.tenant_id.encode(), scope.memory_id.encode())


def encoded(values: Iterable[Value]) -> list[Value]:
    """A statement's parameters with texts as bytes: TEXT can't hold U+0000."""
    return [value.encode() if isinstance(value, str) else value for value in values]


def decoded_turn(row: Row) -> Row:
    """A turn's row with its texts as such; the session's id stays as `stores.rows` expects ids."""
    # One unpacking and no slices, since it is done for every turn that is read.
    (
        turn_no,
        turn_id,
        session_no,
        session_id,
        position,
        version,
        recorded_us,
        occurred_us,
        offset_minutes,
        precision,
        role,
        speaker,
        listener,
        content,
        parts,
    ) = row
    return (
        turn_no,
        turn_id.decode(),
        session_no,
        session_id,
        position,
        version,
        recorded_us,
        occurred_us,
        offset_minutes,
        _decoded(precision),
        role.decode(),
        _decoded(speaker),
        _decoded(listener),
        content.decode(),
        _decoded(parts),
    )


def decoded_model(row: Row) -> Row:
    """A model's row with its texts as such."""
    fingerprint, name, dimension = row
    return (fingerprint.decode(), name.decode(), dimension)


def decoded_key(row: Row) -> Row:
    """A key's row with its texts as such."""
    key_id, name, tenants, memories, rights, *rest = row
    texts = (key_id.decode(), name.decode(), _decoded(tenants), _decoded(memories), rights.decode())
    return (*texts, *rest)


def _decoded(data: bytes | None) -> str | None:
    return None if data is None else data.decode()
