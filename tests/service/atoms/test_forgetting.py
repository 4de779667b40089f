"""What was deleted is in no atom any more, to the letter; the other atoms are as if it had never come."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from tests.service.atoms.makers import TEXTS, atoms, contents, only, say, service_on
from tests.service.atoms.test_batches import rows

from graphmem.config import ServiceConfig
from graphmem.domain.atom_query import FoundAtom, NewAtom
from graphmem.errors import AtomNotFoundError
from graphmem.service import erasing
from graphmem.service.factory import restore
from graphmem.service.memory import MemoryService
from graphmem.stores.memory.store import MemoryStore
from graphmem.stores.sqlite.store import SqliteStore

said = st.lists(
    st.tuples(st.sampled_from(TEXTS), st.sampled_from(["Ann", "Bob"]), st.booleans()),
    min_size=1,
    max_size=12,
)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(said, st.booleans())
def test_atoms_are_as_if_what_was_deleted_had_never_come(
    lines: list[tuple[str, str, bool]], rebuilt: bool
) -> None:
    store = MemoryStore()
    with service_on(store) as service, service_on(MemoryStore()) as twin:
        gone: list[str] = []
        for number, (text, speaker, stays) in enumerate(lines):
            ids = say(service, text, speaker=speaker, request_id=f"r{number}")
            if stays:
                say(twin, text, speaker=speaker, request_id=f"r{number}")
            else:
                gone += ids
        service.query_atoms("t", "m")
        service.delete_messages("t", "m", gone)
        if rebuilt and any(stays for *_, stays in lines):
            service.rebuild("t", "m")
        assert told(atoms(service)) == told(atoms(twin))
        found = [
            told(s.search_atoms("t", "m", "sushi Berlin 关西", limit=100).items)
            for s in (service, twin)
        ]
        assert found[0] == found[1]


def told(found: Iterable[FoundAtom]) -> list[dict[str, object]]:
    return [one.to_dict() for one in found]


def test_an_atom_whose_first_source_goes_is_what_the_next_one_says(service: MemoryService) -> None:
    first = say(service, "I LOVE SUSHI!!", at="2023-05-08T10:00:00Z")
    later = say(service, "I love sushi.", at="2023-06-08T10:00:00Z")
    (before,) = atoms(service)
    service.delete_messages("t", "m", first)
    (after,) = atoms(service)
    assert after.atom.atom_id == before.atom.atom_id
    assert (after.atom.content, after.turn_ids) == ("I love sushi.", later)
    assert after.atom.background == "Ann, 2023-06-08 10:00"
    assert after.atom.created_us == after.atom.updated_us == 1_686_218_400_000_000


def test_what_replaced_a_value_no_more_gives_it_back(service: MemoryService) -> None:
    say(service, "I love sushi.", at="2023-05-08T10:00:00Z")
    later = say(service, "I hate sushi.", at="2023-06-08T10:00:00Z")
    service.delete_messages("t", "m", later)
    (found,) = service.search_atoms("t", "m", "sushi").items
    assert (found.atom.content, found.is_superseded) == ("I love sushi.", False)


def test_an_atom_changed_by_hand_goes_with_its_last_source(service: MemoryService) -> None:
    ids = [*say(service, "I love sushi."), *say(service, "i love sushi")]
    atom_id = atoms(service)[0].atom.atom_id
    service.update_atom("t", "m", atom_id, "Ann eats sushi.")
    service.delete_messages("t", "m", ids[:1])
    found = service.get_atom("t", "m", atom_id)
    assert (found.atom.content, found.turn_ids) == ("Ann eats sushi.", (ids[1],))
    assert service.atom_history("t", "m", atom_id)[0].content == "i love sushi"
    service.delete_messages("t", "m", ids[1:])
    assert atoms(service) == []
    with pytest.raises(AtomNotFoundError):
        service.atom_history("t", "m", atom_id)


def test_an_atom_made_by_hand_goes_with_its_last_source_only(service: MemoryService) -> None:
    ids = say(service, "Hm.", "Well.")
    free = NewAtom(content="free", type="persona")
    bound = NewAtom(content="bound", type="persona", source_turn_ids=ids)
    service.create_atoms("t", "m", [free, bound])
    service.delete_messages("t", "m", ids[:1])
    assert only(service, "bound").turn_ids == ids[1:]
    service.delete_messages("t", "m", ids[1:])
    assert contents(service) == ["free"]


def test_what_a_hand_deleted_stays_deleted_when_its_later_saying_goes(
    service: MemoryService,
) -> None:
    say(service, "I love sushi.")
    service.delete_atoms("t", "m", [atoms(service)[0].atom.atom_id])
    later = say(service, "I love sushi.")
    service.delete_messages("t", "m", later)
    assert atoms(service) == []
    service.rebuild("t", "m")
    assert atoms(service) == []


def test_a_deleted_session_and_a_deleted_memory_take_their_atoms(service: MemoryService) -> None:
    say(service, "I love sushi.", session="s1")
    say(service, "I have a dog.", session="s2")
    service.delete_session("t", "m", "s1")
    assert contents(service) == ["I have a dog."]
    service.delete_memory("t", "m")
    assert service.query_atoms("t", "m").total == 0
    say(service, "I have a cat.")
    assert contents(service) == ["I have a cat."]


SECRETS = ("zanzibarquux", "合唱团的秘密")


def left_in(directory: Path) -> list[str]:
    """The files that hold a secret, as text or as escaped JSON would."""
    forms = [secret.encode() for secret in SECRETS]
    return sorted(
        path.name
        for path in directory.iterdir()
        if any(form in path.read_bytes() for form in forms)
    )


@pytest.mark.parametrize("how", ["turns", "atoms", "memory", "edited"])
def test_no_byte_of_what_was_forgotten_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    monkeypatch.setattr(erasing, "GATHER_SECONDS", 600.0)
    config = replace(ServiceConfig(), dense_retrieval=False, data_dir=tmp_path)
    with MemoryService.open(config=config) as service:
        say(service, "I love tea.")
        ids: tuple[str, ...] = ()
        if how != "atoms":
            ids = say(service, f"I love {SECRETS[0]}.", f"我喜欢{SECRETS[1]}。")
        made = service.create_atoms(
            "t",
            "m",
            [
                NewAtom(
                    content=f"{SECRETS[0]} {SECRETS[1]}",
                    type="persona",
                    source_turn_ids=ids,
                )
            ],
        )
        if how == "edited":
            loved = only(service, f"I love {SECRETS[0]}.").atom.atom_id
            service.update_atom("t", "m", loved, f"Ann knows {SECRETS[0]}", background=SECRETS[1])
        assert left_in(tmp_path)
        match how:
            case "atoms":
                assert service.delete_atoms("t", "m", made.atom_ids) == 1
            case "memory":
                service.delete_memory("t", "m")
            case _:
                service.delete_messages("t", "m", ids)
        assert service.erase(20.0)
        assert left_in(tmp_path) == []
        assert all(receipt.erased_at for receipt in service.erasures("t", "m"))


def test_a_restored_backup_has_the_same_atoms(tmp_path: Path) -> None:
    source = tmp_path / "a"
    with closing(SqliteStore.open(source)) as store, service_on(store) as service:
        say(service, *TEXTS)
        service.delete_atoms("t", "m", [atoms(service)[0].atom.atom_id])
        before = rows(store)
        store.back_up(tmp_path / "backup.sqlite", lambda _: None)
    restore(tmp_path / "backup.sqlite", tmp_path / "b", lambda _: None)
    with closing(SqliteStore.open(tmp_path / "b")) as store:
        assert rows(store) == before
