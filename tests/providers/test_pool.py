from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, Future, wait
from itertools import count

import numpy as np
import pytest
from typing_extensions import override

from graphmem.errors import (
    ConfigError,
    EmbeddingError,
    EmbeddingResponseError,
    EmbeddingUnavailableError,
)
from graphmem.ports.embedder import Embedder, Vectors
from graphmem.providers.embedding.fake import Failure, FakeEmbedder
from graphmem.providers.embedding.pool import MAX_CHARACTERS, MAX_WAITING_BYTES, EmbeddingPool

SECONDS = 30


class GatedEmbedder(FakeEmbedder):
    """Records its calls, and holds each until the gate is open."""

    def __init__(self, *, poison: Sequence[str] = (), is_open: bool = False) -> None:
        super().__init__(poison=poison)
        self.gate = threading.Event()
        self.entered = threading.Event()
        self.batches: list[list[str]] = []
        self.threads: set[int] = set()
        self.closes = 0
        if is_open:
            self.gate.set()

    @override
    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return self._hold(texts)

    @override
    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self._hold([f"? {text}" for text in texts])

    @override
    def close(self) -> None:
        self.closes += 1

    def _hold(self, texts: Sequence[str]) -> Vectors:
        self.batches.append(list(texts))
        self.threads.add(threading.get_ident())
        self.entered.set()
        assert self.gate.wait(SECONDS)
        return self._embed(texts)


Open = Callable[..., EmbeddingPool]


@pytest.fixture
def open_pool() -> Iterator[Open]:
    """Opens pools that are closed after the test."""
    pools: list[EmbeddingPool] = []

    def make(
        factory: Callable[[], Embedder],
        *,
        workers: int = 1,
        max_batch: int = 4,
        max_characters: int = MAX_CHARACTERS,
        max_waiting_bytes: int = MAX_WAITING_BYTES,
    ) -> EmbeddingPool:
        pools.append(
            EmbeddingPool(
                factory,
                fingerprint="fake",
                workers=workers,
                max_batch=max_batch,
                max_characters=max_characters,
                max_waiting_bytes=max_waiting_bytes,
            )
        )
        return pools[-1]

    yield make
    for pool in pools:
        pool.close()


def _occupy(pool: EmbeddingPool, embedder: GatedEmbedder) -> Future[Vectors]:
    """Have the only worker held in a call, so that what follows waits."""
    held = pool.submit_passages(["held"], background=True)
    assert embedder.entered.wait(SECONDS)
    return held


def test_queries_go_first_then_passages_of_calls_then_the_background(open_pool: Open) -> None:
    embedder = GatedEmbedder()
    pool = open_pool(lambda: embedder)
    _occupy(pool, embedder)
    futures = [
        pool.submit_passages(["b1"], background=True),
        pool.submit_passages(["c1"], background=False),
        pool.submit_query("q1"),
        pool.submit_passages(["b2"], background=True),
        pool.submit_passages(["c2"], background=False),
        pool.submit_query("q2"),
    ]
    embedder.gate.set()
    wait(futures, SECONDS)
    assert embedder.batches == [["held"], ["? q1", "? q2"], ["c1", "c2"], ["b1", "b2"]]


def test_concurrent_submissions_share_calls_of_bounded_size(open_pool: Open) -> None:
    embedder = GatedEmbedder()
    pool = open_pool(lambda: embedder, max_batch=3)
    _occupy(pool, embedder)
    texts = [f"t{number}" for number in range(7)]
    futures = [pool.submit_passages([text], background=False) for text in texts]
    embedder.gate.set()
    rows = [future.result(SECONDS)[0] for future in futures]
    assert np.array_equal(rows, FakeEmbedder().embed_passages(texts))
    assert [len(batch) for batch in embedder.batches] == [1, 3, 3, 1]


def test_a_long_submission_lets_a_query_in_between(open_pool: Open) -> None:
    embedder = GatedEmbedder()
    pool = open_pool(lambda: embedder, max_batch=2)
    texts = [f"t{number}" for number in range(5)]
    whole = pool.submit_passages(texts, background=False)
    assert embedder.entered.wait(SECONDS)
    query = pool.submit_query("q")
    embedder.gate.set()
    assert np.array_equal(whole.result(SECONDS), FakeEmbedder().embed_passages(texts))
    assert query.done()
    assert embedder.batches == [["t0", "t1"], ["? q"], ["t2", "t3"], ["t4"]]


def test_a_long_text_goes_alone_and_short_ones_share_a_call(open_pool: Open) -> None:
    embedder = GatedEmbedder()
    pool = open_pool(lambda: embedder, max_batch=4, max_characters=10)
    _occupy(pool, embedder)
    texts = ["a", "b", "x" * 11, "c" * 5, "d" * 5, "e", "f" * 12]
    whole = pool.submit_passages(texts, background=False)
    singles = [pool.submit_passages([text], background=False) for text in ("s" * 11, "t", "u")]
    embedder.gate.set()
    wait([whole, *singles], SECONDS)
    assert np.array_equal(whole.result(SECONDS), FakeEmbedder().embed_passages(texts))
    sizes = [sum(map(len, batch)) for batch in embedder.batches[1:]]
    counts = [len(batch) for batch in embedder.batches[1:]]
    assert all(size <= 10 or count == 1 for size, count in zip(sizes, counts, strict=True))
    assert max(counts) > 1


def test_passages_for_a_query_go_right_behind_the_queries(open_pool: Open) -> None:
    embedder = GatedEmbedder()
    pool = open_pool(lambda: embedder)
    _occupy(pool, embedder)
    futures = [
        pool.submit_passages(["c1"], background=False),
        pool.submit_passages(["u1"], background=False, for_query=True),
        pool.submit_query("q1"),
    ]
    embedder.gate.set()
    wait(futures, SECONDS)
    assert embedder.batches == [["held"], ["? q1"], ["u1"], ["c1"]]
    assert pool.usage()["query"].texts == 2


def test_a_long_submission_does_not_hold_up_a_short_one_behind_it(open_pool: Open) -> None:
    embedder = GatedEmbedder()
    pool = open_pool(lambda: embedder, max_batch=1)
    _occupy(pool, embedder)
    long = pool.submit_passages([f"l{number}" for number in range(4)], background=False)
    short = pool.submit_passages(["s"], background=False)
    embedder.gate.set()
    wait([long, short], SECONDS)
    assert embedder.batches == [["held"], ["l0"], ["s"], ["l1"], ["l2"], ["l3"]]


def test_a_poisonous_text_fails_its_own_submission_only(open_pool: Open) -> None:
    embedder = GatedEmbedder(poison=["☠"])
    pool = open_pool(lambda: embedder)
    _occupy(pool, embedder)
    good, bad, also_good = (
        pool.submit_passages([text], background=True) for text in ("tea", "☠", "coffee")
    )
    embedder.gate.set()
    assert good.result(SECONDS).shape == (1, 64)
    assert also_good.result(SECONDS).shape == (1, 64)
    with pytest.raises(EmbeddingResponseError):
        bad.result(SECONDS)
    assert embedder.batches[1:] == [["tea", "☠", "coffee"], ["tea"], ["☠"], ["coffee"]]


def test_the_rest_of_a_failed_submission_is_skipped(open_pool: Open) -> None:
    embedder = GatedEmbedder(poison=["☠"], is_open=True)
    pool = open_pool(lambda: embedder, max_batch=1)
    with pytest.raises(EmbeddingResponseError):
        pool.submit_passages(["☠", "tea", "coffee"], background=False).result(SECONDS)
    pool.submit_query("after").result(SECONDS)
    pool.submit_passages(["last"], background=True).result(SECONDS)
    assert embedder.batches == [["☠"], ["? after"], ["last"]]


@pytest.mark.parametrize("failure", [Failure.NAN, Failure.WRONG_COUNT, Failure.WRONG_DIMENSION])
def test_garbage_never_reaches_a_future(open_pool: Open, failure: Failure) -> None:
    fake = FakeEmbedder(fail=failure)
    pool = open_pool(lambda: fake)
    with pytest.raises(EmbeddingResponseError):
        pool.submit_passages(["tea"], background=False).result(SECONDS)
    fake.recover()
    assert pool.submit_query("tea").result(SECONDS).shape == (1, 64)


def test_what_is_cancelled_is_not_embedded(open_pool: Open) -> None:
    embedder = GatedEmbedder()
    pool = open_pool(lambda: embedder, max_batch=1)
    held = _occupy(pool, embedder)
    waiting = pool.submit_passages(["w1", "w2"], background=True)
    kept = pool.submit_passages(["k"], background=True)
    assert waiting.cancel()
    assert held.cancel()
    embedder.gate.set()
    assert kept.result(SECONDS).shape == (1, 64)
    assert wait([waiting, held], SECONDS).not_done == set()
    with pytest.raises(CancelledError):
        waiting.result(SECONDS)
    assert embedder.batches == [["held"], ["k"]]


def test_closing_fails_what_waits_and_lets_the_running_call_end(open_pool: Open) -> None:
    embedder = GatedEmbedder()
    pool = open_pool(lambda: embedder)
    held = _occupy(pool, embedder)
    waiting = pool.submit_query("q")
    # The running call goes on as soon as the waiting one has failed, so never before `close`.
    waiting.add_done_callback(lambda _: embedder.gate.set())
    pool.close(timeout_seconds=SECONDS)
    assert held.result(0).shape == (1, 64)
    with pytest.raises(EmbeddingUnavailableError, match="closed"):
        waiting.result(0)
    assert embedder.closes == 1
    with pytest.raises(EmbeddingUnavailableError, match="closed"):
        pool.submit_query("late").result(0)
    pool.close()


def test_closing_does_not_wait_for_a_call_that_hangs(open_pool: Open) -> None:
    embedder = GatedEmbedder()
    pool = open_pool(lambda: embedder)
    held = _occupy(pool, embedder)
    pool.close(timeout_seconds=0.01)
    with pytest.raises(EmbeddingUnavailableError, match="closed"):
        held.result(0)
    embedder.gate.set()
    pool.close(timeout_seconds=SECONDS)
    assert embedder.closes == 1


def test_a_pool_that_was_never_used_makes_nothing(open_pool: Open) -> None:
    def make() -> Embedder:
        raise AssertionError("not asked for")

    pool = open_pool(make)
    pool.close()
    with pytest.raises(EmbeddingUnavailableError):
        _ = pool.model


@pytest.mark.parametrize("error", [EmbeddingUnavailableError("down"), ConfigError("f", "wrong")])
def test_a_factory_that_fails_is_tried_again(open_pool: Open, error: Exception) -> None:
    attempts = count()

    def make() -> Embedder:
        if next(attempts) == 0:
            raise error
        return FakeEmbedder()

    pool = open_pool(make)
    with pytest.raises(EmbeddingUnavailableError):
        pool.submit_query("tea").result(SECONDS)
    assert pool.submit_query("tea").result(SECONDS).shape == (1, 64)


def test_each_worker_makes_its_own_embedder_and_uses_it_alone(open_pool: Open) -> None:
    made: list[GatedEmbedder] = []

    def make() -> Embedder:
        made.append(GatedEmbedder(is_open=True))
        return made[-1]

    pool = open_pool(make, workers=3)
    results: dict[str, Vectors] = {}

    def submit(name: str) -> None:
        futures = [pool.submit_passages([f"{name} {n}"], background=n % 2 > 0) for n in range(20)]
        futures.append(pool.submit_query(name))
        results[name] = np.concatenate([future.result(SECONDS) for future in futures])

    names = [f"thread{number}" for number in range(16)]
    threads = [threading.Thread(target=submit, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for name in names:
        texts = [*(f"{name} {n}" for n in range(20)), f"? {name}"]
        assert np.array_equal(results[name], FakeEmbedder().embed_passages(texts))
    pool.close()
    assert 1 <= len(made) <= 3
    assert all(len(each.threads) <= 1 and each.closes == 1 for each in made)


def test_the_model_is_known_after_the_first_answer(open_pool: Open) -> None:
    pool = open_pool(FakeEmbedder)
    model = pool.model
    assert model == FakeEmbedder().model == pool.model


def test_no_texts_give_no_vectors_and_no_call(open_pool: Open) -> None:
    fake = FakeEmbedder()
    pool = open_pool(lambda: fake)
    assert pool.submit_passages([], background=False).result(SECONDS).shape == (0, 64)
    assert fake.calls == 0


def test_a_model_that_changes_between_workers_is_refused(open_pool: Open) -> None:
    dimensions = count(64)
    gate = threading.Barrier(2, timeout=SECONDS)

    def make() -> Embedder:
        gate.wait()
        return FakeEmbedder(next(dimensions))

    pool = open_pool(make, workers=2, max_batch=1)
    outcomes = [pool.submit_query("a"), pool.submit_query("b")]
    errors = [future.exception(SECONDS) for future in outcomes]
    (error,) = [error for error in errors if error is not None]
    assert isinstance(error, EmbeddingUnavailableError)
    assert "no longer" in str(error)


def test_a_full_queue_turns_passages_away_but_no_query(open_pool: Open) -> None:
    embedder = GatedEmbedder()
    pool = open_pool(lambda: embedder, max_waiting_bytes=2_000)
    _occupy(pool, embedder)
    first = pool.submit_passages(["x" * 5_000], background=True)
    second = pool.submit_passages(["y"], background=False)
    with pytest.raises(EmbeddingUnavailableError, match="too many"):
        second.result(0)
    query = pool.submit_query("q")
    embedder.gate.set()
    assert query.result(SECONDS).shape == (1, 64)
    assert first.result(SECONDS).shape == (1, 64)
    assert pool.submit_passages(["y"], background=False).result(SECONDS).shape == (1, 64)


class BrokenEmbedder(FakeEmbedder):
    """Breaks the port's law that every failure is an `EmbeddingError`."""

    @override
    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        raise KeyError("bug")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_worker_that_breaks_is_replaced(open_pool: Open) -> None:
    made = iter([BrokenEmbedder(), FakeEmbedder()])
    pool = open_pool(lambda: next(made))
    with pytest.raises(EmbeddingError, match="broke off"):
        pool.submit_query("tea").result(SECONDS)
    assert pool.submit_query("tea").result(SECONDS).shape == (1, 64)
    pool.close()  # waits for the broken one's report to `threading.excepthook`


def test_a_callback_may_submit_and_close(open_pool: Open) -> None:
    pool = open_pool(FakeEmbedder)
    done = threading.Event()

    def follow(_: Future[Vectors]) -> None:
        pool.submit_query("next")
        pool.close()
        done.set()

    pool.submit_query("tea").add_done_callback(follow)
    assert done.wait(SECONDS)


def test_an_outage_is_over_when_it_is_over(open_pool: Open) -> None:
    fake = FakeEmbedder(fail=Failure.DOWN)
    pool = open_pool(lambda: fake, workers=2)
    outage = [pool.submit_passages([f"t{n}"], background=False) for n in range(5)]
    for future in outage:
        with pytest.raises(EmbeddingUnavailableError):
            future.result(SECONDS)
    fake.recover()
    assert pool.submit_query("tea").result(SECONDS).shape == (1, 64)
