"""An atom that says more than the value that was replaced stays findable."""

from __future__ import annotations

import pytest
from tests.service.atoms.makers import say

from graphmem.domain.message import Message
from graphmem.service.memory import MemoryService
from graphmem.service.policy import PRODUCT

FIRST, LATER = "2023-05-08T10:00:00Z", "2023-06-08T10:00:00Z"


@pytest.mark.parametrize(
    ("told", "newer", "query", "fact"),
    [
        (
            "My name is Tom and I am allergic to penicillin.",
            "My name is Thomas.",
            "penicillin allergy",
            "penicillin",
        ),
        ("我叫王芳，对青霉素过敏。", "我叫王小芳。", "青霉素", "青霉素"),
        (
            "I live in Leeds with my husband Daniel and our two cats, Miso and Tofu",
            "I live in Edinburgh now",
            "Who are Miso and Tofu?",
            "Miso",
        ),
        (
            "I'm vegetarian, and I don't drink coffee because it gives me migraines",
            "I'm vegan now.",
            "coffee migraines",
            "migraines",
        ),
        ("I love sushi and I work at Google", "I hate sushi now", "Google", "Google"),
        ("我住在北京，养了一只叫豆豆的猫。", "我搬到上海了。", "豆豆", "豆豆"),
        ("叫我老王，我对花生过敏。", "叫我小王。", "花生", "花生"),
        (
            "Please call me Max, I'm allergic to penicillin.",
            "Please call me Sam.",
            "penicillin",
            "penicillin",
        ),
    ],
)
def test_a_newer_value_hides_nothing_else_of_its_sentence(
    service: MemoryService, told: str, newer: str, query: str, fact: str
) -> None:
    say(service, told, at=FIRST)
    say(service, newer, at=LATER)
    found = service.search_atoms("t", "m", query).items
    told_of = [one for one in found if fact in one.atom.content]
    # It is told that the value is an old one.
    assert [one.is_superseded for one in told_of] == [True]


@pytest.mark.parametrize(
    ("told", "newer", "query"),
    [
        ("Yes, I live in Leeds now!", "I live in Edinburgh now", "Leeds"),
        ("Last month, I moved to Leeds, by the way.", "I live in Edinburgh now", "Leeds"),
        ("上个月我搬到北京了。", "我搬到上海了。", "北京"),
        ("I'm allergic to nuts.", "I'm no longer allergic to nuts.", "nuts"),
        ("我对花生过敏。", "我对花生不过敏了。", "花生"),
        ("I moved to Leeds on 2023-05-01.", "I moved from Leeds to Paris last week.", "Leeds"),
        ("以后用英文回答。", "以后用中文回答。", "英文"),
    ],
)
def test_an_atom_that_says_the_old_value_alone_is_left_out(
    service: MemoryService, told: str, newer: str, query: str
) -> None:
    say(service, told, at=FIRST)
    say(service, newer, at=LATER)
    found = service.search_atoms("t", "m", query).items
    assert told not in [one.atom.content for one in found if one.is_superseded]
    assert not any(one.is_superseded for one in found)


@pytest.mark.parametrize(
    ("told", "guess"),
    [
        ("I live in Leeds.", "You live in Paris, right?"),
        ("我住在北京。", "你住在上海，对吧？"),
    ],
)
def test_a_guess_of_the_assistant_retires_nothing(
    service: MemoryService, told: str, guess: str
) -> None:
    say(service, told, at=FIRST, speaker=None)
    said = Message(role="assistant", content=guess, timestamp=LATER)
    service.add("t", "m", "s", [said], policy=PRODUCT, request_id="guess")
    found = service.search_atoms("t", "m", told).items
    assert told in [one.atom.content for one in found if not one.is_superseded]
