"""A rule reads one form of expression: a pattern over tags, and what to make of a match."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Final, Protocol

from graphmem.text.timex.en.lexicon import CODE
from graphmem.text.timex.en.reading import Reading
from graphmem.text.timex.en.tokens import Token, Tokens

_CLASSES: Final[dict[str, str]] = {
    "NUMBER": "num year",
    "COUNT": "num year a",
    "UNIT": "unit quarter second",
    "UNITS": "units unit quarter second",
    "NTH": "ordinal second",
    "TIME": "clock clock12",
    "LAST": "last past previous",
    "COMING": "coming",
}
"""Names of a pattern that stand for one of several tags."""

_ELEMENT: Final = re.compile(r"[A-Za-z_0-9]+|[()|?*]")


def _class(name: str) -> str:
    tags = [CODE[tag] for tag in _CLASSES.get(name, name).split()]
    return tags[0] if len(tags) == 1 else f"[{''.join(tags)}]"


def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern over the tags of a text: names of tags and classes, (groups), |, ? and *."""
    parts = [
        element if element in "()|?*" else _class(element) for element in _ELEMENT.findall(pattern)
    ]
    return re.compile("".join(parts))


def first_tags(pattern: str) -> frozenset[str]:
    """The tags that a match may begin with.

    A group at the beginning is not optional, and neither are all of its parts.
    """
    elements = _ELEMENT.findall(pattern)
    tags, at = _first(elements, 0)
    del at
    return frozenset(tags)


def _first(elements: list[str], at: int) -> tuple[set[str], int]:
    """The first tags of a sequence of alternatives from an index on, and the index behind it."""
    tags: set[str] = set()
    is_open = True
    while at < len(elements) and elements[at] != ")":
        element = elements[at]
        at += 1
        if element == "|":
            is_open = True
        elif element == "(":
            inner, at = _first(elements, at)
            at += 1
            tags |= inner if is_open else set()
            is_open = is_open and elements[at : at + 1] in (["?"], ["*"])
        elif element not in "?*" and is_open:
            tags |= set(_class(element).strip("[]"))
            is_open = elements[at : at + 1] in (["?"], ["*"])
    return tags, at


class Reads(Protocol):
    """What a rule asks of the parser."""

    @property
    def tokens(self) -> Tokens:
        """The tokens of the text."""

    def date(self, at: int, depth: int) -> Reading | None:
        """The longest date that begins at an index, at most `depth` dates within one another."""


class Found:
    """A match of a rule's pattern, with the date that follows it where the rule wants one.

    Args:
        tokens: the tokens of the text.
        match: the match over their tags.
        inner: the date that follows.
    """

    __slots__ = ("_inner", "_match", "tokens")

    def __init__(self, tokens: Tokens, match: re.Match[str], inner: Reading | None) -> None:
        self.tokens = tokens
        self._match = match
        self._inner = inner

    @property
    def start(self) -> int:
        """The index of the first token."""
        return self._match.start()

    @property
    def end(self) -> int:
        """The index behind the last token of the pattern, without the date that follows."""
        return self._match.end()

    @property
    def inner(self) -> Reading:
        """The date that follows."""
        if self._inner is None:
            raise LookupError("the rule asks for no date")
        return self._inner

    def has(self, group: int) -> bool:
        """Whether a group of the pattern took part."""
        return self._match.start(group) >= 0

    def token(self, group: int) -> Token:
        """The first token of a group."""
        return self.tokens.items[self._match.start(group)]

    def value(self, group: int, default: int = 0) -> int:
        """The value of the first token of a group."""
        return self.token(group).value if self.has(group) else default

    def name(self, group: int) -> str:
        """The name of the tag of a group's first token; empty where the group took no part."""
        return self.token(group).name if self.has(group) else ""

    def is_owned(self) -> bool:
        """Whether "my last week" or "the last week" stands here; "her" is an object as often."""
        if self.tokens.is_a(self.start - 1, "her"):
            return self.tokens.word(self.end) in {"of", "at", "as"}
        return self.tokens.is_a(self.start - 1, "poss", "the")

    def text(self, group: int = 0) -> str:
        """The text of a group's first token."""
        token = self.token(group)
        return self.tokens.text[token.start : token.end]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule.

    Attributes:
        pattern: the pattern.
        firsts: the tags that it may begin with.
        build: makes the reading of a match, or None where it means something else.
        leads: whether a date must follow the match.
        is_of_days: whether it makes another day of that date, to which its time of day then belongs.
    """

    pattern: re.Pattern[str]
    firsts: frozenset[str]
    build: Callable[[Found], Reading | None]
    leads: bool = False
    is_of_days: bool = False

    def read(self, parser: Reads, at: int, depth: int) -> Reading | None:
        """The reading of the tokens from an index on."""
        match = self.pattern.match(parser.tokens.tags, at)
        if match is None:
            return None
        inner = None
        if self.leads:
            inner = parser.date(match.end(), depth - 1) if depth else None
            if inner is None:
                return None
        timing = inner.timing if inner and self.is_of_days else None
        if inner is None or timing is None:
            return self.build(Found(parser.tokens, match, inner))
        untimed = replace(timing.untimed, end=inner.end)
        reading = self.build(Found(parser.tokens, match, untimed))
        return timing.apply(reading) if reading else None


def rule(pattern: str, build: Callable[[Found], Reading | None]) -> Rule:
    """A rule for a pattern; one that ends in "DATE" wants a date to follow."""
    leads = pattern.endswith(" DATE")
    body = pattern.removesuffix(" DATE")
    return Rule(pattern=compiled(body), firsts=first_tags(body), build=build, leads=leads)


def day_rule(pattern: str, build: Callable[[Found], Reading | None]) -> Rule:
    """A rule that makes another day of the date that follows: "the day after | tomorrow at 7am"."""
    return replace(rule(pattern, build), is_of_days=True)


class Table:
    """The rules by the tag that they may begin with.

    Args:
        rules: all rules; of readings of the same length the one that stands first is taken.
    """

    def __init__(self, rules: Iterable[Rule]) -> None:
        rules = tuple(rules)
        self.starts = frozenset(tag for one in rules for tag in one.firsts)
        behind = f"(?=[{''.join(sorted(self.starts))}])"
        self._rules: dict[str, tuple[Rule, ...]] = {}
        self._hints: dict[str, re.Pattern[str]] = {}
        for tag in self.starts:
            begun = tuple(one for one in rules if tag in one.firsts)
            shapes = [one.pattern.pattern + (behind if one.leads else "") for one in begun]
            self._rules[tag] = begun
            self._hints[tag] = re.compile("|".join(f"(?:{shape})" for shape in shapes))

    def at(self, tags: str, at: int) -> tuple[Rule, ...]:
        """The rules that may read the tokens from an index on; none where no pattern can match."""
        hint = self._hints.get(tags[at])
        return self._rules[tags[at]] if hint and hint.match(tags, at) else ()
