"""What an answer may cite: what was shown, and nothing else."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, strategies as st

from graphmem.readout.citations import checked
from graphmem.readout.prompt import CHINESE, ENGLISH, abstains

KNOWN = ("m1", "m2", "m12")


@pytest.mark.parametrize(
    ("said", "text", "cited", "invented"),
    [
        ("In May [m12].", "In May [m12].", ("m12",), ()),
        ("In May [m2][m1], at noon [m2].", "In May [m2][m1], at noon [m2].", ("m2", "m1"), ()),
        ("In May [m1, m2].", "In May [m1][m2].", ("m1", "m2"), ()),
        ("In May [ M1 and m3 ].", "In May [m1].", ("m1",), ("m3",)),
        ("In May [m3].", "In May.", (), ("m3",)),
        ("In May [m3] or June [m99; m3].", "In May or June.", (), ("m3", "m99")),
        ("五月【m1、m2】。", "五月[m1][m2]。", ("m1", "m2"), ()),
        ("五月［m7］。", "五月。", (), ("m7",)),
        ("The M1 motorway (m3) [sic].", "The M1 motorway (m3) [sic].", (), ()),
        ("[m0] [m01]", "", (), ("m0", "m01")),
    ],
)
def test_invented_ids_are_taken_out_and_told(
    said: str, text: str, cited: tuple[str, ...], invented: tuple[str, ...]
) -> None:
    found = checked(said, KNOWN)
    assert (found.text, found.cited, found.invented) == (text, cited, invented)


@pytest.mark.parametrize(
    "cut", ["In May [", "In May [m", "In May [m1", "In May [m1, ", "五月【m1、m"]
)
def test_a_citation_that_was_cut_off_is_none(cut: str) -> None:
    assert checked(cut, KNOWN, is_whole=False).text in {"In May", "五月"}


@given(st.text(alphabet="[]［］【】mM0123 ,、and和\n", max_size=60))
def test_what_is_left_cites_what_was_shown(text: str) -> None:
    found = checked(text, KNOWN)
    assert set(re.findall(r"\[(m\d+)\]", found.text)) == set(found.cited)
    assert set(found.cited) <= set(KNOWN)
    assert not set(found.invented) & set(KNOWN)
    assert checked(found.text, KNOWN).text == found.text


@pytest.mark.parametrize(
    "text", [" " * 200_000, "[m1" + " " * 200_000, "[" * 200_000, "[m1," * 50_000]
)
def test_hostile_answers_are_checked_in_linear_time(text: str) -> None:
    began = time.monotonic()
    checked(text, KNOWN, is_whole=False)
    assert time.monotonic() - began < 5


@pytest.mark.parametrize(
    "text",
    [
        ENGLISH.unknown,
        CHINESE.unknown,
        "I don't know.",
        "I don’t know based on the records.",
        "The records do not say when.",
        "Her age is not mentioned.",
        "There is no information about that.",
        "我不知道。",
        "记录中没有提到她的年龄。",
        "无法确定。",
    ],
)
def test_an_abstention_is_known_in_both_languages(text: str) -> None:
    assert abstains(text)


@pytest.mark.parametrize("text", ["In May.", "She knows Bob.", "五月。", "她认识小明。", "No."])
def test_an_answer_is_no_abstention(text: str) -> None:
    assert not abstains(text)
