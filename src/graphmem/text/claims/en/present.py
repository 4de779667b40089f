"""Types of clauses in the present and the future, with modal verbs or without."""

from __future__ import annotations

from typing import Final, Literal

from graphmem.domain.claim import AtomType
from graphmem.text.claims.choice import first_of
from graphmem.text.claims.en import copula, lexicon
from graphmem.text.claims.en.frame import Frame
from graphmem.text.words import word_set

Verdict = AtomType | Literal["none"]

_WISHES: Final = word_set("want hope wish dream aspire long")
_PLANS: Final = word_set("plan intend leave arrive start depart begin promise")
_NOW: Final = word_set("need feel look seem sound owe expect promise")
_GOALS: Final = word_set(
    "be become learn get have own open live write study run start master visit see travel build"
)
_ABLE: Final = lexicon.PERSONAL | word_set(
    "afford handle stand remember tell do play see hear drive have go stay get"
)
_PASSING_ABILITY: Final = word_set(
    "believe wait find decide figure make come help see tell attend join wake access log"
)
_WAYS: Final = word_set(
    "forget bring call arrive get leave make take start wake stay spend complain talk lose pay wait ask give buy order listen do"
)
_DUTIES: Final = word_set("take avoid wear watch follow use")
_ACTIONS: Final = word_set(
    "say swear recommend suggest advise guess bet suppose wonder mean assume remember forget think know say"
)


def of_modal(frame: Frame) -> Verdict:
    """Skills, bans and wishes last; duties and possibilities of an occasion do not."""
    group = frame.group
    if group.modal.startswith("would"):
        return _of_wish(frame)
    if group.modal in {"can", "cannot"} and not frame.is_occasion:
        return _of_ability(frame)
    is_first = frame.kind == "first"
    is_advice = group.modal in {"should", "must"} and not is_first
    return first_of(
        (frame.is_occasion, "episodic"),
        (group.modal == "could", "episodic" if group.is_negated and is_first else "none"),
        (frame.is_habit or group.verb in _DUTIES, "persona"),
        (frame.kind == "name" or is_advice, "none"),
        otherwise="episodic",
    )


def _of_ability(frame: Frame) -> Verdict:
    """Can: a skill or a ban of a person, else what just does not work."""
    group = frame.group
    if group.is_negated and group.verb in _PASSING_ABILITY:
        return "episodic" if group.verb in _MISSED else "none"
    lasts = group.is_negated or frame.kind != "first" or group.verb in _ABLE
    return "persona" if lasts else "none"


_POLITE: Final = word_set("say know mind recommend worry be want have call suggest advise think")
_MISSED: Final = word_set("find make come attend join log access wake")


def _of_wish(frame: Frame) -> Verdict:
    """Would: a preference, a lasting wish, or politeness."""
    group = frame.group
    if group.modal in {"would love", "would like", "would prefer", "would hate"}:
        if not {"know", "hear", "ask", "see"}.isdisjoint({group.verb}) and not frame.is_habit:
            return "none"
        return "episodic" if frame.is_occasion else "persona"
    if "myself" in frame.tail[:1]:
        return "persona"
    if "rather" in group.adverbs or group.verb == "prefer":
        return "persona"
    refuses = group.is_negated and bool(frame.rest) and group.verb not in _POLITE
    return "persona" if refuses and not frame.is_occasion else "none"


def of_future(frame: Frame) -> Verdict:
    """What will be is an event, but for refusals that never end."""
    group = frame.group
    if group.is_negated and group.verb in lexicon.CONSUME and not frame.is_occasion:
        return "persona"
    if frame.kind == "name" and not (frame.is_occasion or frame.rest):
        return "none"
    return "episodic"


def of_progressive(frame: Frame) -> Verdict:
    """What is going on: a long undertaking lasts, everything else is an event."""
    group = frame.group
    if group.verb in _WISHES:
        return _of_want(frame)
    if frame.is_occasion or group.is_passive:
        return "episodic"
    if frame.is_habit:
        return "persona"
    if group.verb == "look" and frame.tail[:1] == ("forward",):
        return "none" if "hearing" in frame.tail or len(frame.tail) < 3 else "episodic"
    jokes = group.verb in {"kid", "joke", "wonder"}
    is_task = group.verb == "work" and frame.tail[:1] in {("on",), ("late",), ("from",)}
    lasts = group.verb in lexicon.ONGOING and not is_task
    return first_of((jokes, "none"), (lasts, "persona"), otherwise="episodic")


def of_present(frame: Frame) -> Verdict:
    """The simple present is habit and state, unless it is set at one time."""
    group, is_name = frame.group, frame.kind == "name"
    is_habit = frame.is_habit and (not is_name or group.verb in lexicon.PERSONAL | _WAYS)
    if not is_habit and group.verb == "have":
        return copula.of_possession(frame)
    if not is_habit and group.verb in _WISHES:
        return _of_want(frame)
    is_now = group.verb in _PLANS | _NOW or group.is_passive
    has_object = bool(frame.rest) or frame.kind != "first"
    return first_of(
        (is_habit, "persona"),
        (group.verb in _ACTIONS, "none"),
        (frame.is_occasion and group.verb not in lexicon.ATTITUDE, "episodic"),
        (is_name and group.verb == "need" and bool(frame.rest), "episodic"),
        (is_name, "persona" if group.verb in lexicon.PERSONAL else "none"),
        (is_now, "episodic" if has_object else "none"),
        otherwise="persona",
    )


def _of_want(frame: Frame) -> Verdict:
    """A wish lasts, one with an occasion does not; a wish for the listener is small talk."""
    tail = frame.tail
    if not {"you", "your", "it", "that", "this", "someone"}.isdisjoint(tail[:2]) or not tail:
        return "none"
    if frame.is_occasion:
        return "episodic"
    if frame.group.verb in {"hope", "wish"}:
        return "persona" if tail[0] in {"to"} else "none"
    if tail[0] == "to":
        return "persona" if tail[1:2] and tail[1] not in {"know", "ask", "say", "make"} else "none"
    return "episodic"


def restated(frame: Frame) -> Verdict:
    """The type of what an assistant repeats about its user."""
    group, tail = frame.group, frame.tail
    if group.is_progressive:
        return "episodic" if frame.is_occasion else "none"
    if group.verb != "be":
        return "episodic" if frame.is_occasion and not frame.is_habit else "persona"
    lasting = lexicon.LASTING_PARTICIPLES | lexicon.DIETS | {"a", "an", "the", "from"}
    lasts = bool(tail) and (tail[0] in lasting or tail[0][0].isdigit())
    return "persona" if lasts else ("episodic" if frame.is_occasion else "none")
