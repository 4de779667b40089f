from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given, strategies as st

from graphmem.domain.moment import Moment
from tests.text.timex.chinese import value, values

WEEKDAYS = "一二三四五六日"
PHRASES = (
    "上周五",
    "下周",
    "这周末",
    "上上个星期三",
    "下下周",
    "三天前",
    "两周前",
    "周五我去了",
    "周日我要去",
    "最近两周",
)


def at(day: date) -> Moment:
    return Moment.parse_iso(f"{day.isoformat()}T09:30:00+08:00")


def shifted(text: str, weeks: int) -> str:
    days = [date.fromisoformat(day) + timedelta(weeks=weeks) for day in text.split("..")]
    return "..".join(day.isoformat() for day in days)


@given(
    st.sampled_from(PHRASES),
    st.dates(date(1950, 1, 1), date(2150, 1, 1)),
    st.integers(-2000, 2000),
)
def test_days_and_weeks_move_with_the_anchor_by_whole_weeks(
    text: str, today: date, weeks: int
) -> None:
    here = value(text, at(today))
    assert here is not None
    assert value(text, at(today + timedelta(weeks=weeks))) == shifted(here, weeks)


@given(st.integers(0, 6), st.integers(-2, 2), st.dates(date(1950, 1, 1), date(2150, 1, 1)))
def test_a_weekday_of_a_week_is_counted_from_its_monday(
    weekday: int, weeks: int, today: date
) -> None:
    sign = {-2: "上上", -1: "上", 0: "这", 1: "下", 2: "下下"}[weeks]
    monday = today - timedelta(days=today.weekday())
    expected = (monday + timedelta(weeks=weeks, days=weekday)).isoformat()
    for week in ("周", "个星期", "禮拜"):
        assert value(f"{sign}{week}{WEEKDAYS[weekday]}", at(today)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("周五我去了医院", "2023-05-05"),
        ("周五，我们去了公园", "2023-05-05"),
        ("我们周五要开会", "2023-05-12"),
        ("会议改到周五了", "2023-05-12"),
        ("周一我去了", "2023-05-01"),
        ("周一我要去", "2023-05-15"),
        ("周五", None),
        ("周五人多不多", None),
        ("周五就放假了", None),
        ("我打算周五吃了饭再去", None),
        ("本来周五要去的", None),
        ("周一到周五都要上班", None),
        ("买了周五的票", None),
    ],
)
def test_a_bare_weekday_is_read_by_the_tense_of_its_clause(text: str, expected: str | None) -> None:
    assert value(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("上周一直在忙", "2023-05-01..2023-05-07"),
        ("下周一起去", "2023-05-15..2023-05-21"),
        ("下周三亚旅游", "2023-05-15..2023-05-21"),
        ("这星期天天加班", "2023-05-08..2023-05-14"),
        ("下星期天天气怎么样", "2023-05-21"),
        ("下周期末考试", "2023-05-15..2023-05-21"),
        ("下周期要调整", None),
        ("网上周末活动", None),
        ("我们去星期五餐厅吃了饭", None),
        ("疯狂星期四我请了客", None),
        ("三周一次", None),
    ],
)
def test_a_weekday_ends_where_its_word_ends(text: str, expected: str | None) -> None:
    assert value(text) == expected


def test_a_weekend_alone_is_none() -> None:
    assert values("周末要去爬山，周末去了") == []
