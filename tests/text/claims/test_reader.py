from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, strategies as st

from graphmem.domain.claim import ATOM_TYPES, Claim
from graphmem.domain.moment import Moment
from graphmem.text.claims.reader import claims
from graphmem.text.segment import sentences
from graphmem.text.timex.expression import Candidate
from graphmem.text.timex.frame import Frame
from tests.text.scaling import growth


def _read(text: str, role: str = "user", speaker: str | None = "Ana") -> tuple[Claim, ...]:
    return claims(text, role=role, speaker=speaker, anchor=None)


def _one(text: str, role: str = "user", speaker: str | None = "Ana") -> Claim:
    (claim,) = _read(text, role, speaker)
    return claim


def test_each_sentence_makes_one_claim_at_most_in_order() -> None:
    text = "Hi! I love sushi, and I hate eel. How are you? 我住在上海。"
    found = _read(text)
    assert [text[c.start : c.end] for c in found] == [
        "I love sushi, and I hate eel.",
        "我住在上海。",
    ]


@pytest.mark.parametrize("text", ["", "  \n", "```\nI love sushi.\n```", "…", "?"])
def test_what_tells_nothing_makes_no_claim(text: str) -> None:
    assert _read(text) == ()


@given(st.text(max_size=200), st.sampled_from(["user", "assistant", "system"]))
def test_any_text_is_read(text: str, role: str) -> None:
    spans = {(span.start, span.end) for span in sentences(text)}
    for claim in _read(text, role, None):
        assert (claim.start, claim.end) in spans
        assert claim.type in ATOM_TYPES


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("I love sushi.", "Ana"),
        ("My sister is a nurse.", "Ana's sister"),
        ("Our boiler broke yesterday.", "Ana's boiler"),
        ("Tom hates olives.", "Tom"),
        ("The meeting was cancelled.", "The meeting"),
        ("grandma lives with us", "Ana's grandma"),
        ("She lives in Rome.", ""),
        ("Her brother lives in Rome.", ""),
        ("Always answer in French.", "assistant"),
        ("我喜欢苹果。", "Ana"),
        ("我妹妹是护士。", "Ana的妹妹"),
        ("他住在上海。", ""),
        ("小李会说四种语言。", "小李"),
    ],
)
def test_the_subject_is_who_is_spoken_of(text: str, subject: str) -> None:
    assert _one(text).subject == subject


@pytest.mark.parametrize(
    ("text", "role", "subject"),
    [
        ("我妹妹是护士。", "user", "用户的妹妹"),
        ("妹妹很喜欢跳舞。", "user", "用户的妹妹"),
        ("您的妹妹上周结婚了。", "assistant", "用户的妹妹"),
        ("My sister is a nurse.", "user", "user's sister"),
        ("My sister no longer works at Bosch.", "user", "user's sister"),
    ],
)
def test_whose_relative_it_is_stands_in_the_language_of_the_phrase(
    text: str, role: str, subject: str
) -> None:
    assert _one(text, role, None).subject == subject


def test_the_first_person_without_a_name_is_the_role() -> None:
    assert _one("I love sushi.", "user", None).subject == "user"
    assert _one("I've booked your table.", "assistant", None).subject == "assistant"
    assert _one("You live in Rome.", "assistant", None).subject == "user"


@pytest.mark.parametrize(
    ("text", "predicate", "value"),
    [
        ("She likes green tea.", "like", "green tea"),
        ("I went to Rome last week.", "go to", "Rome last week"),
        ("I want to become a vet.", "want to become", "a vet"),
        ("I'm allergic to nuts.", "be", "allergic to nuts"),
        ("I live in Berlin.", "live in", "Berlin"),
        ("I work as a nurse.", "work as", "a nurse"),
        ("My favourite colour is green.", "favourite colour", "green"),
        ("The meeting was cancelled.", "be cancelled", ""),
        ("I've got two kids.", "have", "two kids"),
        ("I bought apples, pears and milk.", "buy", "apples, pears and milk"),
        ("我喜欢靠窗的座位。", "喜欢", "靠窗的座位"),
        ("我女兒很喜歡臺北。", "喜歡", "臺北"),
        ("我住在上海。", "住在", "上海"),
        ("我在腾讯上班。", "上班", "腾讯"),
        ("I hate sushi now.", "hate", "sushi"),
        ("I don't like sushi anymore.", "like", "sushi"),
        ("I moved to Paris with Bo last week.", "move to", "Paris with Bo"),
        ("I have lived in Paris since 2020.", "live in", "Paris"),
        ("I got a new job at Bosch in May.", "get a new job at", "Bosch"),
        ("I left Bosch after five years.", "leave", "Bosch"),
        ("I left Bosch to join Siemens.", "leave", "Bosch"),
        ("I left Bosch for Siemens.", "leave", "Bosch"),
        ("I left my job at Bosch and started a new one at Aldi.", "leave my job at", "Bosch"),
        ("I got a job at the Bank of England as a clerk.", "get a job at the", "Bank of England"),
        ("I quit my job last month.", "quit my job", ""),
        ("我跳槽了。", "跳槽", ""),
        ("我跳槽到字节跳动了。", "跳槽", "字节跳动"),
        ("我从腾讯离职了。", "离职", "腾讯"),
        ("现在讨厌寿司了。", "讨厌", "寿司"),
        ("我吃了苹果。", "吃", "苹果"),
        ("我很喜欢上海。", "喜欢", "上海"),
    ],
)
def test_predicate_and_value(text: str, predicate: str, value: str) -> None:
    claim = _one(text)
    assert (claim.predicate, claim.value) == (predicate, value)


@pytest.mark.parametrize(
    "text",
    [
        "I don't eat meat.",
        "I never drink coffee.",
        "I no longer work there.",
        "I can't swim.",
        "Never use emojis.",
        "我不吃香菜。",
        "我没去过日本。",
        "别再用表情符号了。",
    ],
)
def test_a_denied_claim_is_negated(text: str) -> None:
    assert _one(text).polarity == "negated"


@pytest.mark.parametrize(
    ("text", "modality"),
    [
        ("I live in Rome.", "asserted"),
        ("I might move to Rome.", "possible"),
        ("I think my brother lost his keys.", "possible"),
        ("I want to become a vet.", "wanted"),
        ("I have to renew my passport before June.", "required"),
        ("If it rains, I'll stay at home tomorrow.", "conditional"),
        ("I'm going to visit my aunt in May.", "planned"),
        ("Always answer in French.", "required"),
        ("我可能会搬到深圳。", "possible"),
        ("我想成为医生。", "wanted"),
        ("我打算下个月去考驾照。", "planned"),
    ],
)
def test_modality(text: str, modality: str) -> None:
    assert _one(text).modality == modality


def test_the_event_is_the_first_resolved_date_of_the_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def found(text: str) -> list[Candidate]:
        at = text.index("last week")
        day = datetime(2023, 5, 1, tzinfo=UTC).date()

        def resolve(frame: Frame) -> object:
            return frame.day(day)

        return [
            Candidate(start=at - 8, end=at - 1, kind="vague"),
            Candidate(start=at, end=at + 9, resolve=resolve),  # type: ignore[arg-type]
        ]

    monkeypatch.setattr("graphmem.text.timex.reader.english", found)
    first, second = _read("I love tea. I went to Rome sometime last week.")
    assert first.event is None
    assert second.event is not None
    assert second.event.text() == "2023-05-01"


def test_an_approximate_date_is_no_event() -> None:
    anchor = Moment.parse_iso("2023-05-08T13:56:00+00:00")
    (claim,) = claims("I just moved to Rome.", role="user", speaker="Ana", anchor=anchor)
    assert claim.event is None


def test_an_anchor_is_handed_to_the_reader_of_times() -> None:
    anchor = Moment.parse_iso("2023-05-08T13:56:00+00:00")
    assert claims("I went to Rome.", role="user", speaker=None, anchor=anchor)


@pytest.mark.parametrize(
    "unit",
    [
        "I ", "my my ", "a, ", "because I ", "when ", "'s ", "always ", "my mum's ", "I love tea. ",
        "“", "```", "我", "每次", "我在", "回答的时候", "我的", "的，", "一", "我喜欢苹果。", "no ", "1",
        'I love "tea" since May 3. ', "我喜欢“苹果”。", "我住在北京，从5月3日起。", "```x```\nI love tea.\n",
    ],
)  # fmt: skip
def test_time_grows_with_the_length(unit: str) -> None:
    assert growth(_read, unit, length=12_000) < 3.0
