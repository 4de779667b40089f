"""The type of a message, and macro F1 over typed cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from graphmem.text.claims.reader import claims

# A message of several claims is typed by the one that binds longest: a rule, a trait, an event.
RANK = ("instruction", "persona", "episodic")
TYPES = (*RANK, "none")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One message with the type that it should have."""

    role: str
    speaker: str | None
    text: str
    type: str


def type_of(case: Case) -> str:
    """The type of the message's main claim, `none` without one."""
    found = {
        claim.type for claim in claims(case.text, role=case.role, speaker=case.speaker, anchor=None)
    }
    return next((name for name in RANK if name in found), "none")


def macro_f1(cases: Iterable[Case]) -> float:
    """The mean of the four types' F1."""
    pairs = Counter((case.type, type_of(case)) for case in cases)
    return sum(_f1(pairs, name) for name in TYPES) / len(TYPES)


def _f1(pairs: Counter[tuple[str, str]], name: str) -> float:
    right = pairs[name, name]
    gold = sum(count for (a, _), count in pairs.items() if a == name)
    told = sum(count for (_, b), count in pairs.items() if b == name)
    return 2 * right / (gold + told) if gold + told else 0.0
