"""The lexer turns a text into tagged tokens, in one pass."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from graphmem.text.timex.en.holiday import HOLIDAY_WORDS
from graphmem.text.timex.en.lexicon import CODE, LEXICON, NAME, SHORT_MONTHS, SHORT_WEEKDAYS, ZONES
from graphmem.text.timex.en.merge import merged
from graphmem.text.timex.en.numeral import numerals
from graphmem.text.timex.en.tokens import Token, Tokens

_L: Final = "A-Za-zÀ-ɏ"
_TOKEN: Final = re.compile(
    rf"(o['’]clock\b|[{_L}]+(?![{_L}0-9_]))"  # 1: a word
    r"|([$€£¥#]?\d{1,2}(?:[:.]\d\d)?\s?(?:[ap]m\b|[ap]\.\s?m\b\.?))"  # 2: a time of day
    r"|(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?(?![\d:]))"  # 3
    r"|([+-]\d\d:\d\d(?!\d))"  # 4: an offset from UTC
    rf"|([$€£¥#~+.]?\d+(?:[.,:/–-]\d+)*(?:[{_L}_%][{_L}_0-9]*)?)"  # 5: a run of digits
    r"|['’](s\b|\d\ds?\b)?"  # 6: an apostrophe with what hangs on it
    r"|(\n)(?![ \t]{0,20}[a-z])"  # 7: a line's end, unless the sentence goes on
    r"|([@,.–—-])"  # 8: marks that stand within expressions
    rf"|[^\s{_L}0-9'’@,.–—$€£¥#~+_-]+|([{_L}_][{_L}_0-9]*)|\S",  # 9: letters with digits
    re.IGNORECASE,
)
_MARKS: Final = {
    ",": CODE["comma"],
    ".": CODE["dot"],
    "-": CODE["dash"],
    "–": CODE["dash"],
    "—": CODE["mark"],
    "@": CODE["at"],
}
_OTHER, _MARK, _APOSTROPHE = CODE["other"], CODE["mark"], CODE["apostrophe"]
_HALF_YEAR: Final = re.compile(r"([qh])([1-4])\Z", re.IGNORECASE)
_VERBS: Final = frozenset({"may", "march"})
_DOUBTFUL: Final = _VERBS | frozenset(SHORT_MONTHS) | frozenset(SHORT_WEEKDAYS)
_PLAIN: Final = {word: entry for word, entry in LEXICON.items() if word not in _DOUBTFUL}
_DAY_NEXT: Final = re.compile(r"\.?[ -](?:the )?(?:'|’)?\d")
_MONTH_NEXT: Final = re.compile(
    r"\.? ?(?:[-–]|to|through|until) ?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)",
    re.IGNORECASE,
)
_DATE_NEXT: Final = re.compile(r"[.,]{0,2} (?:the )?(?:\d|[A-Z][a-z]{2,8}\.? \d)")
_STOP_NEXT: Final = re.compile(r"\.(?=,? [\dA-Z])")
_CLOSING: Final = re.compile(r"\s*(?:[.,!?;)]|\Z)")
_MONTH_LEADS: Final = frozenset(
    CODE[name]
    for name in [
        "in",
        "since",
        "until",
        "by",
        "from",
        "of",
        "early",
        "last",
        "next",
        "during",
        "to",
        "between",
        "and",
        "dash",
        "num",
        "ordinal",
        "through",
    ]
)
_VERB_LEADS: Final = _MONTH_LEADS - {CODE["last"], CODE["next"], CODE["and"], CODE["to"]}
_WEEKDAY_LEADS: Final = frozenset(
    CODE[name]
    for name in [
        "on",
        "last",
        "next",
        "this",
        "since",
        "until",
        "by",
        "from",
        "through",
        "past",
        "coming",
        "every",
        "dash",
    ]
)
_SHORT_VERBS: Final = frozenset({"sat", "sun", "wed", "mon"})


def lex(text: str, *, holidays: Iterable[str] = HOLIDAY_WORDS) -> Tokens:
    """The tokens of a text: every word, number and mark, in order, white space left out.

    Args:
        text: the text.
        holidays: the words in it that names of holidays begin with.
    """
    items: list[Token] = []
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        if match.lastindex != 1:
            if not items or start >= items[-1].end:  # the full stop of "Sept." is in it
                items += _special(match)
            continue
        word = match[0].lower()
        entry = _PLAIN.get(word)
        if entry is not None:
            items.append(Token(entry[0], start, end, entry[1]))
        elif word in _DOUBTFUL:
            items.append(_doubtful(text, match, word, items))
        else:
            tag = CODE["zone"] if match[0] in ZONES else _OTHER
            items.append(Token(tag, start, end, 0))
    return Tokens(text, merged(text, items, holidays=holidays))


def _doubtful(text: str, match: re.Match[str], word: str, items: list[Token]) -> Token:
    """The token of "may", "march", "Jan" or "Sat", which is of time beside other words of time only."""
    start, end = match.span()
    if word in _VERBS:
        entry = LEXICON[word] if _is_month(text, match, items) else (_OTHER, 0)
    else:
        entry = _short(text, match, word, items)
        if entry[0] != _OTHER:
            end += bool(_STOP_NEXT.match(text, end))
    return Token(entry[0], start, end, entry[1])


def _is_month(text: str, match: re.Match[str], items: list[Token]) -> bool:
    """Whether "may" or "march" is the month and no verb: by its capital, its preposition or a number."""
    if text[match.start()].isupper():
        return True
    is_closing = bool(_CLOSING.match(text, match.end()))
    leads = _VERB_LEADS if match[0] == "may" and not is_closing else _MONTH_LEADS
    return (bool(items) and items[-1].tag in leads) or bool(_DAY_NEXT.match(text, match.end()))


def _short(text: str, match: re.Match[str], word: str, items: list[Token]) -> tuple[str, int]:
    """A shortened month or weekday where its neighbours show that it is one, else a word."""
    before = items[-1].tag if items else ""
    if word in SHORT_MONTHS:
        if (
            before in _MONTH_LEADS
            or _DAY_NEXT.match(text, match.end())
            or (match[0][0].isupper() and _MONTH_NEXT.match(text, match.end()))
        ):
            return SHORT_MONTHS[word]
    elif word in SHORT_WEEKDAYS:
        is_capital = text[match.start()].isupper()
        if before in _WEEKDAY_LEADS and (is_capital or word not in _SHORT_VERBS):
            return SHORT_WEEKDAYS[word]
        if is_capital and _DATE_NEXT.match(text, match.end()):
            return SHORT_WEEKDAYS[word]
    return _OTHER, 0


def _special(match: re.Match[str]) -> list[Token]:
    start, end = match.span()
    kind, text = match.lastindex, match[0]
    if kind in {2, 3, 4, 5}:
        return numerals(text, start)
    if kind == 6:
        return numerals(text, start) if text[1].isdigit() else [Token(CODE["s"], start, end, 0)]
    if kind == 9:
        half = _HALF_YEAR.match(text)
        tag = CODE[half[1].lower() + "n"] if half else CODE["junk"]
        return [Token(tag, start, end, int(half[2]) if half else 0)]
    tag = _MARKS.get(text, _MARK)
    if kind == 7:
        tag = CODE["newline"]
    elif text in {"'", "’"}:
        tag = _APOSTROPHE
    return [Token(tag, start, end, 0)]


def tag_names(tokens: Tokens) -> list[str]:
    """The names of the tags of a text, to look at."""
    return [NAME[tag] for tag in tokens.tags]
