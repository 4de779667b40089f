from __future__ import annotations

import numpy as np
from hypothesis import given, strategies as st

from graphmem.domain.scope import Scope
from graphmem.ports.embedder import EmbeddingModel
from graphmem.ports.store import Span
from graphmem.service.landing import BLOCK_TURNS, cut, land, uncovered
from graphmem.service.policy import ADD_SEARCH
from graphmem.stores.memory.store import MemoryStore
from tests.service.conftest import make_service, says

SCOPE = Scope(tenant_id="t", memory_id="m")
MODEL = EmbeddingModel(name="n", dimension=2, fingerprint="f")
spans = st.lists(
    st.builds(Span, first_turn=st.integers(0, 40), turns=st.integers(1, 9)), max_size=5
)


def _turns(found: list[Span]) -> list[int]:
    return [t for span in found for t in range(span.first_turn, span.first_turn + span.turns)]


@given(st.integers(0, 50), spans, spans)
def test_uncovered_is_what_no_span_covers(turns: int, left: list[Span], right: list[Span]) -> None:
    covered = set(_turns(left)) | set(_turns(right))
    assert _turns(uncovered(turns, left, right)) == [t for t in range(turns) if t not in covered]


@given(st.integers(0, 2000), st.integers(1, 300))
def test_pieces_follow_one_another_and_are_bounded(turns: int, most: int) -> None:
    pieces = list(cut(Span(first_turn=5, turns=turns), most))
    assert _turns(pieces) == list(range(5, 5 + turns))
    assert all(piece.turns <= most for piece in pieces)


def test_work_is_cut_into_blocks() -> None:
    assert [span.turns for span in uncovered(600)] == [
        BLOCK_TURNS,
        BLOCK_TURNS,
        600 - 2 * BLOCK_TURNS,
    ]


@given(st.data())
def test_each_turn_ends_with_its_vector_or_on_the_list(data: st.DataObject) -> None:
    store = MemoryStore()
    make_service(store).add("t", "m", "s", says(*["word"] * 12), policy=ADD_SEARCH)
    with store.write(SCOPE) as tx:
        tx.put_model(MODEL)
        tx.put_pending("f", [Span(first_turn=0, turns=12)])
    start = data.draw(st.integers(0, 11))
    span = Span(first_turn=start, turns=data.draw(st.integers(1, 12 - start)))
    come = data.draw(st.lists(st.booleans(), min_size=span.turns, max_size=span.turns))
    vectors = [
        np.full((1, 2), start + i, dtype=np.int16) if c else None for i, c in enumerate(come)
    ]
    with store.write(SCOPE) as tx:
        assert land(tx, "f", span, vectors, versions=[1] * span.turns, now_us=0)
    with store.read(SCOPE) as snapshot:
        landed = _turns(snapshot.vector_spans("f"))
        waiting = _turns(snapshot.pending("f"))
    assert landed == [start + i for i, c in enumerate(come) if c]
    assert sorted(landed + waiting) == list(range(12))


def test_turns_that_no_longer_wait_are_left_alone() -> None:
    store = MemoryStore()
    make_service(store).add("t", "m", "s", says("word"))
    with store.write(SCOPE) as tx:
        span = Span(first_turn=0, turns=1)
        assert not land(tx, "f", span, [None], versions=[1], now_us=0)
    with store.read(SCOPE) as snapshot:
        head = snapshot.head()
    assert head is not None
    assert head.version == 1
