"""The deterministic extractor: typed claims of a turn, and verbatim atoms for what they leave out.

Every fragile fact of a turn is in some atom afterwards: coverage is complete by construction, and
`Coverage` tells how much of it is owed to verbatim atoms.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Protocol

from graphmem.domain.annotation import annotate
from graphmem.domain.atom import AtomDraft, AtomSource, Origin
from graphmem.domain.claim import Claim
from graphmem.domain.fact import Fact
from graphmem.domain.mention import Mention
from graphmem.domain.moment import Moment
from graphmem.text.claims.reader import claims
from graphmem.text.facts.scanner import scan
from graphmem.text.segment import Span, sentences
from graphmem.text.speaker import attribute
from graphmem.text.timex.expression import Expression
from graphmem.text.timex.reader import read


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """How the fragile facts of some turns are kept.

    Attributes:
        facts: how many there are.
        in_claims: how many stand in the sentence of a claim.
        verbatim: how many stand in a sentence that became an atom as it is.
    """

    facts: int
    in_claims: int
    verbatim: int

    @property
    def share(self) -> float:
        """The share of the facts that some atom holds; 1.0 of none."""
        return (self.in_claims + self.verbatim) / self.facts if self.facts else 1.0


class Said(Protocol):
    """What extraction looks at in a turn, stored or about to be."""

    @property
    def turn_no(self) -> int:
        """Its number, of which only the drafts' sources know."""
        ...

    @property
    def role(self) -> str:
        """The message's role."""
        ...

    @property
    def speaker(self) -> str | None:
        """Who said it, where that was given."""
        ...

    @property
    def content(self) -> str:
        """The text."""
        ...

    @property
    def occurred(self) -> Moment | None:
        """When it was said."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """What was found in one turn.

    Attributes:
        drafts: the atoms, in text order.
        background: what stands beside each of them: who said it, and when.
        mentions: the dates that the turn speaks of, in the text without the label of its speaker.
        coverage: how the turn's fragile facts are kept.
    """

    drafts: tuple[AtomDraft, ...]
    background: str
    mentions: tuple[Mention, ...]
    coverage: Coverage


def extract(turn: Said) -> Extraction:
    """Find the atoms of one turn; no other turn is looked at, so that batches do not matter."""
    found = attribute(turn.content, speaker=turn.speaker)
    body = turn.content[found.body_start :]
    times = read(body, turn.occurred)
    mentions = _mentions(times)
    spoken = claims(body, role=turn.role, speaker=found.speaker, anchor=turn.occurred, dates=times)
    known = [found.speaker] if found.speaker else ()
    facts = scan(body, known=known, times=times)
    left = _uncovered(facts, spoken)
    draft = _Drafting(
        turn=turn,
        body=body,
        shift=found.body_start,
        subject=found.speaker or turn.role,
        mentions=mentions,
    )
    drafts = [draft.of_claim(claim) for claim in spoken]
    drafts += [draft.verbatim(span) for span in _sentences_of(left, body)]
    return Extraction(
        drafts=tuple(sorted(drafts, key=lambda d: (d.source.start, d.source.end))),
        background=_background(found.speaker or turn.role, turn.occurred),
        mentions=tuple(mentions),
        coverage=Coverage(facts=len(facts), in_claims=len(facts) - len(left), verbatim=len(left)),
    )


def complete(
    turn: Said, drafts: Sequence[AtomDraft], beside: Sequence[AtomDraft] = ()
) -> Extraction:
    """What others found in a turn, and verbatim atoms for what that leaves out.

    Args:
        turn: the turn.
        drafts: atoms, each of which keeps every detail of the words that it names as its source.
        beside: atoms that stand on the turn, too, and keep no detail of it; left out where the turn
            itself says the same.
    """
    found = attribute(turn.content, speaker=turn.speaker)
    body = turn.content[found.body_start :]
    times = read(body, turn.occurred)
    mentions = _mentions(times)
    known = [found.speaker] if found.speaker else ()
    facts = scan(body, known=known, times=times)
    left = _uncovered(facts, _joined(drafts, found.body_start))
    draft = _Drafting(
        turn=turn,
        body=body,
        shift=found.body_start,
        subject=found.speaker or turn.role,
        mentions=mentions,
    )
    kept = [draft.verbatim(span) for span in _sentences_of(left, body)]
    own = [*drafts, *kept]
    told = {each.claim for each in own}
    others = [each for each in beside if each.claim not in told]
    whole = sorted([*own, *others], key=lambda d: (d.source.start, d.source.end))
    return Extraction(
        drafts=tuple(whole),
        background=_background(found.speaker or turn.role, turn.occurred),
        mentions=tuple(mentions),
        coverage=Coverage(facts=len(facts), in_claims=len(facts) - len(left), verbatim=len(left)),
    )


def dated(text: str, anchor: Moment | None) -> str:
    """The text with its dates written out."""
    return annotate(text, _mentions(read(text, anchor))).text


def _joined(drafts: Iterable[AtomDraft], shift: int) -> list[Span]:
    """The places of drafts in the body of their turn, in order; those that overlap as one."""
    joined: list[Span] = []
    for start, end in sorted((d.source.start - shift, d.source.end - shift) for d in drafts):
        if joined and start <= joined[-1].end:
            last = joined.pop()
            joined.append(Span(start=last.start, end=max(last.end, end)))
        else:
            joined.append(Span(start=start, end=end))
    return joined


def _mentions(times: Iterable[Expression]) -> list[Mention]:
    return [mention for expression in times if (mention := expression.mention()) is not None]


def _background(who: str, occurred: Moment | None) -> str:
    return f"{who}, {occurred.stamp()}" if occurred else who


@dataclass(frozen=True, slots=True, kw_only=True)
class _Drafting:
    """Makes drafts from places in the text of one turn."""

    turn: Said
    body: str
    shift: int
    subject: str
    mentions: Sequence[Mention]

    def of_claim(self, claim: Claim) -> AtomDraft:
        return self._draft(claim, "rules")

    def verbatim(self, span: Span) -> AtomDraft:
        words = Claim(
            start=span.start,
            end=span.end,
            type="episodic",
            subject=self.subject,
            predicate="say",
            value="",
        )
        return self._draft(words, "verbatim")

    def _draft(self, claim: Claim, origin: Origin) -> AtomDraft:
        return AtomDraft(
            type=claim.type,
            content=self._dated(claim.start, claim.end),
            subject=claim.subject,
            predicate=claim.predicate,
            value=claim.value,
            polarity=claim.polarity,
            modality=claim.modality,
            event=claim.event,
            attribute=claim.attribute,
            origin=origin,
            source=AtomSource(
                turn_no=self.turn.turn_no,
                start=self.shift + claim.start,
                end=self.shift + claim.end,
            ),
        )

    def _dated(self, start: int, end: int) -> str:
        """The words with their dates written out; an atom is read without its turn's date."""
        first = bisect_left(self.mentions, start, key=lambda mention: mention.start)
        within = takewhile(lambda mention: mention.end <= end, self.mentions[first:])
        moved = [replace(m, start=m.start - start, end=m.end - start) for m in within]
        return annotate(self.body[start:end], moved).text


def _uncovered(facts: Iterable[Fact], spoken: Sequence[Claim] | Sequence[Span]) -> list[Fact]:
    """The facts that stand in no claim's sentence; claims do not overlap."""
    return [fact for fact in facts if not _is_within(fact, spoken)]


def _is_within(fact: Fact, spoken: Sequence[Claim] | Sequence[Span]) -> bool:
    at = bisect_right(spoken, fact.start, key=lambda place: place.start) - 1
    return at >= 0 and fact.end <= spoken[at].end


def _sentences_of(facts: Sequence[Fact], body: str) -> list[Span]:
    """The sentences that hold these facts; several are one where a fact crosses their border."""
    if not facts:
        return []
    spans = sentences(body)
    kept: list[Span] = []
    for fact in facts:
        first = bisect_right(spans, fact.start, key=lambda span: span.end)
        last = bisect_left(spans, fact.end, key=lambda span: span.start)
        whole = Span(start=spans[first].start, end=spans[last - 1].end)
        if kept and kept[-1].end > whole.start:
            whole = Span(start=kept[-1].start, end=max(kept.pop().end, whole.end))
        kept.append(whole)
    return kept
