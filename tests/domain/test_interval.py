"""Intervals: notation, order, and what lies in what."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from hypothesis import assume, given, strategies as st

from graphmem.domain.interval import Interval, local_us

LAST = datetime(9998, 1, 1)

stamps = st.one_of(
    st.integers(1, 9998).map("{:04}".format),
    st.dates(max_value=LAST.date()).map(lambda d: d.isoformat()[:7]),
    st.dates(max_value=LAST.date()).map(lambda d: d.isoformat()),
    st.datetimes(max_value=LAST).map(lambda d: d.isoformat(" ")[:13] + "h"),
    st.datetimes(max_value=LAST).map(lambda d: d.isoformat(" ", "minutes")),
)
zones = st.sampled_from(["", "+08:00", "-03:30"])
minutes = st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1)).map(
    lambda d: d.isoformat(" ", "minutes")
)


@given(stamps, st.integers(-720, 840))
def test_a_value_is_read_as_it_is_written(stamp: str, offset: int) -> None:
    assert Interval.parse(stamp, offset).text() == stamp


@given(minutes, zones)
def test_a_stated_offset_is_kept(stamp: str, zone: str) -> None:
    assert Interval.parse(stamp + zone, 60).text() == stamp + zone


@given(stamps)
def test_an_open_interval_is_read_as_it_is_written(stamp: str) -> None:
    for text in (f"{stamp}..", f"..{stamp}"):
        assert Interval.parse(text).text() == text


@given(st.dates(max_value=LAST.date()).map(lambda d: d.isoformat()), st.integers(-720, 840))
def test_an_approximate_day_is_the_week_that_ends_with_it(day: str, offset: int) -> None:
    about = Interval.parse(f"~{day}", offset)
    assert about.text() == f"~{day}"
    assert about.end_us == Interval.parse(day, offset).end_us
    assert about.start_us is not None
    assert about.end_us is not None
    assert about.end_us - about.start_us == 7 * 24 * 3600 * 1_000_000


@pytest.mark.parametrize("text", ["~2023", "~2023-05", "~2023-05-07 15h", "~2023-05-07..", "~"])
def test_only_a_day_is_told_about(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        Interval.parse(text)


@given(st.integers(1, 9998), st.integers(1, 9998))
def test_two_years_are_an_interval_when_they_are_in_order(first: int, last: int) -> None:
    assume(first != last)
    text = f"{min(first, last):04}..{max(first, last):04}"
    assert Interval.parse(text).text() == text
    with pytest.raises(ValueError, match="begins before it ends"):
        Interval.parse(f"{max(first, last):04}..{min(first, last):04}")


@pytest.mark.parametrize(
    "text",
    ["", "..", "23", "2023-5", "2023-13", "2023-02-30", "2023-05-07 25h", "2023-05-07T15:00", "x"],
)
def test_what_is_no_value_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        Interval.parse(text)


def test_an_interval_of_two_grains_has_the_coarser() -> None:
    assert Interval.parse("2023-05-03..2023-06").text() == "2023-05..2023-06"


@pytest.mark.parametrize(
    ("outer", "inner", "holds"),
    [
        ("2023", "2023-05", True),
        ("2023-05", "2023", False),
        ("2023-05", "2023-05", True),
        ("2023-05..", "2024", True),
        ("2023-05..", "2023-04..", False),
        ("..2023-05", "2022", True),
        ("..2023-05", "2022..", False),
        ("2023", "2023-05..", False),
        ("..2023", "..2022", True),
    ],
)
def test_holding(outer: str, inner: str, holds: bool) -> None:
    assert Interval.parse(outer).holds(Interval.parse(inner)) is holds


@given(
    st.integers(0, 50),
    st.integers(1, 50),
    st.none() | st.integers(0, 99),
    st.none() | st.integers(0, 99),
)
def test_overlap_is_that_of_sets(
    start: int, length: int, low: int | None, high: int | None
) -> None:
    interval = Interval(start_us=start, end_us=start + length, grain="minute")
    assume(low is None or high is None or low <= high)
    window = set(range(low if low is not None else 0, (high if high is not None else 200) + 1))
    assert interval.overlaps(low, high) is bool(window & set(range(start, start + length)))


def test_an_open_end_overlaps_all_that_is_later() -> None:
    since = Interval.parse("2023..")
    assert since.overlaps(local_us(datetime(2030, 1, 1), 0), None)
    assert not since.overlaps(None, local_us(datetime(2022, 12, 31), 0))


def test_an_interval_that_is_open_to_both_sides_or_empty_is_none() -> None:
    with pytest.raises(ValueError, match="open"):
        Interval(start_us=None, end_us=None, grain="day")
    with pytest.raises(ValueError, match="begins before"):
        Interval(start_us=5, end_us=5, grain="day")


def test_the_wall_clock_is_counted_in_its_offset() -> None:
    local = datetime(2023, 5, 8, 1, 30)
    assert local_us(local, 480) == local_us(local - timedelta(hours=8), 0)
