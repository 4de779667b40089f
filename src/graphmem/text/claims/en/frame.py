"""A frame is a clause taken apart: who, which verb, what; and what surrounds them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from graphmem.text.claims.draft import Voice
from graphmem.text.claims.en import lexicon, subject as subjects, verbgroup
from graphmem.text.claims.en.subject import Kind
from graphmem.text.claims.en.token import Token
from graphmem.text.claims.en.verbgroup import VerbGroup
from graphmem.text.claims.en.verbs import is_base, is_gerund, is_past, lemma
from graphmem.text.words import word_set

_LONG_OPENERS: Final = tuple(
    tuple(phrase.split())
    for phrase in (
        "by the way|to be honest|to be fair|to be frank|guess what|fun fact|just so you know|you know|i mean",
        "for the record|for what it is worth|for your information|in case you forgot|good news|bad news",
        "long story short|believe it or not|in fact|of course|turns out that|turns out|it turns out that",
        "it turns out|remember that|please remember that|note that|keep in mind that|keep in mind",
        "do not forget that|do not forget|as i said|as i mentioned|like i said|as you know|remember|note",
        "let me tell you|i forgot to mention that|i forgot to mention|i have to say|i must say|i must admit",
        "i have to admit|not gonna lie|no wonder|you see|first of all|on top of that|at least",
    )
    for phrase in phrase.split("|")
)
_CLOCK: Final = re.compile(r"\d{1,2}(?::\d\d)?(?:am|pm|h)?")
_DATE: Final = re.compile(r"(?:19|20)\d\d|\d{1,2}(?:st|[nr]d|th)|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}")
_NEAR: Final = word_set("last next this coming following past")
_NOW: Final = (
    ("right", "now"),
    ("at", "moment"),
    ("for", "now"),
    ("other", "day"),
    ("just", "now"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """A clause with a verb.

    Attributes:
        voice: who speaks.
        front: the words that stand before the subject, those of fronted clauses too.
        subject: the words of the subject; empty where it is left out.
        kind: whom it means.
        group: its verbs.
        rest: the words behind the verbs.
    """

    voice: Voice
    front: tuple[str, ...]
    subject: tuple[Token, ...]
    kind: Kind
    group: VerbGroup
    rest: tuple[Token, ...]

    @property
    def tail(self) -> tuple[str, ...]:
        """The words behind the verbs, in lower case."""
        return tuple(token.low for token in self.rest)

    @property
    def around(self) -> tuple[str, ...]:
        """Every word that is neither subject nor verb."""
        return (*self.front, *sorted(self.group.adverbs), *self.tail)

    @property
    def is_habit(self) -> bool:
        """Whether it says how often."""
        return is_habit(self.around)

    @property
    def is_occasion(self) -> bool:
        """Whether it is set at one time."""
        return is_occasion(self.around)


def is_habit(lows: Sequence[str]) -> bool:
    """Whether words say how often something happens."""
    if not lexicon.HABIT.isdisjoint(lows):
        return True
    pairs = tuple(itertools.pairwise(lows))
    return any(
        (a in {"a", "per"} and b in {"day", "week", "month", "year"} and _counts(lows))
        or (a in {"each", "most", "all"} and b in lexicon.TIME_NOUNS)
        for a, b in pairs
    )


def _counts(lows: Sequence[str]) -> bool:
    return not {"times", "once", "twice", "days", "hours", "nights", "two", "three"}.isdisjoint(
        lows
    )


def is_occasion(lows: Sequence[str]) -> bool:
    """Whether words set something at one time."""
    if not lexicon.OCCASION.isdisjoint(lows):
        return not ({"last", "next"}.issuperset(lexicon.OCCASION.intersection(lows))) or _is_near(
            lows
        )
    return _is_near(lows) or _is_dated(lows)


def _is_near(lows: Sequence[str]) -> bool:
    pairs = tuple(itertools.pairwise(lows))
    return any(
        (a in _NEAR and b in lexicon.TIME_NOUNS | lexicon.WEEKDAYS | lexicon.MONTHS)
        or (a, b) in _NOW
        for a, b in pairs
    ) or ("at" in lows and "moment" in lows)


def _is_dated(lows: Sequence[str]) -> bool:
    for a, b in itertools.pairwise(lows):
        if a in {"in", "on", "by", "until", "till", "since", "of"} and b in lexicon.MONTHS:
            return True
        if a in {"at", "around", "by", "until", "till"} and (
            _CLOCK.fullmatch(b) or b in {"noon", "midnight"}
        ):
            return True
        if a in {"in", "on", "by", "until", "the", "during"} and _DATE.fullmatch(b):
            return True
        if a in lexicon.MONTHS and b[0].isdigit():
            return True
    return False


def _by_first_word() -> dict[str, tuple[list[str], ...]]:
    """The turns of phrase by their first word, since most words open none."""
    table: dict[str, tuple[list[str], ...]] = {}
    for phrase in _LONG_OPENERS:
        table[phrase[0]] = (*table.get(phrase[0], ()), list(phrase))
    return table


_TURNS: Final = _by_first_word()


def _turn_of_phrase(lows: list[str], at: int) -> int:
    """How many words of a turn of phrase begin here, 0 if none does."""
    phrases = _TURNS.get(lows[at], ())
    return next((len(p) for p in phrases if lows[at : at + len(p)] == p), 0)


def trimmed(words: Sequence[Token]) -> int:
    """Where a clause begins behind its interjections and turns of phrase."""
    at = 0
    lows = [token.low for token in words]
    while at < len(lows):
        step = _turn_of_phrase(lows, at)
        if step and at + step < len(lows):
            at += step
        elif lows[at] in lexicon.OPENERS and not (
            lows[at] == "no"
            and lows[at + 1 : at + 2]
            and lows[at + 1] in lexicon.STYLE_NOUNS | {"more"}
        ):
            at += 1
        else:
            break
    return at


def parse(words: Sequence[Token], voice: Voice, front: tuple[str, ...] = ()) -> Frame | None:
    """Take a clause apart; None if it has no subject with a verb."""
    start = trimmed(words)
    found = subjects.find(words, start)
    if found is None:
        return None
    group = verbgroup.read(words, found.end)
    if group is None:
        return None
    lead = tuple(token.low for token in words[start : found.start])
    return Frame(
        voice=voice,
        front=(*front, *lead),
        subject=tuple(words[found.start : found.end]),
        kind=found.kind,
        group=group,
        rest=tuple(words[group.end :]),
    )


def parse_elliptic(words: Sequence[Token], voice: Voice, front: tuple[str, ...]) -> Frame | None:
    """Take a clause apart whose speaker left out the I; None if it is a command or no clause."""
    start = trimmed(words)
    group = _elliptic_group(words, start) if start < len(words) else None
    if group is None:
        return None
    return Frame(
        voice=voice,
        front=front,
        subject=(),
        kind="first",
        group=group,
        rest=tuple(words[group.end :]),
    )


def _elliptic_group(words: Sequence[Token], start: int) -> VerbGroup | None:
    at = start
    while at + 1 < len(words) and words[at].low in lexicon.ADVERBS - lexicon.TRANSIENT:
        at += 1
    low = words[at].low
    following = words[at + 1].low if at + 1 < len(words) else ""
    if is_gerund(low) and following not in lexicon.AUXILIARIES | {"'s"} and at + 1 < len(words):
        return VerbGroup(
            verb=lemma(low, "gerund"), tense="present", is_progressive=True, end=at + 1
        )
    if low in _STATES or (
        [token.low for token in words[-2:]] == ["for", "me"] and len(words) > 3 and not is_base(low)
    ):
        return VerbGroup(verb="be", tense="present", end=at)
    if (
        words[-1].low == "here"
        and len(words) - at > 2
        and low not in _NOT_HERE
        and not is_base(low)
    ):
        return VerbGroup(verb="be", tense="present", end=at)
    if (is_past(low) and not is_base(low)) or low in _LEFT_OUT:
        return verbgroup.read(words, start)
    return None


_NOT_HERE: Final = word_set("over right same nothing down up out back all new nobody anyone")
_STATES: Final = (lexicon.TRANSIENT | lexicon.LASTING_PARTICIPLES | lexicon.DIETS) - (
    lexicon.VERDICTS
    | lexicon.ADVERBS
    | lexicon.PREPOSITIONS
    | {"great", "better", "sorry", "available", "done"}
)
_LEFT_OUT: Final = lexicon.ATTITUDE_KEYS | word_set(
    "can cannot might could have need used had was been"
)
