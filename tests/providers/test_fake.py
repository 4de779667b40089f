from __future__ import annotations

import threading

import pytest

from graphmem.errors import EmbeddingResponseError, EmbeddingUnavailableError
from graphmem.providers.embedding.fake import Failure, FakeEmbedder


@pytest.mark.parametrize(
    ("query", "near", "far"),
    [
        ("favourite tea", "her favourite is green tea", "the train leaves at nine"),
        ("喜欢烤鸭", "我喜欢北京烤鸭", "火车九点出发"),
    ],
)
def test_texts_with_much_in_common_are_near(query: str, near: str, far: str) -> None:
    fake = FakeEmbedder()
    to_near, to_far = fake.embed_passages([near, far]) @ fake.embed_queries([query])[0]
    assert to_near > to_far


def test_it_fails_and_recovers_at_run_time() -> None:
    fake = FakeEmbedder(fail=Failure.DOWN)
    with pytest.raises(EmbeddingUnavailableError):
        fake.embed_queries(["tea"])
    fake.recover()
    assert fake.embed_queries(["tea"]).shape == (1, 64)
    fake.break_down(Failure.HANG, hang_seconds=0.0)
    with pytest.raises(EmbeddingUnavailableError, match="in time"):
        fake.embed_queries(["tea"])
    assert (fake.calls, fake.texts) == (3, 1)


def test_a_call_that_hangs_is_answered_on_recovery() -> None:
    fake = FakeEmbedder()
    fake.break_down(Failure.HANG)
    answered = threading.Event()

    def call() -> None:
        fake.embed_queries(["tea"])
        answered.set()

    thread = threading.Thread(target=call)
    thread.start()
    assert not answered.wait(0.05)
    fake.recover()
    thread.join(20)
    assert answered.is_set()


def test_poison_is_refused_with_what_is_beside_it() -> None:
    fake = FakeEmbedder(poison=["☠"])
    with pytest.raises(EmbeddingResponseError) as caught:
        fake.embed_passages(["tea", "a ☠ b"])
    assert "☠" not in str(caught.value)
    assert fake.embed_passages(["tea"]).shape == (1, 64)


def test_slow_texts_take_their_time_but_are_answered() -> None:
    assert FakeEmbedder(seconds_per_text=0.001).embed_passages(["tea"] * 2).shape == (2, 64)
