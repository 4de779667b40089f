"""Times of the day, where a date stands beside them: tomorrow at 3pm, 9:30 on Friday morning."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from graphmem.domain.interval import Interval
from graphmem.text.timex.en.lexicon import CODE, Part
from graphmem.text.timex.en.reading import Reading, Setting, Timing
from graphmem.text.timex.en.rule import Found, Reads, compiled, rule
from graphmem.text.timex.en.tokens import Token, Tokens
from graphmem.text.timex.en.units import single_day
from graphmem.text.timex.frame import Frame
from graphmem.text.timex.night import day_of_small_hour, is_small_hour

_NOON: Final = 12
_HOUR: Final = 60
_DAY: Final = 24 * _HOUR

_PART_TAIL: Final = compiled("((in|during) the)? (part)|at (part)")
_AT: Final = compiled("comma? (at|about|by)?")
_PLAIN_AT: Final = compiled("comma? (at about?|about)")
_TIME: Final = compiled(
    "(clock|clock12)|(noon)|(half) past (num)|(quarter|num) unit? (past|to|units past|units to) (num)"
    "|(num) meridiem|(num) clockword|(num)"
)
_IN_PART: Final = compiled("(in the|at) (part)")
_MERIDIEM: Final = compiled("meridiem")


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockTime:
    """A time of day.

    Attributes:
        end: index behind its last token.
        minutes: minutes since midnight, or since noon or midnight where the half of the day is open.
        is_certain: whether the half of the day is told.
        is_marked: whether it can be nothing but a time; a lone number needs "at".
        part: the part of the day that it names itself.
        offset: the offset that it states, in minutes.
        is_foreign: whether it names a zone that can't be read.
    """

    end: int
    minutes: int
    is_certain: bool
    is_marked: bool = True
    part: Part | None = None
    offset: int | None = None
    is_foreign: bool = False

    def of_day(self, part: Part | None) -> int | None:
        """Minutes since midnight in a part of the day; None where the half of the day is not told."""
        known = self.part if self.part is not None else part
        if self.is_certain:
            return self.minutes
        if known is None or self.minutes >= (_NOON + 1) * _HOUR:
            return None
        hour, minute = divmod(self.minutes, _HOUR)
        found = _hour_in(hour % _NOON, known)
        return None if found is None else found * _HOUR + minute


def _hour_in(hour: int, part: Part) -> int | None:
    """The hour of the day, of an hour of the clock in a part of the day; None for the small hours."""
    if part is Part.MORNING:
        return hour or _NOON
    if part is Part.AFTERNOON:
        return hour + _NOON
    earliest = 4 if part is Part.EVENING else 6  # "at three in the evening" is no time
    return hour + _NOON if hour >= earliest else None


def clock_time(tokens: Tokens, at: int) -> ClockTime | None:
    """The time of day that stands at an index."""
    match = _TIME.match(tokens.tags, at)
    if match is None:
        return None
    parts = [tokens.items[i] for i in range(match.start(), match.end())]
    found = _READERS[parts[0].name](parts, match.end())
    return _with_zone(tokens, _with_part(tokens, found)) if found else None


def _exact(parts: list[Token], end: int) -> ClockTime:
    is_certain = parts[0].tag == CODE["clock"]
    return ClockTime(end=end, minutes=parts[0].value, is_certain=is_certain)


def _noon(parts: list[Token], end: int) -> ClockTime:
    del parts
    return ClockTime(end=end, minutes=_NOON * _HOUR, is_certain=True)


def _relative(parts: list[Token], end: int) -> ClockTime | None:
    """As in "Half past three", "quarter to four", "ten minutes past nine"."""
    hour = parts[-1].value
    minutes = {"half": 30, "quarter": 15}.get(parts[0].name, parts[0].value)
    if not 1 <= hour <= _NOON or not 0 < minutes < _HOUR:
        return None
    sign = -1 if any(token.name == "to" for token in parts) else 1
    total = hour * _HOUR + sign * minutes
    return ClockTime(end=end, minutes=total, is_certain=False)


def _number(parts: list[Token], end: int) -> ClockTime | None:
    """As in "Three o'clock", "three pm", "3"; or "ten past nine"."""
    if len(parts) > 1 and parts[-1].name == "num":
        return _relative(parts, end)
    hour = parts[0].value
    if not 1 <= hour <= _NOON:
        return None
    if parts[-1].name == "meridiem":
        minutes = (hour % _NOON + parts[-1].value) * _HOUR
        return ClockTime(end=end, minutes=minutes, is_certain=True)
    is_marked = parts[-1].name == "clockword"
    return ClockTime(end=end, minutes=hour * _HOUR, is_certain=False, is_marked=is_marked)


_READERS: Final[dict[str, Callable[[list[Token], int], ClockTime | None]]] = {
    "clock": _exact,
    "clock12": _exact,
    "noon": _noon,
    "half": _relative,
    "quarter": _relative,
    "num": _number,
}


def _with_part(tokens: Tokens, time: ClockTime) -> ClockTime:
    """As in "Three o'clock in the afternoon", "9 at night"."""
    meridiem = _MERIDIEM.match(tokens.tags, time.end)
    if meridiem and not time.is_certain and time.minutes < (_NOON + 1) * _HOUR:
        half = tokens.items[time.end].value * _HOUR
        minutes = time.minutes % (_NOON * _HOUR) + half
        return replace(time, end=meridiem.end(), minutes=minutes, is_certain=True)
    tail = _IN_PART.match(tokens.tags, time.end)
    if tail is None:
        return time
    return replace(time, end=tail.end(), part=Part(tokens.items[tail.end() - 1].value))


def _with_zone(tokens: Tokens, time: ClockTime) -> ClockTime:
    """The time with the offset behind it: UTC, +02:00, Z; other zones are foreign."""
    end = time.end
    word = tokens.word(end)
    if tokens.is_a(end, "offset"):
        hours, minutes = int(word[1:3]), int(word[4:])
        sign = -1 if word[0] == "-" else 1
        return replace(time, end=end + 1, offset=sign * (hours * _HOUR + minutes))
    if tokens.is_a(end, "utc") or word == "z":
        behind = tokens.text[tokens.items[end].end :][:1]
        is_shifted = behind != "" and behind in "+-"
        return replace(time, end=end + 1, offset=0, is_foreign=is_shifted)
    is_zone = tokens.is_a(end, "zone") or tokens.is_a(end + 1, "time")
    return replace(time, is_foreign=is_zone)


def _timed(reading: Reading, time: ClockTime, end: int) -> Reading | None:
    """The minute of a day; the day itself where the zone can't be read; None without half of day."""
    minutes = time.of_day(reading.part)
    if minutes is None or minutes > _DAY or time.is_foreign:
        return None

    def resolve(setting: Setting) -> Interval | None:
        frame = setting.frame
        interval = reading.at(setting)
        day = _calendar_day(frame, reading, single_day(frame, interval), minutes)
        if day is None:
            return interval
        return frame.minute(day, minutes // _HOUR, minutes % _HOUR, time.offset)

    timing = Timing(
        untimed=reading, apply=lambda other: _timed(_of_part(other, reading), time, end)
    )
    return replace(reading, end=end, resolve=resolve, in_year=None, shape="hour", timing=timing)


def _of_part(other: Reading, reading: Reading) -> Reading:
    return replace(other, part=reading.part if other.part is None else other.part)


def _calendar_day(frame: Frame, reading: Reading, day: date | None, minutes: int) -> date | None:
    """The day on which a time of a day's night lies: "last night at 2am" is of today."""
    if day is None or reading.part is not Part.NIGHT or not is_small_hour(minutes):
        return day
    return day_of_small_hour(frame, day, is_named_by_today=reading.shape == "day")


def _with_part_of_day(parser: Reads, start: int, reading: Reading, depth: int) -> Reading | None:
    """A day with its part: "Friday evening", "May 7th in the morning"."""
    del start, depth
    tail = _PART_TAIL.match(parser.tokens.tags, reading.end)
    if tail is None or reading.shape not in {"day", "weekday", "date", "other"} or reading.is_bare:
        return None
    part = Part(parser.tokens.items[tail.end() - 1].value)
    in_year = reading.in_year if reading.shape == "date" else None
    return replace(reading, end=tail.end(), part=part, in_year=in_year)


def _with_clock(parser: Reads, start: int, reading: Reading, depth: int) -> Reading | None:
    """A day with its time: "tomorrow at 3pm"; a time that tells no half of the day adds nothing."""
    del start, depth
    if reading.shape in {"week", "month", "year", "hour"} or reading.resolve is None:
        return None
    tokens = parser.tokens
    link = _AT.match(tokens.tags, reading.end)
    at = link.end() if link else reading.end
    plain = _PLAIN_AT.match(tokens.tags, reading.end)
    time = clock_time(tokens, plain.end() if plain else at)
    if time is None or not (time.is_marked or plain):
        return None
    return _timed(reading, time, time.end)


_SPAN_LINK: Final = compiled("comma? (from|between)?")
_SPAN_TO: Final = compiled("(to|dash|until|and|through)")


def _clock_span(tokens: Tokens, at: int) -> tuple[ClockTime, ClockTime] | None:
    """Two times with a word of range between them: "from 3pm to 5pm", "3-5pm"."""
    first = clock_time(tokens, at)
    link = _SPAN_TO.match(tokens.tags, first.end) if first else None
    second = clock_time(tokens, link.end()) if link else None
    if first is None or second is None or not second.is_marked:
        return None
    return first, second


def _spanned(reading: Reading, first: ClockTime, last: ClockTime, end: int) -> Reading | None:
    """From one minute of a day to another; the first takes the half of the day of the second."""
    until = last.of_day(reading.part)
    since = first.of_day(reading.part)
    if since is None and until is not None:
        since = first.minutes % (_NOON * _HOUR)
        since += _NOON * _HOUR if since + _NOON * _HOUR < until else 0
    if since is None or until is None or since >= until or first.is_foreign or last.is_foreign:
        return None
    offset = last.offset if first.offset is None else first.offset

    def resolve(setting: Setting) -> Interval | None:
        frame = setting.frame
        interval = reading.at(setting)
        day = _calendar_day(frame, reading, single_day(frame, interval), since)
        if day is None:
            return interval
        start = frame.minute(day, since // _HOUR, since % _HOUR, offset)
        stop = frame.minute(day, until // _HOUR, until % _HOUR, offset)
        return start.to(stop) if start and stop else interval

    return replace(reading, end=end, resolve=resolve, in_year=None, shape="hour")


def _with_span(parser: Reads, start: int, reading: Reading, depth: int) -> Reading | None:
    """A day with two times: "tomorrow from 3pm to 5pm"."""
    del start, depth
    if reading.shape in {"week", "month", "year", "hour"} or reading.resolve is None:
        return None
    link = _SPAN_LINK.match(parser.tokens.tags, reading.end)
    times = _clock_span(parser.tokens, link.end()) if link else None
    return _spanned(reading, *times, times[1].end) if times else None


def _span_first(found: Found) -> Reading | None:
    """As in "From 3pm to 5pm tomorrow"."""
    times = _clock_span(found.tokens, found.start + found.has(1))
    inner = found.inner
    if times is None or inner.resolve is None or times[1].end > found.end or inner.is_bare:
        return None
    if inner.shape in {"week", "month", "year", "hour"}:
        return None
    return _spanned(inner, *times, inner.end)


def _clock_first(found: Found) -> Reading | None:
    """As in "3pm tomorrow", "9:30 on Friday morning", "noon on 7 May 2023"."""
    inner = found.inner
    time = clock_time(found.tokens, found.start)
    if time is None or inner.resolve is None:
        return None
    has_lead = found.tokens.is_a(found.start - 1, "at", "since", "until", "by", "from")
    if not (time.is_marked or has_lead or time.part is not None):
        return None
    if time.end > found.end or inner.shape in {"week", "month", "year", "hour"} or inner.is_bare:
        return None
    return _timed(inner, time, inner.end)


_CLOCK: Final = "(clock|clock12|noon|num clockword|num meridiem|num|half past num|quarter past num|quarter to num)"

RULES: Final = (
    rule(f"(from|between)? {_CLOCK} (to|dash|until|and) {_CLOCK} (comma|on|of)? DATE", _span_first),
    rule(f"{_CLOCK} (utc|offset|zone)? (comma|on|of)? DATE", _clock_first),
    rule(f"{_CLOCK} in the part (comma|on|of)? DATE", _clock_first),
)
ATTACHMENTS: Final = (_with_part_of_day, _with_span, _with_clock)
