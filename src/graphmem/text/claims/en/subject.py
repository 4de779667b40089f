"""The subject of a clause: where it stands, and whom it means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from graphmem.text.claims.choice import first_of
from graphmem.text.claims.en import lexicon
from graphmem.text.claims.en.token import Token
from graphmem.text.claims.en.verbs import forms, is_base, is_gerund
from graphmem.text.facts.given_names import GIVEN_NAMES
from graphmem.text.words import word_set

Kind = Literal["first", "second", "third", "kin", "own", "name", "thing", "there", "noun", "many"]

_LONGEST: Final = 12
_QUALITY: Final = word_set("left right back kind")
_NEVER_NOUNS: Final = (
    lexicon.PREPOSITIONS | lexicon.SUBORDINATORS | lexicon.ADVERBS | lexicon.WH | lexicon.OPENERS
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A subject, from `start` to `end` in the words of its clause.

    Attributes:
        start: the first of its words.
        end: behind its last one.
        kind: whom it means: the speaker (`first`), the listener (`second`), somebody behind a pronoun
            (`third`), a person or a thing of the speaker's (`kin`, `own`), a name, a thing behind a
            pronoun, `there`, another noun phrase, or people in general (`many`).
    """

    start: int
    end: int
    kind: Kind


def find(words: Sequence[Token], start: int) -> Subject | None:
    """The subject that opens at `start`, or behind the phrases in front of it."""
    direct = _at(words, start)
    if direct or start >= len(words):
        return direct
    opening = words[start].low
    if opening in lexicon.PREPOSITIONS or opening in lexicon.ADVERBS or _is_time(words, start):
        return _behind(words, start + 1)
    return None


def _is_time(words: Sequence[Token], at: int) -> bool:
    head = words[at].low
    return head in lexicon.HABIT | {"last", "next", "this", "each", "one", "most"} or (
        head in lexicon.TIME_NOUNS | lexicon.WEEKDAYS
    )


def _behind(words: Sequence[Token], start: int) -> Subject | None:
    """The first subject behind a fronted phrase: a pronoun anywhere, else a phrase with its verb."""
    for at in range(start, min(len(words), start + _LONGEST)):
        if words[at].low in lexicon.NOMINATIVE and words[at - 1].low not in lexicon.PREPOSITIONS:
            return _at(words, at)
    for at in range(start + 1, min(len(words), start + _LONGEST)):
        if words[at - 1].low in lexicon.PREPOSITIONS:
            continue
        if _opens_phrase(words[at]) and (found := _at(words, at)):
            return found
    return None


def _opens_phrase(token: Token) -> bool:
    low = token.low
    if low in lexicon.WEEKDAYS | lexicon.MONTHS:
        return False
    return low in lexicon.POSSESSIVE | lexicon.KIN | {"the"} or token.is_capital


def _at(words: Sequence[Token], at: int) -> Subject | None:
    """The subject whose first word stands here."""
    if at >= len(words):
        return None
    low = words[at].low
    following = words[at + 1].low if at + 1 < len(words) else ""
    if low in lexicon.NOMINATIVE and low != "it":
        end = at + 2 if following in {"both", "all"} else at + 1
        return Subject(start=at, end=end, kind=_pronoun(low))
    if low in {"mine", "ours"}:
        return Subject(start=at, end=at + 1, kind="own")
    if low in lexicon.DEICTIC | lexicon.INDEFINITE | {"everything", "something", "nothing"}:
        if not _is_finite(words, at + 1, at) and following not in lexicon.ADVERBS:
            return _phrase(words, at) if low != "it" else None
        return Subject(start=at, end=at + 1, kind="there" if low in {"there", "here"} else "thing")
    return _phrase(words, at)


def _pronoun(low: str) -> Kind:
    if low in lexicon.FIRST:
        return "first"
    return "second" if low == "you" else "third"


def _phrase(words: Sequence[Token], at: int) -> Subject | None:
    """A noun phrase that a finite verb follows."""
    if not _may_open(words, at):
        return None
    end = _verb_behind(words, at)
    if end is None:
        return None
    return Subject(start=at, end=end, kind=_kind(words[at:end], words[end].low))


def _may_open(words: Sequence[Token], at: int) -> bool:
    token = words[at]
    low = token.low
    if low in lexicon.POSSESSIVE | lexicon.DETERMINERS | lexicon.GENERIC | lexicon.KIN:
        return True
    if is_gerund(low) or low == "being":
        return True
    if low in lexicon.AUXILIARIES or low in _NEVER_NOUNS:
        return False
    if not token.is_capital or at == 0 or words[at - 1].low in lexicon.OPENERS:
        # A sentence's first word: no imperative, no fragment that opens with a verb.
        return not forms(low) or _is_noun_before_verb(words, at)
    return True


def _is_noun_before_verb(words: Sequence[Token], at: int) -> bool:
    """Whether a word that may be a verb is a noun, since a finite auxiliary follows it at once."""
    following = words[at + 1].low if at + 1 < len(words) else ""
    if following in (lexicon.BE | lexicon.MODALS | {"has", "does", "'s"}) - {"being", "been"}:
        return True
    form = forms(following)
    is_finite = ("past" in form or "third" in form) and "base" not in form
    return (
        at == 0 and is_finite and words[at].low not in {"get", "keep", "have", "feel", "be", "do"}
    )


def _is_no_longer(words: Sequence[Token], at: int) -> bool:
    return [token.low for token in words[at : at + 2]] == ["no", "longer"]


def _verb_behind(words: Sequence[Token], at: int) -> int | None:
    """Where the finite verb of a noun phrase stands."""
    for place in range(at + 1, min(len(words), at + _LONGEST)):
        low = words[place].low
        if low in lexicon.SUBORDINATORS or _opens_another(words, place):
            return None
        if low in lexicon.ADVERBS and _finite_behind_adverbs(words, place, at):
            return place
        if _is_no_longer(words, place) and _is_finite(words, place + 2, at):
            return place
        if _is_finite(words, place, at):
            return place
    return at + 2 if _is_unknown_third(words, at) else None


def _is_unknown_third(words: Sequence[Token], at: int) -> bool:
    """Whether my, our, ... and a noun are followed by what looks like a verb in the third person."""
    if at + 2 >= len(words) or words[at].low not in lexicon.POSSESSIVE:
        return False
    low = words[at + 2].low
    return (
        low.endswith("s")
        and not low.endswith(("ss", "us", "'s"))
        and not words[at + 1].low.endswith("s")
    )


def _opens_another(words: Sequence[Token], place: int) -> bool:
    """Whether a noun phrase or an infinitive begins right behind a noun, so that it was no subject."""
    low, before = words[place].low, words[place - 1].low
    if low == "to":
        return is_base(words[place + 1].low) if place + 1 < len(words) else True
    if low not in lexicon.NOMINATIVE | lexicon.POSSESSIVE | {"the"}:
        return False
    return before not in lexicon.PREPOSITIONS | {"and", "or", "all", "both", "half", "who"}


def _finite_behind_adverbs(words: Sequence[Token], place: int, at: int) -> bool:
    while place < len(words) and words[place].low in lexicon.ADVERBS:
        place += 1
    return _is_finite(words, place, at)


def _is_finite(words: Sequence[Token], place: int, at: int) -> bool:
    """Whether the word at `place` is the finite verb of a phrase that opened at `at`."""
    if place >= len(words):
        return False
    low = words[place].low
    if low in lexicon.AUXILIARIES:
        return low not in {"be", "been", "being", "having"}
    if low == "'s":
        return _is_verb_s(words, place)
    form = forms(low)
    if not form or _is_modifier(words, place, at) or _is_noun_before_verb(words, place):
        return False
    if "past" in form or "third" in form:
        return True
    return "base" in form and _is_plural(words[at:place])


def _is_modifier(words: Sequence[Token], place: int, at: int) -> bool:
    """Whether a word right behind an article or a possessive is part of the noun phrase."""
    before = words[place - 1].low
    opened = place == at + 1 and before in lexicon.POSSESSIVE | lexicon.DETERMINERS
    return opened or before in lexicon.POSSESSIVE | {"the", "a", "an", "'s", "very", "of"}


def _is_verb_s(words: Sequence[Token], place: int) -> bool:
    """Whether 's is a verb and no genitive, by what follows it."""
    if place + 1 >= len(words):
        return False
    low = words[place + 1].low
    if words[place - 1].low in {"name", "birthday", "nickname"} and place + 2 >= len(words):
        return True
    closed = lexicon.PREPOSITIONS | lexicon.ADVERBS | lexicon.POSSESSIVE | lexicon.TRANSIENT
    if low in closed | lexicon.LASTING_PARTICIPLES | {"not", "a", "an", "the", "going", "been"}:
        return low not in {"back", "out", "daily"} or place + 2 >= len(words) or low == "out"
    form = forms(low)
    return "gerund" in form or ("participle" in form and low not in _QUALITY) or low[0].isdigit()


def _is_plural(phrase: Sequence[Token]) -> bool:
    head = phrase[-1].low
    irregular = {
        "people",
        "kids",
        "children",
        "men",
        "women",
        "parents",
        "family",
        "folks",
        "i",
        "me",
    }
    return (
        (head.endswith("s") and not head.endswith("ss"))
        or head in irregular
        or any(token.low == "and" for token in phrase)
    )


def _kind(phrase: Sequence[Token], verb: str) -> Kind:
    """Whom a noun phrase means."""
    first = phrase[0].low
    is_one = verb in {"is", "was", "has", "does", "'s"}
    is_one = is_one or bool(forms(verb).keys() & {"third", "past"})
    is_person = any(token.low in lexicon.PEOPLE for token in phrase)
    owned: Kind = "kin" if is_person else "own"
    named: Kind = "many" if _is_plural(phrase) and len(phrase) == 1 and not is_one else "name"
    cases: tuple[tuple[bool, Kind], ...] = (
        (any(token.low == "i" for token in phrase), "first"),
        (first in lexicon.KIN, "kin"),
        (first in lexicon.POSSESSIVE - {"its", "your"}, owned),
        (first == "your", "second"),
        (len(phrase) == 1 and first in GIVEN_NAMES, "name"),  # typed without a capital
        (first in lexicon.GENERIC or is_gerund(first), "many"),
        (phrase[0].is_capital and first not in lexicon.DETERMINERS, named),
    )
    return first_of(*cases, otherwise="noun")
