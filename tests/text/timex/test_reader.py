from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from graphmem.domain.annotation import Annotated, annotate
from graphmem.domain.interval import GRAINS
from graphmem.domain.moment import Moment
from graphmem.text.timex.reader import read
from tests.text.scaling import growth

ANCHOR = Moment.parse_iso("2023-05-08T13:56:00Z")

PIECES = (
    "yesterday", "last Tuesday", "two weeks ago", "7 May 2023", "May 7th", "in 2019", "since March",
    "at 3pm", "every Monday", "three days later", "last spring", "from May 3 to May 7", "5/7/23",
    "昨天", "上周五", "前天下午三点", "三天后", "去年春天", "5月3日到7日", "2023年5月7日", "每周五", "第二天",
    "we met", "we'll go", "他去了", "要去", "May I", "一天到晚", "`yesterday`", "《昨天》", "\"today\"", "(2023-05-07)",
    "(2022-03..2022-05)", ", ", ". ", "，", "。", " ", " ", "\n", "the", "和", "2023", "-05", "1", "一", "🙂",
)  # fmt: skip
texts = st.lists(st.sampled_from(PIECES), max_size=12).map("".join) | st.text(max_size=40)
anchors = st.one_of(
    st.none(),
    st.builds(
        Moment,
        us=st.integers(-(10**15), 4 * 10**15),
        offset_minutes=st.integers(-720, 840),
        precision=st.sampled_from(["instant", "day"]),
    ),
)


def _write_out(text: str, anchor: Moment | None) -> Annotated:
    mentions = [m for m in (e.mention() for e in read(text, anchor)) if m is not None]
    return annotate(text, mentions)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("I joined last Tuesday.", "I joined last Tuesday (2023-05-02)."),
        ("last spring we moved", "last spring (2022-03..2022-05) we moved"),
        ("我上周五去的。", "我上周五(2023-05-05)去的。"),
        ("On 7 May 2023 it rained", "On 7 May 2023 it rained"),
        ("see `git log --since yesterday`", "see `git log --since yesterday`"),
        ("Recently I slept badly", "Recently I slept badly"),
        ("every Monday", "every Monday"),
    ],
)
def test_dates_are_written_where_they_are_spoken_of(text: str, shown: str) -> None:
    assert _write_out(text, ANCHOR).text == shown


@given(texts, anchors)
def test_writing_dates_out_twice_changes_nothing_more(text: str, anchor: Moment | None) -> None:
    once = _write_out(text, anchor).text
    assert _write_out(once, anchor).text == once


@given(texts, anchors)
def test_the_text_as_it_was_said_can_be_had_back(text: str, anchor: Moment | None) -> None:
    assert _write_out(text, anchor).original() == text


@given(texts, anchors)
def test_expressions_follow_one_another_within_the_text(text: str, anchor: Moment | None) -> None:
    at = 0
    for expression in read(text, anchor):
        assert at <= expression.start < expression.end <= len(text)
        assert expression.kind == "date" or expression.interval is None
        at = expression.end


@given(texts)
def test_without_an_anchor_only_complete_dates_are_read(text: str) -> None:
    for expression in read(text, None):
        assert expression.interval is None or expression.is_complete or _stands_on_one(text)


def _stands_on_one(text: str) -> bool:
    """Whether "three days later" may stand on a complete date before it, or a date be in slashes."""
    return any(piece in text for piece in ("2023", "2019", "5/7/23"))


@given(texts, st.integers(-720, 840), st.integers(0, 10**15))
def test_the_same_local_anchor_gives_the_same_values_in_every_zone(
    text: str, offset: int, us: int
) -> None:
    here = Moment(us=us, offset_minutes=0)
    there = Moment(us=us - offset * 60_000_000, offset_minutes=offset)
    values = [
        [
            e.interval.text()
            for e in read(text, anchor)
            if e.interval and not e.interval.states_offset
        ]
        for anchor in (here, there)
    ]
    assert values[0] == values[1]


@pytest.mark.parametrize(
    ("text", "grain"),
    [
        ("two years ago", "year"),
        ("two months ago", "month"),
        ("last spring", "month"),
        ("two weeks ago", "day"),
        ("yesterday evening", "day"),
        ("two hours ago", "hour"),
        ("yesterday at 3pm", "minute"),
        ("两年前", "year"),
        ("两个月前", "month"),
        ("去年春天", "month"),
        ("两周前", "day"),
        ("昨天晚上", "day"),
        ("两小时前", "hour"),
        ("昨天下午三点", "minute"),
    ],
)
def test_a_value_is_never_finer_than_the_text(text: str, grain: str) -> None:
    (found,) = [e.interval for e in read(text, ANCHOR) if e.interval]
    assert GRAINS.index(found.grain) >= GRAINS.index(grain)


@pytest.mark.parametrize(
    "unit",
    [
        "last ", "the week before ", "2023-", "1/", "3 days ", "from May to ", "at 3 ", "seventy-one ",
        "上", "下下", "三", "一二三", "年", "前天", "第", "到", "五月", "每", "two weeks before ", "May ", "(", "1",
    ],
)  # fmt: skip
def test_reading_is_linear(unit: str) -> None:
    assert growth(lambda text: read(text, ANCHOR), unit, length=6_000) < 3.0
