"""English enumerations of three items or more within a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from graphmem.text import words
from graphmem.text.facts.mask import Mask, Span

_SENTENCE: Final = re.compile(r"[^.!?\n;:()…]+(?:[.](?=\S)[^.!?\n;:()…]+)*")
_COMMA: Final = re.compile(r",\s+")
_FINAL: Final = re.compile(
    r"^(?:and|or|&|plus|as well as|and also|and then|nor)\s+|^(?=\S)", re.IGNORECASE
)
_AND: Final = re.compile(r"\s(?:and|or|&|plus|as well as)\s", re.IGNORECASE)
_WORD: Final = re.compile(r"[^\s,]+")
_ARTICLES: Final = words.word_set(
    "a an the my our your his her their its some any no more fresh both"
)
_CLAUSE: Final = words.word_set(
    "i you he she it we they i'm i've i'll i'd he's she's it's we're they're you're that's there's who which that",
    "is are was were am be been has have had do does did will would can could should must might may won't didn't",
    "don't isn't wasn't because but so although though while when where if since unless then than however too",
    "haha thanks yes no yeah well oh hey hi please sorry sure okay ok as not never",
)
_BORDER: Final = _CLAUSE | words.word_set(
    "of to for in on at with by from about like including such into onto over under between among are is via per",
    "today yesterday tomorrow tonight together already",
)
_MAX_WORDS: Final = 5
_MIN_ITEMS: Final = 3
_MIN_UNJOINED: Final = 4


def find(text: str, mask: Mask) -> Iterator[Span]:
    """The items of the enumerations; commas inside dates, numbers and quotations part none."""
    if text.count(",") < 1:
        return
    start = 0
    for sentence in _SENTENCE.finditer(text):
        if "," in sentence[0]:
            introduced = text[max(start, sentence.start() - 1) : sentence.start()] == ":"
            yield from _sentence(text, *sentence.span(), mask, introduced=introduced)


def _sentence(text: str, start: int, end: int, mask: Mask, *, introduced: bool) -> Iterator[Span]:
    pieces = _pieces(text, start, end, mask)
    run: list[Span] = []
    for index, piece in enumerate(pieces):
        last = index + 1 == len(pieces)
        closing = _closing(text, piece) if run else None
        if closing:
            run += closing
            yield from _items(text, run, joined=True, introduced=introduced)
            run = []
        elif not run:
            run = [piece]
        elif _is_item(text, piece) and not last:
            run.append(piece)
        elif last and (introduced or _is_item(text, piece)):
            yield from _items(text, [*run, piece], joined=False, introduced=introduced)
            run = []
        else:
            run = [piece]


def _pieces(text: str, start: int, end: int, mask: Mask) -> list[Span]:
    """What stands between the commas of a sentence."""
    pieces, at = [], start
    for comma in _COMMA.finditer(text, start, end):
        if not mask.covers(*comma.span()):
            pieces.append((at, comma.start()))
            at = comma.end()
    pieces.append((at, end))
    return pieces


def _closing(text: str, piece: Span) -> list[Span] | None:
    """The last item, or the last two, if a piece closes an enumeration with "and"."""
    start, end = piece
    lead = _FINAL.match(text[start:end])
    if lead and lead.end():
        return [(start + lead.end(), end)]
    joint = _AND.search(text, start, end)
    if joint and joint[0].strip() == "or" and text[end : end + 1] == "?":
        return None  # Which is better for beginners, guitar or ukulele?
    if joint and _is_item(text, (start, joint.start())):
        return [(start, joint.start()), (joint.end(), end)]
    return None


def _is_item(text: str, piece: Span) -> bool:
    """Whether a piece is short and no clause."""
    found = [word.lower().rstrip(".") for word in _WORD.findall(text, *piece)]
    return 0 < len(found) <= _MAX_WORDS and _CLAUSE.isdisjoint(found)


def _items(text: str, run: list[Span], *, joined: bool, introduced: bool) -> Iterator[Span]:
    """The items, the first without what stands before it, the last without what follows."""
    least = _MIN_ITEMS if joined or introduced else _MIN_UNJOINED
    if len(run) < least:
        return
    longest = max(len(_WORD.findall(text, *piece)) for piece in run[1:-1])
    first, last = _first(text, run[0], longest), _last(text, run[-1], longest)
    if first and last:
        yield from (first, *run[1:-1], last)


def _first(text: str, piece: Span, longest: int) -> Span | None:
    """The end of the first piece, from behind the last word that can't belong to an item."""
    found = list(_WORD.finditer(text, *piece))
    kept: list[re.Match[str]] = []
    for word in reversed(found):
        if word[0].lower() in _BORDER or len(kept) > longest:
            break
        kept.append(word)
        if word[0].lower() in _ARTICLES:
            break
    return (kept[-1].start(), kept[0].end()) if kept else None


def _last(text: str, piece: Span, longest: int) -> Span | None:
    """The beginning of the last piece, up to a word that can't belong to an item."""
    kept: list[re.Match[str]] = []
    for word in _WORD.finditer(text, *piece):
        if word[0].lower() in _BORDER or len(kept) > longest + 1:
            break
        if kept and kept[-1][0].istitle() and word[0].islower():
            break
        kept.append(word)
    return (kept[0].start(), kept[-1].end()) if kept else None
