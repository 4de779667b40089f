from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from graphmem.domain.moment import Moment
from tests.text.timex.chinese import value, values


@given(st.integers(13, 23), st.integers(0, 59))
def test_a_time_of_24_hours_is_read_beside_a_day(hour: int, minute: int) -> None:
    assert value(f"明天{hour}:{minute:02}开会") == f"2023-05-09 {hour}:{minute:02}"
    assert value(f"明天{hour}点{minute:02}分开会") == f"2023-05-09 {hour}:{minute:02}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("前天下午三点", "2023-05-06 15:00"), ("昨天凌晨三点", "2023-05-07 03:00"), ("昨晚八点半", "2023-05-07 20:30"),
        ("今早7点", "2023-05-08 07:00"), ("明天中午12点", "2023-05-09 12:00"), ("明天中午一点", "2023-05-09 13:00"),
        ("明天晚上十二点", "2023-05-10 00:00"), ("下周三上午十点一刻", "2023-05-17 10:15"), ("本周五下午2:30", "2023-05-12 14:30"),
        ("2023年5月7日（星期日）下午3:00", "2023-05-07 15:00"), ("5月9日08:30", "2023-05-09 08:30"), ("后天晚上8點", "2023-05-10 20:00"),
    ],
)  # fmt: skip
def test_a_time_beside_a_day_gives_the_minute(text: str, expected: str) -> None:
    assert value(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("明天下午3点UTC", "2023-05-09 15:00+00:00"), ("明天15:00（UTC+8）", "2023-05-09 15:00+08:00"), ("明天15:00 GMT-3", "2023-05-09 15:00-03:00"),
        ("明天下午3点 EST", "2023-05-09"), ("明天下午三点北京时间", "2023-05-09"), ("明天下午3点OK吗", "2023-05-09 15:00"),
    ],
)  # fmt: skip
def test_an_offset_is_kept_and_any_other_zone_leaves_the_day(text: str, expected: str) -> None:
    assert value(text) == expected


@pytest.mark.parametrize(
    "text", ["明天三点", "明天8:30", "昨晚两点", "昨天半夜12点", "明天晚上", "明天25点"]
)
def test_an_hour_that_may_be_two_adds_nothing(text: str) -> None:
    assert value(text) in {"2023-05-09", "2023-05-07"}


def test_a_time_without_a_day_is_none() -> None:
    assert values("三点半在楼下见，晚上八点有直播，15:30大堂集合") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("两小时前", "2023-05-08 11h"), ("半小时前", "2023-05-08 13:26"), ("一个半小时前", "2023-05-08 12:26"),
        ("四十分钟前", "2023-05-08 13:16"), ("三小时后", "2023-05-08 16h"), ("兩個鐘頭前", "2023-05-08 11h"),
    ],
)  # fmt: skip
def test_hours_and_minutes_are_counted_from_the_anchors_clock(text: str, expected: str) -> None:
    assert value(text) == expected
    assert value(text, Moment.parse_iso("2023-05-08")) is None
