"""The tense of a clause tells on which side of today its dates lie; where it is in doubt there is none."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Final, Literal

from graphmem.text.timex.calendar import Outlook, Tense
from graphmem.text.timex.clause import behind_last
from graphmem.text.timex.en.arranging import outlook as arranged
from graphmem.text.timex.en.verbs import (
    AGREEING,
    AUXILIARY_PAST,
    BE_PRESENT,
    COMMANDS,
    EXPECTING,
    FUTURE,
    FUTURE_AUXILIARIES,
    GOING,
    HAVE,
    HAVING,
    HELPERS,
    IRREGULAR_PAST,
    NEUTRAL,
    NO_PLAN,
    NO_PRETERITE,
    NO_VERB_ED,
    PARTICIPLES,
    PERFECT,
    PUTTING_OFF,
    SCHEDULED,
    SUBJECTS,
    TIMETABLED,
    WISHES,
)
from graphmem.text.words import word_set

Mark = Outlook | Literal["none"]

_REACH: Final = 400
"""How many characters of the sentence are looked at on each side; a longer clause tells nothing."""
_SENTENCE_END: Final = re.compile(r"[.!?;]+(?=\s|$)|\n|[()]|\s[-–—]\s|:\s")
_BORDERS: Final = word_set(
    ", — and but so because while whereas although though then or if when where who which that since until "
    "before after as"
)
_WORD: Final = re.compile(r"[a-z]+(?:['’][a-z]+)?|[,—]")
_PROSPECTS: Final = frozenset({"to", "for", "until", "till", "by"})
_MIN_ED: Final = 4
_FEW: Final = 4
"""A clause of more words has a verb of its own, known or not; one of fewer may hang on its neighbours."""
_GOVERNED: Final = 5
"""So many words behind "will" a form of the past is a participle: "we'll have the draft finished"."""


class Clause:
    """The surroundings of an expression.

    Args:
        text: the text.
        start: offset of the expression.
        end: offset behind it.
    """

    def __init__(self, text: str, start: int, end: int) -> None:
        self._before = behind_last(_SENTENCE_END, text[max(0, start - _REACH) : start])
        after = text[end : end + _REACH]
        stop = _SENTENCE_END.search(after)
        self._lead = [word for word in _words(text[start : start + 6])[:1] if word in _PROSPECTS]
        self._after = after[: stop.start()] if stop else after
        self._asks = bool(stop) and "?" in stop[0] if stop else False

    @property
    def tense(self) -> Tense | None:
        """The side of today that the clause speaks of, where it speaks of one only."""
        match self.outlook:
            case "past" | "unsure":
                return "past"
            case "future":
                return "future"
            case _:
                return None

    @cached_property
    def outlook(self) -> Outlook | None:
        """The sides of today that the clause may speak of.

        The clause around the expression decides; one without a verb leaves it to what follows ("On
        Friday, we met"), then to what goes before.
        """
        before, after = _parts(self._before), _parts(self._after)
        own = [*before[-1], *self._lead, "", *after[0]]
        mark: Mark | None = "ahead" if before[-1][-1:] == ["effective"] else _mark(own)
        if len(own) <= _FEW and SUBJECTS.isdisjoint(own):
            for part in (*after[1:4], *reversed(before[:-1])):
                mark = mark or _mark(part)
        return None if mark == "none" else mark

    @cached_property
    def is_scheduled(self) -> bool:
        """Whether a verb of the present says when something is planned: "the exam is (on) Friday"."""
        words = _words(self._before)[-3:]
        if words and words[-1] in {"on", "this", "by", "until"}:
            words.pop()
        return bool(words) and words[-1] in SCHEDULED


def _parts(text: str) -> list[list[str]]:
    """The words of a text, cut at commas and before conjunctions."""
    parts: list[list[str]] = [[]]
    for word in _words(text):
        if word in _BORDERS:
            parts.append([])
        if word not in ",—":
            parts[-1].append(word)
    return parts


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower().replace("’", "'"))


def _mark(words: list[str]) -> Mark | None:
    """What the verb nearest before the expression says (the empty word), else the first one behind it."""
    here = words.index("") if "" in words else 0
    for at in (*range(here - 1, -1, -1), *range(here + 1, len(words))):
        mark = _mark_at(words, at)
        if mark:
            return mark
    if any(word in PARTICIPLES for word in words):
        return "past"
    return _command(words)


def _mark_at(words: list[str], at: int) -> Mark | None:
    word = words[at]
    following = words[at + 1 : at + 4]
    before = words[at - 1] if at else ""
    if word in {"do", "have", "be"} and _is_infinitive_lead(before):
        return None
    for read in (_future, _auxiliary, _past):
        mark = read(word, before, following)
        if mark == "past" and any(_is_will(other) for other in words[max(0, at - _GOVERNED) : at]):
            return "future"
        if mark == "past" and "" in words:
            return _settled(words, at)
        if mark:
            return mark
    return None


def _is_will(word: str) -> bool:
    return word in FUTURE or word.endswith("'ll")


def _is_infinitive_lead(before: str) -> bool:
    return _is_will(before) or before == "to" or before in FUTURE_AUXILIARIES


def _future(word: str, before: str, following: list[str]) -> Mark | None:
    """Will, 'll, going to, gonna, plan to, let's, have to; a modal verb asks or offers for later."""
    ending = word.partition("'")[2]
    if word in FUTURE or ending == "ll":
        return "future"
    if word in FUTURE_AUXILIARIES:
        return "past" if "have" in following[:2] else "future"
    if word in WISHES and following[:1] == ["to"]:
        return "future"
    if word in TIMETABLED or (before in SUBJECTS and word + "s" in TIMETABLED):
        return "future"
    if word == "see" and following[:1] == ["you"] and before not in {"to", "i", "we", "did"}:
        return "future"
    return None


def _auxiliary(word: str, before: str, following: list[str]) -> Mark | None:
    """Forms of be and have: with -ing a plan, with a participle the perfect; alone they tell nothing."""
    del before
    ending = word.partition("'")[2]
    rest = [other for other in following if other not in HELPERS]
    first = rest[0] if rest else ""
    if word in BE_PRESENT or ending in {"m", "re"}:
        return _present(first, following)
    if word in HAVE or ending == "ve":
        return _have(first, rest[1:])
    if (ending == "d" and _is_past_form(first)) or (ending == "s" and first in PERFECT):
        return "past"
    if ending == "s" and first.endswith("ing"):
        return "future"
    return "none" if word in NEUTRAL else None


def _have(first: str, rest: list[str]) -> Mark:
    """With "to", or what one has ahead on a day, a plan; with a participle the perfect."""
    if first in HAVING or (first == "got" and rest):
        return "future"
    return "past" if _is_past_form(first) or first in {"set", "put"} else "none"


def _present(first: str, following: list[str]) -> Mark:
    if first in EXPECTING or "free" in following or "to" in following[1:]:
        return "future"
    is_plan = first.endswith("ing") and first not in NO_PLAN
    if is_plan or first in GOING or (first in SUBJECTS and _asks_plan(following)):
        return "future"
    return "none"


def _asks_plan(following: list[str]) -> bool:
    return any(word.endswith("ing") for word in following[1:3])


def _past(word: str, before: str, following: list[str]) -> Mark | None:
    """Was, did, -ed and the irregular forms, unless they are participles of the present."""
    del following
    if word in AUXILIARY_PAST:
        return "past"
    if word in PARTICIPLES or not _is_past_form(word) or before in NO_PRETERITE:
        return None
    return None if before in HAVE or before.endswith("'ve") else "past"


def _is_past_form(word: str) -> bool:
    return (
        word in IRREGULAR_PAST
        or word in AUXILIARY_PAST
        or word in PARTICIPLES
        or (word.endswith("ed") and len(word) >= _MIN_ED and word not in NO_VERB_ED)
    )


def _settled(words: list[str], at: int) -> Mark:
    """Past, but "agreed to meet on Friday" is of a time that nobody can tell, and what was arranged lies ahead."""
    here = words.index("")
    if here < at:
        is_for = words[here - 1 : here] == ["for"]
        return (is_for and arranged(words, at, [*words[at:], "for"])) or "past"
    told = arranged(words, at, words[at:here])
    if told:
        return told
    behind = words[at + 1 : here]
    is_for = bool(behind) and behind[-1] in _PROSPECTS
    if (words[at] in AGREEING and (is_for or "to" in behind)) or (
        words[at] in PUTTING_OFF and is_for
    ):
        return "none"
    if words[at] in {"was", "were"} and any(word in EXPECTING for word in behind):
        return "none"
    return "past"


def _command(words: list[str]) -> Mark | None:
    """A clause that begins with a bare verb asks for something to be done."""
    rest = [word for word in words if word and word not in {"please", "just", "so", "ok", "okay"}]
    return "future" if rest and rest[0] in COMMANDS else None
