"""Keys are recognised, bounded, revoked; nothing that is kept gives one back."""

from __future__ import annotations

import hmac
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from graphmem import MemoryService, ServiceConfig
from graphmem.domain.access import EVERYTHING, Grant
from graphmem.domain.key import NewKey
from graphmem.errors import InvalidInputError, KeyNotFoundError
from graphmem.providers.clock import SystemClock
from graphmem.providers.identity import RandomIdentity
from graphmem.service.keyring import Keyring
from graphmem.stores.memory import MemoryStore

KEY = re.compile(r"gm_[0-9a-f]{16}_[0-9a-f]{64}\Z")


@pytest.fixture
def keyring() -> Keyring:
    return Keyring(MemoryStore(), SystemClock(), RandomIdentity())


def add(keyring: Keyring, *tenants: str, rights: tuple[str, ...] = ("read",)) -> NewKey:
    return keyring.add(tenants=tenants or None, rights=rights, name="an agent's")


def grant_of(keyring: Keyring, key: str) -> Grant | None:
    row = keyring.recognise(key.encode())
    return row.grant if row else None


def test_a_key_is_recognised_with_its_grant(keyring: Keyring) -> None:
    made = keyring.add(tenants=["a", "b"], memories=["m"], rights=["write", "read"])
    assert KEY.match(made.key)
    assert grant_of(keyring, made.key) == Grant(
        tenants=frozenset({"a", "b"}),
        memories=frozenset({"m"}),
        rights=frozenset({"read", "write"}),
    )


def test_each_key_is_another(keyring: Keyring) -> None:
    assert len({add(keyring).key for _ in range(50)}) == 50


def test_what_is_not_the_key_to_the_last_character_is_none(keyring: Keyring) -> None:
    key, other = add(keyring, "a").key, add(keyring, "b").key
    head, secret = key.rsplit("_", 1)
    wrong = [
        "", "gm", "gm_", "gm__", head, f"{head}_", key[:-1], f"{key}0", key.upper(), key[3:],
        f"{head}_{other.rsplit('_', 1)[1]}", f"xx{key[2:]}", f"gm_{'0' * 16}_{secret}", "gm_é_x",
    ]  # fmt: skip
    assert [grant_of(keyring, one) for one in wrong] == [None] * len(wrong)
    assert keyring.recognise(b"gm_\xff\xfe_\x00") is None


def test_a_revoked_key_is_none_at_once_and_stays_listed(keyring: Keyring) -> None:
    made, other = add(keyring, "a"), add(keyring, "a")
    first = keyring.revoke(made.info.key_id, within=EVERYTHING)
    assert grant_of(keyring, made.key) is None
    assert grant_of(keyring, other.key) is not None
    assert first.revoked_at is not None
    assert keyring.revoke(made.info.key_id, within=EVERYTHING) == first
    assert keyring.list(within=EVERYTHING) == [first, other.info]
    assert len(keyring) == 2


def test_every_key_costs_the_same_work(keyring: Keyring, monkeypatch: pytest.MonkeyPatch) -> None:
    right, revoked = add(keyring, "a").key, add(keyring, "a")
    keyring.revoke(revoked.info.key_id, within=EVERYTHING)
    hashed: list[tuple[int, bytes]] = []
    compared: list[tuple[int, int]] = []

    def digest(salt: bytes, key: bytes) -> bytes:
        hashed.append((len(salt), key))
        return hmac.digest(salt, key, "sha256")

    def compare(one: bytes, other: bytes) -> bool:
        compared.append((len(one), len(other)))
        return hmac.compare_digest(one, other)

    monkeypatch.setattr("graphmem.service.keyring.digest_of", digest)
    monkeypatch.setattr("graphmem.service.keyring.hmac", SimpleNamespace(compare_digest=compare))
    unknown = f"gm_{'0' * 16}_{'0' * 64}"
    keys = [right, f"{right[:-1]}!", unknown, revoked.key, "no key at all"]
    for key in keys:
        keyring.recognise(key.encode())
    assert hashed == [(16, key.encode()) for key in keys]
    assert compared == [(32, 32)] * len(keys)


def test_keys_beyond_one_s_own_bounds_are_neither_shown_nor_revoked(keyring: Keyring) -> None:
    ours, theirs = add(keyring, "ours"), add(keyring, "theirs")
    wide, strong = add(keyring), add(keyring, "ours", rights=("write",))
    mine = Grant(tenants=frozenset({"ours"}), memories=None, rights=frozenset({"read", "admin"}))
    assert keyring.list(within=mine) == [ours.info]
    for beyond in (theirs, wide, strong):
        with pytest.raises(KeyNotFoundError):
            keyring.revoke(beyond.info.key_id, within=mine)
        assert grant_of(keyring, beyond.key) is not None
    with pytest.raises(KeyNotFoundError):
        keyring.revoke("0" * 16, within=EVERYTHING)


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"tenants": []}, "tenants"),
        ({"tenants": ["a", " "]}, "tenants.1"),
        ({"tenants": ["x" * 1025]}, "tenants.0"),
        ({"memories": []}, "memories"),
        ({"memories": [""]}, "memories.0"),
        ({"rights": []}, "rights"),
        ({"rights": ["read", "root"]}, "rights.1"),
        ({"name": "n" * 201}, "name"),
    ],
)
def test_a_wrong_value_is_named_and_makes_nothing(
    keyring: Keyring, values: dict[str, object], field: str
) -> None:
    good: dict[str, object] = {"tenants": ["a"], "rights": ["read"]}
    with pytest.raises(InvalidInputError) as caught:
        keyring.add(**good | values)  # type: ignore[arg-type]
    assert caught.value.field == field
    assert len(keyring) == 0


def test_keys_survive_reopening_and_no_file_holds_one(tmp_path: Path) -> None:
    config = ServiceConfig(data_dir=tmp_path, dense_retrieval=False)
    with MemoryService.open(config=config) as service:
        kept, gone = add(service.keyring, "a"), add(service.keyring, "a")
        service.keyring.revoke(gone.info.key_id, within=EVERYTHING)
    with MemoryService.open(config=config) as service:
        assert grant_of(service.keyring, kept.key) is not None
        assert grant_of(service.keyring, gone.key) is None
        on_disk = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert kept.info.key_id.encode() in on_disk
    secret = kept.key.rsplit("_", 1)[1]
    assert secret.encode() not in on_disk
    assert bytes.fromhex(secret) not in on_disk


def test_a_key_is_not_shown_by_accident(keyring: Keyring) -> None:
    made = add(keyring)
    assert made.key.rsplit("_", 1)[1] not in repr(made)
    assert made.to_dict()["key"] == made.key
    assert "key" not in made.info.to_dict()
