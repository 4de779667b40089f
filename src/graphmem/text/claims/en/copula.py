"""Types of what somebody is and has."""

from __future__ import annotations

from typing import Final, Literal

from graphmem.domain.claim import AtomType
from graphmem.text.claims.choice import first_of
from graphmem.text.claims.en import lexicon
from graphmem.text.claims.en.frame import Frame
from graphmem.text.claims.en.verbs import is_participle
from graphmem.text.words import word_set

Verdict = AtomType | Literal["none"]

_PLACES_OF_NOW: Final = word_set("at on in out off back home here away over under about")
_LASTING_PLACES: Final = word_set("from into against for of like originally")
_UNITS_OF_DELAY: Final = word_set("minutes minute hours hour miles min mins seconds weeks km steps")
_LASTING_ON: Final = word_set(
    "insulin medication meds diet antidepressants statins board committee team council spectrum pill keto warfarin list",
)
_SETTLED: Final = word_set(
    "charge band choir club relationship insurance sales marketing finance tech school college university love"
)
_BROKEN: Final = word_set(
    "broken stuck dead down late delayed cancelled canceled gone ready due sold empty closed open sick missing"
)


def of_copula(frame: Frame) -> Verdict:
    """What somebody is: a trait or a passing state."""
    tail = _bare(frame.tail)
    if not tail:
        return "none"
    if frame.kind == "name":
        return _of_named(frame, tail)
    is_name = tail[0] in lexicon.LASTING_PARTICIPLES
    return first_of(
        (frame.kind == "own" and _is_thing_of_now(frame, tail), "episodic"),
        (frame.is_habit or _is_mine_for_good(frame, tail), "persona"),
        (tail[0] in lexicon.TRANSIENT and not _is_lasting_feeling(tail), "episodic"),
        (frame.is_occasion and not is_name, "episodic"),
        (tail[0] in _PLACES_OF_NOW and not _is_settled(tail), "episodic"),
        (tail[0][0].isdigit() and not _UNITS_OF_DELAY.isdisjoint(tail[1:2]), "episodic"),
        otherwise="persona",
    )


def _is_thing_of_now(frame: Frame, tail: tuple[str, ...]) -> bool:
    """Whether what the speaker owns is in a place or a state that passes."""
    passes = frame.is_occasion or tail[0] in _PLACES_OF_NOW or tail[0] in _BROKEN
    return passes and not (frame.is_habit or _is_birthday(frame))


def _is_mine_for_good(frame: Frame, tail: tuple[str, ...]) -> bool:
    """No dairy for me; my knees are bad."""
    is_choice = frame.tail[-2:] == ("for", "me") and not frame.subject
    return is_choice or (frame.kind == "own" and tail[0] in {"bad", "good", "great"})


def _is_birthday(frame: Frame) -> bool:
    return any(token.low in {"birthday", "anniversary"} for token in frame.subject)


def _bare(tail: tuple[str, ...]) -> tuple[str, ...]:
    """The complement without the adverbs in front of it."""
    at = 0
    while at < len(tail) and tail[at] in lexicon.ADVERBS - lexicon.TRANSIENT - {"all"}:
        at += 1
    return tail[at:]


def _is_lasting_feeling(tail: tuple[str, ...]) -> bool:
    """Whether an adjective of feeling has an object that lasts: scared of dogs, good at chess."""
    if len(tail) < 3 or tail[0] not in lexicon.FEARS:
        return False
    if tail[1] == "at" or tail[1] == "with":
        return tail[0] in {"good", "bad", "great", "better", "shy"}
    return tail[1] == "of" and word_set("my this that the it you your").isdisjoint(tail[2:3])


def _is_settled(tail: tuple[str, ...]) -> bool:
    words = frozenset(tail[1:5])
    if tail[0] == "on":
        return not _LASTING_ON.isdisjoint(words)
    return tail[0] == "in" and (
        not _SETTLED.isdisjoint(words) or (tail[1:2] in {("my",), ("a",)} and "twenties" in words)
    )


def _of_named(frame: Frame, tail: tuple[str, ...]) -> Verdict:
    """What a name is: a person's trait if the complement is one's, else knowledge."""
    related = not {"my", "our"}.isdisjoint(tail[:3])
    is_person = not lexicon.PERSON_NOUNS.isdisjoint(tail[:5])
    feels = tail[0] in lexicon.TRANSIENT and tail[0] not in lexicon.VERDICTS
    return first_of(
        (tail[0] in lexicon.LASTING_PARTICIPLES - _OF_THINGS, "persona"),
        ("i" in tail and not frame.is_occasion, "persona"),
        (related or is_person or _is_lasting_feeling(tail), "persona"),
        (feels or frame.is_occasion, "none" if frame.is_habit else "episodic"),
        otherwise="persona" if tail[0] in lexicon.DIETS | {"from"} else "none",
    )


_OF_THINGS: Final = word_set("based named called used")


def of_possession(frame: Frame) -> Verdict:
    """What somebody has: lasting possessions and relations, or what is on today."""
    tail = _bare(frame.tail)
    if not tail or not lexicon.NOTHINGS.isdisjoint(tail[:4]):
        return "none"
    if frame.is_occasion:
        return "episodic"
    phrase = tail[:4]
    if frame.kind == "name" and not _is_personal_possession(phrase):
        return "none"
    if lexicon.EVENTS.isdisjoint(phrase):
        return "persona"
    if not lexicon.PEOPLE.isdisjoint(phrase) or "since" in frame.around:
        return "persona"
    return "episodic"


def _is_personal_possession(phrase: tuple[str, ...]) -> bool:
    kin = lexicon.PEOPLE | word_set("allergy asthma diabetes migraines tattoo degree phobia")
    return not kin.isdisjoint(phrase)


def is_state_of_now(frame: Frame) -> bool:
    """Whether a thing is said to be in a state that passes: the boiler is broken."""
    tail = _bare(frame.tail)
    if frame.group.verb != "be" and not frame.group.is_passive:
        return False
    return frame.group.is_passive or (bool(tail) and (tail[0] in _BROKEN or is_participle(tail[0])))
