"""What stands around a time: whether it is cut out of a word, or is part of the name of a thing."""

from __future__ import annotations

import re
from functools import cache
from typing import Final, Protocol, cast

_REACH: Final = 8  # characters on either side: longer than any word
_PHRASE: Final = 4  # characters
_MEASURES: Final = re.compile(
    r"[人名件次位万元块只台条张本%％斤公米克升度楼层栋室届集章杯瓶双份路]"
)
_PREDICATE: Final = re.compile(
    r"[，,。！？!?；;\n]|\Z|[我你您他她它咱大就才又也都刚已要会将去来回开到在有没被把跟和给从打准计想搬生毕入离出结领考]"
)
_NUMBERED: Final = re.compile(
    r"[线楼房室桌门店机车厅口馆街码球床位井坑站]|公路|选手|电池|汽油|病房"
)
_PLACE: Final = re.compile(r"[厅店馆吧队部社院城街场园]\Z")
_SURNAMES_OF_ADDRESS: Final = re.compile(r"[小老阿大]|.{1,2}(?:哥|姐|总|工)\Z")
_CHOOSING: Final = re.compile(r"[要选点买坐穿住用拿投是]\Z")
_ALONE: Final = re.compile(r"\Z|[的，。！？,!?\n]")
_ERA: Final = re.compile(r"(?:公元前|距今|前)\Z")
_LONG: Final = re.compile("的?历史|之久")
_INBORN: Final = re.compile("先天|天赋|天生|遗传|基因")
_GOING: Final = re.compile(r"[去到叫逛]\Z")
_TWO_WORDS: Final = frozenset({"天才", "后来", "天线上", "天线下"})
_LISTING: Final = frozenset("、和与跟及或")
_WIDE: Final = re.compile(r"[\u4e00-\u9fff]")


class _Segmenter(Protocol):
    """The parts of rjieba that are used."""

    def cut(self, text: str, *, hmm: bool) -> list[str]: ...

    def tag(self, text: str) -> list[tuple[str, str]]: ...

    def has_word(self, word: str) -> bool: ...


@cache
def _segmenter() -> _Segmenter:
    import rjieba  # noqa: PLC0415 - loads a dictionary for .16 s, which English never needs

    return cast("_Segmenter", rjieba)


def is_cut_out(text: str, start: int, end: int) -> tuple[bool, bool]:
    """Whether the start and the end of a stretch lie within words: 网上|周末, 前天|线."""
    first = max(0, start - _REACH)
    at, at_start, at_end = first, False, False
    for word in _segmenter().cut(text[first : end + _REACH], hmm=False):  # as it guesses words
        behind = at + len(word)
        at_start |= at < start < behind <= end
        is_phrase = at == start and len(word) >= _PHRASE  # 今年过年
        at_end |= start <= at < end < behind and not (is_phrase or _splits(text, end, behind, word))
        at = behind
    return at_start, at_end


def _splits(text: str, end: int, behind: int, word: str) -> bool:
    """Whether a word over the end may as well be two: 下周|报到, 前天|才, 三年后|来."""
    rest = text[end : behind + 1]
    if word in _TWO_WORDS or word + rest[behind - end :] in _TWO_WORDS:
        return True
    return word[0] != "起" and len(rest) > behind - end and _segmenter().has_word(rest)


def names_a_thing(text: str, start: int, end: int) -> bool:
    """Whether a weekday is part of a name: 去星期五餐厅, 周六福."""
    word, tag = word_behind(text, end)
    if tag == "n":
        return bool(_GOING.search(text, max(0, start - 1), start) or _PLACE.search(word))
    return tag in {"nz", "nr", "nt"} and not _SURNAMES_OF_ADDRESS.match(word)


def numbers_a_thing(text: str, start: int, end: int) -> bool:
    """Whether a 号 tells one thing from others: 3号线, 5号楼, 要3号."""
    if _CHOOSING.search(text, max(0, start - 1), start) and _ALONE.match(text, end):
        return True
    return bool(_NUMBERED.match(text, end)) or word_behind(text, end)[1] == "n"


def reads_as_time(text: str, end: int) -> bool:
    """Whether what stands behind a month can't be a noun named by it, as in 三月兔."""
    return bool(_PREDICATE.match(text, end))


def is_acquired(text: str, start: int, end: int) -> bool:
    """Whether 后天 is said of what is not inborn."""
    return bool(_INBORN.search(text, max(0, start - 3 * _REACH), end + 3 * _REACH))


def is_span_of_years(text: str, start: int, end: int) -> bool:
    """Whether a number of years is no year: 公元前1600年, 1500年历史."""
    return bool(_ERA.search(text, max(0, start - 3), start) or _LONG.match(text, end))


def is_listed(text: str, start: int) -> bool:
    """Whether a time goes on with a list: in 3月5日、6日 the second is of the month of the first."""
    return text[start - 1 : start] in _LISTING if start else False


def is_measured(text: str, end: int) -> bool:
    """Whether a measure stands behind a number."""
    return bool(_MEASURES.match(text, end))


def word_behind(text: str, end: int) -> tuple[str, str]:
    """The word behind, and its part of speech by rjieba; empty if there is none."""
    if not _WIDE.match(text, end):
        return "", ""
    tagged = _segmenter().tag(text[end : end + _REACH])
    return tagged[0] if tagged else ("", "")
