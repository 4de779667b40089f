"""Coverage looked at from outside: which fragile facts of a turn stand in words that atoms stand on."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.build.extract import Coverage, Said
from graphmem.domain.fact import Fact
from graphmem.text.facts.scanner import scan
from graphmem.text.speaker import attribute

Words = tuple[int, int]  # from an offset to one behind it, in the turn's text


def coverage_of(turn: Said, claims: Sequence[Words], verbatim: Sequence[Words]) -> Coverage:
    """Scan a turn anew and look where its facts stand.

    Args:
        turn: the turn.
        claims: the words of its atoms that say what they claim.
        verbatim: the words that are kept as they are.
    """
    found = attribute(turn.content, speaker=turn.speaker)
    known = [found.speaker] if found.speaker else ()
    facts = scan(turn.content[found.body_start :], known=known)
    told = [fact for fact in facts if _is_in(fact, found.body_start, claims)]
    kept = [fact for fact in facts if _is_in(fact, found.body_start, verbatim)]
    return Coverage(
        facts=len(facts), in_claims=len(told), verbatim=sum(fact not in told for fact in kept)
    )


def joined(parts: Sequence[Coverage]) -> Coverage:
    """The coverage of all of them together."""
    return Coverage(
        facts=sum(part.facts for part in parts),
        in_claims=sum(part.in_claims for part in parts),
        verbatim=sum(part.verbatim for part in parts),
    )


def _is_in(fact: Fact, shift: int, words: Sequence[Words]) -> bool:
    return any(start <= fact.start + shift and fact.end + shift <= end for start, end in words)
