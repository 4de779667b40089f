"""What a memory believes: facts that are said again, replaced, deleted, or have nothing to do with each other."""

from __future__ import annotations

import pytest
from tests.service.atoms.makers import atoms, contents, held, only, say, service_on

from graphmem.domain.message import Message
from graphmem.service.memory import MemoryService
from graphmem.service.policy import ADD_SEARCH, PRODUCT, Policy
from graphmem.stores.memory.store import MemoryStore

FIRST, LATER, LAST = "2023-05-08T10:00:00Z", "2023-06-08T10:00:00Z", "2023-07-08T10:00:00Z"


def test_of_love_and_later_hate_the_second_stays_and_the_first_is_history(
    service: MemoryService,
) -> None:
    say(service, "I love sushi.", at=FIRST)
    say(service, "I hate sushi.", at=LATER, session="s2")
    found = service.search_atoms("t", "m", "What does Ann think of sushi?").items
    assert [one.atom.content for one in found] == ["I hate sushi."]
    both = service.search_atoms("t", "m", "sushi", superseded=True).items
    assert {one.atom.content: one.is_superseded for one in both} == {
        "I love sushi.": True,
        "I hate sushi.": False,
    }


def test_what_came_back_holds_again(service: MemoryService) -> None:
    say(service, "I love sushi.", at=FIRST)
    say(service, "I hate sushi.", at=LATER)
    say(service, "I love sushi.", at=LAST)
    assert held(service) == ["I love sushi."]
    assert only(service, "I love sushi.").atom.updated_us == 1_683_540_000_000_000


@pytest.mark.parametrize(
    ("dated", "again", "other"),
    [
        ("I moved to Paris last week.", "I live in Paris.", "I moved to Oslo."),
        ("I got a new job at Bosch in May.", "I work at Bosch.", "I was hired by Siemens."),
        ("I turned 30 yesterday.", "I'm 30 years old now.", "I'm 31."),
        ("我上个月搬到杭州了。", "我现在住在杭州。", "我住在上海。"),
        ("我上周入职腾讯。", "我在腾讯上班。", "我跳槽到字节跳动了。"),
    ],
)
def test_the_same_value_in_other_words_leaves_the_first_with_its_date(
    service: MemoryService, dated: str, again: str, other: str
) -> None:
    say(service, dated, at=FIRST)
    event = atoms(service)[0].atom.event
    say(service, again, at=LATER)
    assert len(held(service)) == 2
    assert event is not None
    assert event in [one.atom.event for one in atoms(service)]
    say(service, other, at=LAST)
    assert held(service) == [other]


@pytest.mark.parametrize(
    ("works", "left"),
    [
        ("I work at Bosch.", "I left Bosch."),
        ("I work at Bosch.", "I quit my job."),
        ("我在腾讯上班。", "我从腾讯离职了。"),
        ("我在腾讯上班。", "我离职了。"),
    ],
)
def test_leaving_ends_a_value_and_sets_none(service: MemoryService, works: str, left: str) -> None:
    say(service, works, at=FIRST)
    say(service, left, at=LATER)
    assert held(service) == [left]
    then = service.search_atoms("t", "m", works, as_of="2023-05-20").items
    assert [(one.atom.content, one.is_superseded) for one in then] == [(works, False)]


def test_leaving_one_employer_ends_no_other(service: MemoryService) -> None:
    say(service, "I work at Bosch.", at=FIRST)
    say(service, "I left Siemens.", "I left Oslo.", at=LATER)
    assert sorted(held(service)) == ["I left Oslo.", "I left Siemens.", "I work at Bosch."]


def test_what_was_believed_then_is_answered_as_of_then(service: MemoryService) -> None:
    say(service, "I love sushi.", at=FIRST)
    say(service, "I hate sushi.", at=LATER)
    then = service.search_atoms("t", "m", "sushi", as_of="2023-05-20").items
    assert [(one.atom.content, one.is_superseded) for one in then] == [("I love sushi.", False)]
    assert service.search_atoms("t", "m", "sushi", as_of="2023-05-01").items == ()
    late = service.search_atoms("t", "m", "sushi", as_of=LATER).items
    assert [one.atom.content for one in late] == ["I hate sushi."]


def test_the_same_fact_of_two_sessions_is_one_atom_with_two_sources(
    service: MemoryService,
) -> None:
    ids = say(service, "I love sushi.", at=FIRST)
    ids += say(service, "i love  sushi!", at=LATER, session="s2")
    (found,) = atoms(service)
    assert found.turn_ids == ids
    assert found.atom.content == "I love sushi."
    assert found.atom.updated_us == found.atom.created_us == 1_683_540_000_000_000


def test_recalled_context_that_is_fed_back_makes_no_new_memory(service: MemoryService) -> None:
    say(service, "I love sushi. I live in Berlin.", "我喜欢关西线路。", at=FIRST)
    before = {one.atom.atom_id: one.atom.updated_us for one in atoms(service)}
    recalled = " ".join(one.atom.content for one in atoms(service))
    say(service, recalled, at=LATER, session="s2")
    assert {one.atom.atom_id: one.atom.updated_us for one in atoms(service)} == before


def test_unrelated_facts_never_retire_each_other(service: MemoryService) -> None:
    said = [f"{text} {n}." for n in range(1500) for text in ("I own book", "I visited house")]
    for start in range(0, len(said), 250):
        say(service, *said[start : start + 250])
    assert len(held(service)) == len(set(contents(service))) >= 3000


def test_the_same_fact_of_two_persons_stays_with_both(service: MemoryService) -> None:
    say(service, "I live in Berlin.", speaker="Ann", at=FIRST)
    say(service, "I live in Paris.", speaker="Bob", at=LATER)
    assert held(service) == ["I live in Berlin.", "I live in Paris."]
    assert len({one.atom.subject for one in atoms(service)}) == 2


def test_the_same_fact_true_in_two_periods_is_two_atoms(service: MemoryService) -> None:
    say(service, "I visited Rome in 2021.", at=FIRST)
    say(service, "I visited Rome in 2023.", at=FIRST)
    assert held(service) == ["I visited Rome in 2021.", "I visited Rome in 2023."]


def test_a_memory_sees_no_atoms_of_another(service: MemoryService) -> None:
    say(service, "I love sushi.")
    for tenant, memory in (("t", "other"), ("u", "m")):
        assert service.query_atoms(tenant, memory).total == 0
        assert service.search_atoms(tenant, memory, "sushi").items == ()


def test_the_same_words_have_other_ids_in_another_memory(service: MemoryService) -> None:
    say(service, "I love sushi.")
    service.add("t", "other", "s", [Message(role="user", content="I love sushi.", speaker="Ann")])
    (here,), (there,) = atoms(service), atoms(service, "other")
    assert here.atom.content == there.atom.content
    assert here.atom.atom_id != there.atom.atom_id


@pytest.mark.parametrize("policy", [PRODUCT, ADD_SEARCH])
def test_without_the_semantic_build_there_are_turns_only(policy: Policy) -> None:
    with service_on(MemoryStore(), semantic=False) as service:
        say(service, "I love sushi.", policy=policy)
        assert atoms(service) == []
        assert len(service.retrieve("t", "m", "sushi").hits) == 1


def test_an_add_that_is_replayed_adds_no_source(service: MemoryService) -> None:
    ids = say(service, "I love sushi.", request_id="r")
    assert say(service, "I love sushi.", request_id="r") == ids
    assert only(service, "I love sushi.").turn_ids == ids
