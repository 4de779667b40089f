"""The scanner lists the fragile facts of a message; docs/atoms.md says what each kind is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from graphmem.domain.fact import Fact, FactKind
from graphmem.text import script
from graphmem.text.facts import (
    address,
    bullet,
    chinese_enumeration,
    chinese_names,
    chinese_numerals,
    chinese_polarity,
    elapsed,
    english_enumeration,
    english_money,
    english_names,
    english_number,
    english_polarity,
    identifier,
    quotation,
)
from graphmem.text.facts.chinese_token import tokens
from graphmem.text.facts.english_rule import starts
from graphmem.text.facts.mask import Mask, Span
from graphmem.text.normalize import storable
from graphmem.text.timex import reader
from graphmem.text.timex.expression import Expression
from graphmem.text.traditional import simplified

_LATIN: Final = re.compile(r"[A-Za-z]")


def scan(
    text: str,
    *,
    known: Sequence[str] = (),
    times: Sequence[Expression] | None = None,
) -> tuple[Fact, ...]:
    """The fragile facts of a message, English and Chinese.

    Args:
        text: the message, without the label of its speaker.
        known: the names of the speakers, which are names wherever they stand.
        times: its expressions of time, where the caller has read them.

    Returns:
        The facts in order of start, end and kind; places may overlap, no fact is there twice.
    """
    scanning = _Scan(storable(text))
    scanning.marked()
    scanning.times(reader.read(scanning.text, None) if times is None else times)
    scanning.identifiers()
    scanning.numbers()
    scanning.words()
    scanning.names(known)
    scanning.enumerations()
    return tuple(sorted(scanning.facts, key=lambda fact: (fact.start, fact.end, fact.kind)))


class _Scan:
    """One scan of one text, kind by kind; what an earlier kind has taken a later one leaves alone.

    Args:
        text: the message.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.facts: set[Fact] = set()
        self._chinese = script.has_han(text)
        self._english = bool(_LATIN.search(text))
        self._simple = simplified(text) if self._chinese else text
        self._tokens = tokens(self._simple) if self._chinese else []
        self._starts = starts(text)
        self._silent = Mask(len(text))  # addresses, code, titles: their words are no details
        self._counted = Mask(len(text))  # times and numbers
        self._quoted = Mask(len(text))

    def _mark(self, kind: FactKind, spans: Iterable[Span]) -> list[Span]:
        found = [*_outermost(spans)]
        self.facts.update(Fact(start=start, end=end, kind=kind) for start, end in found)
        return found

    def marked(self) -> None:
        """What marks of its own set off: items in lines, code, addresses, quotations."""
        for item in bullet.find(self.text):
            self._mark("listed", [(item.start, item.end)])
            self._counted.take([(item.line, item.start)])
        self._silent.take(self._mark("code", identifier.find_code(self.text)))
        self._silent.take(self._mark("url", self._silent.free([*address.find(self.text)])))
        for quote in quotation.find(self.text):
            if not self._silent.covers(quote.start, quote.end):
                self._mark("quoted", [(quote.start, quote.end)])
                self._quoted.take([(quote.start, quote.end)])
                if quote.is_title:
                    self._silent.take([quote.inner])
                    self._mark("name", [] if quote.is_book else [quote.inner])

    def times(self, expressions: Iterable[Expression]) -> None:
        """Times and spans of time: those the reader finds, and those without a date."""
        for found in expressions:
            span = found.start, found.end
            if found.kind == "recent":  # "just" is no detail that a claim could lose
                continue
            if not self._silent.covers(*span) and not elapsed.is_house(self.text, found.end):
                length = found.kind == "duration" or (
                    found.kind == "vague" and elapsed.is_length(self.text[slice(*span)])
                )
                self._counted.take(self._mark("duration" if length else "date", [span]))
        finders = [elapsed.english(self.text, self._starts)] if self._english else []
        finders += [elapsed.chinese(self._simple)] if self._chinese else []
        for finder in finders:
            for start, end, kind in finder:
                self._take_counted(start, end, kind)

    def identifiers(self) -> None:
        """Numbers and keys that name one thing."""
        taken = self._silent.joined(self._counted)
        self._silent.take(self._mark("code", taken.free([*identifier.find(self.text)])))

    def numbers(self) -> None:
        """Amounts of money, and numbers with what they count."""
        if self._chinese:
            for found in chinese_numerals.find(self._simple, self._tokens):
                self._take_counted(*found)
        for span in english_money.find(self.text, self._starts):
            self._take_counted(*span, "money")
        for span in english_number.find(self.text, self._starts):
            self._take_counted(*span, "number")

    def _take_counted(self, start: int, end: int, kind: FactKind) -> None:
        if not self._counted.covers(start, end) and not self._silent.covers(start, end):
            self._counted.take(self._mark(kind, [(start, end)]))

    def words(self) -> None:
        """The words that negate, and those that make a claim less than a fact."""
        if self._english:
            self._mark(
                "negation", self._silent.free(english_polarity.negations(self.text, self._starts))
            )
            self._mark(
                "modality", self._silent.free(english_polarity.modalities(self.text, self._starts))
            )
        if self._chinese:
            self._mark("negation", self._silent.free(chinese_polarity.negations(self._simple)))
            self._mark("modality", self._silent.free(chinese_polarity.modalities(self._simple)))

    def names(self, known: Sequence[str]) -> None:
        """The names of people, places, organisations, products and works."""
        taken = self._silent.joined(self._counted)
        if self._chinese:
            found = chinese_names.find(self._simple, self._tokens, taken, known)
            self._mark("name", taken.free([*found]))
        elif self._english:
            self._mark("name", taken.free([*english_names.find(self.text, taken, known)]))

    def enumerations(self) -> None:
        """The items of enumerations within a sentence."""
        if self._english and not self._chinese:
            taken = self._counted.joined(self._quoted)
            self._mark("listed", english_enumeration.find(self.text, taken))
        if self._chinese:
            found = chinese_enumeration.find(self._simple, self._tokens, self._counted)
            self._mark("listed", found)


def _outermost(spans: Iterable[Span]) -> Iterator[Span]:
    """The spans that lie within no other, in order; empty ones left out."""
    end = -1
    for span in sorted(spans, key=lambda s: (s[0], -s[1])):
        if span[1] > max(end, span[0]):
            yield span
            end = span[1]
