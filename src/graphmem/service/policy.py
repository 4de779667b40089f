"""What a contract allows in a write, and what it does about a reused request id."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from graphmem.domain.message import ROLES

OnConflict = Literal["refuse", "first_write_wins"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WritePolicy:
    """The rules of one contract; the only difference between the contracts' writes.

    Attributes:
        surface: the contract's name in the request ledger, which scopes request ids.
        on_conflict: what happens to a known request id with another payload.
        roles: roles that are accepted, None for any non-blank string.
        max_messages: most messages of one add, None for no limit.
        max_bytes: most UTF-8 bytes of content of one add, None for no limit.
    """

    surface: str
    on_conflict: OnConflict
    roles: frozenset[str] | None
    max_messages: int | None
    max_bytes: int | None


PRODUCT: Final = WritePolicy(
    surface="v1",
    on_conflict="refuse",
    roles=frozenset(ROLES),
    max_messages=256,
    max_bytes=1024 * 1024,
)
ADD_SEARCH: Final = WritePolicy(
    surface="addsearch",
    on_conflict="first_write_wins",
    roles=None,
    max_messages=None,
    max_bytes=None,
)
