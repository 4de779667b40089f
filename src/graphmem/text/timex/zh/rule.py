"""The shape of a rule: a pattern over the kinds of words, and what builds a phrase of its match."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple, TypeAlias

from graphmem.text.timex.zh.lexer import Tokens
from graphmem.text.timex.zh.lexicon import BREAK
from graphmem.text.timex.zh.phrase import Phrase

Match: TypeAlias = re.Match[str]
Begin: TypeAlias = Callable[[Tokens, Match], Phrase | None]
Refine: TypeAlias = Callable[[Tokens, Phrase, Match], Phrase | None]
Refinement: TypeAlias = tuple[re.Pattern[str], Refine]

_NOTHING: Final = frozenset({"", BREAK})


class Opening(NamedTuple):
    """A rule that begins a phrase.

    Attributes:
        heads: the kinds of the words with which it may begin.
        pattern: what it matches, over kinds.
        begin: makes the phrase, or None if the words' values make none.
    """

    heads: str
    pattern: re.Pattern[str]
    begin: Begin


def opening(heads: str, pattern: str, begin: Begin) -> Opening:
    """A rule that begins a phrase with a word of one of the kinds."""
    return Opening(heads, re.compile(pattern), begin)


def refinement(pattern: str, refine: Refine) -> Refinement:
    """A rule that makes a phrase finer by the words behind it, perhaps with 的 between them."""
    return re.compile(f"的?{pattern}"), refine


def begun(tokens: Tokens, at: int, rules: Iterable[Opening]) -> list[Phrase]:
    """The phrases that begin with a word."""
    matches = ((rule.pattern.match(tokens.kinds, at), rule.begin) for rule in rules)
    phrases = [begin(tokens, match) for match, begin in matches if match]
    return [phrase for phrase in phrases if phrase is not None]


def refined(tokens: Tokens, phrase: Phrase, rules: Iterable[Refinement]) -> Phrase | None:
    """A phrase made finer by the first rule that can; None if none can."""
    behind = phrase.end + (tokens.kinds[phrase.end] == "的")
    if tokens.kinds[behind : behind + 1] in _NOTHING:
        return None
    for rule, refine in rules:
        match = rule.match(tokens.kinds, phrase.end)
        if match:
            finer = refine(tokens, phrase, match)
            if finer is not None:
                return finer
    return None
