"""Windows of time are closed at both ends, to the microsecond, in every offset."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings, strategies as st

from tests.server.atomic import Api
from tests.server.live import Live, new_user

BASE = datetime(2026, 3, 1, tzinfo=UTC)
TICK = timedelta(microseconds=1)
# Close together around a few instants, so that ends of windows often fall on rows or beside them.
NEAR = [day * timedelta(days=1) + ticks * TICK for day in range(4) for ticks in (-2, -1, 0, 1, 2)]
moments = st.sampled_from([BASE + near for near in NEAR])
offsets = st.integers(-14 * 60, 14 * 60).map(lambda m: timezone(timedelta(minutes=m)))


@st.composite
def written(draw: st.DrawFn) -> tuple[datetime, str]:
    """A moment, and one of the ways in which it may be written."""
    moment = draw(moments)
    zone = draw(st.one_of(st.none(), st.just("Z"), offsets))
    if isinstance(zone, timezone):
        return moment, moment.astimezone(zone).isoformat()
    return moment, moment.replace(tzinfo=None).isoformat(timespec="microseconds") + (zone or "")


ends = st.one_of(st.none(), written())


@pytest.fixture(scope="module")
def rows(server: Live) -> tuple[Api, list[datetime]]:
    """A memory with an atom, and a message, at each of these moments."""
    api = Api(server, {"user_id": new_user()})
    times = [BASE + near for near in NEAR]
    for number, time in enumerate(times):
        api.say(f"I love tea of kind {number}.", at=time.isoformat())
    return api, times


def expected(times: list[datetime], start: datetime | None, end: datetime | None) -> list[datetime]:
    """A plain filter of all rows."""
    return sorted(t for t in times if (start is None or start <= t) and (end is None or t <= end))


@settings(max_examples=200, deadline=None)
@given(start=ends, end=ends)
def test_windows_answer_as_a_plain_filter_of_all_rows(
    rows: tuple[Api, list[datetime]],
    start: tuple[datetime, str] | None,
    end: tuple[datetime, str] | None,
) -> None:
    api, times = rows
    first, last = start and start[0], end and end[0]
    window = {"time_start": start and start[1], "time_end": end and end[1]}
    if first and last and first > last:
        assert api.refused("atomic/search", query="tea", **window)[0] == 400
        assert api.refused("conversation/query", **window)[0] == 400
        return
    wanted = expected(times, first, last)
    found = api.search("tea", limit=100, **window)
    assert sorted(datetime.fromisoformat(item["updated_at"]) for item in found) == wanted
    assert api.ok("atomic/count", **window) == {"total": len(wanted)}
    said = api.ok("conversation/search", query="tea", limit=100, **window)["messages"]
    assert sorted(datetime.fromisoformat(item["timestamp"]) for item in said) == wanted
    assert api.ok("conversation/count", **window) == {"total": len(wanted)}


def test_a_date_alone_is_its_whole_day(rows: tuple[Api, list[datetime]]) -> None:
    api, times = rows
    day = expected(times, BASE, BASE + timedelta(days=1) - TICK)
    window = {"time_start": "2026-03-01", "time_end": "2026-03-01"}
    assert api.ok("atomic/count", **window) == {"total": len(day)}
    assert api.ok("conversation/count", **window) == {"total": len(day)}
