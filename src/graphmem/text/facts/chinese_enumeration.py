"""Chinese enumerations of three items or more within a sentence."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import Final

from graphmem.text.facts.chinese_token import Token
from graphmem.text.facts.mask import Mask, Span

_CLAUSE: Final = re.compile(r"[^，,。.！!？?；;\n：:（）()]+")
_COLON: Final = re.compile(r"[：:](?P<list>[^。！？!?\n：:（）]+)")
_COMMA_LIST: Final = re.compile(
    r"([^，。！？；、：\n\s]{1,10})，([^，。！？；、：\n\s就都也是了的]{1,5})，(?:还有|以及|和)([^，。！？；、：\n\s就都也是]{1,8})(?![^，。！？；、\n])"
)
_COMMA: Final = re.compile(r"[，,；;]")
_STOP: Final = "、"
_JOINT: Final = re.compile(r"以及|还有|和|与|及|跟|或者|或|並|并")
_MAX_ITEM: Final = 12
_MIN_ITEMS: Final = 3
_MAX_EDGE_WORDS: Final = 3
_EDGE_TAGS: Final = ("n", "a", "b", "eng", "vn", "m", "q", "j", "z")
_MARKS: Final = "、 "


def find(text: str, tokens: Sequence[Token], mask: Mask) -> Iterator[Span]:
    """The items of the enumerations; commas part items only behind a colon."""
    if _STOP in text:
        starts = [token.start for token in tokens]
        for clause in _CLAUSE.finditer(text):
            if _STOP in clause[0]:
                yield from _clause(text, *clause.span(), tokens, starts)
    if "，" in text:
        yield from _joined(text, tokens, [token.start for token in tokens])
    if "：" in text or ":" in text:
        for match in _COLON.finditer(text):
            yield from _introduced(text, *match.span("list"), mask)


def _joined(text: str, tokens: Sequence[Token], starts: list[int]) -> Iterator[Span]:
    """Short pieces between commas, the last with a conjunction: 苹果，香蕉，还有酸奶."""
    for match in _COMMA_LIST.finditer(text):
        yield _tail(match.span(1), tokens, starts)
        yield match.span(2)
        yield _head(match.span(3), tokens, starts)


def _introduced(text: str, start: int, end: int, mask: Mask) -> Iterator[Span]:
    """Short items with commas between, behind a colon."""
    items = _parts(text, start, end, _COMMA)
    short = all(0 < last - first <= _MAX_ITEM for first, last in items)
    if len(items) >= _MIN_ITEMS and short and not any(mask.covers(*item) for item in items):
        yield from items


def _parts(text: str, start: int, end: int, border: re.Pattern[str]) -> list[Span]:
    """What stands between borders, without white space."""
    parts, at = [], start
    for match in border.finditer(text, start, end):
        parts.append(_stripped(text, at, match.start()))
        at = match.end()
    parts.append(_stripped(text, at, end))
    return parts


def _stripped(text: str, start: int, end: int) -> Span:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


_DUN: Final = re.compile("、")


def _clause(
    text: str, start: int, end: int, tokens: Sequence[Token], starts: list[int]
) -> Iterator[Span]:
    """The items of a clause that holds 、."""
    parts = _parts(text, start, end, _DUN)
    last = _last_parts(text, parts.pop())
    if len(parts) + len(last) < _MIN_ITEMS:
        return
    first = parts.pop(0)
    middle = [*parts, *last[:-1]]
    yield _tail(first, tokens, starts)
    yield from ((at, until) for at, until in middle if at < until)
    yield _head(last[-1], tokens, starts)


def _last_parts(text: str, part: Span) -> list[Span]:
    """The last item of a clause, or its last two with 和 between."""
    joint = _JOINT.search(text, part[0] + 1, part[1])
    if not joint or joint.start() - part[0] > _MAX_ITEM or joint.end() == part[1]:
        lead = _JOINT.match(text, *part)
        return [(lead.end(), part[1]) if lead else part]
    return [(part[0], joint.start()), (joint.end(), part[1])]


def _tail(part: Span, tokens: Sequence[Token], starts: list[int]) -> Span:
    """The end of the first piece of a clause: its last words that can be an item."""
    until = bisect_left(starts, part[1])
    at = until - 1
    limit = until - _MAX_EDGE_WORDS
    while at > limit and at > 0 and tokens[at - 1].start >= part[0] and _extends(tokens[at - 1]):
        at -= 1
    return max(part[0], tokens[at].start), part[1]


def _head(part: Span, tokens: Sequence[Token], starts: list[int]) -> Span:
    """The beginning of the last piece of a clause: its first words that can be an item."""
    at = max(0, bisect_right(starts, part[0]) - 1)
    limit = at + _MAX_EDGE_WORDS
    while (
        at + 1 < min(limit, len(tokens))
        and tokens[at + 1].start < part[1]
        and _extends(tokens[at + 1])
    ):
        at += 1
    return part[0], min(part[1], tokens[at].end)


def _extends(token: Token) -> bool:
    return token.tag.startswith(_EDGE_TAGS)
