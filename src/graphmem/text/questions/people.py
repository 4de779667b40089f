"""The persons whom a question names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from graphmem.text import script
from graphmem.text.facts import chinese_words
from graphmem.text.facts.chinese_token import tokens
from graphmem.text.facts.given_names import GIVEN_NAMES
from graphmem.text.facts.scanner import scan
from graphmem.text.timex.expression import Expression

_WORD: Final = r"[A-ZÀ-Þ][\w'-]{1,30}"
# Who stands where a question has its subject, owns something, or is told of with another.
_SUBJECT: Final = re.compile(
    rf"\b(?:did|does|do|has|have|had|is|was|are|were|will|would|could|might|can|should|may)(?:n't)? (?P<name>{_WORD})"
    rf"(?: and (?P<other>{_WORD}))?",
    re.IGNORECASE,
)
_OWNER: Final = re.compile(r"(?P<name>[A-ZÀ-Þ]\w{1,30})['’]s\b")
_HAN_PERSON: Final = re.compile(
    rf"(?:[小老阿][{script.HAN}]|(?:{chinese_words.COMPOUND})[{script.HAN}]{{1,2}}|[{chinese_words.SURNAMES}][{script.HAN}]{{1,2}}"
    rf"|[{script.HAN}]{{1,3}}(?:{chinese_words.TITLES})|[{script.HAN}·•・]{{3,12}})"
)
# What follows a name of two characters rather than being its third: verbs, particles, conjunctions.
_TAIL: Final = "会有住去和与跟算学拉在把被给对是的要想能做买写看说来到过还都又也不没花爱多喜戒姐兄打更谁最为什怎"
_OPENING: Final = re.compile(
    rf"(?:^|[，,。？：和与跟教从]|如果|今年|去年|请问|告诉我)"
    rf"(?P<name>[{chinese_words.SURNAMES}][{script.HAN}]{{1,2}}?)(?=[{_TAIL}])"
)
_FULL: Final = 3  # characters of a full Chinese name
_NO_PERSON: Final = re.compile(r"[省市县区州国洲岛山河湖路街寺庙港湾]\Z")


def people(
    question: str, known: Sequence[str] = (), times: Sequence[Expression] | None = None
) -> tuple[str, ...]:
    """The names of persons in a question, each once, in order.

    Args:
        question: what is asked.
        known: names of speakers, who are persons wherever they stand.
        times: its expressions of time, where the caller has read them.
    """
    shortest: dict[int, str] = {}  # of what was read at one place
    for start, name in sorted(_found(question, known, times), key=lambda f: (f[0], len(f[1]))):
        shortest.setdefault(start, name)
    return tuple(dict.fromkeys(shortest.values()))


def _found(
    question: str, known: Sequence[str], times: Sequence[Expression] | None
) -> Iterator[tuple[int, str]]:
    if script.has_han(question):
        yield from _opening(question)
    placed = _placed(question)
    for fact in scan(question, known=known, times=times):
        name = question[fact.start : fact.end]
        if fact.kind == "name" and (name in known or fact.start in placed or _is_person(name)):
            yield fact.start, _bare(name)


def _opening(question: str) -> Iterator[tuple[int, str]]:
    """Chinese names that open a part of the question, and are no words of their own."""
    words = {(token.start, token.end): token.tag for token in tokens(question)}
    for match in _OPENING.finditer(question):
        if words.get(match.span("name"), "nr").startswith("nr"):
            yield match.start("name"), match["name"]


def _placed(question: str) -> set[int]:
    """Where the words begin that stand as persons do."""
    starts = {match.start("name") for match in _OWNER.finditer(question)}
    for match in _SUBJECT.finditer(question):
        for group in ("name", "other"):
            if match[group] and match[group][0].isupper():
                starts.add(match.start(group))
    return starts


def _is_person(name: str) -> bool:
    if script.has_han(name):
        is_place = _NO_PERSON.search(name) or name in chinese_words.PLACES_AND_BRANDS
        return bool(_HAN_PERSON.fullmatch(name)) and not is_place
    return _bare(name).split(" ")[0].lower() in GIVEN_NAMES


def _bare(name: str) -> str:
    if len(name) == _FULL and name[-1] in _TAIL and script.has_han(name[0]):
        return name[:-1]
    return re.sub(r"['’]s?\Z", "", name)
