from __future__ import annotations

from graphmem.text.facts.mask import Mask


def test_a_stretch_is_covered_where_it_touches_a_taken_place() -> None:
    mask = Mask(10)
    mask.take([(2, 4)])
    assert [mask.covers(at, at + 1) for at in range(5)] == [False, False, True, True, False]
    assert list(mask.free([(0, 2), (0, 3), (4, 9)])) == [(0, 2), (4, 9)]


def test_two_masks_join_and_stay_as_they_were() -> None:
    one, other = Mask(6), Mask(6)
    one.take([(0, 1)])
    other.take([(4, 99)])
    both = one.joined(other)
    assert both.covers(0, 1)
    assert both.covers(5, 6)
    assert not both.covers(1, 4)
    assert not one.covers(4, 6)
    assert not Mask(0).joined(Mask(0)).covers(0, 0)
