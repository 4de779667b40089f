"""A grant says what a key may do, where: pure set inclusion, no key material."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

Right = Literal["read", "write", "admin"]
RIGHTS: Final[tuple[Right, ...]] = get_args(Right)


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """What a key may do. Rights are apart: no right brings another.

    Attributes:
        tenants: the tenants it may name, None for all.
        memories: the memories (user ids) of these tenants that it may touch, None for all.
        rights: what it may do there.
    """

    tenants: frozenset[str] | None
    memories: frozenset[str] | None
    rights: frozenset[Right]

    def may(self, right: Right) -> bool:
        """Whether it has a right."""
        return right in self.rights

    def reaches_tenant(self, tenant_id: str) -> bool:
        """Whether it may name a tenant."""
        return self.tenants is None or tenant_id in self.tenants

    def reaches_memory(self, memory_id: str) -> bool:
        """Whether it may touch a memory of a tenant that it reaches."""
        return self.memories is None or memory_id in self.memories

    @property
    def is_unbound(self) -> bool:
        """Whether it reaches every memory of every tenant."""
        return self.tenants is None and self.memories is None

    def covers(self, other: Grant) -> bool:
        """Whether the other can do nothing that this one can't."""
        return (
            other.rights <= self.rights
            and _holds(self.tenants, other.tenants)
            and _holds(self.memories, other.memories)
        )


EVERYTHING: Final = Grant(tenants=None, memories=None, rights=frozenset(RIGHTS))


def _holds(outer: frozenset[str] | None, inner: frozenset[str] | None) -> bool:
    return outer is None or (inner is not None and inner <= outer)
