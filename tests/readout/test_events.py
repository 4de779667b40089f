from __future__ import annotations

import time

import pytest

from graphmem.domain.interval import Interval
from graphmem.readout.events import day_of, pair_of, past_of


@pytest.mark.parametrize(
    ("question", "pair"),
    [
        ("How many days are between the storm and the wedding?", ("the storm", "the wedding")),
        ("How long was it from the storm until the wedding?", ("the storm", "the wedding")),
        ("Which came first, the storm or the wedding?", ("the storm", "the wedding")),
        ("How long after the storm did we marry?", ("the storm", "we marry")),
        ("Did we marry before the storm hit?", ("we marry", "the storm hit")),
        ("风暴和婚礼之间相隔多少天？", ("风暴", "婚礼")),
        ("风暴之后多久办了婚礼？", ("风暴", "办了婚礼")),
        ("是先有风暴，还是先办婚礼？", ("有风暴", "办婚礼")),
        ("风暴和婚礼哪个在先？", ("风暴", "婚礼")),
        ("When was the storm?", None),
        ("What did we do between meals?", None),
        ("风暴是什么时候？", None),
    ],
)
def test_two_events_are_read_as_the_question_names_them(
    question: str, pair: tuple[str, str] | None
) -> None:
    assert pair_of(question) == pair


@pytest.mark.parametrize(
    ("question", "event"),
    [
        ("How long ago did we marry?", "we marry"),
        ("How many weeks ago did we marry?", "we marry"),
        ("How long is it since the storm?", "the storm"),
        ("风暴是多久以前？", "风暴"),
        ("距离婚礼过去多少天了？", "婚礼"),
        ("How long did the storm last?", None),
        ("风暴持续了多久？", None),
    ],
)
def test_one_event_and_the_question(question: str, event: str | None) -> None:
    assert past_of(question) == event


@pytest.mark.parametrize(
    "piece", ["between a and b ", "first, x or ", "从和到", "先还是", "how long after "]
)
def test_hostile_questions_are_read_in_bounded_time(piece: str) -> None:
    began = time.monotonic()
    for size in (300, 400, 200_000):
        question = (piece * size)[:size]
        pair_of(question)
        past_of(question)
    assert time.monotonic() - began < 5


@pytest.mark.parametrize(
    ("text", "offset", "day"),
    [
        ("2023-05-07", 0, 19484),
        ("2023-05-07 23:30", 120, 19484),
        ("2023-05-07 00:30", 480, 19484),
        ("2023-05-07..2023-05-08", 0, None),
        ("2023-05", 0, None),
        ("2023", 0, None),
        ("2023-05-07..", 0, None),
    ],
)
def test_a_day_is_that_of_the_text_s_own_calendar(text: str, offset: int, day: int | None) -> None:
    assert day_of(Interval.parse(text, offset)) == day
