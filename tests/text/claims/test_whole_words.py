"""Words stay whole, and what is no claim makes none: pronouns, relative clauses, names without a capital, receipts."""

from __future__ import annotations

import pytest

from graphmem.domain.claim import Claim
from graphmem.text.claims.reader import claims


def read(text: str) -> tuple[Claim, ...]:
    return claims(text, role="user", speaker=None, anchor=None)


@pytest.mark.parametrize(
    ("text", "subject", "predicate", "value"),
    [
        ("五一我们一家去了云南大理玩了五天。", "user", "去", "云南大理玩了五天"),
        ("去年夏天我们去了日本。", "user", "去", "日本"),
        ("周末咱们去爬山了。", "user", "去", "爬山"),
        ("上周末他们去了北京。", "", "去", "北京"),
        ("周末我们公司团建去了莫干山。", "用户的公司", "团建", "去了莫干山"),
        ("我喜欢的颜色是蓝色。", "user", "喜欢的颜色", "蓝色"),
        ("我现在最喜欢的歌手是陶喆。", "user", "最喜欢的歌手", "陶喆"),
        ("我不喜欢的菜是苦瓜。", "user", "不喜欢的菜", "苦瓜"),
        ("我养的狗叫豆豆。", "user", "养的狗", "豆豆"),
        ("我住的房子很大。", "user", "", ""),
        ("我吃不了辣。", "user", "吃不了", "辣"),
        ("linda lives in tampa", "linda", "live in", "tampa"),
        ("bob hates olives", "bob", "hate", "olives"),
    ],
)
def test_subject_verb_and_value_are_cut_between_words(
    text: str, subject: str, predicate: str, value: str
) -> None:
    (claim,) = read(text)
    assert (claim.subject, claim.predicate, claim.value) == (subject, predicate, value)


@pytest.mark.parametrize(
    "text", ["Noted.", "Noted, thanks!", "Agreed.", "记下了。", "python works on windows."]
)
def test_receipts_and_what_only_looks_like_a_person_are_no_claims(text: str) -> None:
    assert read(text) == ()


@pytest.mark.parametrize(
    "text", ["I noted her address.", "Confirmed the flight for May.", "我记下了地址。"]
)
def test_a_deed_with_its_object_is_a_claim(text: str) -> None:
    assert len(read(text)) == 1


def test_a_favourite_of_now_is_the_attribute_that_it_was_before() -> None:
    (then,), (now,) = read("我最喜欢的歌手是周杰伦。"), read("我现在最喜欢的歌手是陶喆。")
    assert then.attribute == now.attribute == "favourite:歌手"


@pytest.mark.parametrize(
    "text",
    [
        "Translate: I live in Madrid.",
        "Please rephrase this: I live in Madrid. I love tea.",
        "Can you proofread my letter: I live in Madrid.",
        "翻译：我住在北京。",
        "请把下面这句翻译成英文：我住在北京。我喜欢茶。",
    ],
)
def test_text_that_is_only_to_be_worked_on_is_nobodys_claim(text: str) -> None:
    assert read(text) == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Translate: I live in Madrid.\n\nI love tea.", "I love tea."),
        ("翻译：我住在北京。\n\n我喜欢茶。", "我喜欢茶。"),
        ("Health: I have asthma.", "Health: I have asthma."),
    ],
)
def test_what_stands_beside_such_text_is_read(text: str, said: str) -> None:
    (claim,) = read(text)
    assert text[claim.start : claim.end] == said
