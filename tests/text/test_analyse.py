from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest
from hypothesis import given, settings, strategies as st

from graphmem.text import words
from graphmem.text.analyse import MAX_TERM, terms
from graphmem.text.normalize import fold
from graphmem.text.segment import passages, sentences
from graphmem.text.speaker import attribute, named
from tests.text.scaling import growth

LAW = settings(deadline=None)  # a busy machine is no fault of the law's

HAN = st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF)
MIXED = st.text(
    st.one_of(
        HAN, st.sampled_from("aB1 ._-@'，。的了我é👍🏽\u200dかกЖ한#:+&\n\x00"), st.characters()
    )
)


@LAW
@given(MIXED)
def test_terms_are_never_blank_and_never_too_long(text: str) -> None:
    for term in terms(text):
        assert 0 < len(term) <= MAX_TERM
        assert not any(char.isspace() or char == "\x00" for char in term)


@LAW
@given(MIXED)
def test_folding_first_changes_no_term(text: str) -> None:
    assert terms(fold(text)) == terms(text)


@LAW
@given(MIXED)
def test_the_same_text_has_the_same_terms(text: str) -> None:
    assert terms(text) == terms(text)


@LAW
@given(st.text(HAN, min_size=2, max_size=40))
def test_neighbouring_han_characters_are_a_term_unless_both_are_function_words(text: str) -> None:
    found = set(terms(text))
    for a, b in pairwise(fold(text)):
        assert (a in words.CHINESE and b in words.CHINESE) or a + b in found


@LAW
@given(st.text(HAN, min_size=1, max_size=40))
def test_a_han_character_is_a_term_unless_it_is_a_function_word(text: str) -> None:
    characters = set(fold(text))
    assert {t for t in terms(text) if len(t) == 1} == characters - words.CHINESE_ALONE


@LAW
@given(st.text(HAN, max_size=8), st.text(HAN, max_size=8))
def test_a_latin_word_is_found_beside_han(before: str, after: str) -> None:
    assert "employe" in terms(f"{before}employees{after}")


@LAW
@given(st.lists(st.sampled_from(sorted(words.ENGLISH)), max_size=8))
def test_function_words_are_no_terms(found: list[str]) -> None:
    assert terms(" ".join(found)) == []


@LAW
@given(st.text(st.sampled_from(sorted(words.CHINESE)), max_size=8))
def test_chinese_function_words_are_no_terms(text: str) -> None:
    assert terms(text) == []


@pytest.mark.parametrize(
    "query",
    [
        "",
        "?",
        "/",
        "  \n",
        "\x00",
        "...",
        "——",
        "what is it?",
        "\u0301",
        "\u200d",
        "你呢？",
        "我们是什么",
        "”",
    ],
)
def test_a_query_that_names_nothing_has_no_term(query: str) -> None:
    assert terms(query) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("CN-A10293", ["cn-a10293", "cn", "a10293"]),
        ("ＣＮ－Ａ１０２９３", ["cn-a10293", "cn", "a10293"]),
        ("read_token", ["read_token", "read", "token"]),
        ("20.04", ["20.04"]),
        ("3.14159", ["3.14159"]),
        ("1,000,000", ["1000000"]),
        ("13:56", ["13:56"]),
        ("１３：５６", ["13:56"]),
        ("2:30pm", ["2:30pm", "2:30"]),
        ("v1.2.3", ["v1.2.3", "1.2.3"]),
        ("2023-05-08", ["2023-05-08", "2023", "05", "08"]),
        ("bob.smith@mail.org", ["bob.smith@mail.org", "bob", "smith", "mail", "org"]),
        ("#running", ["run"]),
        ("@melanie", ["melani"]),
        ("state-of-the-art", ["state-of-the-art", "state", "art"]),
        ("U.S.", ["us"]),
        ("C++", ["c++", "c"]),
        ("C#", ["c#", "c"]),
        ("AT&T", ["at&t"]),
        ("memory:safe", ["memori", "safe"]),
        ("home—then school", ["home", "school"]),
        ("5pm", ["5pm", "5"]),
        ("i.e. e.g. etc.", []),
    ],
)
def test_identifiers_stand_whole_and_in_parts(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("Caroline's dogs", "caroline dog"),
        ("Caroline’s painting", "CAROLINE paintings"),
        ("don't worry", "don’t worries"),
        ("café", "cafe"),
        ("e-mail", "email"),
        ("pre-edit", "pre edit"),
        ("O'Brien", "OBrien"),
        ("https://www.example.com/garden/roses?x=1", "example.com garden rose"),
        ('say "hi', "say hi"),
        ("foo AND bar", "bar foo"),
        ("(python", "Python"),
        ("我在学习中文", "学习"),
        ("Alice喜欢北京烤鸭employees", "employee 北京烤鸭 alice"),
        ("北京大学生前来应聘", "大学生"),
        ("北京大学生前来应聘", "北京大学"),
        ("我养了一只猫", "猫"),
        ("微信ID是abc123吗", "ABC123 微信"),
        ("👍🏽 great", "👍"),
        ("❤️", "❤"),
        ("서울에서 만나요", "서울"),
        ("東京タワーへ行く", "タワー"),
        ("ｺｰﾋｰを飲む", "コーヒー"),
        ("Привет, Мир", "мир"),
        ("สวัสดีครับ", "สวัสดี"),
    ],
)
def test_what_was_written_is_found_as_it_is_asked(written: str, asked: str) -> None:
    assert set(terms(asked)) & set(terms(written))
    if not written.startswith("北京大学生"):
        assert set(terms(asked)) <= set(terms(written))


def test_longer_chinese_words_are_terms_of_their_own() -> None:
    assert "北京烤鸭" in terms("我们吃了北京烤鸭")


@pytest.mark.parametrize("word", ["自由", "太太", "向往", "得到", "可能", "自己"])
def test_content_words_of_light_characters_stay(word: str) -> None:
    assert word in terms(word)


def test_terms_keep_order_and_repetitions() -> None:
    assert terms("tea, then coffee, then tea") == ["tea", "coffe", "tea"]


def test_a_family_is_one_term_whatever_the_skin_tones() -> None:
    assert terms("👩🏽\u200d👩🏿\u200d👦") == ["👩\u200d👩\u200d👦"]


def test_each_flag_is_one_term() -> None:
    assert terms("🇨🇳🇬🇧") == ["🇨🇳", "🇬🇧"]


@pytest.mark.parametrize("char", ["a", "7", "ж", "x1"])
def test_a_huge_run_without_spaces_is_one_truncated_term(char: str) -> None:
    assert terms(char * 200_000) == [(char * MAX_TERM)[:MAX_TERM]]


def test_threads_share_the_analyser() -> None:
    texts = [f"{stem}{n}ing running {stem}ers" for n in range(50) for stem in ("walk", "talk")]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(terms, texts * 4)) == [terms(text) for text in texts] * 4


HOSTILE = [
    "a.", "a-", "@", "a", ".", "1.1.", "1,", "1:", "a'", "a@b.", "a&", "a++", "_", "_a", "a: ", "!? ",
    "我", "的", "。", "。”", "\u0301\u0323", "👩\u200d", "\U0001f1e8", "か", "각", "ə", "Mr. ", "\n", " ", "**",
]  # fmt: skip


@pytest.mark.parametrize("unit", HOSTILE)
@pytest.mark.parametrize(
    "call",
    [
        terms,
        sentences,
        passages,
        lambda text: attribute(text, speaker=None),
        lambda text: named(text, ["Caroline", "卡罗琳"]),
    ],
    ids=["terms", "sentences", "passages", "attribute", "named"],
)
def test_hostile_input_takes_linear_time(call: Callable[[str], object], unit: str) -> None:
    # 4 would be quadratic; a try repeated tells a hiccup of the machine from a law of growth.
    assert any(growth(call, unit, length=6_000) < 3 for _ in range(4))
