from __future__ import annotations

import pytest

from graphmem.build.graph import Chain
from graphmem.readout.asked import asks_for
from tests.build.makers import atom, graph


def chain(attribute: str, predicate: str, value: str) -> Chain:
    one = atom("said", 1, predicate=predicate, value=value, attribute=attribute)
    return graph(one).chains[0]


HOME = chain("residence", "live in", "Paris")
WORK = chain("employer", "work at", "Acme")
SUSHI = chain("attitude:sushi", "love", "sushi")
COLOUR = chain("favourite:colour", "favourite colour", "green")
住 = chain("residence", "住在", "上海")
职 = chain("employer", "上班", "腾讯")


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("Where does Ann live?", HOME),
        ("Is Ann still in Paris?", HOME),
        ("Did Ann relocate?", HOME),
        ("Where is Ann these days?", HOME),
        ("小雨现在在哪里？", 住),
        ("Who is Ann's employer?", WORK),
        ("Is Ann happy at Acme?", WORK),
        ("Does Ann like sushi?", SUSHI),
        ("What colours does Ann like?", COLOUR),
        ("小雨住在哪里？", 住),
        ("小雨还在上海吗？", 住),
        ("小雨在哪家公司？", 职),
        ("小雨喜欢腾讯吗？", 职),
    ],
)
def test_a_question_of_the_attribute_or_of_a_value_asks_for_it(question: str, about: Chain) -> None:
    assert asks_for(question, about)


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("What did Ann buy?", HOME),
        ("When is Ann's exam?", WORK),
        ("Who has a dog?", HOME),
        ("Does Ann like ramen?", COLOUR),
        ("Does Ann have a cat?", SUSHI),
        ("Does Ann love jazz?", SUSHI),
        ("Where did Ann buy the lamp?", HOME),
        ("Which city did Ann visit?", HOME),
        ("小雨在哪里买的灯？", 住),
        ("小雨家里有几只猫？", 住),
        ("小雨喜欢什么水果？", 住),
        ("小雨的狗几岁了？", 职),
        ("", HOME),
    ],
)
def test_any_other_question_does_not(question: str, about: Chain) -> None:
    assert not asks_for(question, about)
