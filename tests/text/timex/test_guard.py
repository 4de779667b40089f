from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from graphmem.domain.annotation import WRITTEN_OUT
from graphmem.text.timex.guard import Guard
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
        "src/yesterday/notes.md",
        "/var/log/yesterday/x",
        "~/yesterday/",
        "C:\\logs\\yesterday\\x.log",
        "logs/2023-05-07/yesterday",
        "report_yesterday.pdf",
        "yesterday.py",
        "yesterday.io",
        "see yesterday.com/x, please",
        "by @yesterday",
        "#yesterday",
        "#昨天yesterday",
        "x = 'yesterday'",
        "at('yesterday')",
        "so:\n\n    x = yesterday\n\nas said",
        "\tx = yesterday",
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
        "either/or yesterday",
        "he/she left yesterday/today",
        "24/7 since yesterday",
        "see you yesterday.so nice",
        "('cause I got there yesterday, it's ok",
        "C# yesterday",
        "#1 yesterday",
        "mail me @ yesterday",
        "- item\n\n    we met yesterday",
        "我放进了a/b.md，yesterday",
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


@pytest.mark.parametrize(
    "text", ["Version 2.5.2023", "v 2.5.2023", "版本号2023.5.2", "'2023-05-07'"]
)
def test_versions_and_literals_are_guarded(text: str) -> None:
    assert Guard(text).covers(len(text) - 4, len(text) - 1)


@given(st.text(max_size=200), st.integers(0, 200), st.integers(1, 20))
def test_any_text_can_be_guarded(text: str, start: int, length: int) -> None:
    assert Guard(text).covers(start, start + length) in {True, False}


@pytest.mark.parametrize(
    "unit",
    [
        "`",
        "``` ",
        '"a ',
        "'A ",
        "“",
        "《",
        "a@",
        "www.",
        "(2023-05-07",
        "a.b@c-",
        "a/",
        "/a",
        "a.",
        "a.md",
        "@a",
        "#a",
        "='2",
        "v1.",
        "\n    ",
        "\n\n    =",
        "a.io/",
        "\\a",
        "2023-05-07/",
    ],
)
def test_guarding_is_linear(unit: str) -> None:
    assert growth(Guard, unit) < 3.0
