"""Tells reactions, politeness and comments from claims."""

from __future__ import annotations

from typing import Final

from graphmem.text.claims.en import lexicon
from graphmem.text.claims.en.frame import Frame
from graphmem.text.words import word_set

_POLITE: Final = word_set(
    "agree understand apologise apologize appreciate bet guess suppose wonder recommend suggest thank mean advise"
)
_SENSING: Final = word_set(
    "find see know hear get imagine relate tell say think feel remember hope wish love like adore want need"
)
_HERE: Final = word_set("it that this you your so what these those how why where")
_REQUESTS: Final = word_set(
    "help advice suggestions recommendations tips ideas information info feedback"
)
_KIND: Final = word_set("happy glad sorry sure pleased afraid delighted grateful thrilled excited")
_HEARD: Final = word_set("note agree understand confirm copy do hear record save")  # Noted.
_TO_LISTENER: Final = word_set("you your that it this")


def is_reaction(frame: Frame) -> bool:
    """Whether a clause of the first person answers the other one, and tells nothing of the speaker."""
    group, tail = frame.group, frame.tail
    if (group.verb in _POLITE and group.tense == "present") or _is_receipt(frame):
        return True
    if group.verb in _SENSING and _points_here(frame):
        return True
    if group.verb == "be":
        return _is_kindness(frame)
    if group.verb in {"wait", "believe"} and group.is_negated:
        return True
    if (
        group.verb == "look"
        and tail[:1] == ("forward",)
        and ("hearing" in tail or not _is_own(frame))
    ):
        return not frame.is_occasion
    return _is_request(frame)


def _is_receipt(frame: Frame) -> bool:
    """Whether it only says that something was heard: Noted. Agreed."""
    return frame.group.verb in _HEARD and not (frame.subject or frame.rest or frame.front)


def _is_own(frame: Frame) -> bool:
    return not {"my", "our"}.isdisjoint(frame.tail)


def _points_here(frame: Frame) -> bool:
    """Whether the object is what the other one has just said, or nothing at all."""
    group, tail = frame.group, frame.tail
    if group.tense in {"past", "perfect"} and group.verb not in {"hear", "get", "hope", "know"}:
        return False
    if not tail:
        return group.verb not in {"want", "need"} or True
    if group.verb in {"get", "say"}:
        return tail[0] in {"it", "that", "you"}
    if tail[0] == "the" and tail[1:2] in {("way",), ("sound",), ("idea",)}:
        return True
    if tail[0] in {"it", "that", "this"} and len(tail) > 1 and tail[1] in {"when", "if"}:
        return False
    return tail[0] in _HERE


def _is_kindness(frame: Frame) -> bool:
    """I'm happy for you, glad to hear, sorry about that, not sure, an assistant."""
    tail = tuple(low for low in frame.tail if low not in lexicon.ADVERBS - lexicon.TRANSIENT)
    if not tail or frame.group.tense != "present":
        return False
    if tail[0] in {"sure", "sorry", "fine", "ok", "okay", "alright", "good", "well", "great"}:
        return (
            len(tail) < 2
            or tail[0] in {"sure", "sorry"}
            or not {"thanks", "thank"}.isdisjoint(tail)
        )
    if tail[0] in _KIND:
        return tail[1:2] == ("to",) or not _TO_LISTENER.isdisjoint(tail[1:4])
    return (
        tail[:2] in {("an", "ai"), ("with", "you"), ("all", "ears"), ("in", "awe")}
        or tail[0] == "curious"
    )


def _is_request(frame: Frame) -> bool:
    """I need your help; I'd like you to; I want to know; I'd like some advice."""
    group, tail = frame.group, frame.tail
    wants = group.verb in {"want", "need", "like", "love", "look", "appreciate"}
    is_polite = group.modal in {"", "would"}
    if wants and is_polite and (not {"you", "your"}.isdisjoint(tail[:2])):
        return True
    if wants and is_polite and not _REQUESTS.isdisjoint(tail[:4]):
        return True
    if group.modal in {"would like", "would love"} and group.verb in {"know", "hear", "ask", "see"}:
        return not frame.is_occasion
    return group.verb == "have" and not lexicon.NOTHINGS.isdisjoint(tail[:4])


def is_comment(frame: Frame) -> bool:
    """Whether it, this or that is only judged: that's great, this looks good, it was lovely of you."""
    group, tail = frame.group, frame.tail
    if group.verb in {"sound", "look", "seem", "make", "mean", "depend", "help", "feel", "matter"}:
        return True
    if group.verb != "be":
        return bool({"you", "your"}.intersection(tail[:3]))
    if frame.subject[0].low == "that" and group.tense == "present":
        return {"my", "our"}.isdisjoint(tail[:2])
    verdict = not lexicon.VERDICTS.isdisjoint(tail[:4]) or "you" in tail or "your" in tail
    return verdict and (group.tense == "present" or not frame.is_occasion)
