"""Ranges: 5月3日到7日, 从三月到六月; and those open to a side: 自2016年以来, 到六月为止, 周五之前."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final, Literal

from graphmem.domain.interval import Interval
from graphmem.text.timex.calendar import plus_days
from graphmem.text.timex.frame import Frame
from graphmem.text.timex.zh.clock import TIMES
from graphmem.text.timex.zh.lexer import Tokens
from graphmem.text.timex.zh.phrase import Phrase, Resolve
from graphmem.text.timex.zh.point import HEADS as POINT_HEADS, point
from graphmem.text.timex.zh.rule import refined

Side = Literal["since", "until"]

_OPENERS: Final = frozenset("从直到")
HEADS: Final = POINT_HEADS | _OPENERS
_JOINT: Final = re.compile("起?到|(?P<between>和)")
_BETWEEN: Final = frozenset({"之间", "间"})
_SINCE: Final = re.compile("约?(?:的?候)?(?:来|起|后)")
_UNTIL: Final = re.compile("约?[止前]")


def expression(tokens: Tokens, at: int) -> Phrase | None:
    """The longest date, range or open range that begins with a word."""
    kind = tokens.kinds[at]
    if kind in _OPENERS:
        first = point(tokens, at + 1)
        return None if first is None else _opened(tokens, kind, first)
    first = point(tokens, at)
    if first is None:
        return None
    return _range(tokens, first) or _open(tokens, first) or first


def _opened(tokens: Tokens, kind: str, first: Phrase) -> Phrase | None:
    """What begins with 从, 直到 or 到."""
    if kind == "从":
        return _range(tokens, first) or _since(tokens, first)
    end = _UNTIL.match(tokens.kinds, first.end)
    if end or kind == "直":
        return _sided(first, end.end() if end else first.end, "until")
    return None


def _since(tokens: Tokens, first: Phrase) -> Phrase | None:
    """从三月开始, 自2016年以来, 自2016年; not 从去年的..."""
    closed = _SINCE.match(tokens.kinds, first.end)
    if closed or tokens.kinds[first.end] != "的":
        return _sided(first, closed.end() if closed else first.end, "since")
    return None


def _open(tokens: Tokens, first: Phrase) -> Phrase | None:
    """2016年以来, 5月7日起, 周五之前, 六月为止."""
    until = _UNTIL.match(tokens.kinds, first.end)
    if until:
        return _sided(first, until.end(), "until")
    since = _SINCE.match(tokens.kinds, first.end)
    if since and tokens.word(since.end() - 1) not in {"开始", "后"}:
        return _sided(first, since.end(), "since")
    return None


def _sided(first: Phrase, end: int, side: Side) -> Phrase:
    def resolve(frame: Frame) -> Interval | None:
        interval = first.resolve(frame)
        if interval is None:
            return None
        return interval.since() if side == "since" else interval.until()

    return Phrase(end=end, unit="span", resolve=resolve)


def _range(tokens: Tokens, first: Phrase) -> Phrase | None:
    """Two dates with 到 between them; what the second leaves out it has from the first."""
    joint = _JOINT.match(tokens.kinds, first.end)
    if joint is None:
        return None
    second = _second_time(tokens, first, joint.end()) or point(tokens, joint.end())
    if second is None:
        return None
    closing = second.end + (tokens.kinds[second.end] == "止")
    if joint["between"]:  # 三月和六月之间
        closing += tokens.word(closing) in _BETWEEN
        if tokens.word(closing - 1) not in _BETWEEN:
            return None
    return Phrase(
        end=closing,
        unit="span",
        resolve=_both(first.resolve, second),
        is_complete=first.is_complete and (second.is_complete or second.onward is not None),
    )


def _second_time(tokens: Tokens, first: Phrase, at: int) -> Phrase | None:
    """The second of two clock times: 下午三点到五点."""
    if first.unit != "minute":
        return None
    has_part = tokens.kinds[at] == "午"
    part = tokens.word(at) if has_part else first.part
    begin = Phrase(end=at + has_part, unit="day", resolve=first.resolve, part=part)
    found = refined(tokens, begin, TIMES)
    if found is None or has_part:
        return found
    return replace(found, onward=None)  # 上午十点到一点 does not end in the next morning


def _both(first: Resolve, second: Phrase) -> Resolve:
    def resolve(frame: Frame) -> Interval | None:
        begin = first(frame)
        day = None if begin is None else frame.first_day(begin)
        if begin is None or day is None:
            return None
        end = second.onward(frame, day) if second.onward else second.resolve(frame)
        if end is not None and second.onward and end.start_us is not None and begin.to(end) is None:
            end = second.onward(frame, plus_days(day, 1))
        return None if end is None else begin.to(end)

    return resolve
