"""What a Chinese sentence says beside its claim: the words of which the claim knows nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from graphmem.text.claims.draft import Place
from graphmem.text.claims.zh.clause import LEAD, Clause
from graphmem.text.claims.zh.place import tagger

# What answers, links or closes, and tells nothing of its own.
_LIGHT: Final = re.compile(
    r"(?:谢谢|多谢|是的|对的|没错|好的|好吧|从?现在起?|从?今天起|以后|今后|目前|如今|已经|请|记住|我|了|呢|啊|呀|吧|哦|嗯|哈|对|是|你好|您好)+"
)
_JOINS: Final = frozenset({"c", "p", "r"})  # of a value: and, with, that
_DOES: Final = re.compile(r"[当做任养有带]|担任|负责|加上")
_BEHIND: Final = re.compile(r"当|做|担任")  # what somebody is where the job begins


def beside(parts: Sequence[Clause], at: int, value: str, *, is_whole: bool) -> tuple[Place, ...]:
    """The places of the words that a claim leaves out, in its own clause and in all others.

    Args:
        parts: the clauses of the sentence.
        at: which of them makes the claim.
        value: the claim's value, folded as its clause is.
        is_whole: whether the whole value is what the claim is about.
    """
    own = parts[at]
    places = [*_others(parts, at), *_told(own.front, own.subject_start - len(own.front))]
    return (*places, *(() if is_whole else _joined(own, value)))


def beside_rule(parts: Sequence[Clause], at: int) -> tuple[Place, ...]:
    """The places of the words that a command leaves out: those of all other clauses."""
    return tuple(_others(parts, at))


def _others(parts: Sequence[Clause], at: int) -> Iterator[Place]:
    for i, part in enumerate(parts):
        if i != at:
            yield from _told(part.text, part.start)


def _told(text: str, start: int) -> Iterator[Place]:
    """The place of a stretch of text behind its interjections, if it tells anything."""
    lead = LEAD.match(text)
    skipped = lead.end() if lead else 0
    if _LIGHT.sub("", text[skipped:]):
        yield start + skipped, start + len(text)


def _joined(part: Clause, value: str) -> Iterator[Place]:
    """What a verb or a conjunction joins to a value."""
    at = part.text.find(value)
    if at < 0:
        return
    place = at
    for n, (word, tag) in enumerate(tagger()(value)):
        if n and (tag[:1] in _JOINS or _DOES.fullmatch(word)):
            yield part.start + place, part.start + at + len(value)
            return
        place += len(word)
    if _BEHIND.match(part.text, place):
        yield part.start + place, part.start + len(part.text)
