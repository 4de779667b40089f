"""A clause is a stretch of a sentence that may have a subject and a verb of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from graphmem.text.claims.en import lexicon
from graphmem.text.claims.en.token import Token
from graphmem.text.claims.en.verbs import forms
from graphmem.text.words import word_set

MOST_CLAUSES: Final = 12
_BREAKS: Final = frozenset(",;:()—–…?!.")
_DASHES: Final = frozenset("-—–~")
_JOINERS: Final = word_set("and but so because or although though then cause cuz")
_STARTS: Final = lexicon.NOMINATIVE | word_set("that this my our there")
_TITLES: Final = word_set("st dr mr mrs ms mt ft prof")
_TAGS: Final = word_set("right okay ok eh yeah no huh")
_INVERTED: Final = lexicon.AUXILIARIES - word_set("have been being having must may")


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """The words of a clause, without marks; whether it asks."""

    words: tuple[Token, ...]
    asks: bool

    @property
    def lows(self) -> tuple[str, ...]:
        """The words in lower case."""
        return tuple(token.low for token in self.words)


def clauses(found: Sequence[Token], *, is_question: bool) -> list[Clause]:
    """The clauses of a sentence, `MOST_CLAUSES` at most; of a question the last one asks."""
    groups = [group for group in _groups(found) if group][:MOST_CLAUSES]
    last = len(groups) - 1
    return [
        Clause(words=tuple(group), asks=_asks(group, is_marked=is_question and at == last))
        for at, group in enumerate(groups)
    ]


def _groups(found: Sequence[Token]) -> list[list[Token]]:
    groups: list[list[Token]] = [[]]
    has_verb = False
    for at, token in enumerate(found):
        if token.is_mark:
            if (token.low in _BREAKS and not _shortens(found, at)) or _is_dash(found, at):
                groups.append([])
                has_verb = False
            continue
        if has_verb and token.low in _JOINERS and _opens(found, at + 1, token.low):
            groups.append([])
            has_verb = False
            if token.low in {"because", "although", "though"}:
                groups[-1].append(token)
            continue
        has_verb = has_verb or _is_verbal(token.low)
        groups[-1].append(token)
    return groups


def _shortens(found: Sequence[Token], at: int) -> bool:
    """Whether a dot belongs to a title: St. Mary's, Dr. Lind."""
    behind = found[at + 1 : at + 2]
    is_title = found[at].low == "." and at > 0 and found[at - 1].low in _TITLES
    return is_title and bool(behind) and behind[0].is_capital


def _is_dash(found: Sequence[Token], at: int) -> bool:
    """Whether a mark is a dash with room on both sides."""
    if found[at].low not in _DASHES or at == 0 or at + 1 == len(found):
        return False
    return found[at - 1].end < found[at].start and found[at].end < found[at + 1].start


def _opens(found: Sequence[Token], at: int, joiner: str) -> bool:
    """Whether a new clause begins here, behind a joining word."""
    if at >= len(found):
        return False
    low = found[at].low
    if joiner in {"because", "although", "though", "but", "so"}:
        return low in _STARTS or low in lexicon.POSSESSIVE
    return low in lexicon.NOMINATIVE or (low in lexicon.OWN and joiner == "and")


def _is_verbal(low: str) -> bool:
    return low in lexicon.AUXILIARIES or low == "'s" or bool(forms(low))


def _asks(group: Sequence[Token], *, is_marked: bool) -> bool:
    """Whether a clause is a question by its mark or its order of words."""
    lows = [token.low for token in group]
    while len(lows) > 1 and lows[0] in lexicon.OPENERS:
        lows = lows[1:]
    inverted = (
        len(lows) > 1
        and lows[0] in _INVERTED | {"have"}
        and (lows[1] in lexicon.NOMINATIVE or lows[1] in {"not", "there", "anyone", "someone"})
    )
    if is_marked:
        return not (len(lows) > 2 and lows[-1] in _TAGS)
    return inverted or (lows[0] in lexicon.WH and not _is_fronted_when(lows))


def _is_fronted_when(lows: Sequence[str]) -> bool:
    """Whether a question word opens a clause of time or an exclamation instead."""
    return lows[0] == "when" or (lows[0] in {"what", "how"} and lows[1:2] == ["a"])
