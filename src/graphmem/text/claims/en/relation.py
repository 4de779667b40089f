"""A relation is said with a noun: my favourite colour is green, my boss is Ann, my name is Sam."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from graphmem.text.claims.choice import first_of
from graphmem.text.claims.en import lexicon
from graphmem.text.claims.en.frame import Frame
from graphmem.text.claims.en.token import Token
from graphmem.text.claims.en.verbs import is_participle
from graphmem.text.claims.key import english_key
from graphmem.text.words import word_set

_FAVOURITES: Final = word_set("favourite favorite fav")
_CURRENT: Final = word_set("new current own full actual real")
_NAMED: Final = word_set(
    "boss manager doctor dentist therapist landlord landlady lawyer gp supervisor advisor adviser car bank",
    "phone laptop timezone hometown nationality school university bike employer",
)
_PEOPLE: Final = word_set(
    "boss manager doctor dentist therapist landlord landlady lawyer gp supervisor advisor adviser singer actor actress",
    "artist author writer player teacher director musician band footballer athlete celebrity rapper poet painter",
)
_DEGREES: Final = word_set("so very too quite pretty extremely more less much really rather always")
_PASSING: Final = word_set(
    "expensive cheap ready gone sold hot cold delicious tasty yummy yum disgusting spicy sour salty bitter here there coming"
    " back near far dead alive old new young sick late early happy sad famous popular rare healthy unhealthy closed open"
    " empty full down up off out tasteless overrated underrated better best worse worst the one different same similar"
)
_PARTNERS: Final = word_set("husband wife partner girlfriend boyfriend fiance fiancee spouse")
_AFTER_ADJECTIVES: Final = lexicon.PREPOSITIONS | lexicon.ADVERBS | {"and", "but", "to"}
_HOW: Final = re.compile(r".{3,}(?:ful|ous|ible|able|less|ive)")
_SIZES: Final = frozenset({"size", "shoe size", "ring size", "shirt size", "dress size"})
_CODES: Final = word_set("password pin zip postcode height weight hint")
_ORIGINS: Final = lexicon.LANGUAGES | word_set(
    "catholic muslim hindu democrat sikh swiss black white asian"
)
_PHONES: Final = frozenset({"phone", "phone number", "cell", "cell number", "cell phone number", "mobile", "mobile number",
                            "number", "telephone number"})  # fmt: skip
_FIXED: Final = {
    "name": "name", "nickname": "nickname", "birthday": "birthday", "email": "email", "e-mail": "email",
    "email address": "email", "address": "address", "home address": "address", "age": "age", "timezone": "timezone",
    "time zone": "timezone", "blood type": "is:blood type", "shoe size": "is:shoe size",
    "mother tongue": "native language", "native language": "native language",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """Whose relation it is, as words before the noun; the noun; the attribute it sets, if any."""

    owner: tuple[Token, ...]
    noun: str
    attribute: str
    is_inverted: bool = False


def find(frame: Frame) -> Relation | None:
    """The relation that a clause with `be` states about what is somebody's; None without one."""
    group = frame.group
    if group.verb != "be" or group.is_passive or group.is_progressive or not frame.rest:
        return _called(frame)
    if frame.tail[0] in lexicon.OWN and frame.tail[1:2] and frame.tail[1] in _FAVOURITES:
        noun = " ".join(low for low in frame.tail[1:] if low not in lexicon.ADVERBS)
        return Relation(
            owner=frame.rest[:1], noun=noun, attribute=_favourite(noun.split()), is_inverted=True
        )
    if not frame.subject or frame.subject[0].low not in lexicon.POSSESSIVE:
        return None
    owner, nouns = _split(frame.subject)
    if not nouns:
        return None
    noun = " ".join(token.low for token in nouns)
    return Relation(owner=owner, noun=noun, attribute=_attribute(frame, [t.low for t in nouns]))


def _called(frame: Frame) -> Relation | None:
    """Names that others use: my friends call me Sam."""
    if frame.group.verb != "call" or frame.tail[:1] != ("me",) or len(frame.rest) < 2:
        return None
    if frame.group.is_negated or frame.group.tense != "present" or not frame.rest[1].is_capital:
        return None
    return Relation(owner=frame.rest[:1], noun="nickname", attribute="nickname")


def _split(subject: Sequence[Token]) -> tuple[tuple[Token, ...], tuple[Token, ...]]:
    """The owner, and the words of what it owns."""
    cut = max((at for at, token in enumerate(subject) if token.low == "'s"), default=0)
    owner = tuple(subject[: cut or 1])
    return owner, tuple(t for t in subject[cut + 1 :] if t.low not in _CURRENT)


def _favourite(nouns: Sequence[str]) -> str:
    key = english_key(list(nouns[1:]))
    return f"favourite:{key}" if key else ""


def _attribute(frame: Frame, nouns: Sequence[str]) -> str:
    group = frame.group
    if group.tense != "present" or group.modal or group.is_negated:
        return ""
    if len(nouns) > 4 or not {"old", "other", "second", "first", "ex", "of"}.isdisjoint(nouns):
        return ""
    if nouns[0] in _FAVOURITES:
        return _favourite(nouns) if len(nouns) > 1 and _is_thing(frame, nouns[-1]) else ""
    return _identified(frame, nouns)


def _is_thing(frame: Frame, noun: str) -> bool:
    """Whether a favourite is named, and not only told of: it is expensive, ready, from Taiwan."""
    low, value = frame.tail[0], frame.rest[0]
    is_person = noun in _PEOPLE or noun.removesuffix("s") in _PEOPLE
    if value.is_capital:
        return not (is_person and _is_origin(low))
    is_alone = len(frame.tail) == 1 or frame.tail[1] in _AFTER_ADJECTIVES
    is_how = low in _DEGREES | lexicon.PREPOSITIONS or (is_alone and _is_quality(low))
    is_what = low in {"a", "an"} and (is_person or frame.tail[1:2] in {("bit",), ("little",)})
    is_done = len(frame.tail) == 1 and is_participle(low) and low.endswith("ed")
    return not (is_how or is_what or is_done)


def _is_quality(low: str) -> bool:
    """Whether a word tells how something is."""
    adjectives = lexicon.VERDICTS | lexicon.TRANSIENT | _PASSING
    return low in adjectives or _HOW.fullmatch(low) is not None


def _is_origin(low: str) -> bool:
    return low in _ORIGINS or low.endswith(("ese", "ish", "ian", "can"))


def _identified(frame: Frame, nouns: Sequence[str]) -> str:
    """The attribute of a noun that is naturally single, where the value identifies it."""
    phrase, tail = " ".join(nouns), frame.tail
    is_article = tail[0] in {"a", "an", "the"} and len(frame.rest) > 1
    value = frame.rest[1] if is_article else frame.rest[0]
    is_number = value.low[0].isdigit()
    is_owned = any(token.low == "'s" for token in frame.rest)
    is_named = value.is_capital and not _is_origin(value.low) and not is_owned
    identifies = is_named or is_number
    has_date = not lexicon.MONTHS.isdisjoint(tail) or any(low[0].isdigit() for low in tail)
    is_short = len(frame.rest) <= 3 and tail[0] not in lexicon.PREPOSITIONS
    generic = f"is:{english_key(list(nouns))}"
    return first_of(
        (phrase in _PHONES, "phone" if is_number else ""),
        (phrase == "birthday", "birthday" if has_date else ""),
        (_FIXED.get(phrase) == "email", "email" if any("@" in low for low in tail) else ""),
        (phrase in {"name", "nickname"}, phrase if is_named else ""),
        (phrase in _FIXED, _FIXED.get(phrase, "") if identifies else ""),
        (phrase in _PARTNERS, "partner" if is_named and tail[0] not in {"a", "an"} else ""),
        (nouns[-1] in _NAMED and is_named, generic),
        (nouns[-1] in _CODES and identifies, generic),
        (phrase in _SIZES and is_short, generic),
        otherwise="",
    )
