"""Searching and listing atoms: conditions before ranking, one scale of scores, the same however a view came about."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from tests.service.atoms.makers import TEXTS, atoms, contents, say, service_on
from tests.service.conftest import StillClock

from graphmem.build.graph import Graph, TurnPlace
from graphmem.domain.atom_query import FoundAtom, NewAtom
from graphmem.domain.moment import Moment
from graphmem.domain.scope import Scope
from graphmem.errors import BuildFailedError, InvalidInputError, MemoryPendingError
from graphmem.ports.store import Store
from graphmem.providers.embedding.fake import Failure, FakeEmbedder
from graphmem.service.memory import MemoryService
from graphmem.service.policy import PRODUCT
from graphmem.stores.memory.store import MemoryStore

SCOPE = Scope(tenant_id="t", memory_id="m")
QUERIES = ("sushi", "Where does Ann live? Berlin Paris", "关西线路 北京", "Rome 2021 nurse")
FIRST = 1_683_540_000_000_000

steps = st.lists(
    st.one_of(
        st.tuples(
            st.just("say"),
            st.lists(st.sampled_from(TEXTS), min_size=1, max_size=3),
            st.sampled_from(["Ann", "Bob"]),
            st.sampled_from(["s1", "s2"]),
            st.integers(0, 3),
        ),
        st.tuples(st.just("update"), st.integers(0, 20), st.sampled_from(TEXTS)),
        st.tuples(st.just("delete"), st.integers(0, 20)),
        st.tuples(st.just("forget"), st.integers(0, 20)),
        st.tuples(st.just("make"), st.sampled_from(TEXTS)),
    ),
    min_size=1,
    max_size=10,
)
quick = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def act(
    service: MemoryService, clock: StillClock, step: tuple[object, ...], ids: list[str]
) -> None:
    """Do one thing to the memory."""
    clock.us += 1_000_003
    held = [one.atom.atom_id for one in service.query_atoms("t", "m", limit=100).items]
    match step:
        case ("say", list(texts), str(speaker), str(session), int(day)):
            at = Moment(us=FIRST + day * 86_400_000_001).iso()
            ids += say(service, *texts, speaker=speaker, session=session, at=at)
        case ("update", int(place), str(text)) if held:
            service.update_atom("t", "m", held[place % len(held)], text)
        case ("delete", int(place)) if held:
            service.delete_atoms("t", "m", [held[place % len(held)]])
        case ("forget", int(place)) if ids:
            service.delete_messages("t", "m", [ids[place % len(ids)]])
        case ("make", str(text)):
            service.create_atoms("t", "m", [NewAtom(content=text, type="episodic")])


def answers(service: MemoryService) -> list[object]:
    """Everything that searches tell."""
    return [service.search_atoms("t", "m", q, limit=100).to_dict() for q in QUERIES]


@quick
@given(steps)
def test_a_view_that_grew_answers_as_one_that_was_read_whole(
    script: list[tuple[object, ...]],
) -> None:
    store, clock = MemoryStore(), StillClock()
    with service_on(store, clock=clock) as service:
        ids: list[str] = []
        for step in script:
            act(service, clock, step, ids)
            answers(service)
        warm = answers(service)
    with service_on(store, clock=clock) as fresh:
        assert answers(fresh) == warm


@quick
@given(steps)
def test_what_is_superseded_is_what_the_graph_says(script: list[tuple[object, ...]]) -> None:
    store, clock = MemoryStore(), StillClock()
    with service_on(store, clock=clock) as service:
        ids: list[str] = []
        for step in script:
            act(service, clock, step, ids)
        found = atoms(service)
        with store.read(SCOPE) as snapshot:
            turns = snapshot.turns(snapshot.turn_nos())
    places = {
        turn.turn_no: TurnPlace(
            scene=turn.session_no, time_us=turn.occurred.us if turn.occurred else turn.recorded_us
        )
        for turn in turns
    }
    graph = Graph(atoms=[one.atom for one in found], turns=places)
    assert {o.atom.atom_id for o in found if o.is_superseded} == set(graph.superseded)


def fill(service: MemoryService) -> list[FoundAtom]:
    """Sixty atoms of all types, of two speakers and sessions, a microsecond over a day apart."""
    for number in range(20):
        for text, speaker in (
            ("I have cat {}", "Ann"),
            ("I visited cat {}", "Bob"),
            ("Always greet cat {}", "Ann"),
        ):
            say(
                service,
                f"{text.format(number)}.",
                speaker=speaker,
                session=f"s{number % 2}",
                at=Moment(us=FIRST + number * 86_400_000_001).iso(),
            )
    return atoms(service)


windows = st.none() | st.tuples(st.integers(-1, 20), st.integers(-1, 1)).map(
    lambda place: FIRST + place[0] * 86_400_000_001 + place[1]
)


@pytest.fixture(scope="module")
def filled() -> tuple[MemoryService, list[FoundAtom]]:
    context = service_on(MemoryStore())
    service = context.__enter__()
    return service, fill(service)


@settings(max_examples=150, deadline=None)
@given(
    type=st.sampled_from([None, "persona", "instruction", "episodic"]),
    start=windows,
    end=windows,
    offset=st.sampled_from([0, 480, -330]),
    subject=st.sampled_from([None, "Ann", " bob ", "Eve"]),
    session=st.sampled_from([None, "s0", "s1", "s9"]),
    limit=st.integers(1, 100),
)
def test_conditions_give_what_a_plain_filter_of_all_rows_gives(
    filled: tuple[MemoryService, list[FoundAtom]],
    type: str | None,  # noqa: A002
    start: int | None,
    end: int | None,
    offset: int,
    subject: str | None,
    session: str | None,
    limit: int,
) -> None:
    service, everything = filled
    if start is not None and end is not None and start > end:
        start, end = end, start

    def is_wanted(one: FoundAtom) -> bool:
        atom = one.atom
        number = atom.content.rstrip(".").split()[-1]
        return (
            (type is None or atom.type == type)
            and (start is None or atom.updated_us >= start)
            and (end is None or atom.updated_us <= end)
            and (subject is None or atom.subject.casefold() == subject.strip().casefold())
            and (session is None or session == f"s{int(number) % 2}")
        )

    conditions = {
        "type": type,
        "time_start": None if start is None else Moment(us=start, offset_minutes=offset).iso(),
        "time_end": None if end is None else Moment(us=end, offset_minutes=offset),
        "subject": subject,
        "session_id": session,
    }
    whole = service.search_atoms("t", "m", "cat 7 visited", limit=100, superseded=True).items
    found = service.search_atoms(
        "t",
        "m",
        "cat 7 visited",
        limit=limit,
        superseded=True,
        **conditions,  # type: ignore[arg-type]
    ).items
    assert found == tuple(filter(is_wanted, whole))[:limit]
    page = service.query_atoms("t", "m", limit=limit, **conditions)  # type: ignore[arg-type]
    plain = sorted(
        filter(is_wanted, everything), key=lambda o: (-o.atom.updated_us, o.atom.atom_id)
    )
    assert page.items == tuple(plain[:limit])
    assert page.total == len(plain) == service.count_atoms("t", "m", **conditions)  # type: ignore[arg-type]


def test_scores_are_shares_that_never_rise_along_the_list(service: MemoryService) -> None:
    fill(service)
    found = service.search_atoms("t", "m", "cat 7 visited", limit=50).items
    scores = [one.score for one in found if one.score is not None]
    assert len(scores) == len(found) == 50
    assert scores == sorted(scores, reverse=True)
    assert 0.0 < scores[-1] <= scores[0] <= 1.0
    assert service.search_atoms("t", "m", "cat 7 visited", limit=50).items == found
    assert service.search_atoms("t", "m", "cat 7 visited", limit=3).items == found[:3]


def test_pages_follow_one_another(service: MemoryService) -> None:
    fill(service)
    pages = [
        service.query_atoms("t", "m", limit=7, offset=start).items for start in range(0, 63, 7)
    ]
    whole = service.query_atoms("t", "m", limit=100)
    assert tuple(one for page in pages for one in page) == whole.items
    assert service.query_atoms("t", "m", offset=1000).items == ()


def test_one_match_among_many_is_found_at_limit_one(service: MemoryService) -> None:
    for start in range(0, 2000, 250):
        say(service, *(f"I love the garden {n}." for n in range(start, start + 250)), speaker="Bob")
    say(service, "I love the garden.", speaker="Ann", session="other")
    say(service, "Always mention the garden.", speaker="Bob")
    for conditions in ({"subject": "Ann"}, {"session_id": "other"}):
        (found,) = service.search_atoms("t", "m", "garden", limit=1, **conditions).items  # type: ignore[arg-type]
        assert found.atom.content == "I love the garden."
    (found,) = service.search_atoms("t", "m", "garden", limit=1, type="instruction").items
    assert found.atom.content == "Always mention the garden."


def test_who_is_spoken_of_is_found_by_name(service: MemoryService) -> None:
    say(service, "I love sushi.", speaker="Caroline")
    say(service, "I love tea.", speaker="Bob")
    (found,) = service.search_atoms("t", "m", "What about Caroline?").items
    assert found.atom.content == "I love sushi."


def test_meaning_counts_through_the_first_source(store: Store) -> None:
    with service_on(store, dense=True) as service:
        say(service, "I love sushi.", "I visited Oslo.")
        assert (
            service.search_atoms("t", "m", "I visited Oslo.").items[0].atom.content
            == "I visited Oslo."
        )
        scores = [one.score for one in service.search_atoms("t", "m", "Oslo").items]
        assert all(score is not None and 0 < score <= 1 for score in scores)


def test_a_memory_that_is_not_there_has_no_atoms(service: MemoryService) -> None:
    assert service.search_atoms("t", "nobody", "x").to_dict() == {"items": [], "version": 0}
    assert service.query_atoms("t", "nobody").to_dict() == {"items": [], "total": 0}


def test_a_cache_that_holds_nothing_answers_the_same(store: Store) -> None:
    with service_on(store) as service:
        fill(service)
        before = answers(service)
        service._atoms._views._limit = 0
        service._atoms.drop(SCOPE)
        assert answers(service) == before


def test_what_died_is_cleared_away(service: MemoryService) -> None:
    (atom_id,) = service.create_atoms("t", "m", [NewAtom(content="one", type="persona")]).atom_ids
    for number in range(1100):
        service.update_atom("t", "m", atom_id, f"state {number}")
        if number % 100 == 0:
            service.query_atoms("t", "m")
    for number in range(1100):
        service.update_atom("t", "m", atom_id, f"later {number}")
        assert len(service.search_atoms("t", "m", "later state").items) == 1
    assert service.get_atom("t", "m", atom_id).atom.revision == 2201
    assert service._atoms._views._nbytes < 200_000


BAD: dict[str, tuple[str, Callable[[MemoryService], object]]] = {
    "blank": ("query", lambda s: s.search_atoms("t", "m", " ")),
    "long": ("query", lambda s: s.search_atoms("t", "m", "x" * 2049)),
    "no limit": ("limit", lambda s: s.search_atoms("t", "m", "x", limit=0)),
    "high limit": ("limit", lambda s: s.search_atoms("t", "m", "x", limit=101)),
    "limit as text": ("limit", lambda s: s.search_atoms("t", "m", "x", limit="5")),  # type: ignore[arg-type]
    "limit as truth": ("limit", lambda s: s.query_atoms("t", "m", limit=True)),
    "offset": ("offset", lambda s: s.query_atoms("t", "m", offset=-1)),
    "type": ("type", lambda s: s.search_atoms("t", "m", "x", type="fact")),
    "start": ("time_start", lambda s: s.search_atoms("t", "m", "x", time_start="yesterday")),
    "end": ("time_end", lambda s: s.query_atoms("t", "m", time_end=7)),  # type: ignore[arg-type]
    "order": (
        "time_start",
        lambda s: s.count_atoms("t", "m", time_start="2024-01-01", time_end="2023-01-01"),
    ),
    "as of": ("as_of", lambda s: s.query_atoms("t", "m", as_of="then")),
    "session": ("session_id", lambda s: s.query_atoms("t", "m", session_id=" ")),
    "subject": ("subject", lambda s: s.query_atoms("t", "m", subject="")),
    "memory": ("memory_id", lambda s: s.query_atoms("t", "")),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_names_its_field(service: MemoryService, name: str) -> None:
    field, call = BAD[name]
    with pytest.raises(InvalidInputError) as caught:
        call(service)
    assert caught.value.field == field


def test_of_an_unpublished_add_no_atom_is_seen_until_it_is_published(store: Store) -> None:
    model = FakeEmbedder()
    with service_on(store, model=model) as service:
        say(service, "I love tea.")
        model.break_down(Failure.DOWN)
        with pytest.raises(BuildFailedError):
            say(service, "I love sushi.")
        assert contents(service) == ["I love tea."]
        with pytest.raises(MemoryPendingError):
            service.query_atoms("t", "m", policy=PRODUCT)
        made = service.create_atoms("t", "m", [NewAtom(content="by hand", type="persona")])
        assert [one.atom.content for one in made.items] == ["by hand"]
        model.recover()
        service.rebuild_all()
        assert contents(service) == ["I love sushi.", "I love tea.", "by hand"]
