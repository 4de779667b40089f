"""Relations among the computed lines: each says what was said, alone, and holds as far as anything in sight tells."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from graphmem import MemoryService, Message


def lines(service: MemoryService, told: Sequence[str], question: str) -> list[str]:
    for number, text in enumerate(told, 1):
        said = Message(role="user", content=text, timestamp=f"2023-05-{number:02}T10:00:00Z")
        service.add("t", "m", f"s{number}", [said])
    words = " ".join(text.lower().strip(".。") for text in told)  # so that all of it is in sight
    ready = service.prepare("t", "m", question.format(words))
    assert ready.trace.question.family == "inference"
    aids = ready.trace.aids
    return [aid.text for aid in aids if aid.kind == "relation"]


LIKELY = "What would I likely enjoy, {}?"
推测 = "我可能会喜欢什么，{}？"


@pytest.mark.parametrize(
    ("text", "question", "line"),
    [
        ("我不吃香菜。", 推测, "user → 不吃 → 香菜 [m1]"),
        ("我没有车。", 推测, "user → 没有 → 车 [m1]"),
        ("我没有结婚。", 推测, "user → 没有 → 结婚 [m1]"),
        ("我没去过日本。", 推测, "user → 并非：去过 → 日本 [m1]"),
        ("我吃不了辣。", 推测, "user → 吃不了 → 辣 [m1]"),
        ("我受不了香菜。", 推测, "user → 受不了 → 香菜 [m1]"),
        ("I don't eat meat.", LIKELY, "user → not: eat → meat [m1]"),
        ("I can't stand cilantro.", LIKELY, "user → can't stand → cilantro [m1]"),
        ("I can't get enough of jazz.", LIKELY, "user → can't get → enough of jazz [m1]"),
        ("I can speak Greek.", LIKELY, "user → can speak → Greek [m1]"),
        ("I love green tea.", LIKELY, "user → love → green tea [m1]"),
        (
            "I love hiking, swimming and jazz.",
            LIKELY,
            "user → love → hiking, swimming and jazz [m1]",
        ),
    ],
)
def test_a_line_denies_what_was_denied_and_once(
    service: MemoryService, text: str, question: str, line: str
) -> None:
    assert lines(service, [text], question) == [line]


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("I miss him.", LIKELY),
        ("I love this.", LIKELY),
        ("I love going there with her.", LIKELY),
        ("我想念她。", 推测),
        ("我喜欢这个。", 推测),
        ("My blood pressure is 150 over 95, started lisinopril yesterday.", LIKELY),
        ("I like the jacket from last week.", LIKELY),
        ("I rarely eat meat.", LIKELY),
        ("我很少吃肉。", 推测),
        ("我没有不喜欢狗。", 推测),
    ],
)
def test_what_a_line_alone_would_not_say_is_no_line(
    service: MemoryService, text: str, question: str
) -> None:
    assert lines(service, [text], question) == []


@pytest.mark.parametrize(
    ("told", "question", "gone"),
    [
        (["My dog Buster is a beagle.", "Buster died last week."], LIKELY, "beagle"),
        (["My dog Buster is a beagle.", "We buried the dog."], LIKELY, "beagle"),
        (["I have a dog named Buster.", "Buster died last week."], LIKELY, "Buster"),
        (["Tom hates olives.", "Tom has changed a lot."], LIKELY, "olives"),
        (["My favourite colour is green.", "These days I fancy another colour."], LIKELY, "green"),
        (["I love sushi.", "I have gone off sushi."], LIKELY, "sushi"),
        (["我的狗豆豆很喜欢球。", "豆豆上周死了。"], 推测, "球"),
        (["我妹妹是护士。", "妹妹上个月换了工作。"], 推测, "护士"),
        (
            ["我最喜欢的歌手是周杰伦。", "我现在最喜欢的歌手是陶喆。"],
            "我可能会喜欢哪个歌手？",
            "周杰伦",
        ),
        (["我喜欢寿司。", "寿司我吃腻了。"], 推测, "寿司"),
    ],
)
def test_what_something_later_speaks_of_is_no_line(
    service: MemoryService, told: list[str], question: str, gone: str
) -> None:
    assert any(gone in line for line in lines(service, told[:1], question))
    assert not any(gone in line for line in lines(service, told, question))


def test_what_others_say_later_of_other_things_ends_nothing(service: MemoryService) -> None:
    told = ["My dog Buster is a beagle.", "I love green tea.", "Tom hates olives."]
    assert len(lines(service, told, LIKELY)) == 3
