from __future__ import annotations

from base64 import b64decode
from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from graphmem.errors import StoreFormatError
from graphmem.index.codec import decode, encode
from graphmem.index.merge import CROWD, SEALED_TURNS, merge, plan_merge
from graphmem.index.segment import NO_TIME
from tests.index.conftest import Spec, content, cut, make_segment, specs

# written by the release that knew no times
WITHOUT_TIMES = "R01TMQMAAAACAAAAAwAAAAMAAAAEAAAAAwAAAAMAAAAAAAAABAAAAAAAAAAAAAAAAAAAAAAAAAD/////AAAAAAAAAAABAAAAAgAAAAEAAAABAAAAAAAAAAIAAAADAAAABAAAAAAAAAABAAAAAgAAAAAAAAABAAEAAQABAEFubngA5qKo5a2QAOiLueaenA=="

sizes = st.lists(st.integers(1, 8), max_size=6)


@given(specs)
def test_decoding_gives_back_what_was_encoded(turns: list[Spec]) -> None:
    segment = make_segment(turns, 7)
    assert content(decode(encode(segment))) == content(segment)


def test_equal_segments_give_equal_bytes() -> None:
    turns = [Spec(0, "Ann", [["x", "苹果"], ["x"]])]
    assert encode(make_segment(turns, 0)) == encode(make_segment(turns, 0))


@given(specs, st.data())
def test_a_truncated_segment_is_refused(turns: list[Spec], data: st.DataObject) -> None:
    encoded = encode(make_segment(turns, 0))
    texts = len("\0".join(make_segment(turns, 0).postings.vocabulary).encode())
    names = len("\0".join(make_segment(turns, 0).speakers).encode())
    end = data.draw(st.integers(0, len(encoded) - texts - names - 1))
    with pytest.raises(StoreFormatError):
        decode(encoded[:end])


def test_foreign_bytes_are_refused() -> None:
    with pytest.raises(StoreFormatError):
        decode(b"GMS9" + bytes(100))


def test_a_segment_of_the_layout_without_times_is_read() -> None:
    turns = [Spec(0, "Ann", [["x", "苹果"], ["x"]]), Spec(0, None, [["梨子"]])]
    segment = decode(b64decode(WITHOUT_TIMES))
    assert segment.turn_time.tolist() == [NO_TIME, NO_TIME]
    timed = replace(segment, turn_time=make_segment(turns, 3).turn_time)
    assert content(timed) == content(make_segment(turns, 3))


@given(specs, sizes)
def test_merging_equals_building_at_once(turns: list[Spec], parts: list[int]) -> None:
    merged = merge(cut(turns, parts))
    assert content(merged) == content(make_segment(turns, 0))
    assert encode(merged) == encode(make_segment(turns, 0))


@given(specs, st.data())
def test_the_tail_is_the_segment_of_the_later_turns(turns: list[Spec], data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(turns) - 1))
    tail = make_segment(turns, 0).tail(start)
    assert content(tail) == content(make_segment(turns[start:], start))


@given(st.lists(st.integers(1, 3000), max_size=400))
def test_merging_keeps_few_segments(adds: list[int]) -> None:
    held: list[int] = []
    for size in adds:
        held.append(size)
        while tail := plan_merge(held):
            held = [*held[:-tail], sum(held[-tail:])]
    sealed = [size for size in held if size >= SEALED_TURNS]
    assert sum(held) == sum(adds)
    assert len(held) - len(sealed) < CROWD * (len(sealed) + 1)


def test_each_turn_is_rewritten_about_once_a_tier() -> None:
    held: list[int] = []
    rewritten = 0
    for _ in range(5000):
        held.append(20)
        while tail := plan_merge(held):
            rewritten += sum(held[-tail:])
            held = [*held[:-tail], sum(held[-tail:])]
    assert rewritten / 100_000 <= 4
    assert len(held) < 60


def test_sealed_segments_rest() -> None:
    assert plan_merge([SEALED_TURNS] * 100) == 0
