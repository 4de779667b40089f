"""Holidays: on which day of a year each falls."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from functools import partial
from typing import Final

from graphmem.text.timex.calendar import easter, nth_weekday
from graphmem.text.timex.lunar import lunar_date, solar_term

_FIXED: Final = {
    "元旦": (1, 1),
    "情人节": (2, 14),
    "三八节 妇女节 三八妇女节": (3, 8),
    "植树节": (3, 12),
    "白色情人节": (3, 14),
    "愚人节": (4, 1),
    "五一 五一节 劳动节 五一劳动节": (5, 1),
    "青年节 五四青年节": (5, 4),
    "护士节": (5, 12),
    "六一 儿童节 六一儿童节": (6, 1),
    "七一 建党节": (7, 1),
    "八一 建军节 八一建军节": (8, 1),
    "教师节": (9, 10),
    "十一 国庆 国庆节 十一国庆 十一国庆节": (10, 1),
    "双十节": (10, 10),
    "万圣节": (10, 31),
    "光棍节 双十一 双11": (11, 11),
    "双十二 双12": (12, 12),
    "平安夜 圣诞夜": (12, 24),
    "圣诞 圣诞节": (12, 25),
    "跨年夜": (12, 31),
}
_LUNAR: Final = {
    "春节 农历新年 大年初一": (1, 1),
    "元宵 元宵节": (1, 15),
    "端午 端午节": (5, 5),
    "七夕 七夕节": (7, 7),
    "中元节": (7, 15),
    "中秋 中秋节": (8, 15),
    "重阳 重阳节": (9, 9),
    "腊八 腊八节": (12, 8),
}
_FLOATING: Final = {  # month, weekday, nth
    "母亲节": (5, 6, 2),
    "父亲节": (6, 6, 3),
    "感恩节": (11, 3, 4),
}
_TERMS: Final = "清明 清明节 冬至 夏至 立春 立夏 立秋 立冬 春分 秋分"
_EVES: Final = "除夕 除夕夜 年三十 大年三十"

OnYear = Callable[[int], date]


def _fixed(month: int, day: int, year: int) -> date:
    return date(year, month, day)


def _lunar(month: int, day: int, year: int) -> date:
    return lunar_date(year, month, day)


def _floating(month: int, weekday: int, nth: int, year: int) -> date:
    return nth_weekday(year, month, weekday, nth)


def _term(name: str, year: int) -> date:
    return solar_term(year, name)


def _eve(year: int) -> date:
    return lunar_date(year, 1, 1) - timedelta(days=1)


def _all() -> dict[str, OnYear]:
    found: dict[str, OnYear] = {"复活节": easter}
    found |= {name: partial(_fixed, *on) for key, on in _FIXED.items() for name in key.split()}
    found |= {name: partial(_lunar, *on) for key, on in _LUNAR.items() for name in key.split()}
    found |= {name: partial(_floating, *on) for name, on in _FLOATING.items()}
    found |= {name: partial(_term, name.removesuffix("节")) for name in _TERMS.split()}
    return found | dict.fromkeys(_EVES.split(), _eve)


_HOLIDAYS: Final = _all()
NUMBER_NAMES: Final = frozenset({"五一", "六一", "七一", "八一", "十一"})
NAMES: Final = frozenset(_HOLIDAYS) - NUMBER_NAMES


def holiday(name: str, year: int) -> date:
    """The day of a holiday in a year; a lunar one falls in the lunar year that begins in it.

    Raises:
        ValueError: a lunar holiday outside the years of the lunar calendar.
    """
    return _HOLIDAYS[name](year)


def holiday_near(name: str, today: date, direction: int) -> date:
    """The latest such holiday before today (-1), the first after it (1), or this year's (0)."""
    if direction == 0:
        return holiday(name, today.year)
    step = -1 if direction < 0 else 1
    days = [holiday(name, today.year + step * years) for years in (-1, 0, 1)]
    return next(day for day in days if (day < today if step < 0 else day > today))
