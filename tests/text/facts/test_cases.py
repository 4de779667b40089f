from __future__ import annotations

import json
from pathlib import Path
from typing import TypedDict

import pytest

from graphmem.domain.fact import Fact
from graphmem.text.facts.scanner import scan

CASES = Path(__file__).parents[1] / "fact_cases"
LEAST_FOUND = 0.95
LEAST_RIGHT = 0.9


class Case(TypedDict):
    id: str
    text: str
    facts: list[tuple[str, str]]


def cases(language: str) -> list[Case]:
    read: dict[str, list[Case]] = json.loads((CASES / f"{language}.json").read_text("utf-8"))
    return read["cases"]


def labelled(case: Case) -> list[Fact]:
    """The labels with their places; the same surface again is its next place."""
    after: dict[tuple[str, str], int] = {}
    facts = []
    for surface, kind in case["facts"]:
        start = case["text"].index(surface, after.get((surface, kind), 0))
        after[surface, kind] = start + len(surface)
        facts.append(Fact(start=start, end=start + len(surface), kind=kind))  # type: ignore[arg-type]
    return facts


def agree(one: Fact, other: Fact) -> bool:
    return one.kind == other.kind and one.start < other.end and other.start < one.end


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_labelled_facts_are_found(language: str) -> None:
    pairs = [(label, scan(c["text"])) for c in cases(language) for label in labelled(c)]
    missed = [(label, found) for label, found in pairs if not any(agree(label, f) for f in found)]
    assert len(missed) <= (1 - LEAST_FOUND) * len(pairs), missed


@pytest.mark.parametrize("language", ["en", "zh"])
def test_hardly_anything_else_is_marked(language: str) -> None:
    pairs = [(fact, labelled(c)) for c in cases(language) for fact in scan(c["text"])]
    extra = [(fact, facts) for fact, facts in pairs if not any(agree(fact, f) for f in facts)]
    assert len(extra) <= (1 - LEAST_RIGHT) * len(pairs), extra


@pytest.mark.parametrize("language", ["en", "zh"])
def test_messages_without_facts_stay_without(language: str) -> None:
    empty = [case["text"] for case in cases(language) if not case["facts"]]
    assert len([text for text in empty if scan(text)]) <= 2
