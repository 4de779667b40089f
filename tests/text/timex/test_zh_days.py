from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given, strategies as st

from graphmem.domain.moment import Moment
from tests.text.timex.chinese import value, values

DAYS = {
    "大前天": -3, "前天": -2, "昨天": -1, "昨日": -1, "昨晚": -1, "今天": 0, "今晚": 0, "今早": 0,
    "明天": 1, "明早": 1, "后天": 2, "後天": 2, "大后天": 3, "三天前": -3, "两天之前": -2, "兩天以前": -2, "十天后": 10,
}  # fmt: skip


def at(day: date) -> Moment:
    return Moment.parse_iso(f"{day.isoformat()}T09:30:00+08:00")


@given(st.sampled_from(sorted(DAYS)), st.dates(date(1900, 1, 1), date(2200, 1, 1)))
def test_a_day_is_counted_from_the_anchors_local_date(word: str, today: date) -> None:
    expected = today + timedelta(days=DAYS[word])
    assert value(f"{word}的事", at(today)) == expected.isoformat()


def test_without_an_anchor_no_relative_day_is_read() -> None:
    assert values("昨天我去了，三天前也去了，上周五，5月7日", None) == []


def test_today_is_the_date_at_the_anchors_offset() -> None:
    late = datetime(2023, 5, 7, 20, 0, tzinfo=UTC).isoformat()
    assert value("今天", Moment.parse_iso(late)) == "2023-05-07"
    assert value("今天", Moment.parse_iso("2023-05-08T04:00:00+08:00")) == "2023-05-08"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("15号我去了社保局", "2023-04-15"),
        ("20号要交房租", "2023-05-20"),
        ("我3号刚搬来", "2023-05-03"),
        ("15号", None),
        ("15号我去", None),
        ("30日我去", None),
    ],
)
def test_a_day_of_the_month_alone_needs_the_tense_of_its_clause(
    text: str, expected: str | None
) -> None:
    assert value(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "我坐3号线去了",
        "我住5号楼了",
        "我要3号。",
        "2号选手已经上场了",
        "他穿10号球衣进了球",
        "3月5日、6日我去了",
    ],
)
def test_a_number_of_a_thing_is_no_day(text: str) -> None:
    assert value(text) in {None, "2023-03-05"}


@pytest.mark.parametrize(
    "text",
    [
        "后天性疾病",
        "语感是后天培养的",
        "先天不足，后天补",
        "前天线断了",
        "今年轻人多了",
        "明日方舟更新了",
    ],
)
def test_a_day_cut_out_of_another_word_is_none(text: str) -> None:
    assert value(text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("五天后天气转好", "2023-05-13"), ("后天气温下降", "2023-05-10"), ("三年后来到北京", "2026"),
        ("三天前面试过", "2023-05-05"), ("5月17日起飞", "2023-05-17"), ("昨晚餐厅很吵", "2023-05-07"), ("今年过年我回家", "2023"),
    ],
)  # fmt: skip
def test_a_word_that_two_readings_share_goes_to_the_time_that_makes_sense(
    text: str, expected: str
) -> None:
    assert value(text) == expected


@pytest.mark.parametrize("text", ["前天才知道", "后天线上考试", "后天下雨"])
def test_a_day_before_a_word_that_merely_could_hold_its_end_is_read(text: str) -> None:
    assert value(text) in {"2023-05-06", "2023-05-10"}
