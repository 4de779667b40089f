"""Recency: "just" beside the past or the perfect of something that happened, a short while ago."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from graphmem.text.timex.clause import behind_last
from graphmem.text.timex.en.happenings import (
    AS_BASE,
    OF_THINGS,
    PASSIVE,
    RESULTING,
    happens,
    may_happen,
)
from graphmem.text.timex.en.verbs import AUXILIARY_PAST, IRREGULAR_PAST
from graphmem.text.timex.expression import Candidate
from graphmem.text.timex.frame import Frame
from graphmem.text.words import word_set

_REACH: Final = 240
"""How many characters of the sentence are looked at on each side."""
_JUST: Final = re.compile(r"(?<![\w'’-])(?:just|Just|JUST)(?![\w'’-])")
_SENTENCE_END: Final = re.compile(r"[.!?…]+(?=[\s\"”*)]|\Z)|\n")
_CLAUSE_END: Final = re.compile(r"[.!?…]+(?=[\s\"”*)]|\Z)|[\n,;:()\"“”*—–]|\s-+\s|\bbut\b|\band\b")
_WORD: Final = re.compile(r"[A-Za-z]+(?:['’][A-Za-z]+)?|\d+")

_NEXT: Final = re.compile(r"\s{1,4}([A-Za-z]{1,24})")

_ADVERBS: Final = word_set(
    "recently finally also literally actually officially successfully barely only really then already"
)
_HAVE: Final = word_set("have has ive weve")
_WAS: Final = word_set("was were")
_NO_SUBJECT: Final = word_set(
    "is are am was were be been being had would could should can will might may must shall to not never did do "
    "does got get getting gets like as than of with by for in on at from about a an the my your his their our "
    "have has having it's that's there's what's let's im"
)
"""Words after which "just" goes with no simple past."""
_AUXILIARY_ENDINGS: Final = ("'m", "'re", "'d", "'ll", "n't", "'ve")
_THINGS_IS: Final = word_set("it that this there what everything")
_THIRD: Final = word_set("he she it who")
_PEOPLE: Final = word_set("i you he she we they who")
_UNREAL: Final = word_set(
    "if when whenever while once unless until till before after as like than wish wished hope hoping imagine "
    "pretend maybe perhaps would could should might never not always usually often sometimes every each whether "
    "supposed almost nearly time had cannot"
)
"""Words before "just", in its clause, that make what happened unreal, usual, or of another time."""
_TOLD: Final = word_set("when whenever while until till every always usually")
"""Words behind it that make it of another time or usual."""
_OPENS_ELSEWHEN: Final = re.compile(
    r"\W*(?:when|whenever|while|if|once|as|originally|(?:after|before) (?:i|we|you|he|she|it|they)\b)"
)
_PAST: Final = IRREGULAR_PAST | AUXILIARY_PAST
_COORDINATED: Final = re.compile(r"\b(?:and|but)\s*\Z")
_ELSEWHEN: Final = re.compile(
    r"\b(?:back then|at (?:the|that) time|in those days|those days|at first|growing up|used to|one day|"
    r"once upon|years? later|as an? (?:kid|child|teen|teenager|student|boy|girl|baby)|"
    r"(?:that|the next|the same|the following) (?:day|night|morning|evening|afternoon|year|summer|winter|spring|"
    r"week|weekend|month)|yet another|earlier)\b"
)


def candidates(text: str) -> list[Candidate]:
    """Each "just" that says a short while ago, in text order."""
    if "just" not in text.lower():
        return []
    found = (match for match in _JUST.finditer(text) if _may_be(text, match.end()))
    return [_candidate(match) for match in found if _is_recent(text, match)]


def _may_be(text: str, end: int) -> bool:
    """Whether the next word can be what happened; most that "just" goes with are told apart by this."""
    match = _NEXT.match(text, end)
    word = match[1].lower() if match else ""
    return word in _ADVERBS or may_happen(word)


def _candidate(match: re.Match[str]) -> Candidate:
    return Candidate(start=match.start(), end=match.end(), kind="recent", resolve=Frame.just_before)


def _is_recent(text: str, just: re.Match[str]) -> bool:
    around = _Around.of(text, just.start(), just.end())
    if around.is_question or (just[0] == "Just" and around.before):
        return False
    if (
        around.goes_on
        or not _UNREAL.isdisjoint(around.before)
        or not _TOLD.isdisjoint(around.after)
    ):
        return False
    return _tells_event(around) and not around.is_elsewhen


def _tells_event(around: _Around) -> bool:
    after = around.after
    skipped = next((at for at, word in enumerate(after) if word not in _ADVERBS), len(after))
    if skipped >= len(after):
        return False
    verb, following = after[skipped], after[skipped + 1 :]
    before = [word for word in around.before if word not in _ADVERBS]
    last = before[-1] if before else ""
    names_thing = around.has_capital(skipped + 1)
    if last in _HAVE or last.endswith("'ve"):
        return _perfect(verb, following, names_thing=names_thing)
    if last.endswith("'s"):
        is_state = verb in RESULTING and last[:-2] in _THINGS_IS
        return not is_state and _perfect(verb, following, names_thing=names_thing)
    if last in _WAS:
        return verb in PASSIVE
    return _preterite(verb, following, last, names_thing=names_thing)


def _preterite(verb: str, following: list[str], subject: str, *, names_thing: bool) -> bool:
    if subject in _NO_SUBJECT or subject.endswith(_AUXILIARY_ENDINGS):
        return False
    if verb in AS_BASE and subject not in _THIRD and not (verb == "quit" and subject):
        return False
    if verb in OF_THINGS and subject and subject not in _PEOPLE:
        return True
    return happens(verb, following, perfect=False, names_thing=names_thing)


def _perfect(verb: str, following: list[str], *, names_thing: bool) -> bool:
    if verb == "been":
        return bool(following) and (following[0] == "to" or following[0] in PASSIVE)
    return happens(verb, following, perfect=True, names_thing=names_thing)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Around:
    """What stands around "just".

    Attributes:
        before: the words of its clause before it, in lower case.
        after: those behind it.
        cased: those behind it, as they are written.
        goes_on: whether it goes on with what a subject did: "I sat down and just left".
        is_question: whether the clause ends in a question mark.
        sentence: the sentence, in lower case.
    """

    before: list[str]
    after: list[str]
    cased: list[str]
    goes_on: bool
    is_question: bool
    sentence: str

    @classmethod
    def of(cls, text: str, start: int, end: int) -> _Around:
        before, after = text[max(0, start - _REACH) : start], text[end : end + _REACH]
        before = behind_last(_SENTENCE_END, before)
        stop = _SENTENCE_END.search(after)
        after, mark = (after[: stop.start()], stop[0]) if stop else (after, "")
        clause_end = _CLAUSE_END.search(after)
        cased = _words(after[: clause_end.start()] if clause_end else after)
        return cls(
            before=[word.lower() for word in _words(behind_last(_CLAUSE_END, before))],
            after=[word.lower() for word in cased],
            cased=cased,
            goes_on=bool(_COORDINATED.search(before)) and not _PAST.isdisjoint(_words(before)),
            is_question="?" in mark and clause_end is None,
            sentence=f"{before}just{after}".lower(),
        )

    @property
    def is_elsewhen(self) -> bool:
        """Whether the sentence tells of another time."""
        return bool(_OPENS_ELSEWHEN.match(self.sentence) or _ELSEWHEN.search(self.sentence))

    def has_capital(self, at: int) -> bool:
        """Whether a word behind "just" is written as a name."""
        return at < len(self.cased) and self.cased[at][0].isupper() and self.cased[at] != "I"


def _words(text: str) -> list[str]:
    return _WORD.findall(text.replace("’", "'"))
