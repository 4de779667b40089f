"""Bulleted and numbered lists: each item a line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

_BULLET: Final = re.compile(
    r"^[ \t>]{0,12}(?:(?P<sign>[-*•·◦‣▪●○–—+✓✔☐☑])[ \t]*|[(（]?(?P<number>\d{1,3}|[a-zA-Z])[.)、）](?!\d)[ \t]*"
    r"|(?P<circled>[①-⑳❶-❿])[ \t]*|(?P<han>[一二三四五六七八九十]{1,3})[、.]\s*)(?:\[[ xX]\]\s*)?(?P<item>\S[^\n]*?)[ \t]*$",
    re.MULTILINE,
)
_NEEDS_SPACE: Final = frozenset({"-", "*", "+", "–", "—"})
_MIN_ITEMS: Final = 2


class Item(NamedTuple):
    """An item of a list.

    Attributes:
        line: offset of its line.
        start: offset of its own words, behind the bullet.
        end: offset behind them.
    """

    line: int
    start: int
    end: int


def find(text: str) -> Iterator[Item]:
    """The items of lists that have two lines or more, one below the other."""
    if "\n" not in text:
        return
    group: list[re.Match[str]] = []
    for match in _BULLET.finditer(text):
        if not _is_bullet(text, match):
            continue
        if group and text[group[-1].end() : match.start()].strip("\n \t\r"):
            yield from _items(group)
            group = []
        group.append(match)
    yield from _items(group)


def _is_bullet(text: str, match: re.Match[str]) -> bool:
    """Whether the sign is a bullet, and no minus, dash or emphasis."""
    if match["sign"] in _NEEDS_SPACE:
        return text[match.start("item") - 1] in " \t]"
    return True


def _items(group: list[re.Match[str]]) -> Iterator[Item]:
    if len(group) >= _MIN_ITEMS:
        yield from (Item(match.start(), *match.span("item")) for match in group)
