"""Atoms made, changed and deleted by hand: once, with their history, and for good."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.service.atoms.makers import atoms, contents, held, only, say, service_on
from tests.service.conftest import StillClock

from graphmem.domain.atom_query import AtomChange, NewAtom
from graphmem.domain.scope import Scope
from graphmem.errors import (
    AtomConflictError,
    AtomNotFoundError,
    InvalidInputError,
    RequestConflictError,
)
from graphmem.ports.store import Store
from graphmem.service.memory import MemoryService
from graphmem.service.policy import ATOMIC

UNKNOWN = "a_" + 24 * "0"
SCOPE = Scope(tenant_id="t", memory_id="m")


def make(service: MemoryService, *contents_: str, request_id: str | None = None) -> tuple[str, ...]:
    items = [NewAtom(content=content, type="persona") for content in contents_]
    return service.create_atoms("t", "m", items, request_id=request_id).atom_ids


def test_an_atom_made_by_hand_is_found_and_listed(service: MemoryService) -> None:
    atom = NewAtom(
        content="Ann prefers window seats",
        type="persona",
        background="from the booking form",
        event_time="2023-05-08T13:56:20Z",
    )
    receipt = service.create_atoms("t", "m", [atom])
    assert (receipt.version, receipt.replayed) == (1, False)
    (made,) = receipt.items
    assert made == service.get_atom("t", "m", receipt.atom_ids[0])
    assert made.atom.revision == 1
    assert made.atom.background == "from the booking form"
    assert made.atom.event is not None
    assert made.atom.event.text() == "2023-05-08 13:56"
    (found,) = service.search_atoms("t", "m", "window seats").items
    assert found.atom == made.atom
    assert service.status("t", "m").state == "ready"


def test_making_atoms_is_applied_once(service: MemoryService) -> None:
    first = make(service, "one", "two", request_id="r")
    again = service.create_atoms(
        "t", "m", [NewAtom(content=c, type="persona") for c in ("one", "two")], request_id="r"
    )
    assert again.replayed
    assert again.atom_ids == first
    assert contents(service) == ["one", "two"]


def test_a_request_id_with_other_atoms_is_refused(service: MemoryService) -> None:
    make(service, "one", request_id="r")
    with pytest.raises(RequestConflictError):
        make(service, "two", request_id="r")
    assert contents(service) == ["one"]


def test_making_atoms_does_not_meet_the_request_ids_of_adds(service: MemoryService) -> None:
    say(service, "I love sushi.", request_id="r")
    make(service, "one", request_id="r")
    assert contents(service) == ["I love sushi.", "one"]


def test_a_replay_after_a_deletion_stores_nothing(service: MemoryService) -> None:
    ids = make(service, "one", request_id="r")
    assert service.delete_atoms("t", "m", ids) == 1
    again = service.create_atoms("t", "m", [NewAtom(content="one", type="persona")], request_id="r")
    assert (again.atom_ids, again.items, again.replayed) == (ids, (), True)


def test_an_update_keeps_the_id_and_raises_the_version(service: MemoryService) -> None:
    say(service, "I live in Berlin.", at="2023-05-08T10:00:00Z")
    before = only(service, "I live in Berlin.").atom
    change = service.update_atom("t", "m", before.atom_id, "I live in Oslo.", expected_version=1)
    after = only(service, "I live in Oslo.").atom
    assert (change.atom_id, change.revision) == (before.atom_id, 2)
    assert (after.revision, after.updated_us) == (2, StillClock().us)
    assert (after.created_us, after.type) == (before.created_us, before.type)
    assert (after.value, after.attribute) == ("Oslo", "residence")
    found = service.search_atoms("t", "m", "Oslo").items
    assert [one.atom.updated_us for one in found] == [change.updated_us]
    assert service.search_atoms("t", "m", "Berlin").items == ()


def test_a_background_is_kept_cleared_or_replaced(service: MemoryService) -> None:
    (atom_id,) = make(service, "one")
    for given, expected in ((None, ""), ("note", "note"), (None, "note"), ("", "")):
        service.update_atom("t", "m", atom_id, "one", background=given)
        assert service.get_atom("t", "m", atom_id).atom.background == expected


def test_an_update_of_another_version_is_refused(service: MemoryService) -> None:
    (atom_id,) = make(service, "one")
    service.update_atom("t", "m", atom_id, "two", expected_version=1)
    with pytest.raises(AtomConflictError) as caught:
        service.update_atom("t", "m", atom_id, "three", expected_version=1)
    assert caught.value.revision == 2
    assert contents(service) == ["two"]


def test_an_update_is_applied_once(service: MemoryService) -> None:
    (atom_id,) = make(service, "one")

    def update() -> AtomChange:
        return service.update_atom("t", "m", atom_id, "two", expected_version=1, request_id="u")

    first = update()
    again = update()
    assert (first.replayed, again.replayed) == (False, True)
    assert (
        (again.revision, again.updated_us)
        == (first.revision, first.updated_us)
        == (2, StillClock().us)
    )
    with pytest.raises(RequestConflictError):
        service.update_atom("t", "m", atom_id, "three", request_id="u")


@pytest.mark.parametrize("atom_id", [UNKNOWN, "no id", "a_" + 24 * "z"])
def test_what_is_not_there_can_be_neither_changed_nor_read(
    service: MemoryService, atom_id: str
) -> None:
    make(service, "one")
    calls: list[Callable[[], object]] = [
        lambda: service.update_atom("t", "m", atom_id, "two"),
        lambda: service.get_atom("t", "m", atom_id),
        lambda: service.atom_history("t", "m", atom_id),
    ]
    for call in calls:
        with pytest.raises(AtomNotFoundError):
            call()
    assert service.delete_atoms("t", "m", [atom_id]) == 0
    assert contents(service) == ["one"]


def test_an_atom_of_another_memory_is_not_there(service: MemoryService) -> None:
    (atom_id,) = make(service, "one")
    service.create_atoms("t", "other", [NewAtom(content="x", type="persona")])
    with pytest.raises(AtomNotFoundError):
        service.update_atom("t", "other", atom_id, "two")
    assert service.delete_atoms("t", "other", [atom_id]) == 0
    assert contents(service) == ["one"]


def test_a_deleted_atom_is_gone_with_its_history(service: MemoryService) -> None:
    one, two = make(service, "one", "two")
    service.update_atom("t", "m", one, "uno")
    assert service.delete_atoms("t", "m", [one, UNKNOWN, one]) == 1
    assert service.delete_atoms("t", "m", [one]) == 0
    assert contents(service) == ["two"]
    assert service.count_atoms("t", "m") == 1
    assert service.search_atoms("t", "m", "uno one").items == ()
    with pytest.raises(AtomNotFoundError):
        service.atom_history("t", "m", one)
    assert service.get_atom("t", "m", two).atom.content == "two"


def test_the_history_tells_every_state(store: Store) -> None:
    clock = StillClock()
    with service_on(store, clock=clock) as service:
        say(service, "I live in Berlin.", at="2023-05-08T10:00:00Z")
        atom_id = only(service, "I live in Berlin.").atom.atom_id
        assert [s.reason for s in service.atom_history("t", "m", atom_id)] == ["found"]
        for content in ("I live in Oslo.", "I live in Rome."):
            clock.us += 1_000_000
            service.update_atom("t", "m", atom_id, content)
        states = service.atom_history("t", "m", atom_id)
        assert [(s.revision, s.content, s.reason) for s in states] == [
            (1, "I live in Berlin.", "found"),
            (2, "I live in Oslo.", "updated"),
            (3, "I live in Rome.", "updated"),
        ]
        assert states[0].changed_us == 1_683_540_000_000_000
        assert states[2].changed_us == clock.us
        (made,) = make(service, "one")
        assert [s.reason for s in service.atom_history("t", "m", made)] == ["created"]


def test_as_of_tells_what_it_said_before_the_update(store: Store) -> None:
    clock = StillClock()
    with service_on(store, clock=clock) as service:
        (atom_id,) = make(service, "Ann lives in Berlin")
        before = "2023-11-14T22:13:20Z"
        clock.us += 1_000_000
        service.update_atom("t", "m", atom_id, "Ann lives in Oslo")
        (then,) = service.query_atoms("t", "m", as_of=before).items
        assert then.atom.content == "Ann lives in Berlin"
        (now,) = service.query_atoms("t", "m").items
        assert now.atom.content == "Ann lives in Oslo"


def edited(service: MemoryService) -> dict[str, str]:
    """A memory of which a hand has changed one atom, deleted another, and made a third."""
    say(service, "I live in Berlin.", "I love tea.", "I have a dog.")
    changed, gone = only(service, "I live in Berlin."), only(service, "I love tea.")
    service.update_atom("t", "m", changed.atom.atom_id, "I live in Oslo.")
    service.delete_atoms("t", "m", [gone.atom.atom_id])
    make(service, "by hand")
    return {"changed": changed.atom.atom_id, "gone": gone.atom.atom_id}


def test_a_rebuild_keeps_what_hands_did(service: MemoryService) -> None:
    edited(service)
    before = atoms(service)
    service.rebuild("t", "m")
    assert atoms(service) == before
    assert contents(service) == ["I have a dog.", "I live in Oslo.", "by hand"]


def test_another_build_keeps_what_hands_did(store: Store) -> None:
    with service_on(store) as service:
        edited(service)
    with service_on(store, semantic=False) as service:
        service.rebuild_all()
        assert contents(service) == ["I live in Oslo.", "by hand"]
    with service_on(store) as service:
        service.rebuild_all()
        assert "I have a dog." in contents(service)
        assert "I live in Oslo." in contents(service)


def test_what_was_deleted_by_hand_may_be_said_again(service: MemoryService) -> None:
    edited(service)
    later = say(service, "I love tea.")
    assert only(service, "I love tea.").turn_ids == later
    service.rebuild("t", "m")
    assert only(service, "I love tea.").turn_ids == later


def test_a_changed_atom_that_is_said_again_stays_as_it_was_changed(service: MemoryService) -> None:
    names = edited(service)
    say(service, "I live in Berlin.", session="s2")
    found = service.get_atom("t", "m", names["changed"])
    assert found.atom.content == "I live in Oslo."
    assert len(found.turn_ids) == 2


def test_a_newer_value_by_hand_takes_the_place_of_an_older_one(service: MemoryService) -> None:
    say(service, "I live in Berlin.", at="2023-05-08T10:00:00Z")
    say(service, "I live in Paris.", at="2023-06-08T10:00:00Z")
    first = only(service, "I live in Berlin.").atom.atom_id
    assert held(service) == ["I live in Paris."]
    service.update_atom("t", "m", first, "I moved around.")
    assert held(service) == ["I live in Paris.", "I moved around."]


def test_sources_that_are_named_are_turns_of_the_memory(service: MemoryService) -> None:
    ids = say(service, "Hm.", "Well.")
    atom = NewAtom(content="Ann hesitates", type="persona", source_turn_ids=[ids[1], ids[0]])
    receipt = service.create_atoms("t", "m", [atom])
    assert receipt.items[0].turn_ids == ids
    bad = NewAtom(content="x", type="persona", source_turn_ids=["t_" + 24 * "0"])
    with pytest.raises(InvalidInputError, match=r"items\.1\.source_turn_ids"):
        service.create_atoms("t", "m", [atom, bad], request_id="r")
    assert contents(service) == ["Ann hesitates"]


def test_what_was_found_on_the_same_turns_is_not_made_again(service: MemoryService) -> None:
    ids = say(service, "I joined a choir. I love sushi.", at="2023-05-08T10:00:00Z")
    found = only(service, "I love sushi.")
    same = NewAtom(content="i love sushi", type="persona", background="twice", source_turn_ids=ids)
    other = NewAtom(content="I love ramen", type="persona", source_turn_ids=ids)
    receipt = service.create_atoms("t", "m", [same, other], request_id="r")
    assert receipt.atom_ids[0] == found.atom.atom_id
    kept = only(service, "I love sushi.").atom
    assert (kept.revision, kept.background, kept.subject) == (2, "twice", found.atom.subject)
    assert sorted(contents(service)) == ["I joined a choir.", "I love ramen", "I love sushi."]
    reasons = [state.reason for state in service.atom_history("t", "m", found.atom.atom_id)]
    assert reasons == ["found", "created"]
    service.rebuild("t", "m")
    service.update_atom("t", "m", found.atom.atom_id, "I love all sushi.")
    again = service.create_atoms("t", "m", [same, other], request_id="r")
    assert (again.replayed, again.atom_ids) == (True, receipt.atom_ids)
    assert len(contents(service)) == 3


def test_two_items_of_one_request_may_be_the_same_found_atom(service: MemoryService) -> None:
    ids = say(service, "I love sushi.")
    same = NewAtom(content="I love sushi.", type="persona", source_turn_ids=ids)
    receipt = service.create_atoms("t", "m", [same, same], request_id="r")
    assert len(set(receipt.atom_ids)) == 1
    assert contents(service) == ["I love sushi."]
    assert service.create_atoms("t", "m", [same, same], request_id="r").atom_ids == receipt.atom_ids


@pytest.mark.parametrize(
    "changes",
    [
        {"type": "episodic"},
        {"event_time": "2020-01-01"},
        {"source_turn_ids": ()},
        {"content": "I love sushi a lot."},
    ],
)
def test_what_says_something_else_is_made(
    service: MemoryService, changes: dict[str, object]
) -> None:
    ids = say(service, "I love sushi.")
    given = {"content": "I love sushi.", "type": "persona", "source_turn_ids": ids} | changes
    receipt = service.create_atoms("t", "m", [item(**given)], request_id="r")
    assert len(contents(service)) == 2
    assert service.create_atoms("t", "m", [item(**given)], request_id="r").replayed
    assert (
        receipt.atom_ids == service.create_atoms("t", "m", [item(**given)], request_id="r").atom_ids
    )


def item(**changes: object) -> NewAtom:
    return NewAtom(**({"content": "x", "type": "persona"} | changes))  # type: ignore[arg-type]


BAD: dict[str, tuple[str, Callable[[MemoryService], object]]] = {
    "no items": ("items", lambda s: s.create_atoms("t", "m", [])),
    "too many items": ("items", lambda s: s.create_atoms("t", "m", [item()] * 101)),
    "no atom": ("items.0", lambda s: s.create_atoms("t", "m", ["x"])),  # type: ignore[list-item]
    "blank": ("items.0.content", lambda s: s.create_atoms("t", "m", [item(content=" ")])),
    "long": ("items.0.content", lambda s: s.create_atoms("t", "m", [item(content="x" * 8193)])),
    "type": ("items.1.type", lambda s: s.create_atoms("t", "m", [item(), item(type="fact")])),
    "note": ("items.0.background", lambda s: s.create_atoms("t", "m", [item(background=7)])),
    "time": ("items.0.event_time", lambda s: s.create_atoms("t", "m", [item(event_time="?")])),
    "sources": (
        "items.0.source_turn_ids",
        lambda s: s.create_atoms("t", "m", [item(source_turn_ids="x")]),
    ),
    "request": ("request_id", lambda s: s.create_atoms("t", "m", [item()], request_id=" ")),
    "content": ("content", lambda s: s.update_atom("t", "m", UNKNOWN, "")),
    "expected": (
        "expected_version",
        lambda s: s.update_atom("t", "m", UNKNOWN, "x", expected_version=0),
    ),
    "ids": ("ids", lambda s: s.delete_atoms("t", "m", [])),
    "many ids": ("ids", lambda s: s.delete_atoms("t", "m", ["x"] * 5001)),
    "an id": ("ids", lambda s: s.delete_atoms("t", "m", [7])),  # type: ignore[list-item]
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_names_its_field_and_changes_nothing(service: MemoryService, name: str) -> None:
    field, call = BAD[name]
    with pytest.raises(InvalidInputError) as caught:
        call(service)
    assert caught.value.field == field
    assert service.query_atoms("t", "m").total == 0


def test_a_hand_writes_while_turns_wait_for_their_vectors(store: Store) -> None:
    with service_on(store, dense=True) as service:
        say(service, "I love tea.", policy=ATOMIC)
        make(service, "one")
        assert contents(service) == ["I love tea.", "one"]
