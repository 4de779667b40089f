"""Readings that look like dates and are none, or that are of one season over two years."""

from __future__ import annotations

import pytest

from tests.text.timex.chinese import value as chinese
from tests.text.timex.english import value as english


@pytest.mark.parametrize(
    "text",
    [
        "The temperature was in the nineties",
        "It was in the nineties, a scorching afternoon",
        "highs in the 90s",
        "My grades were in the eighties",
        "He has averaged in the 80s",
        "the last three hundred years",
        "Version 2.5.2023 is out",
    ],
)
def test_tens_ages_and_versions_are_no_dates_in_english(text: str) -> None:
    assert english(text) is None


@pytest.mark.parametrize("text", ["近三百年", "版本2023.5.2"])
def test_nor_in_chinese(text: str) -> None:
    assert chinese(text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the best band of the nineties", "1990..1999"),
        ("It rained. In the 90s we lived there", "1990..1999"),
        ("the last thirty years", "1993-05-08..2023-05-08"),
        ("I left on 2.5.2023", "2023-05-02"),
        ("winter 2022-2023", "2022-12..2023-02"),
        ("the winter of 2022-2023", "2022-12..2023-02"),
        ("the winter of 2022/23", "2022-12..2023-02"),
        ("summer 2022-2023", "2022..2023"),
        ("winter 2020-2023", "2020..2023"),
    ],
)
def test_decades_spans_and_winters_are(text: str, expected: str) -> None:
    assert english(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("近三年", "2020-05-08..2023-05-08"),
        ("2022-2023年冬天", "2022-12..2023-02"),
        ("2022年到2023年", "2022..2023"),
    ],
)
def test_in_chinese(text: str, expected: str) -> None:
    assert chinese(text) == expected
