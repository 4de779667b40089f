"""What there is to say about a key, and the one moment at which the key itself is said."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field

from graphmem.domain.access import Right


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyInfo:
    """A key without its secret.

    Attributes:
        key_id: its public half, which the log and the list show.
        name: for people.
        tenants: what it may name, sorted; None for all.
        memories: what it may touch there, sorted; None for all.
        rights: what it may do.
        created_at: ISO 8601 UTC.
        revoked_at: ISO 8601 UTC, None while it is valid.
    """

    key_id: str
    name: str
    tenants: tuple[str, ...] | None
    memories: tuple[str, ...] | None
    rights: tuple[Right, ...]
    created_at: str
    revoked_at: str | None

    def to_dict(self) -> dict[str, object]:
        """The key as JSON-ready values."""
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in asdict(self).items()
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class NewKey:
    """A key that was just made.

    Attributes:
        key: the key itself, `gm_<id>_<secret>`; nothing can show it a second time.
        info: what is kept of it.
    """

    key: str = field(repr=False)
    info: KeyInfo

    def to_dict(self) -> dict[str, object]:
        """The key as JSON-ready values, the secret included."""
        return {"key": self.key, **self.info.to_dict()}
