"""What an English sentence says beside its claim: the words of which the claim knows nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from graphmem.text.claims.draft import Place
from graphmem.text.claims.en import lexicon
from graphmem.text.claims.en.clause import Clause
from graphmem.text.claims.en.frame import Frame
from graphmem.text.claims.en.token import Token
from graphmem.text.words import word_set

# Words that tell nothing of their own: they answer, link, point or say when.
_LIGHT: Final = (
    lexicon.OPENERS
    | lexicon.ADVERBS
    | lexicon.OCCASION
    | lexicon.TIME_NOUNS
    | lexicon.WEEKDAYS
    | lexicon.MONTHS
    | lexicon.PREPOSITIONS
    | lexicon.SUBORDINATORS
    | lexicon.AUXILIARIES
    | lexicon.NOMINATIVE
    | lexicon.DEICTIC
    | word_set("a an the me you not thanks thank sorry too either anymore nowadays old way fact")
)
_JOINS: Final = word_set("and but or so because since who which that where")
# What a value ends before: a preposition, or whatever joins more to it.
_STOPS: Final = (lexicon.PREPOSITIONS | lexicon.SUBORDINATORS) - {"of"} | _JOINS


def beside(
    sentence: str, parts: Sequence[Clause], at: int, frame: Frame, *, value: str, is_whole: bool
) -> tuple[Place, ...]:
    """The places of the words that a claim leaves out, in its own clause and in all others.

    Args:
        sentence: the sentence.
        parts: its clauses.
        at: which of them makes the claim.
        frame: that clause, taken apart.
        value: the claim's value.
        is_whole: whether everything behind the verb is what the claim is about.
    """
    others = (token for i, part in enumerate(parts) if i != at for token in part.words)
    begin = frame.subject[0].start if frame.subject else parts[at].words[0].start
    before = (token for token in parts[at].words if token.start < begin)
    behind = () if is_whole else _behind(frame.rest, max(sentence.find(value), 0))
    return tuple(_places((*others, *before, *behind)))


def beside_rule(parts: Sequence[Clause], rule: Sequence[Token]) -> tuple[Place, ...]:
    """The places of the words that a command leaves out, and those that are joined to it."""
    own = {token.start for token in rule}
    others = (token for part in parts for token in part.words if token.start not in own)
    joined = next((i for i, token in enumerate(rule) if i and token.low in _JOINS), len(rule))
    return tuple(_places((*others, *rule[joined:])))


def _behind(rest: Sequence[Token], start: int) -> Iterator[Token]:
    """The words behind a value: from the first that joins something to it."""
    words = [token for token in rest if token.start >= start]
    cut = next((i for i, token in enumerate(words) if i and token.low in _STOPS), len(words))
    yield from words[cut:]
    yield from (token for token in rest if token.start < start and token.is_capital)


def _places(found: Iterable[Token]) -> Iterator[Place]:
    for token in found:
        if not token.is_mark and token.low not in _LIGHT:
            yield token.start, token.end
