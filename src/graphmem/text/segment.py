"""Where a text may be cut: sentences, and passages of whole sentences for long messages."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from graphmem.text import script
from graphmem.text.words import word_set

PASSAGE_UNITS: Final = 120
"""Default size of a passage: a spaced word counts 1, a Han character .6 (see `_units`)."""

_WIDE: Final = f"{script.HAN}{script.KANA}{script.UNSPACED}"
# A Chinese word is 1.6 characters long on average in running text, so a character is .6 words.
_WIDE_UNITS: Final = 0.6
# What a character counts at the worst: letters and spaces by turns, letters and Han by turns.
_MOST_ASCII_UNITS: Final = 0.5
_MOST_UNITS: Final = 0.8
_LETTERS_A_UNIT: Final = 16  # a run without spaces is no single word: hashes, base64, paths
_TAIL_SHARE: Final = 4  # a last passage below a quarter of the target joins the one before

_PIECE: Final = re.compile(rf"[{_WIDE}][^\w\s{_WIDE}]{{0,3}}|[^\s{_WIDE}]{{1,{_LETTERS_A_UNIT}}}")
_WIDE_CHAR: Final = re.compile(rf"[{_WIDE}]")

_BREAK: Final = re.compile(
    r"[\n\r\x0b\x0c\x85\u2028\u2029]+"
    r"|(?P<mark>[.!?…。！？；｡]+)(?P<closers>[\"'”’»」』）)\]】》〉*_~]*)"
)
_FULL_STOPS: Final = frozenset("。！？；｡")
_STRAIGHT_QUOTES: Final = "\"'"
_NEXT: Final = re.compile(r"\s*(\S?)")

# Always followed by what they belong to.
_INNER_ABBREVIATIONS: Final = word_set(
    "mr mrs ms mx dr prof rev hon gen col capt lt sgt gov sen rep messrs vs viz cf approx "
    "st mt ft fig figs eq vol ch pp sec"
)
# May end a sentence: a break before a capital only.
_OUTER_ABBREVIATIONS: Final = word_set(
    "etc inc ltd co corp bros jr sr esq dept est ave blvd rd al no nos tel ext min max avg "
    "jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thurs fri "
    "hr hrs oz lb lbs kg km cm mm ph.d a.m p.m"
)
_LAST_TOKEN: Final = re.compile(r"[^\W\d_]+(?:\.[^\W\d_]+)*\Z")
_PRONOUN: Final = "i"  # the one capital that is a word: So am I.
_LOOK_BACK: Final = 16
_LIST_NUMBER: Final = re.compile(r"\s*[(*#>-]*\s*(?:\d{1,3}|[A-Za-z])\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A half-open range of character offsets into the original text."""

    start: int
    end: int


def sentences(text: str) -> list[Span]:
    """Cut a text into sentences, English and Chinese, a line break always ending one.

    Returns:
        Spans in order that do not overlap, have no white space at their ends, and between them
        cover every other character; none for a blank text.
    """
    return list(_trimmed(text, _sentence_ends(text)))


def passages(text: str, *, target: int = PASSAGE_UNITS) -> list[Span]:
    """Cut a long text into passages of whole sentences of about `target` units.

    A passage is hardly ever longer than 1.25 times the target. Only a sentence that is longer than
    the target itself is cut inside, at white space or Chinese punctuation, else at a fixed length,
    never inside a character's cluster.

    Returns:
        Spans as `sentences` gives them; a single one for a short text (the common case).

    Raises:
        ValueError: `target` is below 1.
    """
    if target < 1:
        raise ValueError("target must be 1 or more")
    most = _MOST_ASCII_UNITS if text.isascii() else _MOST_UNITS
    if len(text) * most <= target or _units(text) <= target:
        return list(_trimmed(text, (len(text),)))
    pieces = [
        piece for sentence in sentences(text) for piece in _within(text, sentence, float(target))
    ]
    return _pack(pieces, float(target))


def _units(text: str) -> float:
    """A text's length: 1 a started 16 characters of a spaced word, .6 a sign of other scripts."""
    wide = len(_WIDE_CHAR.findall(text))
    return len(_PIECE.findall(text)) - wide * (1 - _WIDE_UNITS)


def _trimmed(text: str, ends: Iterable[int]) -> Iterator[Span]:
    """The spans up to each end, without the white space around them, blank ones left out."""
    start = 0
    for end in ends:
        body = text[start:end]
        kept = body.strip()
        if kept:
            first = start + len(body) - len(body.lstrip())
            yield Span(start=first, end=first + len(kept))
        start = end


def _sentence_ends(text: str) -> Iterator[int]:
    start = 0
    for match in _BREAK.finditer(text):
        end = match.end() if match["mark"] is None else _mark_end(text, start, match)
        if end is not None:
            yield end
            start = end
    yield len(text)


def _mark_end(text: str, start: int, match: re.Match[str]) -> int | None:
    """Where the sentence that began at `start` ends with this mark; None if it goes on."""
    mark, closers = match["mark"], match["closers"]
    if not _FULL_STOPS.isdisjoint(mark):
        return match.end("mark") + len(_closing(text, match))
    end = match.end()
    following = text[end : end + 1]
    if following and not following.isspace() and not _WIDE_CHAR.match(following):
        return None
    after = _first_visible(text, end)
    if mark == ".":
        return None if _inside(text, start, match.start(), after) else end
    if after.islower() and (closers or mark[0] in ".…"):
        return None  # "Really?" he asked; well... maybe
    return end


def _closing(text: str, match: re.Match[str]) -> str:
    """The closers after a Chinese mark; a straight quote before a letter opens the next sentence."""
    closers: str = match["closers"]
    following = text[match.end() : match.end() + 1]
    if following and not following.isspace():
        return closers.rstrip(_STRAIGHT_QUOTES + "*_~")
    return closers


def _first_visible(text: str, start: int) -> str:
    found = _NEXT.match(text, start)
    return found[1] if found else ""


def _inside(text: str, start: int, dot: int, after: str) -> bool:
    """Whether a full stop at `dot` belongs to an abbreviation, an initial or a list number."""
    if dot - start < _LOOK_BACK and _LIST_NUMBER.match(text[start:dot]):
        return True
    found = _LAST_TOKEN.search(text[max(start, dot - _LOOK_BACK) : dot])
    if not found:
        return False
    token = found[0]
    folded = token.lower()
    if folded in _OUTER_ABBREVIATIONS:
        return bool(after) and not after.isupper() and after.isalnum()
    if folded in _INNER_ABBREVIATIONS:
        return bool(after)
    initial = len(token) == 1 and token.isupper() and folded != _PRONOUN
    return bool(after) and (initial or _is_dotted(token))


def _is_dotted(token: str) -> bool:
    """Whether a token is letters with dots between, as in U.S or e.g."""
    return len(token) > 1 and all(len(part) == 1 for part in token.split("."))


def _within(text: str, span: Span, target: float) -> Iterator[tuple[Span, float]]:
    """The sentence with its units, or the pieces of one that is longer than the target."""
    units = _units(text[span.start : span.end])
    if units <= target:
        yield span, units
        return
    start, spent, best = span.start, 0.0, 0
    for match in _PIECE.finditer(text, span.start, span.end):
        if match.start() < start:
            continue  # inside the cluster that the last cut was moved behind
        weight = _WIDE_UNITS if _WIDE_CHAR.match(match[0]) else 1.0
        if match.start() > start and _loose(text, match.start()):
            best = match.start()
        if spent + weight > target and match.start() > start:
            cut = best if best - start > (match.start() - start) // 2 else match.start()
            cut = _cluster_end(text, start, cut, span.end)
            yield from _measured(text, start, cut)
            start, best = cut, 0
            spent = _units(text[cut : max(cut, match.start())])
        spent += weight
    yield from _measured(text, start, span.end)


def _measured(text: str, start: int, end: int) -> Iterator[tuple[Span, float]]:
    for span in _trimmed(text[start:end], (end - start,)):
        moved = Span(start=start + span.start, end=start + span.end)
        yield moved, _units(text[moved.start : moved.end])


def _loose(text: str, index: int) -> bool:
    """Whether a cut before this character splits no word: after a space or Chinese punctuation."""
    before = text[index - 1]
    return before.isspace() or before in "，、：；,;)）」』”"


def _cluster_end(text: str, start: int, index: int, end: int) -> int:
    """The first place from `index` on that is not inside what is shown as one character."""
    while index < end and _continues(text, start, index):
        index += 1
    return index


def _continues(text: str, start: int, index: int) -> bool:
    """Whether the character at `index` belongs to the one before it."""
    char, before = text[index], text[index - 1]
    if before == script.ZWJ or char == script.ZWJ or unicodedata.category(char)[0] == "M":
        return True
    if "\U0001f3fb" <= char <= "\U0001f3ff" or "\U000e0020" <= char <= "\U000e007f":
        return True
    if "\udc00" <= char <= "\udfff" and "\ud800" <= before <= "\udbff":
        return True
    return _is_flag_letter(char) and _flag_letters_before(text, start, index) % 2 == 1


def _is_flag_letter(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _flag_letters_before(text: str, start: int, index: int) -> int:
    """How many regional indicators stand right before `index`; two make one flag."""
    first = index
    while first > start and _is_flag_letter(text[first - 1]):
        first -= 1
    return index - first


def _pack(pieces: list[tuple[Span, float]], target: float) -> list[Span]:
    """Join neighbours up to the target; a short last passage joins the one before."""
    packed: list[Span] = []
    filled = 0.0
    for span, units in pieces:
        if packed and filled + units <= target:
            packed[-1] = Span(start=packed[-1].start, end=span.end)
            filled += units
        else:
            packed.append(span)
            filled = units
    if len(packed) > 1 and filled < target / _TAIL_SHARE:
        last = packed.pop()
        packed[-1] = Span(start=packed[-1].start, end=last.end)
    return packed
