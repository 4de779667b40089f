from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from graphmem.text.timex.guard import WRITTEN_OUT, Guard
from tests.text.scaling import growth


@pytest.mark.parametrize(
    "text",
    [
        "see `yesterday` there",
        "```\nyesterday\n```",
        "```\nyesterday",
        "https://example.org/yesterday/x",
        "www.example.org/yesterday",
        "yesterday@example.org",
        "《yesterday》",
        "“yesterday”",
        "the song 'Not yesterday'",
        'the song "yesterday"',
        "「yesterday」",
    ],
)
def test_code_addresses_and_titles_are_guarded(text: str) -> None:
    start = text.index("yesterday")
    assert Guard(text).covers(start, start + 9)


@pytest.mark.parametrize(
    "text",
    [
        "I saw it yesterday",
        "it's yesterday's, isn't it",
        "`code` yesterday `code`",
        '3" yesterday',
        "“a” yesterday “b”",
    ],
)
def test_prose_is_not(text: str) -> None:
    start = text.index("yesterday")
    assert not Guard(text).covers(start, start + 9)


def test_a_long_quotation_is_speech_and_no_title() -> None:
    text = '"' + "I went there yesterday and " + "many more words " * 6 + '"'
    start = text.index("yesterday")
    assert not Guard(text).covers(start, start + 9)


@pytest.mark.parametrize(
    "value",
    [
        "2023",
        "2023-05",
        "2023-05-07",
        "2023-05-07 15h",
        "2023-05-07 15:00+08:00",
        "2023..",
        "..2023-05",
        "2022-03..2022-05",
        "~2023-05-08",
    ],
)
def test_what_was_written_out_is_known(value: str) -> None:
    assert WRITTEN_OUT.fullmatch(f" ({value})")


@given(st.text(max_size=200), st.integers(0, 200), st.integers(1, 20))
def test_any_text_can_be_guarded(text: str, start: int, length: int) -> None:
    assert Guard(text).covers(start, start + length) in {True, False}


@pytest.mark.parametrize(
    "unit", ["`", "``` ", '"a ', "'A ", "“", "《", "a@", "www.", "(2023-05-07", "a.b@c-"]
)
def test_guarding_is_linear(unit: str) -> None:
    assert growth(Guard, unit) < 3.0
