from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from graphmem.text.speaker import Attribution, attribute, named, speaker_terms

LAW = settings(deadline=None)  # a busy machine is no fault of the law's

LABELS = [
    "Caroline", "CAROLINE", "Mary Ann", "Dr. Smith", "O'Brien", "O’Brien", "Jean-Luc", "José", "Łukasz",
    "J.K.", "J. K. Rowling", "Vincent van Gogh", "Speaker 2", "User", "user", "assistant", "system",
    "Human", "April", "Grace", "Will", "Анна", "민수", "अमित", "รัตน์", "கமலா", "مُحَمَّد", "Zoe\u0308",
    "Health Coach", "Mom", "Coach", "Mark", "小明", "王芳", "妈妈", "李医生", "卡罗琳", "玛丽·居里", "欧阳娜娜", "周杰", "李想", "甲", "田中",
]  # fmt: skip
NO_LABELS = [
    "Here's my plan: we go by train", "Note: call Bob", "Remember: buy milk", "Question: who won?",
    "PS: I love you", "P.S.: thanks", "Step 1: open it", "Fun Fact: bees dance", "My Plan: rest",
    "TL;DR: no", "Q: why?", "I: me", "The Boss: he left", "Monday: gym", "April 2023: Paris",
    "Shopping List: eggs", "Re: your mail", "Total Cost: $5", "Conclusion: good", "ValueError: bad",
    "https://example.com is down", "https: //x", "12:30 we met", "At 12:30 we met", "John 3:16 says",
    "def f(x): return x", "else: pass", "class Foo(Bar): pass", '{"a": 1}', "'key': value", "a: b",
    "# Heading: text", "- Caroline: hi", "x = {y: z}", "std::vector", "this is it: yes", ": hi", "：好",
    "Caroline:", "Caroline: ", "Caroline:hi", "[Caroline: hi", "A Very Long Name Here: hi",
    "Name: Bob\nAge: 5", "Milk: 2\nEggs: 3", "Wifi: abc\nPin: 123", "Alice: hi there, how was your day?\nBob: fine",
    "注意：下雨", "例如：苹果", "我的计划：去北京", "他说：你好", "小明说：你好", "地址：北京路1号", "时间：12:30", "总结：很好",
    "购物清单：牛奶", "第一：早起", "周一：跑步", "星期天：休息", "步骤如下：先洗手", "温馨提示：关门", "问：谁", "北京时间：八点",
    "Health: I have asthma.", "Translate: I live in Madrid.", "Work: I am a nurse.", "健康：我有哮喘。", "润色：我住在北京。",
    "小明：", "小明:12", "今天天气真好呀：是",
]  # fmt: skip


@pytest.mark.parametrize("label", LABELS)
@pytest.mark.parametrize("colon", [": ", "：", ":  "])
def test_a_name_before_a_colon_is_the_speaker(label: str, colon: str) -> None:
    content = f"{label}{colon}yes"
    assert attribute(content, speaker=None) == Attribution(
        speaker=label, body_start=len(content) - 3
    )


@pytest.mark.parametrize("content", NO_LABELS)
def test_other_text_before_a_colon_is_no_speaker(content: str) -> None:
    assert attribute(content, speaker=None) == Attribution(speaker=None, body_start=0)


@pytest.mark.parametrize(
    "content", ["**Caroline:** hi", "**Caroline**: hi", "[Caroline]: hi", "【Caroline】：hi"]
)
def test_a_marked_label_is_the_speaker(content: str) -> None:
    found = attribute(content, speaker=None)
    assert found.speaker == "Caroline"
    assert content[found.body_start :] == "hi"


def test_a_role_may_stand_on_a_line_of_its_own() -> None:
    assert attribute("User:\nhi", speaker=None) == Attribution(speaker="User", body_start=6)


def test_chinese_is_typed_with_a_half_width_colon_too() -> None:
    assert attribute("小明:你好", speaker=None) == Attribution(speaker="小明", body_start=3)


def test_a_speaker_may_go_on_with_a_labelled_line() -> None:
    content = "Caroline: I went to the market this morning.\nRemember: buy milk"
    assert attribute(content, speaker=None).speaker == "Caroline"


@pytest.mark.parametrize("blank", [None, "", "  "])
def test_a_blank_speaker_counts_as_not_given(blank: str | None) -> None:
    assert attribute("Caroline: hi", speaker=blank).speaker == "Caroline"


@pytest.mark.parametrize(
    ("content", "speaker", "body"),
    [
        ("hi", "Caroline", "hi"),
        ("Caroline: hi", "Caroline", "hi"),
        ("ＣＡＲＯＬＩＮＥ：hi", " caroline ", "hi"),
        ("xX_dragon 9!: hi", "xX_Dragon 9!", "hi"),
        ("Melanie: hi", "Caroline", "Melanie: hi"),
        ("Note: hi", "Caroline", "Note: hi"),
        ("Caroline:", "Caroline", "Caroline:"),
        ("卡罗琳： 你好", "卡罗琳", "你好"),
    ],
)
def test_a_given_speaker_wins_and_its_own_label_is_skipped(
    content: str, speaker: str, body: str
) -> None:
    found = attribute(content, speaker=speaker)
    assert found.speaker == speaker.strip()
    assert content[found.body_start :] == body


@LAW
@given(st.text() | st.text(st.sampled_from("Ab小明:： \n*[]1.")), st.none() | st.text(max_size=5))
def test_the_body_begins_with_a_visible_character_of_the_text(
    content: str, speaker: str | None
) -> None:
    start = attribute(content, speaker=speaker).body_start
    assert start == 0 or not content[start].isspace()


SPEAKERS = [
    "Caroline",
    "Melanie",
    "user",
    "卡罗琳",
    "王小明",
    "Will",
    "Speaker 2",
    "I",
    "Dr. O'Brien",
    "민수",
]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("What's Caroline's dog called?", ["Caroline"]),
        ("what is caroline’s dog called", ["Caroline"]),
        ("CAROLINE?", ["Caroline"]),
        ("Did Melanie and Caroline meet?", ["Caroline", "Melanie"]),
        ("When did Mel run?", ["Melanie"]),
        ("卡罗琳什么时候去的？", ["卡罗琳"]),
        ("王小明喜欢什么", ["王小明"]),
        ("小明喜欢什么", ["王小明"]),
        ("Caroline喜欢什么", ["Caroline"]),
        ("Where did Will go?", ["Will"]),
        ("Mel和她丈夫结婚多久了？", ["Melanie"]),
        ("Will什么时候来", ["Will"]),
        ("Will's car", ["Will"]),
        ("Will you go?", []),
        ("where will you go", []),
        ("What did Speaker 2 say?", ["Speaker 2"]),
        ("What did the speaker say on page 2?", []),
        ("What did the user say to me? I forgot", []),
        ("Which car did they buy?", []),
        ("What does Dr. O'Brien do?", ["Dr. O'Brien"]),
        ("민수는 뭐 했어?", ["민수"]),
        ("", []),
        ("?", []),
    ],
)
def test_the_speakers_a_query_names(query: str, expected: list[str]) -> None:
    assert [SPEAKERS[index] for index in named(query, SPEAKERS)] == expected


def test_a_nickname_of_two_speakers_names_neither() -> None:
    assert named("When did Sam arrive?", ["Samuel", "Samantha"]) == []


def test_a_contraction_is_no_nickname() -> None:
    assert named("Then Let's go", ["Letitia"]) == []


def test_a_first_name_names_its_bearer() -> None:
    assert named("Where does Anna live?", ["Anna Smith", "Tom Smith"]) == [0]


def test_a_common_surname_names_both() -> None:
    assert named(
        "Where do the Smiths, Tom Smith and his wife, live?", ["Anna Smith", "Tom Smith"]
    ) == [0, 1]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Caroline", ("carolin",)),
        ("Caroline Smith", ("carolin", "smith")),
        ("Dr. José Y. Díaz", ("jose", "diaz")),
        ("卡罗琳", ("卡罗琳", "罗琳")),
        ("王芳", ("王芳",)),
        ("玛丽·居里", ("玛丽", "居里")),
        ("user", ()),
        ("", ()),
        (" ", ()),
    ],
)
def test_the_terms_of_a_speaker(name: str, expected: tuple[str, ...]) -> None:
    assert speaker_terms(name) == expected


@LAW
@given(st.text(max_size=40), st.lists(st.text(max_size=12), max_size=5))
def test_named_gives_ascending_indices(query: str, speakers: list[str]) -> None:
    found = named(query, speakers)
    assert found == sorted(set(found))
    assert all(0 <= index < len(speakers) for index in found)
