"""Says which type of memory a clause makes, by whom it speaks of and in which tense."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal

from graphmem.domain.claim import AtomType
from graphmem.text.claims.choice import first_of
from graphmem.text.claims.en import copula, lexicon, past, present, reaction
from graphmem.text.claims.en.frame import Frame
from graphmem.text.claims.en.subject import Kind
from graphmem.text.claims.en.verbs import is_base
from graphmem.text.words import word_set

Verdict = AtomType | Literal["none"]
_PERSONAL: Final[frozenset[Kind]] = frozenset({"first", "third", "kin", "own", "name"})


def is_verb(low: str) -> bool:
    """Whether a word can be an infinitive."""
    return is_base(low)


def verdict(frame: Frame) -> Verdict:
    """The type of a clause's claim, `none` if it makes no memory."""
    if frame.kind in _PERSONAL:
        return _of_person(frame)
    match frame.kind:
        case "second":
            return _of_listener(frame)
        case "thing" | "there":
            return _of_thing(frame)
        case "noun":
            return _of_noun(frame)
        case _:
            return "persona" if _touches_speaker(frame) else "none"


def _touches_speaker(frame: Frame) -> bool:
    """Whether something is said to do the speaker this or that as a rule: loud noises scare me."""
    group = frame.group
    if frame.voice.is_machine or group.tense != "present" or group.modal or frame.is_occasion:
        return False
    return not {"me", "us"}.isdisjoint(frame.tail[:4]) and group.verb not in {"tell", "let", "be"}


def _of_person(frame: Frame) -> Verdict:
    if frame.kind == "first" and reaction.is_reaction(frame):
        return "none"
    if frame.kind == "name" and past.is_encyclopaedic(frame):
        return "none"
    if frame.voice.is_machine:
        return _of_machine(frame)
    if frame.kind == "name" and _touches_speaker(frame):
        return "persona"
    return _by_tense(frame)


def _of_machine(frame: Frame) -> Verdict:
    """What an assistant did or promised counts, what it knows does not."""
    if frame.kind == "name":
        return _by_tense(frame) if "your" in frame.around or "you" in frame.around else "none"
    if frame.kind == "first":
        return "episodic" if _is_deed(frame) else "none"
    return _by_tense(frame)


def _is_deed(frame: Frame) -> bool:
    group = frame.group
    if group.modal in {"could"} and group.is_negated:
        return True
    if group.modal and group.tense != "future":
        return False
    if group.tense == "future":
        return group.verb not in word_set("help try keep do be need assume explain start use")
    if group.tense in {"past", "perfect"}:
        return (
            group.verb not in {"be", "mean", "think", "hope", "train", "design"}
            and not group.is_passive
        )
    return group.is_progressive and group.verb not in word_set("look try do think hope wonder")


def _by_tense(frame: Frame) -> Verdict:
    group = frame.group
    rule: Callable[[Frame], Verdict] = first_of(
        (group.modal in {"use to", "used to"}, _former),
        (bool(group.modal) and group.tense != "future", present.of_modal),
        (group.tense == "past", past.of_past),
        (group.tense == "perfect", past.of_perfect),
        (group.tense == "future", present.of_future),
        (group.verb == "be", copula.of_copula),
        (group.is_progressive, present.of_progressive),
        otherwise=present.of_present,
    )
    return rule(frame)


def _former(frame: Frame) -> Verdict:
    """What somebody used to do is over."""
    return "episodic"


def _of_listener(frame: Frame) -> Verdict:
    """What is said of the listener counts where an assistant says it of its user."""
    group = frame.group
    if not frame.voice.is_machine or "if" in frame.front or group.modal:
        return "none"
    is_you = frame.subject[0].low == "you"
    if is_you and (_is_praise(frame) or "can" in frame.tail):
        return "none"
    if group.tense in {"past", "perfect"} or group.is_passive:
        return _by_tense(frame)
    if is_you:
        return present.restated(frame) if group.verb in _RESTATED else "none"
    is_person = any(token.low in lexicon.PEOPLE for token in frame.subject)
    return _by_tense(frame) if frame.is_occasion or is_person else "none"


_RESTATED: Final = lexicon.PERSONAL | {"be", "have"}
_FAMILY: Final = lexicon.RELATIVES | {"family", "kids", "dog", "cat"}


def _is_praise(frame: Frame) -> bool:
    return not lexicon.VERDICTS.isdisjoint(frame.tail[:5]) or "such" in frame.tail[:2]


def _of_thing(frame: Frame) -> Verdict:
    """What `it`, `this` and `there` do: events of the speakers, else reactions."""
    group, words = frame.group, frame.tail
    if frame.voice.is_machine or group.modal or reaction.is_comment(frame):
        return "none"
    if not {"my", "our"}.isdisjoint(words) and group.verb == "be":
        return "episodic" if frame.is_occasion or group.tense == "past" else "persona"
    if frame.kind == "there" and group.verb == "be":
        return "episodic" if frame.is_occasion or group.tense == "past" else "none"
    if group.tense in {"past", "perfect"} or group.is_progressive:
        return "episodic"
    if group.tense == "future" or frame.is_occasion:
        return "episodic" if frame.is_occasion else "none"
    return "none"


def _of_noun(frame: Frame) -> Verdict:
    """What some noun phrase does: an event of the speakers, a trait of what is theirs, or knowledge."""
    group, machine = frame.group, frame.voice.is_machine
    is_ours = _is_ours(frame)
    happens = group.tense != "future" or frame.is_occasion or is_ours
    speaks = group.verb in {"say", "think", "want", "need"} and bool(frame.rest)
    return first_of(
        (past.is_encyclopaedic(frame) or (machine and not is_ours), "none"),
        (
            bool(group.modal) and group.tense != "future",
            "episodic" if frame.is_occasion and not machine else "none",
        ),
        (group.tense != "present" or group.is_progressive, "episodic" if happens else "none"),
        (frame.is_habit, "persona" if is_ours else "none"),
        (speaks or frame.is_occasion or copula.is_state_of_now(frame), "episodic"),
        otherwise="persona" if is_ours else "none",
    )


def _is_ours(frame: Frame) -> bool:
    """Whether a noun phrase or what is said of it has to do with the people of the conversation."""
    subject = [token.low for token in frame.subject]
    near = {"my", "our", "me", "us", "your", "i", "we"}
    return not near.isdisjoint((*frame.around, *subject)) or not _FAMILY.isdisjoint(subject)
