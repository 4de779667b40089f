from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings, strategies as st

from graphmem.domain.moment import Moment
from graphmem.text.timex.calendar import easter
from graphmem.text.timex.en.grammar import candidates
from graphmem.text.timex.en.tense import Clause
from graphmem.text.timex.reader import read
from tests.text.scaling import growth
from tests.text.timex.english import MONDAY

LAW = settings(deadline=None)
PIECES = st.sampled_from([
    "the ", "last ", "day ", "before ", "yesterday", "of ", "May ", "7", "2023", "-", "/", ":", " to ", "from ",
    "on ", "Friday", "two ", "weeks ", "ago ", "in ", "a ", "half ", "every ", "and ", ", ", "Christmas ", "'s ",
    "3pm ", "at ", "since ", "next ", "1", "th ", "İ", "ſ", "去", "\n", "zero ", "9999 ", "99999999 ", "centuries ",
])  # fmt: skip
TEXT = st.lists(PIECES, max_size=14).map("".join) | st.text(max_size=60)


@LAW
@given(TEXT, st.sampled_from([MONDAY, None]))
def test_any_text_is_read_without_an_error(text: str, anchor: object) -> None:
    found = read(text, MONDAY if anchor else None)
    assert all(0 <= e.start < e.end <= len(text) for e in found)


@LAW
@given(TEXT)
def test_candidates_stand_in_order_and_begin_and_end_with_a_word_or_number(text: str) -> None:
    found = candidates(text)
    ends = [0, *(c.end for c in found)]
    assert all(end <= c.start for end, c in zip(ends, found, strict=False))
    assert all(not text[c.start].isspace() and not text[c.end - 1].isspace() for c in found)


@pytest.mark.parametrize(
    "unit",
    [
        "the day before ", "from May 3 to ", "every Monday and ", "1/", "1:", "last ", "May ", "'",
        "two years and ", "twenty ", "Christmas ", "on Friday, ", "in three days ", "3-7 May to ",
        "the first Monday of ", "2023-05-07", "a", "x9", "I agreed to meet on Friday ", "\n yesterday",
    ],
)  # fmt: skip
def test_time_grows_in_line_with_the_text(unit: str) -> None:
    assert growth(candidates, unit, length=4000) < 3.2


@LAW
@given(st.sampled_from(["İstanbul ", "ſ ", "𝔘 ", "去年", "ﬁ "]), st.integers(1, 5))
def test_offsets_are_those_of_the_text(odd: str, times: int) -> None:
    text = odd * times + " we met yesterday."
    assert [text[c.start : c.end] for c in candidates(text)] == ["yesterday"]


@pytest.mark.parametrize(
    "text", ["", "Hello there!", "I like it", "3 cats and 4 dogs", "new and good"]
)
def test_a_text_without_time_has_no_candidates(text: str) -> None:
    assert candidates(text) == []


def test_a_word_is_read_whole_or_not_at_all() -> None:
    assert candidates("yesterdays, todayish, last_week, sundayness, daybreak, v2023") == []


@pytest.mark.parametrize(
    ("text", "tense"),
    [
        ("we met @", "past"), ("we didn't meet @", "past"), ("I've finished it @", "past"),
        ("he was told that it's @", None), ("@ we met", "past"), ("I will go @", "future"),
        ("they're going to go @", "future"), ("I'll have it finished @", "future"),
        ("he must have left @", "past"), ("should we go @", "future"), ("see you @", "future"),
        ("it's closed @", None), ("they are happy @", None), ("I said I'll go @", "future"),
        ("we wanted to go @", None), ("the photo taken @", "past"), ("who's coming @", "future"),
        ("we plan to go @", "future"), ("let's go @", "future"), ("I have to go @", "future"),
        ("it rained. Nice @", None), ("we walked home, and @ we slept", "past"),
    ],
)  # fmt: skip
def test_the_tense_of_a_clause(text: str, tense: str | None) -> None:
    at = text.index("@")
    assert Clause(text, at, at + 1).tense == tense


@pytest.mark.parametrize(
    ("year", "month", "day"),
    [(1961, 4, 2), (2000, 4, 23), (2008, 3, 23), (2019, 4, 21), (2024, 3, 31), (2038, 4, 25)],
)
def test_easter(year: int, month: int, day: int) -> None:
    assert easter(year) == date(year, month, day)


@given(st.integers(1583, 9999))
def test_easter_is_a_sunday_of_spring(year: int) -> None:
    assert easter(year).weekday() == 6
    assert date(year, 3, 22) <= easter(year) <= date(year, 4, 25)


@pytest.mark.parametrize(
    "name",
    [
        "Christmas", "Xmas", "Boxing Day", "New Year's Eve", "Valentine's", "St. Patrick's", "Pi Day",
        "Cinco de Mayo", "Juneteenth", "Halloween", "Hallowe'en", "Guy Fawkes", "Bonfire Night", "Easter",
        "MLK Day", "Thanksgiving", "Black Friday", "Mardi Gras", "Pentecost", "Lantern Festival", "Qixi",
    ],
)  # fmt: skip
def test_the_name_of_a_holiday_needs_no_other_word_of_time(name: str) -> None:
    text = f"We met last {name}"
    assert [text[c.start : c.end] for c in candidates(text)] == [f"last {name}"]


@pytest.mark.parametrize("stamp", ["0001-01-01", "0001-01-03", "9999-12-29", "9999-12-31"])
def test_what_leaves_the_calendar_has_no_value(stamp: str) -> None:
    anchor = Moment.parse_iso(stamp)
    texts = (
        "two weeks ago",
        "last week",
        "in two days",
        "next weekend",
        "We met on April 3rd",
        "tomorrow",
    )
    for text in (*texts, "this Saturday", "a year ago today", "two summers ago", "next May"):
        for expression in read(text, anchor):
            assert expression.interval is None or expression.interval.text()
