from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from graphmem.text.timex.zh.numerals import number

DIGITS = "〇一二三四五六七八九"


def spelt(value: int) -> str:
    """A number from 1 to 9999 in Chinese, by place."""
    text = ""
    for power, sign in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = value // power % 10
        if digit:
            text += DIGITS[digit] + sign
        elif text and not text.endswith("〇") and value % power:
            text += "〇"
    return text


@given(st.integers(1, 9999))
def test_a_number_by_place_has_its_value(value: int) -> None:
    assert number(spelt(value)) == value
    assert number(str(value)) == value


@given(st.integers(1000, 2999))
def test_a_year_by_digits_has_its_value(year: int) -> None:
    assert number("".join(DIGITS[int(digit)] for digit in str(year))) == year


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("十", 10),
        ("十五", 15),
        ("两", 2),
        ("廿三", 23),
        ("卅", 30),
        ("一百零一".replace("零", "〇"), 101),
    ],
)
def test_short_forms(text: str, value: int) -> None:
    assert number(text) == value


@pytest.mark.parametrize("text", ["百", "千", "两三十", "十百", "1.5", "123456789", "一" * 40])
def test_what_is_no_count_has_none(text: str) -> None:
    assert number(text) is None
