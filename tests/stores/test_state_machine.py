"""Each store and the oracle are driven by the same operations and must read the same."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from typing_extensions import override

from graphmem.domain.atom import ORIGINS
from graphmem.domain.erasure import KINDS, Tombstone
from graphmem.domain.moment import FIRST_US, LAST_US, Moment
from graphmem.domain.scope import Scope
from graphmem.domain.turn import Turn
from graphmem.errors import StoreError
from graphmem.ports.atoms import EDIT_REASONS, AtomEditRow, AtomRow, AtomSourceRow
from graphmem.ports.embedder import EmbeddingModel
from graphmem.ports.scenes import AnswerRow, SceneRow
from graphmem.ports.store import (
    Head,
    ReadTransaction,
    RequestRow,
    SegmentRow,
    SessionRow,
    Span,
    Store,
    VectorRow,
    WriteTransaction,
)
from graphmem.stores.memory import MemoryStore
from graphmem.stores.postgres import PostgresStore
from graphmem.stores.sqlite import SqliteStore
from tests.stores.rows import make_head
from tests.stores.server import Server

TENANTS: Final = ("a", "ab")
SURFACES: Final = ("addsearch", "product")
IDS: Final = ("", "b", "c", "bc", "\x00", "🙂", "é", "e\u0301", "長" * 300)
BUILDS: Final = ("", "b", "b\x00", "建")
FINGERPRINTS: Final = ("f", "f\x00", "é")
KEYS: Final = ("k", "k\x00", "鍵")
SMALL: Final = 6
BIGGEST: Final = 2**63 - 1

# Few different values, so that operations meet each other's rows.
numbers = st.integers(0, SMALL)
counts = st.integers(0, BIGGEST)
ids = st.sampled_from(IDS)
scopes = st.builds(Scope, tenant_id=st.sampled_from(TENANTS), memory_id=ids)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
moments = st.builds(
    Moment,
    us=st.integers(FIRST_US, LAST_US),
    offset_minutes=st.integers(-1439, 1439),
    precision=st.sampled_from(["instant", "day"]),
)
heads = st.builds(
    Head,
    version=counts,
    ready_version=counts,
    turns=counts,
    sessions=counts,
    content_bytes=counts,
    created_us=st.integers(-BIGGEST, BIGGEST),
    updated_us=counts,
    ready_turns=counts,
    build=st.sampled_from(BUILDS),
    erased_turns=counts,
    erased_sessions=counts,
    generation=counts,
)
sessions = st.builds(SessionRow, session_no=numbers, session_id=ids, turns=counts)
turns = st.builds(
    Turn,
    turn_no=numbers,
    turn_id=st.sampled_from([f"t_{number}" for number in range(SMALL)]),
    session_no=numbers,
    session_id=ids,
    position=counts,
    role=texts,
    content=texts,
    speaker=st.none() | texts,
    listener=st.none() | texts,
    parts=st.none() | texts,
    occurred=st.none() | moments,
    recorded_us=counts,
    version=numbers,
)
requests = st.builds(
    RequestRow,
    surface=st.sampled_from(SURFACES),
    request_id=ids,
    payload_digest=st.binary(min_size=32, max_size=32),
    version=counts,
    turns=counts,
)
segments = st.builds(
    SegmentRow, first_turn=numbers, turns=numbers, version=numbers, data=st.binary(max_size=50)
)
prints = st.sampled_from(FINGERPRINTS)
models = st.builds(EmbeddingModel, name=texts, dimension=counts, fingerprint=prints)
vectors = st.builds(
    VectorRow,
    model=prints,
    first_turn=numbers,
    turns=numbers,
    version=numbers,
    data=st.binary(max_size=50),
)
tombstones = st.builds(
    Tombstone,
    version=numbers,
    kind=st.sampled_from(sorted(KINDS.values())),
    session_id=st.none() | ids,
    turn_ids=st.none() | st.lists(texts, max_size=2).map(tuple),
    turns=counts,
    sessions=counts,
    deleted_us=counts,
    erased_us=st.none() | counts,
)
atom_ids = st.sampled_from([f"a_{number}" for number in range(4)])
atoms = st.builds(
    AtomRow,
    atom_no=numbers,
    atom_id=atom_ids,
    version=numbers,
    is_live=st.booleans(),
    data=st.binary(max_size=50),
)
sources = st.builds(
    AtomSourceRow,
    atom_no=numbers,
    turn_no=numbers,
    start=numbers,
    end=counts,
    origin=st.sampled_from(ORIGINS),
)
scenes = st.builds(
    SceneRow,
    session_no=numbers,
    scene_no=numbers,
    turn_nos=st.lists(counts, max_size=3).map(tuple),
    told=numbers,
    key=st.sampled_from(["", *KEYS]),
    attempts=counts,
)
answers = st.builds(
    AnswerRow,
    key=st.sampled_from(KEYS),
    session_no=numbers,
    scene_no=numbers,
    data=st.binary(max_size=50),
)
edits = st.builds(
    AtomEditRow,
    atom_id=atom_ids,
    revision=numbers,
    changed_us=counts,
    reason=st.sampled_from(EDIT_REASONS),
    data=st.binary(max_size=50),
)
spans = st.lists(st.builds(Span, first_turn=numbers, turns=counts), max_size=3)

Step = Callable[[WriteTransaction], object]


def _steps() -> st.SearchStrategy[Step]:
    """One call of a write transaction with its arguments."""
    return st.one_of(
        heads.map(lambda head: lambda write: write.set_head(head)),
        sessions.map(lambda session: lambda write: write.put_session(session)),
        st.lists(turns, max_size=3).map(lambda rows: lambda write: write.put_turns(rows)),
        requests.map(lambda request: lambda write: write.put_request(request)),
        segments.map(lambda segment: lambda write: write.put_segment(segment)),
        st.lists(numbers, max_size=3).map(lambda gone: lambda write: write.delete_segments(gone)),
        numbers.map(lambda first: lambda write: write.segment(first)),
        ids.map(lambda session_id: lambda write: write.session(session_id)),
        st.just(lambda write: write.create(make_head())),
        st.just(lambda write: write.segment_spans()),
        st.just(_see),
        _vector_steps(),
        _deletion_steps(),
        _atom_steps(),
        _scene_steps(),
    )


def _atom_steps() -> st.SearchStrategy[Step]:
    """One call that has to do with atoms."""
    some_sources = st.lists(sources, max_size=3)
    return st.one_of(
        st.lists(atoms, max_size=3).map(lambda rows: lambda write: write.put_atoms(rows)),
        st.lists(numbers, max_size=2).map(lambda gone: lambda write: write.delete_atoms(gone)),
        some_sources.map(lambda rows: lambda write: write.put_atom_sources(rows)),
        some_sources.map(lambda gone: lambda write: write.delete_atom_sources(gone)),
        st.lists(edits, max_size=3).map(lambda rows: lambda write: write.put_atom_edits(rows)),
        st.lists(atom_ids, max_size=2).map(
            lambda gone: lambda write: write.delete_atom_edits(gone)
        ),
    )


def _scene_steps() -> st.SearchStrategy[Step]:
    """One call that has to do with scenes."""
    some = st.lists(st.tuples(numbers, numbers), max_size=2)
    return st.one_of(
        st.lists(scenes, max_size=3).map(lambda rows: lambda write: write.put_scenes(rows)),
        some.map(lambda gone: lambda write: write.delete_scenes(gone)),
        answers.map(lambda row: lambda write: write.put_answer(row)),
        some.map(lambda gone: lambda write: write.delete_answers(gone)),
        numbers.map(lambda tokens: lambda write: write.add_chat_tokens(tokens)),
    )


def _deletion_steps() -> st.SearchStrategy[Step]:
    """One call that has to do with forgetting."""
    some = st.lists(numbers, max_size=3)
    return st.one_of(
        some.map(lambda gone: lambda write: write.delete_turns(gone)),
        some.map(lambda gone: lambda write: write.delete_sessions(gone)),
        st.tuples(prints, some).map(lambda gone: lambda write: write.delete_vectors_at(*gone)),
        heads.map(lambda head: lambda write: write.bury(head)),
        tombstones.map(lambda tombstone: lambda write: write.put_tombstone(tombstone)),
    )


def _vector_steps() -> st.SearchStrategy[Step]:
    """One call that has to do with vectors."""
    return st.one_of(
        models.map(lambda model: lambda write: write.put_model(model)),
        st.lists(vectors, max_size=3).map(lambda rows: lambda write: write.put_vectors(rows)),
        prints.map(lambda model: lambda write: write.delete_vectors(keep=model)),
        st.tuples(prints, spans).map(lambda work: lambda write: write.put_pending(*work)),
        st.tuples(prints, st.lists(numbers, max_size=3)).map(
            lambda gone: lambda write: write.delete_pending(*gone)
        ),
    )


def _see(snapshot: ReadTransaction) -> list[object]:
    """Everything that a read transaction shows."""
    return [
        snapshot.head(),
        snapshot.turns(range(SMALL, -2, -1)),
        [snapshot.segments(since=version) for version in range(-1, SMALL + 1)],
        [snapshot.session(name) for name in IDS],
        [snapshot.request(surface, name) for surface in SURFACES for name in IDS],
        [snapshot.vectors(model, since=v) for model in FINGERPRINTS for v in range(-1, SMALL + 1)],
        [(snapshot.vector_spans(model), snapshot.pending(model)) for model in FINGERPRINTS],
        _see_for_forgetting(snapshot),
        _see_pages(snapshot),
        _see_atoms(snapshot),
        _see_scenes(snapshot),
    ]


def _see_pages(snapshot: ReadTransaction) -> list[object]:
    """What a read transaction shows to those who copy it page by page."""
    places = [(surface, name) for surface in SURFACES for name in IDS]
    return [
        (snapshot.requests(), snapshot.sessions()),
        [snapshot.requests(behind=place, limit=2) for place in places],
        [snapshot.sessions(behind=number, limit=1) for number in range(-1, SMALL + 2)],
    ]


def _see_atoms(snapshot: ReadTransaction) -> list[object]:
    """What a read transaction shows of atoms."""
    everything = range(-1, SMALL + 2)
    ids_of_all = [f"a_{number}" for number in everything]
    return [
        [snapshot.atoms(since=version) for version in everything],
        [snapshot.atoms_at([number, number]) for number in everything],
        (snapshot.atoms_at(range(SMALL, -2, -1)), snapshot.atoms_at([]), snapshot.next_atom()),
        [snapshot.find_atoms([atom_id, "a_0"]) for atom_id in ids_of_all],
        [snapshot.atom_sources([number]) for number in everything],
        [snapshot.sources_in([number]) for number in everything],
        (snapshot.atom_sources(everything), snapshot.sources_in(everything)),
        (snapshot.atom_edits(ids_of_all), snapshot.atom_edits(["a_1"]), snapshot.atom_edits([])),
    ]


def _see_scenes(snapshot: ReadTransaction) -> list[object]:
    """What a read transaction shows of scenes."""
    return [
        (snapshot.scenes(), snapshot.waiting_scenes(), snapshot.chat_tokens()),
        snapshot.scenes_at([(0, 0), (1, 0), (0, 1), (1, 1), (1, 1)]),
        [snapshot.answer(key) for key in KEYS],
    ]


def _see_for_forgetting(snapshot: ReadTransaction) -> list[object]:
    """What a read transaction shows of what was deleted, and to those who delete."""
    everything = range(-1, SMALL + 2)
    return [
        (snapshot.grave(), snapshot.tombstones()),
        (snapshot.turn_nos(), snapshot.find_turns([f"t_{number}" for number in everything])),
        [snapshot.session_turns(number) for number in everything],
        [snapshot.session_turns(number, limit=1) for number in everything],
        snapshot.turns_recorded_before(BIGGEST // 2),
        [snapshot.segments_around([number, SMALL]) for number in everything],
        [snapshot.vectors_around(m, [number]) for m in FINGERPRINTS for number in everything],
        (snapshot.segments_around([]), snapshot.find_turns([]), snapshot.vector_models()),
    ]


class _AbortError(Exception):
    """Ends a transaction in its middle."""


def _play(store: Store, scope: Scope, steps: list[Step], *, abort: bool) -> list[object]:
    """Run the steps in one transaction; give what each answered or how it failed."""
    answers: list[object] = []
    try:
        with store.write(scope) as write:
            if write.head() is None:
                write.create(make_head())
            answers.extend(_answer(step, write) for step in steps)
            _abort(sure=abort)
    except (_AbortError, StoreError) as error:
        answers.append(_kind(error))
    return answers


def _abort(*, sure: bool) -> None:
    if sure:
        raise _AbortError


def _answer(step: Step, write: WriteTransaction) -> object:
    try:
        return step(write)
    except (KeyError, StoreError) as error:
        return _kind(error)


def _kind(error: Exception) -> str:
    return type(error).__name__


class TwoStores(RuleBasedStateMachine):
    """Whatever is done to both stores, both show the same."""

    make_place: Callable[[], AbstractContextManager[Callable[[], Store]]]

    def __init__(self) -> None:
        super().__init__()
        self.place = ExitStack()
        self.open = self.place.enter_context(type(self).make_place())
        self.oracle = MemoryStore()
        self.tested = self.open()
        self.touched: set[Scope] = set()

    @rule(scope=scopes, steps=st.lists(_steps(), max_size=8), abort=st.booleans())
    def write(self, scope: Scope, steps: list[Step], abort: bool) -> None:
        self.touched.add(scope)
        expected = _play(self.oracle, scope, steps, abort=abort)
        assert _play(self.tested, scope, steps, abort=abort) == expected

    @rule(scope=scopes, turn=turns, session_id=ids)
    def grow(self, scope: Scope, turn: Turn, session_id: str) -> None:
        """A write that breaks no rule, so that memories come to hold something."""
        self.touched.add(scope)
        for store in (self.oracle, self.tested):
            with store.write(scope) as write:
                _grow(write, turn, session_id)

    @rule()
    def erase(self) -> None:
        assert self.tested.unerased() == self.oracle.unerased()
        assert self.tested.erase(lambda: 7) == self.oracle.erase(lambda: 7)
        assert self.tested.unerased() == 0

    @rule()
    def reopen(self) -> None:
        self.tested.close()
        self.tested = self.open()

    @rule(after=st.none() | ids, limit=st.integers(0, 4))
    def list_page(self, after: str | None, limit: int) -> None:
        for tenant in TENANTS:
            expected = self.oracle.memories(tenant, after=after, limit=limit)
            assert self.tested.memories(tenant, after=after, limit=limit) == expected

    @rule(after=st.none() | scopes, limit=st.integers(0, 4))
    def list_all(self, after: Scope | None, limit: int) -> None:
        expected = self.oracle.scopes(after=after, limit=limit)
        assert self.tested.scopes(after=after, limit=limit) == expected
        expected = self.oracle.graves(after=after, limit=limit)
        assert self.tested.graves(after=after, limit=limit) == expected
        for model in FINGERPRINTS:
            assert self.tested.pending_scopes(model) == self.oracle.pending_scopes(model)
        for build in BUILDS:
            assert self.tested.stale_scopes(build) == self.oracle.stale_scopes(build)
        assert self.tested.scene_scopes() == self.oracle.scene_scopes()

    @invariant()
    def knows_the_same_models(self) -> None:
        assert self.tested.models() == self.oracle.models()

    @invariant()
    def shows_the_same(self) -> None:
        for scope in self.touched:
            with self.oracle.read(scope) as expected, self.tested.read(scope) as snapshot:
                assert _see(snapshot) == _see(expected)

    @override
    def teardown(self) -> None:
        self.tested.close()
        self.oracle.close()
        self.place.close()


def _grow(write: WriteTransaction, turn: Turn, session_id: str) -> None:
    if write.head() is None:
        write.create(make_head())
    known = write.turns(range(SMALL + 1))
    session = write.session(session_id)
    is_new = all(row.turn_no != turn.turn_no and row.turn_id != turn.turn_id for row in known)
    if session is not None and is_new:
        write.put_turns([replace(turn, session_no=session.session_no)])
    elif not known:
        write.put_session(SessionRow(session_no=SMALL + 1, session_id=session_id, turns=1))


@contextmanager
def _directory() -> Iterator[Callable[[], Store]]:
    with tempfile.TemporaryDirectory() as folder:
        yield lambda: SqliteStore.open(Path(folder))


class OracleAndSqlite(TwoStores):
    """The stores of one process."""

    make_place = staticmethod(_directory)


def oracle_and_postgres(server: Server) -> type[TwoStores]:
    """The oracle and a database of this server."""

    @contextmanager
    def database() -> Iterator[Callable[[], Store]]:
        with server.lent() as name:
            yield lambda: PostgresStore.open(server.url(name))

    class OracleAndPostgres(TwoStores):
        make_place = staticmethod(database)

    return OracleAndPostgres


QUICK: Final = settings(
    max_examples=25,
    stateful_step_count=15,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
LONG: Final = settings(QUICK, max_examples=300, stateful_step_count=40)


def test_sqlite_reads_as_the_oracle_does() -> None:
    run_state_machine_as_test(OracleAndSqlite, settings=QUICK)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_sqlite_reads_as_the_oracle_does_for_long() -> None:
    run_state_machine_as_test(OracleAndSqlite, settings=LONG)


def test_postgres_reads_as_the_oracle_does(server: Server) -> None:
    quick = settings(QUICK, max_examples=10)
    run_state_machine_as_test(oracle_and_postgres(server), settings=quick)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_postgres_reads_as_the_oracle_does_for_long(server: Server) -> None:
    long = settings(LONG, max_examples=100)
    run_state_machine_as_test(oracle_and_postgres(server), settings=long)
