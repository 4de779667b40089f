"""The keyring makes, recognises and revokes keys; it keeps none of them, only what stands for them.

A key holds 256 random bits, so that one fast keyed hash is as strong as a slow one: see
docs/decisions/0005-keys.md.
"""

from __future__ import annotations

import hmac
import logging
import threading
from collections.abc import Sequence
from typing import Final

from graphmem.domain.access import RIGHTS, Grant, Right
from graphmem.domain.key import KeyInfo, NewKey
from graphmem.domain.moment import Moment
from graphmem.errors import InvalidInputError, KeyNotFoundError, join_names
from graphmem.ports.clock import Clock
from graphmem.ports.identity import IdentitySource
from graphmem.ports.keys import KeyRow, KeyStore
from graphmem.service.intake import check_id
from graphmem.text.normalize import storable

MAX_NAME_CHARACTERS: Final = 200
MAX_BOUNDS: Final = 1000
_PREFIX: Final = "gm"
_ID_BYTES: Final = 8
_SECRET_BYTES: Final = 32
_SALT_BYTES: Final = 16
_NO_GRANT: Final = Grant(tenants=frozenset(), memories=frozenset(), rights=frozenset())
# Stands in for a key that there is not, so that looking for it costs the same; no key hashes to it.
_NOBODY: Final = KeyRow(
    key_id="", name="", grant=_NO_GRANT, salt=bytes(_SALT_BYTES), digest=bytes(32), created_us=0
)
_log = logging.getLogger(__name__)


class Keyring:
    """All keys of a service, in memory as in the store; every change is in both at once.

    Where only one process writes the store, its copy is always the truth; where several do, each
    looks again every few seconds (`refresh`), since no request may wait for the store to know who
    calls.
    """

    def __init__(self, store: KeyStore, clock: Clock, identity: IdentitySource) -> None:
        self._store = store
        self._clock = clock
        self._identity = identity
        self._lock = threading.Lock()
        self._rows: dict[str, KeyRow] = {}
        self._read()

    def __len__(self) -> int:
        """How many keys there ever were; revoked ones count."""
        return len(self._rows)

    def refresh(self) -> None:
        """Take over what other processes did.

        Raises:
            StoreError: the store failed; the keys are as they were.
        """
        with self._lock:
            self._read()

    def _read(self) -> None:
        self._rows = {row.key_id: row for row in self._store.access_keys()}

    def recognise(self, key: bytes) -> KeyRow | None:
        """The row of a valid key, in the same time for right, wrong, unknown and revoked ones."""
        row = self._rows.get(_id_in(key), _NOBODY)
        is_right = hmac.compare_digest(digest_of(row.salt, key), row.digest)
        return row if is_right and row.revoked_us is None else None

    def add(
        self,
        *,
        tenants: Sequence[str] | None,
        memories: Sequence[str] | None = None,
        rights: Sequence[str],
        name: str = "",
    ) -> NewKey:
        """Make a key.

        Args:
            tenants: what it may name, None for all.
            memories: what it may touch there, None for all.
            rights: `read`, `write`, `admin`; none brings another.
            name: for people, up to 200 characters.

        Raises:
            InvalidInputError: a value is wrong; nothing was made.
            StoreError: the store failed; nothing was made.
        """
        grant = check_grant(tenants=tenants, memories=memories, rights=rights)
        if len(name) > MAX_NAME_CHARACTERS:
            raise InvalidInputError("name", f"must be at most {MAX_NAME_CHARACTERS} characters")
        key_id = self._identity.random_bytes(_ID_BYTES).hex()
        key = f"{_PREFIX}_{key_id}_{self._identity.random_bytes(_SECRET_BYTES).hex()}"
        salt = self._identity.random_bytes(_SALT_BYTES)
        row = KeyRow(
            key_id=key_id,
            name=storable(name),
            grant=grant,
            salt=salt,
            digest=digest_of(salt, key.encode()),
            created_us=self._clock.now_us(),
        )
        with self._lock:
            self._store.put_key(row)
            self._rows = self._rows | {key_id: row}
        _log.info("key %s was made", key_id)
        return NewKey(key=key, info=_info(row))

    def list(self, *, within: Grant) -> list[KeyInfo]:
        """The keys that can do no more than a grant, in order of their making."""
        return [_info(row) for row in self._store.access_keys() if within.covers(row.grant)]

    def revoke(self, key_id: str, *, within: Grant) -> KeyInfo:
        """Make a key invalid from now on; one that is so already stays as it is.

        Args:
            key_id: the key's public half.
            within: other keys than those that can do no more than this count as unknown.

        Raises:
            KeyNotFoundError: there is no such key.
            StoreError: the store failed; the key is still valid.
        """
        with self._lock:
            self._read()
            row = self._rows.get(key_id)
            if row is None or not within.covers(row.grant):
                raise KeyNotFoundError
            if self._store.revoke_key(key_id, self._clock.now_us()):
                self._read()
                _log.info("key %s was revoked", key_id)
            return _info(self._rows[key_id])


def check_grant(
    *, tenants: Sequence[str] | None, memories: Sequence[str] | None, rights: Sequence[str]
) -> Grant:
    """The grant that these values name.

    Raises:
        InvalidInputError: names the value.
    """
    return Grant(
        tenants=_checked_ids("tenants", tenants),
        memories=_checked_ids("memories", memories),
        rights=_checked_rights(rights),
    )


def digest_of(salt: bytes, key: bytes) -> bytes:
    """32 bytes that stand for a key (HMAC-SHA-256, RFC 2104)."""
    return hmac.digest(salt, key, "sha256")


def _id_in(key: bytes) -> str:
    """The public half of what is sent as a key; anything else names no key."""
    return key[len(_PREFIX) + 1 :].partition(b"_")[0].decode("ascii", "replace")


def _checked_ids(field: str, ids: Sequence[str] | None) -> frozenset[str] | None:
    if ids is None:
        return None
    if not 0 < len(ids) <= MAX_BOUNDS:
        raise InvalidInputError(field, f"must name 1 to {MAX_BOUNDS:,}, or be left open for all")
    for at, value in enumerate(ids):
        check_id(f"{field}.{at}", value)
    return frozenset(ids)


def _checked_rights(rights: Sequence[str]) -> frozenset[Right]:
    known: dict[str, Right] = {right: right for right in RIGHTS}
    if not rights:
        raise InvalidInputError("rights", f"must name at least one of {join_names(RIGHTS)}")
    for at, right in enumerate(rights):
        if right not in known:
            raise InvalidInputError(f"rights.{at}", f"must be {join_names(RIGHTS)}")
    return frozenset(known[right] for right in rights)


def _info(row: KeyRow) -> KeyInfo:
    grant, revoked = row.grant, row.revoked_us
    return KeyInfo(
        key_id=row.key_id,
        name=row.name,
        tenants=None if grant.tenants is None else tuple(sorted(grant.tenants)),
        memories=None if grant.memories is None else tuple(sorted(grant.memories)),
        rights=tuple(right for right in RIGHTS if grant.may(right)),
        created_at=Moment(us=row.created_us).iso_utc(),
        revoked_at=None if revoked is None else Moment(us=revoked).iso_utc(),
    )
