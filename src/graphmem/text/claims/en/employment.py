"""Employment tells where a clause says that a job begins or ends; only where it can be nothing else.

Who joins something may join a gym, and who leaves somewhere may be on the way home: the first counts
with the job that is taken up there, the second ends nothing but a job that the graph knows of.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from graphmem.domain.setting import END
from graphmem.text.claims.en import lexicon
from graphmem.text.claims.en.frame import Frame
from graphmem.text.words import word_set

EMPLOYER: Final = "employer"

_JOBS: Final = word_set("job position role post")
_GETS: Final = word_set("get land find take start begin accept secure")
_AT: Final = word_set("at with")
_DETERMINERS: Final = word_set("a an my our the this that")
_LESS: Final = word_set(
    "part-time side second summer volunteer temp temporary weekend student holiday internship other old"
)
_LONG_AGO: Final = word_set(
    "ago when childhood college university school once originally first years"
)
_TRADES: Final = lexicon.OCCUPATIONS | word_set(
    "manager director officer intern apprentice assistant ceo cto cfo lead head partner associate specialist"
)
_FIRMS: Final = word_set("inc corp ltd llc gmbh plc ag company corporation technologies bank group")
_TODAY: Final = word_set(
    "early late today tonight morning afternoon evening noon midnight minute minutes hour hours home lunch earlier"
)
_WHEN: Final = word_set("last this yesterday today early in at on after because due two three")
_AFTERWARDS: Final = (
    lexicon.PREPOSITIONS
    | lexicon.ADVERBS
    | lexicon.WEEKDAYS
    | lexicon.OCCASION
    | lexicon.SUBORDINATORS
    | _WHEN
) | word_set("and but so a an one few some four five six earlier")
# What may stand behind the name of a firm that somebody left: why, when, for what.
_BEHIND: Final = lexicon.PREPOSITIONS - word_set("to on with by at out off up down") | word_set(
    "because last this and but so to on , ."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Employment:
    """A job that begins or ends.

    Attributes:
        attribute: `employer`, or its end.
        at: the place of the employer's name among the words behind the verb; None where it isn't named.
        end: behind its last word.
    """

    attribute: str
    at: int | None
    end: int = 0


def employment(frame: Frame) -> Employment | None:
    """The job that a clause says to begin or to end, None for all others."""
    if frame.is_habit or frame.group.is_progressive or not _LESS.isdisjoint(frame.around):
        return None
    for find in (_begun, _hired, _joined):
        at = find(frame)
        if at is not None and _LONG_AGO.isdisjoint(frame.around):
            return Employment(attribute=EMPLOYER, at=at, end=_name_end(frame, at))
    return _ended(frame)


def _is_done(frame: Frame) -> bool:
    group = frame.group
    return group.tense in {"past", "perfect"} and not group.is_negated and not group.modal


def _firm_at(frame: Frame, at: int) -> int | None:
    """The place of the name that stands there, behind an article or not."""
    rest = frame.rest
    at += at < len(rest) and rest[at].low == "the"
    is_firm = at < len(rest) and rest[at].is_capital and rest[at].low not in lexicon.NO_EMPLOYER
    return at if is_firm else None


def _name_end(frame: Frame, at: int) -> int:
    """Where a name ends: Bank of America, but Google and, Google in May."""
    rest, end = frame.rest, at + 1
    while end < len(rest):
        joins = rest[end].low in {"of", "&", "and", "for", "'s"}
        step = end + joins
        if step >= len(rest) or not rest[step].is_capital or rest[step].low in lexicon.NO_EMPLOYER:
            break
        if joins and rest[end].low == "for" and frame.group.verb in {"leave", "quit"}:
            break  # left Google for Meta
        end = step + 1
    is_owner = end < len(rest) and rest[end].low == "'s"  # McDonald's, St. Mary's
    is_last = is_owner and (end + 1 == len(rest) or rest[end + 1].low in _BEHIND)
    return end + is_last


def _job_at(frame: Frame) -> int | None:
    """The place of the job in "a new job", with nobody else's before it."""
    tail = frame.tail
    if not tail or tail[0] not in _DETERMINERS:
        return None
    at = next((at for at, low in enumerate(tail[:5]) if low in _JOBS), None)
    between = tail[1:at]
    others = _DETERMINERS | lexicon.PREPOSITIONS | {"and", "'s"}
    return at if at is not None and others.isdisjoint(between) else None


def _begun(frame: Frame) -> int | None:
    """I got a new job at X; I started working for X."""
    group, tail = frame.group, frame.tail
    is_had = group.verb == "have" and group.tense == "present" and not group.is_negated
    if is_had and not group.modal:
        job = _job_at(frame)
    elif _is_done(frame) and group.verb in _GETS:
        job = 0 if tail[:1] == ("working",) else _job_at(frame)
        job = 1 if tail[:2] == ("to", "work") else job
    else:
        return None
    if job is None or tail[job + 1 : job + 2] == () or tail[job + 1] not in _AT | {"for"}:
        return None
    return _firm_at(frame, job + 2)


def _hired(frame: Frame) -> int | None:
    """I was hired by X."""
    group = frame.group
    if not group.is_passive or group.verb not in {"hire", "employ", "recruit"}:
        return None
    return _firm_at(frame, 1) if frame.tail[:1] == ("by",) and not group.is_negated else None


def _joined(frame: Frame) -> int | None:
    """I joined X as an engineer; I joined X Inc; I joined the sales team at X."""
    tail = frame.tail
    if frame.group.verb != "join" or not _is_done(frame):
        return None
    if tail[:1] == ("the",) and "team" in tail[:4]:
        at = tail.index("team")
        return _firm_at(frame, at + 2) if tail[at + 1 : at + 2] == ("at",) else None
    if "as" in tail:
        return _firm_at(frame, 0) if _is_trade(tail[tail.index("as") + 1 :]) else None
    name = [token.low for token in frame.rest[:4] if token.is_capital]
    return _firm_at(frame, 0) if not _FIRMS.isdisjoint(name[1:]) else None


def _is_trade(words: Sequence[str]) -> bool:
    return not _TRADES.isdisjoint(words[:6])


def _ended(frame: Frame) -> Employment | None:
    """The end of a job, in the past."""
    found: Callable[[Frame], int | None]
    if _is_left_job(frame):
        return Employment(attribute=EMPLOYER + END, at=None)
    for found in (_left, _let_go, _works_no_more):
        at = found(frame)
        if at is not None:
            return Employment(attribute=EMPLOYER + END, at=at, end=_name_end(frame, at))
    return None


def _is_left_job(frame: Frame) -> bool:
    """I quit my job; I resigned. Whichever it was."""
    tail = frame.tail
    if not _is_done(frame):
        return False
    is_mine = frame.kind == "kin" or tail[:1] == ("my",)
    if frame.group.verb in {"quit", "leave", "lose"} and is_mine and tail[1:2] == ("job",):
        return len(tail) == 2 or (tail[2] in _AFTERWARDS and tail[2] not in {"at", "with", "for"})
    is_alone = not tail or tail[0] in _WHEN
    return frame.group.verb in {"resign", "retire"} and is_alone and "from" not in tail


def _left(frame: Frame) -> int | None:
    """I left X; I resigned from X; I quit my job at X."""
    tail, verb = frame.tail, frame.group.verb
    if not _is_done(frame) or not _TODAY.isdisjoint(tail):
        return None
    if verb in {"resign", "retire"}:
        return _firm_at(frame, 1) if tail[:1] == ("from",) else None
    if verb not in {"leave", "quit"}:
        return None
    job = _job_at(frame)
    if job is not None:
        return _firm_at(frame, job + 2) if tail[job + 1 : job + 2] in {("at",), ("with",)} else None
    return _firm_at(frame, 0) if _is_name_alone(frame) else None


def _is_name_alone(frame: Frame) -> bool:
    """Whether the object is a name, and nothing is left there."""
    behind = next((token for token in frame.rest if not token.is_capital), None)
    return behind is None or behind.low in _BEHIND or behind.is_mark


def _let_go(frame: Frame) -> int | None:
    """I was laid off from X; I got fired by X."""
    group, tail = frame.group, frame.tail
    is_fired = group.is_passive and group.verb in {"fire", "lay", "sack", "dismiss"}
    got = group.verb == "get" and tail[:1] and tail[0] in {"fired", "laid", "sacked", "dismissed"}
    if not (is_fired or got) or group.is_negated or group.tense not in {"past", "perfect"}:
        return None
    at = next((at for at, low in enumerate(tail[:4]) if low in {"from", "by"}), None)
    return None if at is None else _firm_at(frame, at + 1)


def _works_no_more(frame: Frame) -> int | None:
    """I no longer work at X; I stopped working for X."""
    group, tail = frame.group, frame.tail
    is_over = group.is_negated and not {"anymore", "no-longer"}.isdisjoint(frame.around)
    if group.verb == "work" and group.tense == "present" and is_over and tail[:1]:
        return _firm_at(frame, 1) if tail[0] in {"at", "for"} else None
    is_stopped = _is_done(frame) and group.verb in {"stop", "quit"} and tail[:1] == ("working",)
    return _firm_at(frame, 2) if is_stopped and tail[1:2] in {("at",), ("for",)} else None
