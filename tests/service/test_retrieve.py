from __future__ import annotations

import json
import math
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from graphmem.domain.message import Message
from graphmem.errors import InvalidInputError, MemoryNotFoundError
from graphmem.ports.store import Store
from graphmem.service.memory import MemoryService
from graphmem.stores.memory.store import MemoryStore
from tests.service.conftest import STORES, make_service, make_store, says

WORDS = (
    "choir",
    "garden",
    "river",
    "letter",
    "piano",
    "北京烤鸭",
    "学习",
    "图书馆",
    "Ann",
    "20.04",
)
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
batches = st.lists(
    st.tuples(st.sampled_from(["s1", "s2"]), st.lists(texts, min_size=1, max_size=4)),
    min_size=1,
    max_size=6,
)


def _answer(service: MemoryService, tenant: str, memory: str, query: str) -> bytes:
    found = service.retrieve(tenant, memory, query, limit=100, explain=True)
    return json.dumps(found.to_dict(), ensure_ascii=False).encode()


def test_a_search_after_an_add_sees_it(service: MemoryService) -> None:
    for number in range(30):
        service.add("t", "m", "s", says(f"the word is w{number}x"))
        assert service.retrieve("t", "m", f"w{number}x").hits[0].content.endswith(f"w{number}x")


def test_an_unknown_memory_is_an_error(service: MemoryService) -> None:
    service.add("t", "m", "s", says("hello"))
    with pytest.raises(MemoryNotFoundError):
        service.retrieve("t", "other", "hello")
    with pytest.raises(MemoryNotFoundError):
        service.retrieve("t2", "m", "hello")


@pytest.mark.parametrize("query", ["?", "/", "🫥", "the of and", "，。", "...", "zebra"])
def test_a_query_that_matches_nothing_returns_nothing(service: MemoryService, query: str) -> None:
    service.add("t", "m", "s", says("I joined a choir", "我昨天去图书馆学习"))
    assert service.retrieve("t", "m", query).hits == ()


@pytest.mark.parametrize(
    "query",
    [
        "pre-edit",
        "memory:safe",
        'say "hi',
        "foo AND bar",
        "(python",
        "20.04",
        "don't (",
        "NEAR/3",
        "a*",
    ],
)
def test_operators_of_search_engines_are_ordinary_text(service: MemoryService, query: str) -> None:
    service.add("t", "m", "s", says("pre-edit memory:safe say hi foo bar python 20.04 near a"))
    service.retrieve("t", "m", query)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("我昨天去图书馆学习", "学习"),
        ("订单号 ＣＮ－Ａ１０２９３ 已发货", "cn-a10293"),
        ("order CN-A10293 shipped", "ＣＮ－Ａ１０２９３"),
        ("Alice喜欢北京烤鸭employees", "烤鸭"),
        ("Alice喜欢北京烤鸭employees", "employee"),
        ("we call read_token here", "read_token"),
        ("upgrade to 20.04 soon", "20.04"),
        ("write to ann.lee@example.org", "ann.lee@example.org"),
        ("We are singing", "sing"),
    ],
)
def test_what_is_said_is_found(service: MemoryService, text: str, query: str) -> None:
    service.add("t", "m", "s", says("something else entirely", text))
    assert service.retrieve("t", "m", query).hits[0].content == text


def test_scores_are_finite_positive_and_ordered_with_ties_by_id(service: MemoryService) -> None:
    service.add("t", "m", "s", says(*["choir practice"] * 20, "choir", "practice choir choir"))
    hits = service.retrieve("t", "m", "choir practice", limit=100).hits
    assert all(math.isfinite(hit.score) and hit.score > 0 for hit in hits)
    keys = [(-hit.score, hit.id) for hit in hits]
    assert keys == sorted(keys)


def test_the_shares_add_up_to_the_score(service: MemoryService) -> None:
    service.add("t", "m", "s", says("choir practice", "see you there", speaker="Ann"))
    for hit in service.retrieve("t", "m", "Ann choir", explain=True).hits:
        assert hit.shares is not None
        assert sum(hit.shares.values()) == pytest.approx(hit.score, abs=1e-5)


def test_without_explain_no_shares_are_told(service: MemoryService) -> None:
    service.add("t", "m", "s", says("choir"))
    hit = service.retrieve("t", "m", "choir").hits[0]
    assert hit.shares is None
    assert "shares" not in hit.to_dict()


def test_a_smaller_limit_gives_the_first_of_the_larger(service: MemoryService) -> None:
    service.add("t", "m", "s", says(*[f"choir {'sing ' * (i % 5)}" for i in range(60)]))
    whole = service.retrieve("t", "m", "choir sing", limit=60).hits
    for limit in (1, 7, 59):
        assert service.retrieve("t", "m", "choir sing", limit=limit).hits == whole[:limit]


def test_a_neighbour_of_the_match_is_found_but_not_across_sessions(service: MemoryService) -> None:
    service.add("t", "m", "s1", says("Do you still sing in the choir?", "Every Tuesday, yes."))
    service.add("t", "m", "s2", says("Nothing of that sort."))
    contents = [hit.content for hit in service.retrieve("t", "m", "choir").hits]
    assert contents == ["Do you still sing in the choir?", "Every Tuesday, yes."]


def test_the_named_speaker_comes_first(service: MemoryService) -> None:
    service.add("t", "m", "s1", says("I love the garden", speaker="Caroline"))
    service.add("t", "m", "s2", says("I love the garden", speaker="Melanie"))
    for name in ("Caroline", "Melanie"):
        found = service.retrieve("t", "m", f"Does {name} love the garden?")
        assert found.hits[0].speaker == name
        assert found.trace.named_speakers == (name,)


def test_a_long_message_is_found_by_a_passage_and_returned_whole(service: MemoryService) -> None:
    filler = "The meeting went on about budgets and plans. " * 200
    text = f"{filler}By the way, the spare key lies under the blue flowerpot. {filler}"
    service.add("t", "m", "s", says("A blue key.", text, "Nothing here."))
    hits = service.retrieve("t", "m", "Where is the spare key under the flowerpot?").hits
    assert hits[0].content == text


def test_options_help_to_find_evidence(service: MemoryService) -> None:
    service.add("t", "m", "s1", says("We bought a saxophone"))
    service.add("t", "m", "s2", says("The weather was fine"))
    assert service.retrieve("t", "m", "Which instrument?").hits == ()
    found = service.retrieve("t", "m", "Which instrument?", options=["A. piano", "B. saxophone"])
    assert found.hits[0].content == "We bought a saxophone"


@pytest.mark.parametrize(
    ("field", "query", "options", "limit"),
    [
        ("query", "", (), 1),
        ("query", " \n", (), 1),
        ("query", None, (), 1),
        ("query", "x" * 200_001, (), 1),
        ("options", "x", "AB", 1),
        ("options", "x", (1,), 1),
        ("limit", "x", (), 0),
        ("limit", "x", (), 1001),
        ("limit", "x", (), True),
        ("limit", "x", (), "5"),
    ],
)
def test_bad_arguments_name_their_field(
    service: MemoryService, field: str, query: str, options: tuple[str, ...], limit: int
) -> None:
    with pytest.raises(InvalidInputError) as caught:
        service.retrieve("t", "m", query, options=options, limit=limit)
    assert caught.value.field == field


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(batches, batches, texts)
def test_no_byte_of_an_answer_depends_on_other_memories(
    mine: list[tuple[str, list[str]]], theirs: list[tuple[str, list[str]]], query: str
) -> None:
    alone, crowded = make_service(MemoryStore()), make_service(MemoryStore())
    for number, (session, said) in enumerate(theirs):
        crowded.add("t", "other", session, says(*said), request_id=f"r{number}")
        crowded.add("t2", "mine", session, says(*said), request_id=f"r{number}")
    for number, (session, said) in enumerate(mine):
        for service in (alone, crowded):
            service.add("t", "mine", session, says(*said), request_id=f"r{number}")
            service.retrieve("t", "mine", query)
        crowded.add("t", "mine2", session, says(*said), request_id=f"r{number}")
    assert _answer(alone, "t", "mine", query) == _answer(crowded, "t", "mine", query)


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(batches, texts)
def test_same_rows_and_query_give_the_same_bytes_on_every_store(
    tmp_path_factory: pytest.TempPathFactory, said: list[tuple[str, list[str]]], query: str
) -> None:
    answers = set()
    for kind in STORES:
        store = make_store(kind, tmp_path_factory.mktemp("store"))
        warm, cold = make_service(store), make_service(store, cache_bytes=0)
        for number, (session, lines) in enumerate(said):
            warm.add("t", "m", session, says(*lines), request_id=f"r{number}")
            warm.retrieve("t", "m", query)
        answers |= {_answer(warm, "t", "m", query), _answer(cold, "t", "m", query)}
        store.close()
    assert len(answers) == 1


@settings(max_examples=25, deadline=None)
@given(st.lists(texts, min_size=2, max_size=12), st.data())
def test_the_ranking_does_not_depend_on_the_cut_into_batches(
    said: list[str], data: st.DataObject
) -> None:
    cuts = sorted(data.draw(st.sets(st.integers(1, len(said) - 1))))
    whole, parts = make_service(MemoryStore()), make_service(MemoryStore())
    whole.add("t", "m", "s", says(*said), request_id="r")
    for start, end in zip([0, *cuts], [*cuts, len(said)], strict=True):
        parts.add("t", "m", "s", says(*said[start:end]), request_id=f"r{start}")
    for query in said[:3]:
        scores = [
            {(hit.content, hit.score) for hit in s.retrieve("t", "m", query, limit=100).hits}
            for s in (whole, parts)
        ]
        assert scores[0] == scores[1]


def test_a_search_beside_writers_sees_whole_batches_only(store: Store) -> None:
    service = make_service(store)
    service.add("t", "m", "other", says("start"))
    done = threading.Event()
    torn: list[int] = []

    def read() -> None:
        while not done.is_set():
            hits = service.retrieve("t", "m", "marker", limit=1000).hits
            if len(hits) % 5:
                torn.append(len(hits))

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for number in range(60):
        service.add("t", "m", f"s{number % 2}", says(*["marker word"] * 5), request_id=f"r{number}")
    done.set()
    for reader in readers:
        reader.join()
    assert torn == []
    assert len(service.retrieve("t", "m", "marker", limit=1000).hits) == 300


def test_the_cache_stays_within_its_bytes(tmp_path: Path) -> None:
    store = make_store("sqlite", tmp_path)
    service = make_service(store, cache_bytes=400_000)
    for number in range(20):
        service.add("t", f"m{number}", "s", says(*[f"word{i} x{number}" for i in range(200)]))
    for _ in range(2):
        for number in range(20):
            service.retrieve("t", f"m{number}", f"word7 x{number}")
    statistics = service.statistics().cache
    assert 0 < statistics.nbytes <= 400_000
    assert 1 <= statistics.memories < 20
    assert statistics.misses > 20
    store.close()


@pytest.mark.parametrize("query", ["Who is Ann?", "小雨说了什么？", "What happened in March 2023?"])
def test_a_name_or_a_time_alone_finds_what_was_said_newest_first(store: Store, query: str) -> None:
    with make_service(store) as service:
        told = [
            ("Ann", "We sail."),
            ("小雨", "下雨了。"),
            ("Bo", "I bake."),
            ("Ann", "It rained."),
            ("小雨", "天晴了。"),
        ]
        service.add(
            "t",
            "m",
            "s",
            [
                Message(
                    role="user", speaker=who, content=text, timestamp=f"2023-0{month}-05T10:00:00Z"
                )
                for month, (who, text) in enumerate(told, 1)
            ],
        )
        found = [hit.content for hit in service.retrieve("t", "m", query).hits]
    expected = {"W": ["It rained.", "We sail."], "小": ["天晴了。", "下雨了。"]}[query[0]]
    assert found == (["I bake."] if "2023" in query else expected)


def test_a_name_that_nobody_has_finds_nothing(store: Store) -> None:
    with make_service(store) as service:
        service.add("t", "m", "s", [Message(role="user", speaker="Ann", content="We sail.")])
        assert service.retrieve("t", "m", "Who is Zed?").hits == ()
