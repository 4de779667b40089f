"""What just happened is dated about the anchor; "just" that means anything else never is."""

from __future__ import annotations

import pytest

from graphmem.domain.annotation import annotate
from graphmem.text.timex.reader import read
from tests.text.scaling import growth
from tests.text.timex.english import MONDAY, dates, kinds

ABOUT = "~2023-05-08"


@pytest.mark.parametrize(
    "text",
    [
        "I just got back from Rome.",
        "Just got home, the flight was awful.",
        "I've just finished my thesis!",
        "she's just moved to Berlin",
        "He has just been promoted to manager",
        "I've just been to the dentist",
        "I was just hired by a startup",
        "my sister just had a baby",
        "The book that just came out is great",
        "I only just started learning the piano",
        "My grandma just passed away",
        "I just ran my first marathon",
        "I just got to the station",
        "I just got laid off",
        "They've just announced the winners",
        "I'm home and just finished dinner",
        "I just moved, now I am broke",
        "We just bought a boat, are you coming?",
        "The kettle just broke",
        "He just quit his job",
        "The museum was just reopened",
    ],
)
def test_what_just_happened_is_dated_about_today(text: str) -> None:
    assert [value for _, value in dates(text)] == [ABOUT]


@pytest.mark.parametrize(
    "text",
    [
        "I just wanted to say hi",
        "I just had to laugh",
        "I just did my best",
        "I just sat there and talked",
        "I just love it",
        "it's just that I can't",
        "just like my mom",
        "just in case it rains",
        "I just got to know him",
        "I just got so angry",
        "I just found it weird",
        "I just had a feeling about it",
        "She just started crying",
        "I just said no",
        "I just made it up",
        "I've just been so busy",
        "I've just always loved art",
        "it's just finished",
        "I sat down and just left my bag",
        "Everyone just left",
    ],
)
def test_only_simply_and_merely_are_no_dates(text: str) -> None:
    assert dates(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "I'm just about to leave",
        "I'm just getting ready",
        "just finish it",
        "Just quit your job",
        "We just read books",
        "just let me know",
        "Did you just buy a boat?",
        "Have you just finished?",
        "if I just got a raise, I'd be happy",
        "it feels like I just started",
        "I would have just bought the boat",
        "We had just moved",
        "I'd just finished",
        "When I just started my job I was nervous",
        "I just bought a boat when he called",
        "I just now finished",
    ],
)
def test_what_is_not_yet_not_real_or_told_from_elsewhere_is_text(text: str) -> None:
    assert dates(text) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I just moved here last week", ["2023-05-01..2023-05-07"]),
        ("You just missed the bus, it left ten minutes ago", ["2023-05-08 13:46"]),
        ("the other day I just bought a boat", []),
        ("Yesterday was fun. I just got back.", ["2023-05-07", ABOUT]),
    ],
)
def test_another_time_in_the_sentence_comes_first(text: str, found: list[str]) -> None:
    assert [value for _, value in dates(text)] == found


def test_it_is_written_behind_the_adverb_once() -> None:
    text = "I just got back from Rome."
    once = annotate(text, [m for e in read(text, MONDAY) if (m := e.mention())])
    assert once.text == "I just (~2023-05-08) got back from Rome."
    twice = annotate(once.text, [m for e in read(once.text, MONDAY) if (m := e.mention())])
    assert twice.text == once.text
    assert once.original() == text


def test_nothing_stands_on_an_approximate_date() -> None:
    assert dates("I just got married. The next day we flew home.") == [("just", ABOUT)]


def test_without_an_anchor_it_is_undated() -> None:
    assert dates("I just got back from Rome.", None) == []
    assert kinds("I just got back from Rome.") == ["recent"]


@pytest.mark.parametrize("unit", ["just ", "I just got ", "just got back. ", "just...", "I just "])
def test_it_is_read_in_linear_time(unit: str) -> None:
    assert growth(lambda text: read(text, MONDAY), unit, length=8_000) < 3.0
