from __future__ import annotations

import re

import pytest
from hypothesis import given, strategies as st

from graphmem.readout.citations import checked
from graphmem.readout.frame import framed
from tests.readout.injections import INJECTIONS
from tests.readout.makers import candidate, lines_of, prepared, rules


def test_there_are_fifty_injections_in_both_languages() -> None:
    chinese = [text for text in INJECTIONS if re.search("[\u4e00-\u9fff]", text)]
    assert (len(set(INJECTIONS)), len(chinese)) == (50, 25)


@pytest.mark.parametrize("readout", ["v5_81", "v5_73"])
@pytest.mark.parametrize("text", INJECTIONS)
def test_stored_text_can_neither_close_nor_leave_its_frame(text: str, readout: str) -> None:
    told = [candidate(0, "I bake bread."), candidate(1, text), candidate(2, "We sail.")]
    ready = prepared(told, by=rules(readout=readout))
    system, user = ready.messages
    if readout == "v5_73":
        inside = user.content.partition("<memory>")[2].partition("</memory>")[0]
        assert "<" not in inside
        assert user.content.count("</memory>") == 1
        assert len(re.findall(r"\[m\d+\]", inside)) == 3
    else:
        shown = [(one.id, f"Ann: {one.text}") for one in ready.evidence]
        assert lines_of(user.content) == shown
    assert framed(text) not in system.content
    assert user.content.startswith("<memory>\n")
    assert user.content.endswith("Question: What does Ann do?")


@pytest.mark.parametrize("text", INJECTIONS)
def test_a_speaker_can_not_leave_the_frame_either(text: str) -> None:
    ready = prepared([candidate(0, "I bake bread.", speaker=text)])
    assert len(lines_of(ready.messages[1].content)) == 1


@given(st.text())
def test_framed_text_is_one_line_without_tags_or_ids(text: str) -> None:
    found = framed(text)
    assert len(f"x{found}x".splitlines()) == 1
    assert not re.search(r"[<\uff1c\ufe64]|\[m\d", found)
    assert framed(found) == found


@given(st.text(alphabet="abcdefg <>=3.,!?'\"-()中文。，🙂👩‍🚀", max_size=60))
def test_words_survive_framing(text: str) -> None:
    assert framed(text).replace("‹", "<") == " ".join([text.strip()])


def test_what_is_shown_as_one_character_is_kept_whole() -> None:
    for shown in (
        "👩‍🚀",
        "👍🏽",
        "🇳🇿",
        "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    ):
        assert framed(f"a {shown} b") == f"a {shown} b"


@pytest.mark.parametrize("text", ["[m5]", "［m5］", "【m5】", "【 M 5 】"])
def test_stored_text_cites_nothing(text: str) -> None:
    assert checked(framed(f"I sail {text}"), {"m5"}).cited == ()
