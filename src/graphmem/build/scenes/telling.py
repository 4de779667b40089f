"""Telling takes from a model's reply what the scene says, and keeps the rest of it by rules.

A model finds and words claims; nothing that it wrote is believed. Its quotation must stand in a
turn, its subject and value in the scene; a statement that names what nobody said, or drops a detail
of what it words, gives way to the words as spoken; dates are read by the time reader in the words of
the turn. What no accepted claim holds is kept verbatim, so that coverage is complete with any model.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from graphmem.build.extract import Extraction, complete, dated, extract
from graphmem.build.scenes.prompt import is_readable
from graphmem.build.scenes.reply import Item, Reply
from graphmem.domain.atom import AtomDraft, AtomSource, fold_claim
from graphmem.domain.claim import Claim
from graphmem.domain.fact import Fact
from graphmem.domain.interval import Interval
from graphmem.domain.setting import MORE
from graphmem.domain.turn import Turn
from graphmem.errors import ChatResponseError
from graphmem.text.analyse import terms
from graphmem.text.claims.reader import claims
from graphmem.text.facts.scanner import scan
from graphmem.text.segment import Span, sentences
from graphmem.text.speaker import attribute
from graphmem.text.timex.reader import read

_FIRST_PERSON: Final = frozenset(
    {"i", "me", "my", "we", "speaker", "the speaker", "我", "我们", "说话人"}
)
_POLAR: Final = frozenset({"negation", "modality"})
# "Ann avoids meat." has a third of the terms of "I don't eat meat".
_LEAST_SHARE: Final = 1 / 3
_ELLIPSIS: Final = " .…\"'“”‘’「」"


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a scene says.

    Attributes:
        extractions: of each of its turns.
        accepted: how many items of the reply were taken.
        refused: how many were not: malformed, quoting nobody, or with an invented value.
    """

    extractions: tuple[Extraction, ...]
    accepted: int
    refused: int


def tell(turns: Sequence[Turn], reply: Reply) -> Told:
    """What the turns of a scene say, by a model's reply about them.

    Raises:
        ChatResponseError: nothing of what it lists can be taken; that is not "nothing found".
    """
    scene = _Scene(tuple(_Body(place, turn) for place, turn in enumerate(turns)))
    taken = [found for item in reply.items if (found := scene.take(item)) is not None]
    if reply.items and not taken:
        raise ChatResponseError("the chat model's atoms do not stand in the conversation")
    last = max((found.quoted.place for found in taken), default=-1)
    return Told(
        extractions=tuple(
            _extraction(body, taken)
            if is_readable(body.turn) and (reply.is_whole or body.place <= last)
            else extract(body.turn)
            for body in scene.bodies
        ),
        accepted=len(taken),
        refused=reply.malformed + len(reply.items) - len(taken),
    )


def _extraction(body: _Body, taken: Sequence[_Taken]) -> Extraction:
    drafts = _distinct(found.draft for found in taken if found.quoted is body)
    beside = _distinct(draft for found in taken if (draft := found.source_in(body)) is not None)
    return complete(body.turn, drafts, beside)


def _distinct(drafts: Iterable[AtomDraft]) -> list[AtomDraft]:
    """The first draft of each atom at each place."""
    found: dict[tuple[str, str, int], AtomDraft] = {}
    for draft in drafts:
        found.setdefault((*draft.claim, draft.source.start), draft)
    return [*found.values()]


def _is_about(statement: str, quote: str) -> bool:
    """Whether a statement words the quotation, and not a word of it; nouns may be another's."""
    meant = set(terms(quote))
    return _LEAST_SHARE * len(meant) <= len(meant.intersection(terms(statement)))


@dataclass(frozen=True, eq=False)
class _Body:
    """A turn of the scene without the label of its speaker, and what is asked of it often."""

    place: int
    turn: Turn

    @cached_property
    def shift(self) -> int:
        return attribute(self.turn.content, speaker=self.turn.speaker).body_start

    @cached_property
    def speaker(self) -> str | None:
        return attribute(self.turn.content, speaker=self.turn.speaker).speaker

    @cached_property
    def name(self) -> str:
        return self.speaker or self.turn.role

    @cached_property
    def text(self) -> str:
        return self.turn.content[self.shift :]

    @cached_property
    def sentences(self) -> list[Span]:
        return sentences(self.text)

    @cached_property
    def claims(self) -> tuple[Claim, ...]:
        turn = self.turn
        return claims(self.text, role=turn.role, speaker=self.speaker, anchor=turn.occurred)

    def find(self, words: str) -> Span | None:
        """The sentences that hold these words, whose spaces and case may differ.

        Words such as "I" alone stand everywhere, hence nowhere, unless they are the whole sentence.
        """
        parts = words.strip(_ELLIPSIS).split()
        if not parts:
            return None
        # Not within a word, but a plural holds its singular.
        pattern = "(?<![A-Za-z0-9])" + r"\s+".join(re.escape(part) for part in parts)
        match = re.search(pattern, self.text, re.IGNORECASE)
        if match is None:
            return None
        whole = self._whole(match.start(), match.end())
        is_all = not terms(self.text[whole.start : whole.end].replace(match[0], "", 1))
        return whole if is_all or terms(match[0]) else None

    def _whole(self, start: int, end: int) -> Span:
        held = [span for span in self.sentences if span.start < end and start < span.end]
        return Span(start=held[0].start, end=held[-1].end) if held else Span(start=start, end=end)

    def facts(self, text: str) -> tuple[Fact, ...]:
        """The details of a text about what is said here."""
        return scan(text, known=[self.speaker] if self.speaker else ())

    def negates(self, span: Span) -> bool:
        """Whether anything is denied there."""
        facts = self.facts(self.text[span.start : span.end])
        return any(fact.kind == "negation" for fact in facts)

    def event(self, when: str) -> Interval | None:
        """What time these words mean where they stand here."""
        at = self.text.casefold().find(when.casefold()) if when else -1
        if at < 0:
            return None
        for expression in read(self.text, self.turn.occurred):
            if expression.start < at + len(when) and at < expression.end and expression.certain:
                return expression.certain
        return None

    def attribute_of(self, span: Span, subject: str, value: str) -> str:
        """The attribute that the sentence sets by the rules, which chains are made of.

        A sentence that says more than its attribute's value makes several atoms: one of them sets it.
        """
        for claim in self.claims:
            is_here = span.start <= claim.start and claim.end <= span.end
            is_theirs = is_here and fold_claim(claim.subject) == fold_claim(subject)
            if is_theirs and claim.attribute and _is_of(claim, value):
                return claim.attribute
        return ""


def _is_of(claim: Claim, value: str) -> bool:
    """Whether a value is that of a claim, as far as the claim's sentence says anything else."""
    if not claim.attribute.endswith(MORE):
        return True
    short, long = sorted((fold_claim(value), fold_claim(claim.value)), key=len)
    return bool(short) and short in long


@dataclass(frozen=True, slots=True, kw_only=True)
class _Taken:
    """One item that was taken.

    Attributes:
        draft: the atom, where it is quoted.
        quoted: the turn that is.
        others: turns that say it, too.
    """

    draft: AtomDraft
    quoted: _Body
    others: tuple[_Body, ...]

    def source_in(self, body: _Body) -> AtomDraft | None:
        """The draft as that of another turn, all of whose words it stands on."""
        if body not in self.others:
            return None
        source = AtomSource(turn_no=body.turn.turn_no, start=body.shift, end=len(body.turn.content))
        return replace(self.draft, source=source)


@dataclass(frozen=True, eq=False)
class _Scene:
    bodies: tuple[_Body, ...]

    @cached_property
    def folded(self) -> str:
        """All that is said, and by whom."""
        said = (f"{body.name}\n{body.text}" for body in self.bodies)
        return fold_claim("\n".join(said))

    @cached_property
    def terms(self) -> frozenset[str]:
        return frozenset(terms(self.folded))

    def take(self, item: Item) -> _Taken | None:
        """The item as a draft; None if it quotes nobody or claims what nobody said."""
        named = [self.bodies[at] for at in item.positions if 0 <= at < len(self.bodies)]
        place = self._place(item, named) if named else None
        if place is None:
            return None
        body, span = place
        subject = body.name if fold_claim(item.subject) in _FIRST_PERSON else item.subject
        words = (subject, item.predicate, item.value)
        is_said = (
            self._holds(subject) and self._holds(item.value) and not self._invents(words, body)
        )
        if not is_said:
            return None
        draft = AtomDraft(
            type=item.type,
            content=dated(self._content(item, body, span), body.turn.occurred),
            subject=subject,
            predicate=item.predicate,
            value=item.value,
            polarity=item.polarity if body.negates(span) else "affirmed",
            modality=item.modality,
            event=body.event(item.when),
            attribute=body.attribute_of(span, subject, item.value),
            origin="llm",
            source=AtomSource(
                turn_no=body.turn.turn_no,
                start=body.shift + span.start,
                end=body.shift + span.end,
            ),
        )
        return _Taken(
            draft=draft, quoted=body, others=tuple(each for each in named if each is not body)
        )

    def _place(self, item: Item, named: Sequence[_Body]) -> tuple[_Body, Span] | None:
        """Where it is quoted: in a turn that it names; else its value there, else anywhere."""
        for words, bodies in ((item.quote, named), (item.value, named), (item.quote, self.bodies)):
            for body in bodies:
                span = body.find(words)
                if span is not None and is_readable(body.turn):
                    return body, span
        return None

    def _holds(self, words: str) -> bool:
        """Whether somebody said it: as it stands, or every term of it."""
        folded = fold_claim(words)
        meant = terms(folded)
        return folded in self.folded or (bool(meant) and self.terms.issuperset(meant))

    def _invents(self, words: Sequence[str], body: _Body) -> bool:
        """Whether a detail of these words stands nowhere in the scene."""
        return any(
            fold_claim(text[fact.start : fact.end]) not in self.folded
            for text in words
            for fact in body.facts(text)
            if fact.kind not in _POLAR
        )

    def _content(self, item: Item, body: _Body, span: Span) -> str:
        """The statement, if it says no more and no less than the words that it stands on."""
        spoken = body.text[span.start : span.end]
        is_faithful = (
            item.statement
            and not self._invents((item.statement,), body)
            and not self._drops(item, body, spoken)
            and _is_about(item.statement, item.quote if body.find(item.quote) else spoken)
        )
        return item.statement if is_faithful else spoken

    def _drops(self, item: Item, body: _Body, spoken: str) -> bool:
        folded = fold_claim(item.statement)
        kept = {
            "negation": item.polarity == "negated",
            "modality": item.modality != "asserted",
        }
        return any(
            not kept.get(fact.kind, False)
            and fold_claim(spoken[fact.start : fact.end]) not in folded
            for fact in body.facts(spoken)
        )
