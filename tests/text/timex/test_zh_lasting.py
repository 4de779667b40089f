"""What lasts to now, and weekends counted back."""

from __future__ import annotations

import pytest

from graphmem.domain.moment import Moment
from tests.text.timex.chinese import value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我学画画七年了", "2016.."),
        ("到现在四个月了，还没腻。", "2023-01.."),
        ("結婚十年了", "2013.."),
        ("做了两年半了", "2020-11.."),
        ("两个周末前我们去露营", "2023-04-29..2023-04-30"),
    ],
)
def test_what_lasts_is_open_from_its_begin(text: str, expected: str) -> None:
    assert value(text) == expected


@pytest.mark.parametrize(
    "text", ["一年了结此事", "三年级了", "做三年的计划", "学了三年", "孩子三岁了"]
)
def test_other_durations_and_ages_are_text(text: str) -> None:
    assert value(text) is None


def test_this_weekend_told_as_past_on_a_monday_is_the_one_just_over() -> None:
    assert value("这个周末我们去了露营") == "2023-05-06..2023-05-07"
    assert value("这个周末我们要去露营") == "2023-05-13..2023-05-14"


@pytest.mark.parametrize("text", ["今年冬天好冷", "这个冬天好冷"])
def test_this_winter_is_text_in_january(text: str) -> None:
    assert value(text, Moment.parse_iso("2023-01-17T10:00:00+08:00")) is None
    assert value(text, Moment.parse_iso("2023-11-17T10:00:00+08:00")) == "2023-12..2024-02"
    assert value("去年冬天", Moment.parse_iso("2023-01-17T10:00:00+08:00")) == "2022-12..2023-02"


@pytest.mark.parametrize(
    "text",
    ["要保留那棵三百年的银杏", "一百年不变", "八十年的老房子", "七十年都过去了", "两百年的历史"],
)
def test_hundreds_of_years_are_no_year(text: str) -> None:
    assert value(text) is None


def test_two_digits_name_a_year() -> None:
    assert value("98年我们搬了家") == "1998"
    assert value("零八年的奥运会") == "2008"


@pytest.mark.parametrize("text", ["民国89年出生", "民國八九年出生", "昭和63年造的"])
def test_years_of_another_era_are_text(text: str) -> None:
    assert value(text) is None


@pytest.mark.parametrize("text", ["上周五百块钱花完了", "上周二人世界真好", "我们上周四处逛了逛"])
def test_the_number_of_the_next_word_is_no_weekday(text: str) -> None:
    assert value(text) == "2023-05-01..2023-05-07"
