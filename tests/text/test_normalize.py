from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from graphmem.text.normalize import fold, storable

LAW = settings(deadline=None)  # a busy machine is no fault of the law's

ANY_TEXT = st.text(st.characters())  # lone surrogates included


@LAW
@given(ANY_TEXT)
def test_storable_text_is_utf8_without_nul_and_keeps_its_length(text: str) -> None:
    kept = storable(text)
    assert b"\x00" not in kept.encode("utf-8")
    assert len(kept) == len(text)


@LAW
@given(st.text())
def test_storable_changes_nothing_that_can_be_stored(text: str) -> None:
    assert storable(text) == text.replace("\x00", "\ufffd")


def test_lone_surrogates_are_replaced_and_whole_emoji_are_not() -> None:
    assert storable("a\ud83db😀\udc00") == "a\ufffdb😀\ufffd"


@LAW
@given(ANY_TEXT)
def test_folding_twice_changes_nothing(text: str) -> None:
    once = fold(text)
    assert fold(once) == once


MARKS = st.sampled_from("aéxΐŉ\u0301\u0323\u0308\u05b0\u0344\u0345\u200b\U000e0101\u00b4ﬁＡßИ")


@LAW
@given(st.text(MARKS, max_size=80))
def test_folding_twice_changes_nothing_for_composing_characters(text: str) -> None:
    once = fold(text)
    assert fold(once) == once


@LAW
@given(ANY_TEXT)
def test_folding_grows_a_text_at_most_eighteenfold(text: str) -> None:
    assert len(fold(text)) <= 18 * len(text)


@LAW
@given(st.text(st.characters(max_codepoint=127)))
def test_folding_plain_ascii_is_lower_case(text: str) -> None:
    assert fold(text) == text.lower()


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("ＣＮ－Ａ１０２９３", "cn-a10293"),
        ("Café", "cafe"),
        ("Cafe\u0301", "cafe"),
        ("Nguyễn Đức", "nguyen duc"),
        ("Ångström", "angstrom"),
        ("Łódź, Straße, Œuvre", "lodz, strasse, oeuvre"),
        ("İstanbul ılık", "istanbul ilik"),
        ("don’t ʼtis", "don't 'tis"),
        ("pre‐edit – post−edit", "pre-edit - post-edit"),
        ("home—then", "home--then"),
        ("ﬁne ①", "fine 1"),
        ("soft\u00adhyphen\u200b", "softhyphen"),
        ("葛\U000e0100城", "葛城"),
        ("❤\ufe0f", "❤"),
        ("x\U000e0100\u0302", "x"),
    ],
)
def test_spellings_of_one_word_fold_alike(written: str, folded: str) -> None:
    assert fold(written) == folded


@pytest.mark.parametrize("text", ["がぎぐパピ", "한국어", "नमस्ते", "สวัสดี", "йогурт", "άλφα", "שָׁלוֹם"])
def test_marks_of_other_scripts_carry_meaning_and_stay(text: str) -> None:
    assert fold(text) == fold(text.upper())
    assert len(fold(text)) == len(text)


def test_half_width_kana_with_a_voicing_mark_is_one_letter() -> None:
    assert fold("ｶﾞ") == "ガ"


def test_an_emoji_keeps_its_joiner() -> None:
    assert "\u200d" in fold("👩\u200d👦")


def test_a_flood_of_combining_marks_is_capped() -> None:
    assert len(fold("Ж" + "\u0301\u0323" * 100_000)) < 100
