from __future__ import annotations

import pytest

from graphmem.text.timex.calendar import Tense
from graphmem.text.timex.zh.tense import tense


def told(text: str) -> Tense | None:
    start = text.index("周五")
    return tense(text, start, start + 2)


@pytest.mark.parametrize(
    "text",
    [
        "周五我去了医院",
        "周五见过他",
        "我周五已经交",
        "周五刚到",
        "周五，我们去了",
        "周五到的北京",
        "周五没去",
        "周五玩得很开心",
        "周五收到快递",
        "他周五把书还了，说下次要早点",
    ],
)
def test_what_was_done_is_past(text: str) -> None:
    assert told(text) == "past"


@pytest.mark.parametrize(
    "text",
    [
        "周五要去",
        "我们周五会去",
        "打算周五去",
        "周五将召开大会",
        "约好周五见面",
        "记得周五交",
        "提醒我周五交房租",
        "周五见！",
        "周五去看电影吧",
        "周五能来吗？",
        "周五要交了",
        "会议改到周五",
    ],
)
def test_what_is_to_be_is_future(text: str) -> None:
    assert told(text) == "future"


@pytest.mark.parametrize(
    "text",
    [
        "周五去",
        "周五的会议",
        "周五大家去吃饭",
        "买了周五的票",
        "如果周五去了",
        "本来周五要去",
        "周五都会去",
        "每到周五都去了",
        "周五去不了",
        "今天是周五，我们去了",
        "周五过年",
        "周五他说要来",
        "一般周五会加班",
    ],
)
def test_where_nothing_or_too_much_is_said_there_is_no_tense(text: str) -> None:
    assert told(text) is None


def test_another_sentence_says_nothing_of_the_tense() -> None:
    assert told("我去了。周五开会。他会来") is None
