"""One table of traditional characters serves times, claims and facts."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from graphmem.text.traditional import simplified


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我剛從臺灣回來", "我刚从台湾回来"),
        ("兩個月後開學", "两个月后开学"),
        ("我計畫下週畫畫", "我计划下周画画"),
        ("I moved to 臺北", "I moved to 台北"),
        ("已经是简体", "已经是简体"),
    ],
)
def test_traditional_characters_are_simplified(text: str, expected: str) -> None:
    assert simplified(text) == expected


@given(st.text(alphabet=st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF), max_size=60))
def test_no_length_changes_and_twice_is_once(text: str) -> None:
    once = simplified(text)
    assert len(once) == len(text)
    assert simplified(once) == once
