from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, strategies as st

from graphmem.domain.moment import Moment
from graphmem.text.timex.zh.grammar import candidates
from tests.text.timex.chinese import dates, value, values

DIGITS = "〇一二三四五六七八九"


def spelt(number: int) -> str:
    """A number to 99 in Chinese."""
    tens, ones = divmod(number, 10)
    return ("" if tens == 0 else "十" if tens == 1 else DIGITS[tens] + "十") + DIGITS[ones] * bool(
        ones
    )


@given(st.dates(date(1001, 1, 1), date(2999, 12, 31)).filter(lambda day: day.year % 1000))
def test_a_complete_date_is_read_in_every_spelling_without_an_anchor(day: date) -> None:
    year, month, number = day.year, day.month, day.day
    han = "".join(DIGITS[int(digit)] for digit in str(year))
    wide = str.maketrans("0123456789", "０１２３４５６７８９")
    for text in (
        f"{year}年{month}月{number}日",
        f"{year} 年 {month} 月 {number} 号",
        f"{year}年{month}月{number}號".translate(wide),
        f"{han}年{spelt(month)}月{spelt(number)}日",
        f"于{year}.{month}.{number}",
        f"于{year}/{month}/{number}",
        f"于{year}-{month}-{number}",
    ):
        assert value(text, None) == day.isoformat(), text


@pytest.mark.parametrize("text", ["2023年2月29日", "2023年4月31日", "2023年13月", "于2023-02-30"])
def test_a_date_that_no_calendar_has_is_none(text: str) -> None:
    assert value(text, None) in {None, "2023"}


def test_29_february_is_the_nearest_one_there_is() -> None:
    assert value("2月29日我去了") == "2020-02-29"
    assert value("2月29日我要去") == "2024-02-29"


@pytest.mark.parametrize(
    ("text", "is_complete"),
    [
        ("2023年5月7日", True),
        ("2023年5月", True),
        ("2023年", True),
        ("5月7日", False),
        ("23年5月7日", False),
    ],
)
def test_only_what_states_all_of_its_value_is_complete(text: str, is_complete: bool) -> None:
    assert [found.is_complete for found in candidates(text)] == [is_complete]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("上个月", "2023-04"), ("上上个月", "2023-03"), ("下月", "2023-06"), ("本月", "2023-05"), ("两个月前", "2023-03"),
        ("上个月15号", "2023-04-15"), ("下个月二十号", "2023-06-20"), ("两个月前的15号", "2023-03-15"), ("上个月底", "2023-04"),
        ("这个月中旬", "2023-05"), ("去年", "2022"), ("大前年", "2020"), ("后年", "2025"), ("两年前", "2021"), ("半年前", "2022-11"),
        ("一年半前", "2021-11"), ("去年三月", "2022-03"), ("两年前的五月", "2021-05"), ("去年底", "2022"), ("2022年年初", "2022"),
        ("23年5月", "2023-05"), ("08年", "2008"), ("98年我上大学", "1998"), ("两千零八年", "2008"), ("90年代", "1990..1999"),
        ("上世纪八十年代", "1980..1989"), ("20世纪90年代", "1990..1999"), ("2010年代", "2010..2019"),
        ("2023年第一季度", "2023-01..2023-03"), ("去年四季度", "2022-10..2022-12"), ("上个季度", "2023-01..2023-03"),
        ("去年上半年", "2022-01..2022-06"), ("2021年夏天", "2021-06..2021-08"), ("去年冬天", "2022-12..2023-02"),
        ("上个冬天", "2022-12..2023-02"), ("下个夏天", "2023-06..2023-08"), ("一年前的今天", "2022-05-08"), ("去年今天", "2022-05-08"),
    ],
)  # fmt: skip
def test_months_years_and_their_parts(text: str, expected: str) -> None:
    assert value(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("三月份我去了云南", "2023-03"), ("三月份我们会推出新品", "2024-03"), ("三月份", "2023-03"), ("在六月毕业", "2023-06"),
        ("5月7日", "2023-05-07"), ("5月20日我去过", "2022-05-20"), ("12月24日我们去了哈尔滨", "2022-12-24"), ("1月15日我要飞墨尔本", "2024-01-15"),
        ("8月我们去了青岛", "2022-08"), ("8月", None), ("三月兔跑了", None), ("五月天开了演唱会", None), ("十月革命改变了世界", None),
        ("三月三去了广西", None), ("5月3次去了北京", None),
    ],
)  # fmt: skip
def test_a_date_or_month_without_a_year(text: str, expected: str | None) -> None:
    assert value(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2023年5月的第一周", "2023-05-01..2023-05-07"), ("八月第一个周末", "2023-08-05..2023-08-06"),
        ("五月第二个星期二", "2023-05-09"), ("三月最后一个星期五", "2023-03-31"), ("上个月的第一个周末", "2023-04-01..2023-04-02"),
    ],
)  # fmt: skip
def test_weeks_and_weekdays_of_a_month(text: str, expected: str) -> None:
    assert value(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "公元前1600年",
        "有1500年历史",
        "三年级",
        "一周年",
        "三年",
        "5000年",
        "20年代",
        "21世纪",
        "00后",
        "2023块",
        "当年5月7日",
    ],
)
def test_a_number_beside_a_unit_is_not_always_a_date(text: str) -> None:
    assert values(text) == []


@given(st.dates(date(1950, 1, 1), date(2150, 1, 1)), st.integers(1, 40))
def test_months_ago_is_a_month_at_every_months_end(today: date, count: int) -> None:
    total = today.year * 12 + today.month - 1 - count
    expected = f"{total // 12:04}-{total % 12 + 1:02}"
    assert value(f"{count}个月前", Moment.parse_iso(f"{today}T09:00:00+08:00")) == expected


def test_offsets_are_those_of_the_original_text() -> None:
    text = "😀他們說２０２３年５月７日在臺北見"
    assert dates(text) == [("２０２３年５月７日", "2023-05-07")]
