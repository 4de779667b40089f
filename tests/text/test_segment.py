from __future__ import annotations

import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given, settings, strategies as st

from graphmem.text.segment import PASSAGE_UNITS, Span, _units, passages, sentences

LAW = settings(deadline=None)  # a busy machine is no fault of the law's

PIECES = st.sampled_from([
    "Hello there", "Mr. Smith", " ", ". ", "! ", "?", "…", "\n", "。", "！”", "你好", "今天天气", "，", "20.04", "e.g. ",
    "- item\n", "1. ", "👩🏽\u200d👦", "🇨🇳", "e\u0301", "x" * 50, "\u200d", "\u0301", "か", "한국 ", '"', "\r\n", "\x00",
])  # fmt: skip
TEXT = st.lists(PIECES, max_size=30).map("".join) | st.text()
LONG = st.lists(PIECES, min_size=20, max_size=60).map("".join)


def cut(text: str, spans: list[Span]) -> list[str]:
    return [text[span.start : span.end] for span in spans]


def assert_partition(text: str, spans: list[Span]) -> None:
    for span in spans:
        assert text[span.start : span.end].strip() == text[span.start : span.end] != ""
    assert all(a.end <= b.start for a, b in pairwise(spans))
    assert "".join("".join(cut(text, spans)).split()) == "".join(text.split())


@LAW
@given(TEXT)
def test_sentences_are_in_order_and_cover_all_but_white_space(text: str) -> None:
    assert_partition(text, sentences(text))


@LAW
@given(TEXT | LONG, st.integers(1, 12))
def test_passages_are_in_order_and_cover_all_but_white_space(text: str, target: int) -> None:
    assert_partition(text, passages(text, target=target))


@LAW
@given(LONG, st.integers(1, 12))
def test_no_passage_begins_inside_a_cluster(text: str, target: int) -> None:
    for span in passages(text, target=target)[1:]:
        if not text[span.start - 1].isspace() and text[span.start - 1] not in "\n。！？.!?…”\"'":
            assert unicodedata.category(text[span.start])[0] != "M"
            assert "\u200d" not in text[span.start - 1 : span.start + 1]


@LAW
@given(LONG, st.integers(4, 12))
def test_no_passage_is_much_longer_than_the_target(text: str, target: int) -> None:
    for piece in cut(text, passages(text, target=target)):
        assert _units(piece) <= target * 1.25 + 2  # a cluster and a word cut in two


@pytest.mark.parametrize("blank", ["", " ", "\n\t \n"])
def test_a_blank_text_has_no_spans(blank: str) -> None:
    assert sentences(blank) == passages(blank) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I came. I saw! Did I win? Yes…", ["I came.", "I saw!", "Did I win?", "Yes…"]),
        ("i came. then i left", ["i came.", "then i left"]),
        ("Mr. Smith met Dr. Wu. They ate.", ["Mr. Smith met Dr. Wu.", "They ate."]),
        ("Bring fruit, e.g. pears. Thanks.", ["Bring fruit, e.g. pears.", "Thanks."]),
        ("The U.S. economy grew. Fine.", ["The U.S. economy grew.", "Fine."]),
        ("It is 20.04 now. Update.", ["It is 20.04 now.", "Update."]),
        (
            "J. K. Rowling wrote it. So did I. Then?",
            ["J. K. Rowling wrote it.", "So did I.", "Then?"],
        ),
        ("I waited... and left. Then... Gone.", ["I waited... and left.", "Then...", "Gone."]),
        ('"Really?" he asked. "Yes."', ['"Really?" he asked.', '"Yes."']),
        ("At 5 p.m. we met. No. 5 won.", ["At 5 p.m. we met.", "No. 5 won."]),
        ("See example.com/a.b now. Ok.", ["See example.com/a.b now.", "Ok."]),
        ("我来了。我看见了！真的吗？是；好", ["我来了。", "我看见了！", "真的吗？", "是；", "好"]),
        ("他说：“你好。”然后走了。", ["他说：“你好。”", "然后走了。"]),
        ("「はい。」と言った。", ["「はい。」", "と言った。"]),
        ("我不知道……也许吧", ["我不知道……", "也许吧"]),
        ('他走了。"为什么？"她问。', ["他走了。", '"为什么？', '"她问。']),
        ("好的!明天见", ["好的!", "明天见"]),
        ("Hello!你好。Bye", ["Hello!", "你好。", "Bye"]),
        (
            "# Plan\n- milk\n- eggs\n1. Go\n2. Come",
            ["# Plan", "- milk", "- eggs", "1. Go", "2. Come"],
        ),
        ("a\r\n\r\nb\u2028c", ["a", "b", "c"]),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert cut(text, sentences(text)) == expected


def test_a_short_text_is_one_passage_without_the_space_around_it() -> None:
    assert passages("  One. Two!\nThree? \n") == [Span(start=2, end=18)]


def test_a_long_text_is_packed_in_whole_sentences() -> None:
    text = "I walk to the park every day. " * 100
    for piece in cut(text, passages(text)):
        assert piece.startswith("I walk")
        assert piece.endswith("day.")
        assert len(piece.split()) <= PASSAGE_UNITS * 1.25


def test_a_long_chinese_text_is_packed_in_whole_sentences() -> None:
    text = "我每天都去公园散步。" * 100
    pieces = cut(text, passages(text))
    assert len(pieces) > 3
    assert all(piece.startswith("我每天") and piece.endswith("。") for piece in pieces)


def test_a_short_rest_joins_the_passage_before() -> None:
    text = "word " * 40 + "end. " + "tail."
    assert len(passages(text, target=41)) == 1


def test_an_over_long_sentence_is_cut_between_words() -> None:
    text = "incomprehensible " * 1000
    assert all(set(piece.split()) == {"incomprehensible"} for piece in cut(text, passages(text)))


def test_an_over_long_chinese_sentence_is_cut_after_a_comma() -> None:
    text = "我每天都去公园散步，" * 100
    assert all(piece.startswith("我每天") for piece in cut(text, passages(text)))


def test_a_run_without_spaces_is_cut_at_a_fixed_length() -> None:
    lengths = [span.end - span.start for span in passages("x" * 10_000)]
    assert len(set(lengths[:-1])) == 1


@pytest.mark.parametrize(
    "cluster",
    ["👩🏽\u200d👩🏽\u200d👦🏿", "🇨🇳", "e\u0301\u0323", "ก็", "🏴\U000e0067\U000e0062\U000e007f"],
)
def test_a_cluster_is_never_cut(cluster: str) -> None:
    text = cluster * 500
    for offset in range(5):
        spans = passages("x" * offset + text, target=7)
        assert len(spans) > 1
        assert all((span.start - offset) % len(cluster) == 0 for span in spans[1:])


def test_a_target_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="target"):
        passages("x", target=0)
