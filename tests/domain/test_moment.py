from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given, strategies as st

from graphmem.domain.moment import FIRST_US, LAST_US, Moment

offsets = st.integers(-14 * 60, 14 * 60)


@given(st.datetimes(min_value=datetime(2, 1, 1), max_value=datetime(9998, 1, 1)), offsets)  # noqa: DTZ001
def test_an_iso_time_keeps_its_instant_and_its_offset(naive: datetime, offset: int) -> None:
    aware = naive.replace(tzinfo=timezone(timedelta(minutes=offset)))
    moment = Moment.parse_iso(aware.isoformat())
    assert moment.local() == aware
    assert moment.offset_minutes == offset
    assert Moment.parse_iso(moment.iso()) == moment


@given(st.integers(-(10**20), 10**20))
def test_unix_milliseconds_outside_the_calendar_are_undated(milliseconds: int) -> None:
    moment = Moment.from_unix_ms(milliseconds)
    assert (moment is None) == (not FIRST_US <= milliseconds * 1000 <= LAST_US)
    if moment is not None:
        assert moment.iso_utc().endswith("Z")


def test_without_a_zone_a_time_is_utc() -> None:
    assert Moment.parse_iso("2023-05-08T13:56:00") == Moment.parse_iso("2023-05-08T13:56:00Z")


def test_z_and_offset_name_the_same_instant() -> None:
    east = Moment.parse_iso("2023-05-08T21:56:00+08:00")
    assert east.us == Moment.parse_iso("2023-05-08T13:56:00Z").us
    assert east.iso_utc() == "2023-05-08T13:56:00Z"
    assert east.iso() == "2023-05-08T21:56:00+08:00"


def test_a_date_alone_has_day_precision() -> None:
    moment = Moment.parse_iso("2023-05-08")
    assert (moment.precision, moment.iso(), moment.stamp()) == ("day", "2023-05-08", "2023-05-08")


def test_the_stamp_is_in_the_zone_of_the_source() -> None:
    assert Moment.parse_iso("2023-05-08T23:30:00-07:00").stamp() == "2023-05-08 23:30"


def test_a_fraction_is_shown_only_where_there_is_one() -> None:
    first, second = Moment.from_unix_ms(1_704_067_200_000), Moment.from_unix_ms(1_704_067_200_123)
    assert first is not None
    assert second is not None
    assert first.iso_utc() == "2024-01-01T00:00:00Z"
    assert second.iso_utc() == "2024-01-01T00:00:00.123000Z"


@pytest.mark.parametrize("us", [FIRST_US, LAST_US])
@pytest.mark.parametrize("offset", [-840, 0, 840])
def test_the_ends_of_the_calendar_can_be_shown(us: int, offset: int) -> None:
    moment = Moment(us=us, offset_minutes=offset)
    assert moment.stamp()
    assert moment.iso()


@pytest.mark.parametrize("text", ["", "yesterday", "2023-13-01", "0001-01-01T00:00:00+01:00"])
def test_what_is_no_time_is_an_error(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the caller names the field
        Moment.parse_iso(text)
