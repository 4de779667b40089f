"""Deleted turns are as if they had never come, and nothing brings them back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from graphmem.config import ServiceConfig
from graphmem.domain.scope import Scope
from graphmem.domain.turn import make_turn_id
from graphmem.errors import (
    BuildFailedError,
    InvalidInputError,
    MemoryNotFoundError,
    MemoryPendingError,
    RequestConflictError,
)
from graphmem.ports.store import Store
from graphmem.providers.embedding.fake import Failure, FakeEmbedder
from graphmem.providers.embedding.pool import EmbeddingPool
from graphmem.service.factory import Parts
from graphmem.service.forgetter import PurgeProgress
from graphmem.service.memory import MemoryService
from graphmem.service.policy import ADD_SEARCH, PRODUCT, Policy
from graphmem.stores.memory.store import MemoryStore
from graphmem.stores.sqlite.store import SqliteStore
from tests.service.conftest import CountingIdentity, StillClock, make_service, says

SCOPE = Scope(tenant_id="t", memory_id="m")
WORDS = ("choir", "garden", "river. Piano!", "letter", "北京烤鸭", "学习", "Ann", "20.04")
QUERIES = ("choir garden", "Ann: piano 北京烤鸭", "Bob's letter", "学习")
DAY = timedelta(days=1)
POLICIES = (PRODUCT, ADD_SEARCH)

texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)


@dataclass(frozen=True)
class Add:
    """One add, of whose messages the first `kept` are not deleted again."""

    session: str
    speaker: str | None
    texts: list[str]
    kept: int


adds = st.builds(
    lambda session, speaker, said, kept: Add(session, speaker, said, min(kept, len(said))),
    st.sampled_from(["s1", "s2", "s3"]),
    st.sampled_from(["Ann", "Bob", None]),
    st.lists(texts, min_size=1, max_size=4),
    st.integers(0, 4),
)


@contextmanager
def dense_service(store: Store, model: FakeEmbedder | None = None) -> Iterator[MemoryService]:
    """A service with a model."""
    model = model or FakeEmbedder()
    parts = Parts(
        store=store,
        embeddings=EmbeddingPool(lambda: model, fingerprint=model.model.fingerprint, max_batch=4),
        clock=StillClock(),
        identity=CountingIdentity(),
        announce=lambda _: None,
    )
    with MemoryService(parts, ServiceConfig()) as service:
        yield service


def put(service: MemoryService, number: int, add: Add, count: int) -> list[str]:
    """Make an add with its first messages; give the ids of those that are not to be kept."""
    if not count:
        return []
    messages = says(*add.texts[:count], speaker=add.speaker)
    receipt = service.add("t", "m", add.session, messages, request_id=f"r{number}")
    return list(receipt.turn_ids[add.kept :])


def answers(service: MemoryService) -> list[str]:
    """Everything that searches tell but the version."""
    found = [service.retrieve("t", "m", q, limit=100, explain=True).to_dict() for q in QUERIES]
    for retrieval in found:
        trace = retrieval["trace"]
        assert isinstance(trace, dict)
        del trace["version"]
        hits = retrieval["hits"]
        assert isinstance(hits, list)
    return [json.dumps(retrieval, ensure_ascii=False) for retrieval in found]


def found(service: MemoryService, query: str, memory: str = "m", tenant: str = "t") -> list[str]:
    return [hit.content for hit in service.retrieve(tenant, memory, query).hits]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(before=st.lists(adds, min_size=1, max_size=20), after=st.lists(adds, max_size=3))
@pytest.mark.parametrize("searched_before", [False, True])
def test_a_memory_is_as_if_what_was_deleted_had_never_come(
    before: list[Add], after: list[Add], searched_before: bool
) -> None:
    with dense_service(MemoryStore()) as service, dense_service(MemoryStore()) as twin:
        gone = [i for n, add in enumerate(before) for i in put(service, n, add, len(add.texts))]
        for number, add in enumerate(before):
            put(twin, number, add, add.kept)
        if searched_before:
            answers(service)
        assert service.delete_messages("t", "m", gone).turns == len(gone)
        if any(add.kept for add in before):
            assert answers(service) == answers(twin)
            assert _counts(service) == _counts(twin)
        for number, add in enumerate(after, len(before)):
            put(service, number, add, len(add.texts))
            put(twin, number, add, len(add.texts))
            assert answers(service) == answers(twin)


def _counts(service: MemoryService) -> tuple[object, ...]:
    status = service.status("t", "m")
    return (status.turns, status.sessions, status.content_bytes, status.embedded_turns)


@pytest.mark.parametrize("dense", [False, True])
def test_it_holds_in_a_large_memory_of_merged_segments(tmp_path: Path, dense: bool) -> None:
    with (
        closing(SqliteStore.open(tmp_path)) as one,
        closing(SqliteStore.open(tmp_path / "twin")) as other,
    ):
        pair = [dense_service(s) if dense else make_service(s) for s in (one, other)]
        with pair[0] as service, pair[1] as twin:
            gone = []
            for number in range(300):
                add = Add(f"s{number % 7}", "Ann", [f"{WORDS[number % 8]} {number}"] * 2, 0)
                add = replace(add, kept=number % 3)
                gone += put(service, number, add, 2)
                put(twin, number, add, add.kept)
                if number % 50 == 49:
                    service.delete_messages("t", "m", gone)
                    assert answers(service) == answers(twin)
            status = service.status("t", "m")
            assert status.embedded_turns == (status.turns if dense else 0)
            service.delete_session("t", "m", "s3")
            twin.delete_session("t", "m", "s3")
            assert answers(service) == answers(twin)


def test_a_rebuild_after_a_deletion_changes_no_answer(store: Store) -> None:
    with dense_service(store) as service:
        gone = []
        for number in range(40):
            said = [f"{WORDS[number % 8]} {number}", WORDS[number % 5]]
            gone += put(service, number, Add(f"s{number % 3}", "Ann", said, number % 3), 2)
        service.delete_messages("t", "m", gone)
        before = answers(service)
        report = service.rebuild("t", "m")
        assert report.turns == 0
        assert answers(service) == before


def test_a_memory_that_waited_for_what_was_deleted_is_published(store: Store) -> None:
    model = FakeEmbedder()
    with dense_service(store, model) as service:
        service.add("t", "m", "s", says("the choir sings"))
        model.break_down(Failure.DOWN)
        with pytest.raises(BuildFailedError):
            service.add("t", "m", "s", says("the secret", "another"), request_id="late")
        with pytest.raises(MemoryPendingError):
            found(service, "choir")
        ids = [make_turn_id(SCOPE, PRODUCT.surface, "late", position) for position in range(2)]
        service.delete_messages("t", "m", ids[:1])
        assert service.status("t", "m").state == "pending"
        service.delete_messages("t", "m", ids[1:])
        assert service.status("t", "m").state == "ready"
        assert found(service, "choir secret another") == ["the choir sings"]


def test_what_was_deleted_is_not_found_by_a_view_that_is_held(service: MemoryService) -> None:
    kept = service.add("t", "m", "s", says("the choir sings"))
    gone = service.add("t", "m", "s", says("the secret choir"))
    assert len(found(service, "choir")) == 2
    receipt = service.delete_messages("t", "m", gone.turn_ids)
    assert (receipt.turns, receipt.sessions, receipt.unknown) == (1, 0, 0)
    assert receipt.version == gone.version + 1
    retrieval = service.retrieve("t", "m", "secret choir")
    assert [hit.id for hit in retrieval.hits] == list(kept.turn_ids)
    assert retrieval.trace.version == receipt.version


def test_a_search_that_began_before_a_deletion_may_end(
    service: MemoryService, store: Store
) -> None:
    service.add("t", "m", "s", says("the choir sings"))
    found(service, "choir")
    with store.read(SCOPE) as snapshot:
        service.delete_memory("t", "m")
        assert [turn.content for turn in snapshot.turns([0])] == ["the choir sings"]
        head = snapshot.head()
        assert head is not None
        assert service._cache.view(SCOPE, snapshot, head).turns == 1
    service.add("t", "m", "s", says("a new one"))
    assert found(service, "choir new one") == ["a new one"]


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("how", ["turns", "some turns", "session", "memory", "age", "tenant"])
def test_a_replay_brings_nothing_back(service: MemoryService, policy: Policy, how: str) -> None:
    def add(*contents: str) -> tuple[tuple[str, ...], bool]:
        receipt = service.add("t", "m", "s", says(*contents), request_id="r", policy=policy)
        return receipt.turn_ids, receipt.replayed

    ids, _ = add("the choir sings", "the choir listens")
    service.add("t", "m", "other", says("stays"), request_id="r2", policy=policy)
    deletions: dict[str, Callable[[], object]] = {
        "turns": lambda: service.delete_messages("t", "m", ids),
        "some turns": lambda: service.delete_messages("t", "m", ids[:1]),
        "session": lambda: service.delete_session("t", "m", "s"),
        "memory": lambda: service.delete_memory("t", "m"),
        "age": lambda: service.purge(timedelta()),
        "tenant": lambda: service.delete_tenant("t"),
    }
    service._parts.clock.us += 1  # type: ignore[attr-defined]
    deletions[how]()
    versions = [receipt.version for receipt in service.erasures("t", "m")]
    assert add("the choir sings", "the choir listens") == (ids, True)
    if policy.on_conflict == "refuse":
        with pytest.raises(RequestConflictError):
            add("another payload")
    else:
        assert add("another payload") == (ids, True)
    assert [receipt.version for receipt in service.erasures("t", "m")] == versions
    if how in {"memory", "tenant"}:
        with pytest.raises(MemoryNotFoundError):
            service.status("t", "m")
    else:
        expected = {"some turns": 2, "age": 0}.get(how, 1)
        assert service.status("t", "m").turns == expected


def test_a_deleted_memory_is_not_there(service: MemoryService) -> None:
    service.add("t", "m", "s", says("the choir sings"))
    service.add("t", "m2", "s", says("the choir stays"))
    receipt = service.delete_memory("t", "m")
    assert (receipt.kind, receipt.turns, receipt.sessions, receipt.version) == ("memory", 1, 1, 2)
    with pytest.raises(MemoryNotFoundError):
        found(service, "choir")
    with pytest.raises(MemoryNotFoundError):
        service.status("t", "m")
    assert [status.memory_id for status in service.list_memories("t").memories] == ["m2"]


def test_a_new_request_makes_a_deleted_memory_anew(service: MemoryService) -> None:
    first = service.add("t", "m", "s", says("the choir sings"))
    gone = service.delete_memory("t", "m")
    second = service.add("t", "m", "s", says("the choir is back"))
    assert first.version < gone.version < second.version
    assert set(first.turn_ids).isdisjoint(second.turn_ids)
    assert found(service, "choir") == ["the choir is back"]
    status = service.status("t", "m")
    assert (status.turns, status.sessions, status.version) == (1, 1, second.version)
    assert service.delete_memory("t", "m").version == second.version + 1


def test_deleting_again_deletes_nothing_more(service: MemoryService) -> None:
    ids = service.add("t", "m", "s", says("a", "b")).turn_ids
    service.delete_messages("t", "m", ids[:1])
    version = service.status("t", "m").version
    again = service.delete_messages("t", "m", [*ids[:1], *ids[:1]])
    assert (again.turns, again.unknown, again.version) == (0, 1, version)
    assert not again.found
    assert not service.delete_session("t", "m", "unknown").found
    assert service.status("t", "m").version == version
    assert service.delete_memory("t", "m").found
    gone = service.delete_memory("t", "m")
    assert (gone.turns, gone.version, gone.found) == (0, version + 1, False)
    assert len(service.erasures("t", "m")) == 2


def test_a_receipt_for_what_is_gone_tells_whether_it_is_erased(service: MemoryService) -> None:
    ids = service.add("t", "m", "s", says("a")).turn_ids
    assert service.delete_messages("t", "m", ids).erased_at is None
    assert service.delete_messages("t", "m", ids).erased_at is None
    assert service.erase(10)
    assert service.delete_messages("t", "m", ids).erased_at is not None


@pytest.mark.parametrize(
    "turn_id", ["", "x", "t_", "t_" + 24 * "0", "t_\x00", "\ud800", "é" * 5000]
)
def test_unknown_ids_are_counted(service: MemoryService, turn_id: str) -> None:
    ids = service.add("t", "m", "s", says("a")).turn_ids
    receipt = service.delete_messages("t", "m", [turn_id, *ids])
    assert (receipt.turns, receipt.unknown) == (1, 1)


def test_an_unknown_memory_has_nothing_to_delete(service: MemoryService) -> None:
    receipt = service.delete_messages("t", "m", ["t_" + 24 * "0"])
    assert (receipt.turns, receipt.unknown, receipt.version) == (0, 1, 0)
    assert receipt.erased_at == receipt.deleted_at
    assert not service.delete_memory("t", "m").found
    assert service.delete_tenant("t").receipts == ()
    assert service.erasures("t", "m") == []


@pytest.mark.parametrize("turn_ids", ["t_1", None, [1], {"t_1"}])
def test_wrong_ids_are_refused(service: MemoryService, turn_ids: object) -> None:
    with pytest.raises(InvalidInputError, match="turn_ids"):
        service.delete_messages("t", "m", turn_ids)  # type: ignore[arg-type]


@pytest.mark.parametrize("age", [-DAY, 30, None])
def test_a_wrong_age_is_refused(service: MemoryService, age: object) -> None:
    with pytest.raises(InvalidInputError, match="older_than"):
        service.purge(age)  # type: ignore[arg-type]


def test_namesakes_in_other_memories_and_tenants_stay(service: MemoryService) -> None:
    places = [("t", "m"), ("t", "m2"), ("t2", "m")]
    for tenant, memory in places:
        service.add(tenant, memory, "s", says("the choir sings"), request_id="r")
    ids = service.add("t2", "m", "s", says("the choir sings"), request_id="r").turn_ids
    assert service.delete_messages("t", "m", ids).unknown == 1
    service.delete_session("t", "m", "s")
    service.delete_memory("t", "m")
    service.delete_tenant("t")
    assert found(service, "choir", tenant="t2") == ["the choir sings"]
    with pytest.raises(MemoryNotFoundError):
        found(service, "choir", memory="m2")


def test_a_session_that_lost_its_last_turn_is_gone(service: MemoryService) -> None:
    first = service.add("t", "m", "s1", says("the choir sings"))
    service.add("t", "m", "s2", says("the choir listens"))
    receipt = service.delete_messages("t", "m", first.turn_ids)
    assert receipt.sessions == 1
    assert service.status("t", "m").sessions == 1
    service.add("t", "m", "s1", says("the choir is back"))
    assert service.status("t", "m").sessions == 2
    assert service.delete_session("t", "m", "s1").turns == 1


def test_an_empty_memory_answers_nothing(service: MemoryService) -> None:
    ids = service.add("t", "m", "s", says("the choir sings")).turn_ids
    service.delete_messages("t", "m", ids)
    assert found(service, "choir") == []
    assert service.status("t", "m").turns == 0


def test_age_counts_from_when_a_turn_was_recorded(service: MemoryService) -> None:
    clock = service._parts.clock
    assert isinstance(clock, StillClock)
    service.add("t", "m", "s", says("the old choir"))
    service.add("t2", "m", "s", says("the old choir"))
    clock.us += 20 * 86_400_000_000
    service.add("t", "m", "s", says("the young choir"))
    clock.us += 20 * 86_400_000_000
    seen: list[PurgeProgress] = []
    report = service.purge(30 * DAY, tenant_id="t", progress=seen.append)
    assert (report.memories, report.turns, len(report.receipts)) == (1, 1, 1)
    assert report.receipts[0].kind == "age"
    assert seen == [PurgeProgress(memories=1, turns=1)]
    assert found(service, "choir") == ["the young choir"]
    assert found(service, "choir", tenant="t2") == ["the old choir"]
    assert service.purge(30 * DAY).turns == 1
    assert found(service, "choir", tenant="t2") == []
    assert service.purge(30 * DAY).to_dict() == {"memories": 2, "turns": 0, "receipts": []}


def test_an_age_beyond_all_times_purges_nothing(service: MemoryService) -> None:
    service.add("t", "m", "s", says("the choir"))
    assert service.purge(timedelta.max).turns == 0
    assert found(service, "choir") == ["the choir"]


def test_all_memories_of_a_tenant_go(service: MemoryService) -> None:
    for number in range(250):
        service.add("t", f"m{number}", "s", says("the choir sings"))
    report = service.delete_tenant("t")
    assert (report.memories, report.turns, len(report.receipts)) == (250, 250, 250)
    assert service.list_memories("t").memories == ()


def test_tombstones_hold_ids_and_counts_and_no_text(service: MemoryService, store: Store) -> None:
    ids = service.add("t", "m", "s", says("the choir sings", "and listens")).turn_ids
    service.delete_messages("t", "m", ids[:1])
    service.delete_session("t", "m", "s")
    service.delete_memory("t", "m")
    with store.read(SCOPE) as snapshot:
        left = snapshot.tombstones()
    assert [(row.kind, row.turns, row.sessions, row.version) for row in left] == [
        ("turns", 1, 0, 2),
        ("session", 1, 1, 3),
        ("memory", 0, 0, 4),
    ]
    assert left[0].turn_ids == ids[:1]
    assert left[1].session_id == "s"


def test_a_deletion_costs_what_it_touches(tmp_path: Path) -> None:
    """The rows that a deletion reads and writes are those around its turns, however large the rest."""
    read: list[tuple[int, int]] = []
    for turns in (2_000, 8_000):
        with (
            closing(SqliteStore.open(tmp_path / str(turns))) as store,
            make_service(store) as service,
        ):
            said = [f"{WORDS[number % 8]} {number}" for number in range(turns)]
            ids: tuple[str, ...] = ()
            for start in range(0, turns, 250):
                ids = service.add("t", "m", f"s{start}", says(*said[start : start + 250])).turn_ids
            with store.write(SCOPE) as tx:
                around = tx.segments_around(tx.find_turns(ids[:1]))
            read.append((len(around), around[0].turns))
            assert service.delete_messages("t", "m", ids[:1]).turns == 1
    assert all(rows == 1 and turns <= 8 * 4096 for rows, turns in read)


def _add_and_delete(service: MemoryService, worker: int) -> None:
    for number in range(25):
        word = f"w{worker}x{number}"
        said = [f"again {word}", f"the choir {word}"]
        ids = service.add("t", "m", f"s{worker}", says(*said)).turn_ids
        assert sorted(found(service, word)) == said
        if number % 5 == 4:
            service.delete_session("t", "m", f"s{worker}")
        else:
            service.delete_messages("t", "m", ids)
        assert found(service, word) == []


def test_adds_searches_and_deletions_side_by_side(tmp_path: Path) -> None:
    """What a deletion has answered for is found by no search that begins afterwards."""
    with closing(SqliteStore.open(tmp_path)) as store, make_service(store) as service:
        service.add("t", "m", "s", says("the choir stays"))
        with ThreadPoolExecutor(4) as pool:
            running = [pool.submit(_add_and_delete, service, worker) for worker in range(4)]
            while not all(future.done() for future in running):
                assert "the choir stays" in found(service, "choir")
        for future in running:
            future.result()
        status = service.status("t", "m")
        assert (status.turns, status.sessions) == (1, 1)
