"""What a contract allows in a write, and what it does about a reused request id or a failed model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from graphmem.domain.message import ROLES

OnConflict = Literal["refuse", "first_write_wins"]
WhileUnbuilt = Literal["refuse", "go_on"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """The rules of one contract; the only difference between the contracts' writes and reads.

    Attributes:
        surface: the contract's name in the request ledger, which scopes request ids.
        on_conflict: what happens to a known request id with another payload.
        while_unbuilt: what happens to a memory whose model has not done its share: `refuse` stores
            the messages and fails the add, and fails reads, until it has; `go_on` publishes what
            needs no model, and reads answer from that.
        roles: roles that are accepted, None for any non-blank string.
        max_messages: most messages of one add, None for no limit.
        max_bytes: most UTF-8 bytes of content of one add, None for no limit.
    """

    surface: str
    on_conflict: OnConflict
    while_unbuilt: WhileUnbuilt
    roles: frozenset[str] | None
    max_messages: int | None
    max_bytes: int | None


PRODUCT: Final = Policy(
    surface="v1",
    on_conflict="refuse",
    while_unbuilt="refuse",
    roles=frozenset(ROLES),
    max_messages=256,
    max_bytes=1024 * 1024,
)
ATOMIC: Final = Policy(
    surface="v2",
    on_conflict="refuse",
    while_unbuilt="go_on",
    roles=frozenset({"user", "assistant", "system"}),
    max_messages=100,
    max_bytes=None,
)
ADD_SEARCH: Final = Policy(
    surface="addsearch",
    on_conflict="first_write_wins",
    while_unbuilt="go_on",
    roles=None,
    max_messages=None,
    max_bytes=None,
)
