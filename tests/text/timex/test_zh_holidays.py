from __future__ import annotations

from datetime import date

import pytest

from graphmem.text.timex.zh.holidays import NAMES, holiday
from tests.text.timex.chinese import value, values

# First days of lunar years, and 清明, as two other libraries have them (sxtwl, lunar-python).
LUNAR_NEW_YEARS = {
    1985: "02-20",
    2000: "02-05",
    2012: "01-23",
    2021: "02-12",
    2023: "01-22",
    2033: "01-31",
}
QINGMING = {1990: "04-05", 2008: "04-04", 2023: "04-05", 2024: "04-04", 2049: "04-04"}


@pytest.mark.parametrize(("year", "day"), LUNAR_NEW_YEARS.items())
def test_a_lunar_year_begins_on_its_day_and_its_eve_is_the_day_before(year: int, day: str) -> None:
    first = date.fromisoformat(f"{year}-{day}")
    assert holiday("春节", year) == first
    assert (first - holiday("除夕", year)).days == 1
    assert (holiday("元宵节", year) - first).days == 14


@pytest.mark.parametrize(("year", "day"), QINGMING.items())
def test_qingming_is_a_solar_term(year: int, day: str) -> None:
    assert holiday("清明节", year).isoformat() == f"{year}-{day}"


@pytest.mark.parametrize("name", sorted(NAMES))
def test_every_holiday_falls_once_a_year(name: str) -> None:
    for year in (1999, 2000, 2023, 2024):
        assert value(f"{year}年{name}", None) == holiday(name, year).isoformat()


@pytest.mark.parametrize(
    ("year", "day"),
    [(1818, "03-22"), (1943, "04-25"), (2000, "04-23"), (2023, "04-09"), (2024, "03-31")],
)
def test_easter(year: int, day: str) -> None:
    assert holiday("复活节", year).isoformat() == f"{year}-{day}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("上个圣诞节", "2022-12-25"), ("下个春节", "2024-02-10"), ("上个春节", "2023-01-22"), ("这个中秋节", "2023-09-29"),
        ("今年母亲节", "2023-05-14"), ("上个母亲节", "2022-05-08"), ("去年感恩节", "2022-11-24"), ("今年五一", "2023-05-01"),
        ("去年十一我去了西藏", "2022-10-01"), ("去年十一月", "2022-11"), ("去年雙十一", "2022-11-11"), ("2020年中秋节", "2020-10-01"),
        ("2024年农历八月十五", "2024-09-17"), ("去年腊月二十三", "2023-01-14"), ("農曆八月十五", "2023-09-29"), ("正月初五", "2023-01-26"),
        ("阴历九月初九要去爬山", "2023-10-23"),
    ],
)  # fmt: skip
def test_holidays_with_a_year_or_a_direction_and_lunar_dates(text: str, expected: str) -> None:
    assert value(text) == expected


def test_a_bare_holiday_is_none() -> None:
    assert values("春节快乐！中秋节吃月饼，五一去了黄山，双十一买了好多，清明要扫墓") == []


def test_a_lunar_year_that_no_table_has_is_none() -> None:
    assert values("2500年春节，1800年清明节") == []
