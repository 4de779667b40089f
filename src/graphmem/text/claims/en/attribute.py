"""The single-valued attribute that a clause sets; only where no unrelated fact could share it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from graphmem.text.claims.choice import first_of
from graphmem.text.claims.en import lexicon
from graphmem.text.claims.en.frame import Frame
from graphmem.text.claims.en.place import is_place
from graphmem.text.claims.en.token import Token
from graphmem.text.claims.key import english_key
from graphmem.text.words import word_set

_STOPS: Final = word_set(
    "now anymore too though again currently either nowadays lately actually tbh so as"
)
_TRAILING: Final = word_set(
    "so very too much lot a more now anymore these days nowadays lately most all really though either at",
)
_COMPARED: Final = word_set(
    "one ones option version idea other first second last plan than but except because when if unless until while who which that"
)
_EMPTY_OBJECTS: Final = (
    lexicon.DEICTIC
    | lexicon.NOMINATIVE
    | word_set(
        "him her them me us what how when where one ones everything something anything nothing how to things stuff",
    )
)
_OLD: Final = word_set(
    "when decades long ages childhood college university since years once originally first"
)
_CONDITIONS: Final = word_set("if when unless whenever while before")
_HEDGES: Final = word_set(
    "almost nearly basically practically virtually kinda sorta supposedly apparently technically hardly barely"
)
# An adjective that praises or blames tells how somebody does something, not what they live by.
_PRAISE: Final = lexicon.VERDICTS | word_set(
    "decent lousy mediocre natural born keen avid passionate slow fast careful careless hobby amateur home nervous"
    " experienced better best worst worse aspiring former retired would-be wannabe so-so pathetic rubbish budding"
)
_HOW: Final = re.compile(r".{3,}(?:ful|ous|ible|able|less)")
_UNITS: Final = word_set("years year yo yrs now today")


def attribute(frame: Frame) -> str:
    """The key of the attribute, empty for everything that may be true beside others."""
    if not may_set(frame):
        return ""
    for find in _FINDERS:
        found = find(frame)
        if found:
            return found
    return ""


def may_set(frame: Frame) -> bool:
    """Whether the clause is a plain statement about somebody who can't be mistaken for another."""
    group = frame.group
    if group.modal not in {"", "can", "cannot", "can not"} or group.tense == "future":
        return False
    if not (
        _CONDITIONS.isdisjoint(frame.front) and _HEDGES.isdisjoint((*group.adverbs, *frame.front))
    ):
        return False
    if frame.kind == "kin":
        return frame.subject[-1].low in lexicon.RELATIVES - {"parents", "in-laws", "grandparents"}
    return frame.kind in {"first", "name"} or (frame.kind == "second" and frame.voice.is_machine)


def attitude(frame: Frame) -> str:
    """`attitude:sushi` of love, hate and their like; a denied one belongs to the same object."""
    group = frame.group
    if group.tense != "present" or group.is_progressive or group.is_passive:
        return ""
    objects = _object_of_attitude(frame)
    while objects and objects[-1] in _TRAILING:
        objects = objects[:-1]
    if not objects or objects[0] in _EMPTY_OBJECTS or not _COMPARED.isdisjoint(objects):
        return ""
    if frame.is_occasion or "," in objects:
        return ""
    key = english_key(list(objects))
    return f"attitude:{key}" if key else ""


def _object_of_attitude(frame: Frame) -> tuple[str, ...]:
    group, tail = frame.group, frame.tail
    if group.verb in lexicon.ATTITUDE_KEYS and group.modal == "":
        return tail
    if group.verb == "stand" and group.is_negated and group.modal in {"can", "cannot"}:
        return tail
    if group.verb != "be":
        return ()
    if tail[:1] == ("into",):
        return tail[1:]
    if "fan" in tail[:4]:
        at = tail.index("fan")
        return tail[at + 2 :] if tail[at + 1 : at + 2] == ("of",) else ()
    return ()


def residence(frame: Frame) -> str:
    """Where somebody lives, in a place that has a name."""
    group, rest = frame.group, _behind_origin(frame)
    if group.is_negated or not _is_placed(rest) or frame.is_habit or _is_at_times(frame):
        return ""
    if group.verb == "live" and frame.tail[:1] == ("in",):
        return "residence" if _holds_still(frame) else ""
    if group.verb not in {"move", "relocate"} or rest[0].low != "to" or group.is_progressive:
        return ""
    is_sure = group.tense in {"past", "perfect"} and not _is_old(frame) and is_place(rest[1:])
    return "residence" if is_sure else ""


def _behind_origin(frame: Frame) -> Sequence[Token]:
    """The words from where a move leads to: from Leeds to Paris."""
    is_from = frame.tail[:1] == ("from",) and "to" in frame.tail[1:6]
    return frame.rest[frame.tail.index("to") :] if is_from else frame.rest


def _is_old(frame: Frame) -> bool:
    """Whether a move lies so far back that others may have followed; a day or a short while does not."""
    words = frame.around
    years = (at for at, low in enumerate(words) if len(low) == 4 and low.isdigit())
    is_dated = (words[at + 1 : at + 2] != () and words[at + 1].isdigit() for at in years)
    return not _OLD.isdisjoint(words) or not all(is_dated)


def _is_at_times(frame: Frame) -> bool:
    """Whether something is so only when something else is."""
    return not (_CONDITIONS - {"before"}).isdisjoint(frame.tail)


def _is_placed(rest: Sequence[Token]) -> bool:
    """Whether a name of one place follows the preposition."""
    if len(rest) < 2 or not rest[1].is_capital:
        return False
    if rest[1].low in lexicon.WEEKDAYS | lexicon.MONTHS:
        return False
    return "and" not in {token.low for token in rest[2:5]}


def _holds_still(frame: Frame) -> bool:
    """Whether a state is told of now, not of a while: present, or perfect with since and for."""
    group = frame.group
    if group.tense == "present":
        return not frame.is_occasion and not {"until", "during"}.intersection(frame.around)
    return group.tense == "perfect" and not {"since", "for"}.isdisjoint(frame.around)


def work(frame: Frame) -> str:
    """Employer and job."""
    group, rest = frame.group, frame.rest
    if group.is_negated or not _holds_still(frame) or not rest or frame.is_habit:
        return ""
    if _is_at_times(frame) or not {"part-time", "side", "also", "volunteer", "second"}.isdisjoint(
        frame.around
    ):
        return ""
    if group.verb == "work" and rest[0].low in {"at", "for"} and len(rest) > 1:
        return "employer" if rest[1].is_capital and rest[1].low not in lexicon.NO_EMPLOYER else ""
    if group.verb == "work" and rest[0].low == "as":
        return "job"
    if group.verb == "be" and rest[0].low in {"a", "an"}:
        return "job" if _is_trade(frame.tail[1:]) else ""
    return ""


def _is_trade(phrase: Sequence[str]) -> bool:
    """Whether a noun phrase names an occupation, and not how well somebody does something."""
    head = _head(phrase)
    if head not in lexicon.OCCUPATIONS:
        return False
    before = phrase[: list(phrase).index(head)]
    return not any(low in _PRAISE or _HOW.fullmatch(low) for low in before)


def _head(phrase: Sequence[str]) -> str:
    """The noun that a noun phrase ends in, before what is added with a preposition."""
    head = ""
    for low in phrase:
        if low in lexicon.PREPOSITIONS | _STOPS | {"and", "who"}:
            break
        head = low
    return head


def status(frame: Frame) -> str:
    """Age, diet, marital status, partner."""
    group, tail = frame.group, frame.tail
    if not tail or (group.verb == "be" and (group.tense != "present" or frame.is_habit)):
        return ""
    if group.verb == "be":
        return _being(frame)
    is_done = group.tense in {"past", "perfect"} and not group.is_negated
    is_years = len(tail) == 1 or not tail[1].endswith("s")
    married = tail[0] in lexicon.MARITAL and _OLD.isdisjoint(frame.around)
    dates = group.verb == "date" and group.is_progressive and not group.is_negated
    return first_of(
        (is_done and group.verb == "turn" and tail[0].isdigit() and is_years, "age"),
        (is_done and group.verb == "get" and married, "marital status"),
        (dates and frame.rest[0].is_capital, "partner"),
        otherwise="",
    )


def _being(frame: Frame) -> str:
    group = frame.group
    words = [low for low in frame.tail if low not in {"a", "an"} and low not in lexicon.ADVERBS]
    if not words or group.is_passive or group.is_progressive:
        return ""
    is_over = not {"anymore", "no-longer"}.isdisjoint(frame.around)
    if words[0] in lexicon.DIETS and len(words) < 3:
        is_for_now = not {"today", "tonight", "tomorrow"}.isdisjoint(frame.around)
        return "diet" if (not group.is_negated or is_over) and not is_for_now else ""
    if words[0] in lexicon.MARITAL:
        return "marital status" if _is_to_somebody(frame, words[1:]) else ""
    if words[0].isdigit() and (len(words) == 1 or words[1] in _UNITS) and not group.is_negated:
        return "age"
    return ""


def _is_to_somebody(frame: Frame, behind: Sequence[str]) -> bool:
    """Whether a marital status is one to a person, if to anything: not to the job, nor from reality."""
    if behind[:1] == ["in"]:
        return False
    if not behind or behind[0] not in {"to", "from", "with"}:
        return True
    names = {token.low for token in frame.rest if token.is_capital}
    people = names | lexicon.PEOPLE | {"him", "her", "them", "two", "three", "four", "someone"}
    return not people.isdisjoint(behind[1:5])


def allergy(frame: Frame) -> str:
    """`allergy:nuts` of being allergic; a denied one belongs to the same thing."""
    group, tail = frame.group, frame.tail
    words = [low for low in tail if low not in lexicon.ADVERBS]
    if group.verb != "be" or group.tense != "present" or words[:2] != ["allergic", "to"]:
        return ""
    things = words[2:]
    while things and things[-1] in _TRAILING:
        things = things[:-1]
    is_one = {"and", "or", "with", "in"}.isdisjoint(things) and _COMPARED.isdisjoint(things)
    is_sure = is_one and things and things[0] not in _EMPTY_OBJECTS
    key = english_key(things) if is_sure and not frame.is_occasion else ""
    return f"allergy:{key}" if key else ""


def nickname(frame: Frame) -> str:
    """The name that somebody goes by."""
    if frame.group.is_negated or frame.group.tense != "present" or len(frame.rest) < 2:
        return ""
    if frame.group.verb == "go" and frame.tail[0] == "by" and frame.rest[1].is_capital:
        return "nickname"
    return ""


_FINDERS: Final[tuple[Callable[[Frame], str], ...]] = (
    residence,
    work,
    status,
    nickname,
    allergy,
    attitude,
)
