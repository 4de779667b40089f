from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, strategies as st

from graphmem.text.timex.frame import Frame
from graphmem.text.timex.zh.folding import folded
from graphmem.text.timex.zh.grammar import candidates
from tests.text.scaling import growth
from tests.text.timex.chinese import MONDAY

SIGNS = "年月日号周天上下前后第每从到一三五十两半几个的了要2023-./:（）近节初午，。 ABC今明昨去起来"
texts = st.text(alphabet=SIGNS, max_size=60) | st.text(max_size=40)


def _resolve(text: str) -> None:
    for found in candidates(text):
        if found.resolve:
            found.resolve(Frame(anchor=MONDAY))


@given(texts)
def test_any_text_is_read_and_its_candidates_lie_in_order_within_it(text: str) -> None:
    spans = [(found.start, found.end) for found in candidates(text)]
    assert all(0 <= start < end <= len(text) for start, end in spans)
    assert all(first[1] <= second[0] for first, second in pairwise(spans))
    _resolve(text)


@given(texts)
def test_folding_keeps_every_offset(text: str) -> None:
    assert len(folded(text)) == len(text)


@pytest.mark.parametrize(
    ("simplified", "traditional"),
    [
        ("上周五", "上週五"),
        ("两个月前", "兩個月前"),
        ("后天", "後天"),
        ("礼拜三", "禮拜三"),
        ("从三月开始", "從三月開始"),
        ("过去一个月", "過去一個月"),
    ],
)
def test_traditional_characters_read_as_simplified(simplified: str, traditional: str) -> None:
    assert folded(traditional) == simplified


def test_text_without_chinese_characters_has_no_candidates() -> None:
    assert candidates("on 2023-05-07 at 15:30") == []


@pytest.mark.parametrize(
    "unit",
    [
        "2023年",
        "5月7日前一天",
        "前一天",
        "周五了",
        "从三月到",
        "每周",
        "三天前的",
        "（周五）",
        "2023-5-7到",
        "前天线",
        "十",
        "的",
        "年1",
    ],
)
def test_the_time_it_takes_is_linear(unit: str) -> None:
    assert growth(lambda text: _resolve("年" + text), unit, length=4_000) < 3.0
