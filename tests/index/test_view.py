from __future__ import annotations

from hypothesis import given, strategies as st

from graphmem.index.merge import merge
from graphmem.index.view import CompiledView
from tests.index.conftest import Spec, cut, make_segment, number_sessions, picture, specs

sizes = st.lists(st.integers(1, 8), max_size=6)


def _view(turns: list[Spec], parts: list[int]) -> CompiledView:
    view = CompiledView.empty()
    for version, segment in enumerate(cut(turns, parts), start=1):
        view = view.extended([segment], (), version)
    return view


@given(specs, sizes)
def test_batch_by_batch_equals_all_at_once(turns: list[Spec], parts: list[int]) -> None:
    turns = number_sessions(turns)
    assert picture(_view(turns, parts)) == picture(_view(turns, []))


@given(specs, sizes, st.data())
def test_a_merged_segment_brings_only_what_is_new(
    turns: list[Spec], parts: list[int], data: st.DataObject
) -> None:
    turns = number_sessions(turns)
    segments = cut(turns, parts)
    known = data.draw(st.integers(0, len(segments)))
    view = CompiledView.empty().extended(segments[:known], (), known)
    again = view.extended([merge(segments)], (), len(segments))
    assert picture(again) == picture(_view(turns, []))


@given(specs, sizes)
def test_a_reader_keeps_its_view_while_newer_ones_grow(turns: list[Spec], parts: list[int]) -> None:
    turns = number_sessions(turns)
    view, pictures = CompiledView.empty(), []
    for segment in cut(turns, parts):
        view = view.extended([segment], (), view.version + 1)
        pictures.append((view, picture(view)))
    assert all(picture(kept) == drawn for kept, drawn in pictures)


def test_previous_turns_stay_within_their_session() -> None:
    turns = [Spec(s, None, [["x"]]) for s in (0, 1, 0, 1, 2, 0)]
    view = CompiledView.empty().extended([make_segment(turns, 0)], (), 1)
    assert view.turn_previous.values.tolist() == [-1, -1, 0, 1, -1, 2]
    assert view.session_last.tolist() == [5, 3, 4]


def test_size_grows_with_the_content() -> None:
    small = _view([Spec(0, None, [["x"]])], [])
    large = _view([Spec(0, None, [["x", "birne", "apfel"]]) for _ in range(1000)], [])
    assert large.nbytes > small.nbytes > 0
