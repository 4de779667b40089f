from __future__ import annotations

from hypothesis import given, strategies as st

from graphmem.domain.atom import Atom
from tests.build.makers import atom, graph

made = st.builds(
    atom,
    st.sampled_from(["a", "b", "c", "d"]),
    st.integers(0, 40),
    subject=st.sampled_from(["Ann", "ann ", "Bo", ""]),
    predicate=st.sampled_from(["visit", "own"]),
    value=st.sampled_from(["", "Rome", "rome", "Oslo"]),
    attribute=st.sampled_from(["", "residence", "job", "job/end"]),
    event=st.sampled_from([None, "2023-05", "2022..", "..2021"]),
)
some = st.lists(made, max_size=12, unique_by=lambda one: one.atom_id)


def _contents(atoms: tuple[Atom, ...]) -> list[str]:
    return [one.content for one in atoms]


@given(some, st.randoms(use_true_random=False))
def test_the_graph_does_not_depend_on_the_order_of_its_atoms(
    atoms: list[Atom], random: object
) -> None:
    shuffled = atoms[:]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    one, other = graph(*atoms), graph(*shuffled)
    assert one.chains == other.chains
    assert one.superseded == other.superseded
    assert one.collections == other.collections
    assert one.timeline == other.timeline
    assert one.equal_values == other.equal_values
    assert one.scene_facts == other.scene_facts


def test_the_newest_value_of_an_attribute_holds() -> None:
    berlin = atom("I live in Berlin", 1, attribute="residence")
    paris = atom("I live in Paris", 5, attribute="residence")
    (chain,) = graph(paris, berlin).chains
    assert chain.head.atom == paris
    assert graph(paris, berlin).superseded == {berlin.atom_id: paris.atom_id}


def test_a_value_that_came_back_holds_and_was_true_in_two_periods() -> None:
    love = atom("I love sushi", 1, 30, predicate="love", attribute="attitude:sushi")
    hate = atom("I hate sushi", 10, predicate="hate", attribute="attitude:sushi")
    (chain,) = graph(love, hate).chains
    assert [state.atom.content for state in chain.states] == [
        "I love sushi",
        "I hate sushi",
        "I love sushi",
    ]
    assert graph(love, hate).superseded == {hate.atom_id: love.atom_id}


def test_other_words_for_the_same_value_retire_nothing() -> None:
    moved = atom("I moved to Paris", 5, value="Paris", attribute="residence", event="1970-01-03")
    live = atom("I live in Paris", 9, value="paris with Bo", attribute="residence")
    (chain,) = graph(moved, live).chains
    assert [state.atom for state in chain.states] == [moved, live]
    assert graph(moved, live).superseded == {}
    assert chain.replaced is None


def test_what_another_value_came_between_is_history() -> None:
    first = atom("I moved to Paris", 1, value="Paris", attribute="residence")
    between = atom("I live in Oslo", 5, value="Oslo", attribute="residence")
    last = atom("I live in Paris again", 9, value="Paris", attribute="residence")
    found = graph(first, between, last)
    assert found.superseded == {
        first.atom_id: between.atom_id,
        between.atom_id: last.atom_id,
    }
    assert found.chains[0].holding == {last.atom_id}
    assert found.chains[0].replaced is not None
    assert found.chains[0].replaced.atom == between


def test_an_end_retires_the_value_that_it_names_and_no_other() -> None:
    old = atom("I work at Acme", 1, value="Acme", attribute="employer")
    new = atom("I work at Initech", 4, value="Initech", attribute="employer")
    left = atom("I left Acme", 6, value="Acme", attribute="employer/end")
    assert graph(old, left).superseded == {old.atom_id: left.atom_id}
    assert graph(old, new, left).superseded == {old.atom_id: new.atom_id}
    assert graph(old, new, left).chains[0].holding == {new.atom_id, left.atom_id}


def test_an_end_that_names_no_value_retires_the_one_that_held() -> None:
    works = atom("I work at Acme", 1, value="Acme", attribute="employer")
    left = atom("I quit my job", 6, attribute="employer/end")
    back = atom("I work at Acme again", 9, value="Acme", attribute="employer")
    assert graph(works, left).superseded == {works.atom_id: left.atom_id}
    assert graph(works, left, back).chains[0].holding == {left.atom_id, back.atom_id}


def test_an_end_of_what_nobody_set_is_in_no_chain() -> None:
    works = atom("I work at Acme", 1, value="Acme", attribute="employer")
    left = atom("I left Mary", 6, value="Mary", attribute="employer/end")
    assert [state.atom for state in graph(works, left).chains[0].states] == [works]
    assert graph(left).chains == ()
    assert graph(works, left).superseded == {}


def test_valid_time_goes_before_the_time_of_saying() -> None:
    now = atom("I have lived in Rome since 2023", 3, attribute="residence", event="2023..")
    told_later = atom("in 2020 I moved to Oslo", 9, attribute="residence", event="2020")
    (chain,) = graph(now, told_later).chains
    assert chain.head.atom == now


@given(st.lists(st.sampled_from(["Ann", "Bo"]), min_size=2, max_size=2, unique=True))
def test_another_subject_or_attribute_retires_nothing(subjects: list[str]) -> None:
    first = atom("I live in Berlin", 1, subject=subjects[0], attribute="residence")
    second = atom("I live in Paris", 2, subject=subjects[1], attribute="residence")
    third = atom("I work in Paris", 3, subject=subjects[0], attribute="employer")
    assert graph(first, second, third).superseded == {}


@given(some)
def test_atoms_without_an_attribute_are_never_retired(atoms: list[Atom]) -> None:
    retired = graph(*atoms).superseded
    assert not [one for one in atoms if one.atom_id in retired and not one.attribute]


def test_dated_atoms_of_a_subject_stand_in_the_order_of_their_events() -> None:
    later = atom("Rome in 2023", 1, event="2023")
    earlier = atom("Oslo in 2021", 2, event="2021")
    undated = atom("Kyiv", 3)
    assert _contents(graph(later, earlier, undated).timeline["ann"]) == [
        "Oslo in 2021",
        "Rome in 2023",
    ]


def test_several_values_of_one_verb_are_a_collection() -> None:
    rome = atom("I visited Rome", 1, predicate="visit", value="Rome")
    oslo = atom("I visited Oslo", 2, predicate="visit", value="Oslo")
    (found,) = graph(oslo, rome).collections
    assert (found.subject, found.predicate, found.closed) == ("ann", "visit", True)
    assert _contents(found.members) == ["I visited Rome", "I visited Oslo"]


def test_a_collection_is_open_when_a_scene_of_it_is_kept_only_verbatim_in_part() -> None:
    rome = atom("I visited Rome", 1, predicate="visit", value="Rome")
    oslo = atom("I visited Oslo", 2, predicate="visit", value="Oslo")
    rest = atom("and 3 more", 3, origin="verbatim", type="episodic")
    assert [one.closed for one in graph(rome, oslo, rest).collections] == [False]
    elsewhere = atom("and 3 more", 33, origin="verbatim", type="episodic")
    assert [one.closed for one in graph(rome, oslo, elsewhere).collections] == [True]


def test_the_same_value_said_twice_is_no_collection() -> None:
    one = atom("I visited Rome", 1, predicate="visit", value="Rome")
    two = atom("I visited Rome!", 2, predicate="visit", value="rome", event="2023")
    assert graph(one, two).collections == ()


def test_equal_values_are_linked_across_scenes_only() -> None:
    here = atom("I visited Rome", 1, predicate="visit", value="Rome")
    there = atom("Rome is hot", 15, subject="Bo", predicate="be", value="Rome")
    near = atom("I visited Oslo", 2, predicate="visit", value="Oslo")
    near_too = atom("Oslo is cold", 3, subject="Bo", predicate="be", value="Oslo")
    assert set(graph(here, there, near, near_too).equal_values) == {"rome"}
