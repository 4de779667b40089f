from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings, strategies as st

from graphmem.text.timex.reader import read
from tests.text.timex.english import MONDAY, on, value

LAW = settings(deadline=None, max_examples=30)
DAYS = st.dates(date(1000, 1, 1), date(2199, 12, 31))


@pytest.mark.parametrize(
    "text",
    [
        "7 May 2023", "7th May 2023", "the 7th of May 2023", "the 7th of May, 2023", "May 7, 2023",
        "May 7th 2023", "May the 7th, 2023", "the seventh of May 2023", "7-May-2023", "2023-05-07",
        "2023/05/07", "2023.5.7", "Sunday, May 7, 2023", "Sun, 7 May 2023", "may 7 2023",
        "MAY 7, 2023", "7.5.2023", "7 May '23", "07-May-23", "5/7/23", "5/7/2023",
    ],
)  # fmt: skip
def test_one_day_in_many_spellings(text: str) -> None:
    assert value(f"It was on {text}, you know", None) == "2023-05-07"


@LAW
@given(DAYS)
def test_every_day_is_read_as_it_is_written(day: date) -> None:
    stamp = day.isoformat()
    month = f"{day:%B}"
    for text in (stamp, f"{day.day} {month} {day.year}", f"{month} {day.day}, {day.year}"):
        found = read(text, None)
        assert [e.interval.text() for e in found if e.interval] == [stamp]
        assert all(e.is_complete for e in found)


@pytest.mark.parametrize(
    ("text", "american", "british"),
    [
        ("5/7/23", "2023-05-07", "2023-07-05"),
        ("11/21/2022", "2022-11-21", "2022-11-21"),
        ("25/12/2022", "2022-12-25", "2022-12-25"),
        ("13/13/2022", None, None),
    ],
)
def test_slashes_follow_the_locale_unless_a_number_settles_it(
    text: str, american: str | None, british: str | None
) -> None:
    assert value(f"dated {text}") == american
    assert value(f"dated {text}", locale="en-GB") == british


@pytest.mark.parametrize(
    ("text", "is_complete"),
    [
        ("7 May 2023", True), ("May 2023", True), ("in 2019", True), ("in the 1990s", True),
        ("from 2015 to 2018", True), ("7 May 2023 at 3pm", True), ("since 2016", True),
        ("5/7/23", False), ("May 7", False), ("7 May '23", False), ("Christmas 2021", False),
        ("Q1 2023", False), ("the summer of 2021", False), ("the nineties", False),
        ("two days before 7 May 2023", False), ("the week of 7 May 2023", False),
    ],
)  # fmt: skip
def test_what_states_its_whole_value_is_complete(text: str, is_complete: bool) -> None:
    assert [e.is_complete for e in read(text, MONDAY)] == [is_complete]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We met on May 7th.", "2023-05-07"),
        ("We met on May 20th.", "2022-05-20"),
        ("We'll meet on May 20th.", "2023-05-20"),
        ("We'll meet on the 3rd of March.", "2024-03-03"),
        ("June 1st.", "2023-06-01"),
        ("The 4th of July.", "2023-07-04"),
        ("We met on the 15th.", "2023-04-15"),
        ("We'll meet on the 15th.", "2023-05-15"),
        ("On the 15th?", None),
        ("We met on the 15th floor.", None),
        ("It came 15th.", None),
        ("We met on 5/7.", "2023-05-07"),
        ("We met on 5/7 of it.", None),
        ("We met on February 30th.", None),
    ],
)
def test_a_date_without_a_year_follows_the_tense_else_it_is_the_nearest(
    text: str, expected: str | None
) -> None:
    assert value(text) == expected


@LAW
@given(
    st.dates(date(1900, 1, 1), date(2100, 12, 31)), st.dates(date(2023, 1, 1), date(2023, 12, 31))
)
def test_the_past_is_not_after_today_and_the_future_not_before(today: date, day: date) -> None:
    past = date.fromisoformat(value(f"We met on {day:%B} {day.day}.", on(today)) or "")
    future = date.fromisoformat(value(f"We'll meet on {day:%B} {day.day}.", on(today)) or "")
    assert past <= today <= future
    assert (past.month, past.day) == (future.month, future.day) == (day.month, day.day)


def test_a_leap_day_is_sought_over_years() -> None:
    assert value("We met on February 29th.") == "2020-02-29"
    assert value("We'll meet on February 29th.") == "2024-02-29"


@pytest.mark.parametrize(
    "text",
    [
        "It costs 1/2 cup", "open 24/7", "on 9/11", "version 3.10.2", "a score of 3-2", "call 555-2019",
        "2019-555-0123", "10.5.20.23", "He may 7 times out of ten", "May 5 people join?", "room 2019",
        "2023-02-30", "v2023", "id 20230507", "16:9", "3.5%",
    ],
)  # fmt: skip
def test_numbers_of_other_things_are_text(text: str) -> None:
    assert value(text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2023-05-07T15:00:00Z", "2023-05-07 15:00+00:00"),
        ("2023-05-07T15:00+08:00", "2023-05-07 15:00+08:00"),
        ("2023-05-07 15:00", "2023-05-07 15:00"),
    ],
)
def test_iso_times(text: str, expected: str) -> None:
    assert value(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Christmas 2021", "2021-12-25"),
        ("last Christmas", "2022-12-25"),
        ("next Christmas", "2023-12-25"),
        ("this Christmas Eve", "2023-12-24"),
        ("Christmas last year", "2022-12-25"),
        ("last year's Christmas", "2022-12-25"),
        ("the Christmas before last", "2021-12-25"),
        ("Easter 2024", "2024-03-31"),
        ("Good Friday 2023", "2023-04-07"),
        ("last Thanksgiving", "2022-11-24"),
        ("Black Friday 2022", "2022-11-25"),
        ("Mother's Day 2023", "2023-05-14"),
        ("Mothers' Day 2023", "2023-05-14"),
        ("Father's Day 2023", "2023-06-18"),
        ("Memorial Day 2022", "2022-05-30"),
        ("Labor Day 2022", "2022-09-05"),
        ("MLK Day 2023", "2023-01-16"),
        ("New Year's Eve 2022", "2022-12-31"),
        ("the day after Thanksgiving 2022", "2022-11-25"),
        ("Chinese New Year 2023", "2023-01-22"),
        ("the Mid-Autumn Festival 2023", "2023-09-29"),
        ("Orthodox Easter 2023", None),
        ("Christmas", None),
        ("two days before Christmas", None),
    ],
)
def test_holidays_need_a_year_or_a_direction(text: str, expected: str | None) -> None:
    assert value(f"It is {text}.") == expected


def test_without_an_anchor_only_what_names_its_year_is_read() -> None:
    assert value("May 7th", None) is None
    assert value("yesterday", None) is None
    assert value("two days before Christmas 2021", None) == "2021-12-23"
