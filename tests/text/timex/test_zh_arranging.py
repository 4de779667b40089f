from __future__ import annotations

import pytest

from graphmem.domain.moment import Moment
from graphmem.text.timex.reader import read

ANCHOR = Moment.parse_iso("2024-05-10T10:00:00+08:00")


def value(text: str) -> str | None:
    """The value of the only expression of a text."""
    [found] = read(text, ANCHOR)
    return found.interval.text() if found.interval else None


@pytest.mark.parametrize(
    "text",
    [
        "我被邀请参加12月5号的婚礼了",
        "公司通知我12月5号入职了",
        "我已经报名参加12月5号的马拉松了",
        "会议推迟到12月5号了",
        "我请了12月5号的假",
        "我买到了12月5号的票",
    ],
)
def test_a_date_behind_the_verb_that_arranges_is_of_the_occasion(text: str) -> None:
    assert value(text) == "2024-12-05"


@pytest.mark.parametrize(
    "text",
    [
        "我12月5号就报名了",
        "我12月5号订的票",
        "我应邀参加了12月5号的年会",
        "我们12月5号约好以后就没再联系过",
    ],
)
def test_a_date_before_it_or_behind_what_was_done_is_past(text: str) -> None:
    assert value(text) == "2023-12-05"


@pytest.mark.parametrize("text", ["我们约好周五见面，可他没来", "我答应他12月5号去，结果忘了"])
def test_what_came_of_it_leaves_the_date_open(text: str) -> None:
    assert value(text) is None


def test_what_has_just_been_is_not_a_year_away() -> None:
    assert value("我订了5月3号的票") == "2024-05-03"
