from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.text.claims import own_cases
from tests.text.claims.typed import Case, macro_f1

_CASES = Path(__file__).parents[1] / "type_cases"


def _frozen(language: str) -> list[Case]:
    found = json.loads((_CASES / f"{language}.json").read_text(encoding="utf-8"))["cases"]
    return [
        Case(role=c["role"], speaker=c["speaker"], text=c["text"], type=c["type"]) for c in found
    ]


def _own(listing: str) -> list[Case]:
    cases = []
    for line in listing.strip().splitlines():
        name, text = line.split(" | ")
        is_assistant = text.startswith("A ")
        cases.append(
            Case(
                role="assistant" if is_assistant else "user",
                speaker=None,
                text=text.removeprefix("A "),
                type=name,
            )
        )
    return cases


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_types_of_the_frozen_cases_are_found(language: str) -> None:
    assert macro_f1(_frozen(language)) >= 0.93


@pytest.mark.parametrize(
    "listing",
    [
        own_cases.ENGLISH,
        own_cases.CHINESE,
        own_cases.MORE_ENGLISH,
        own_cases.MORE_CHINESE,
    ],
    ids=["en", "zh", "more-en", "more-zh"],
)
def test_the_types_of_our_own_sentences_are_found(listing: str) -> None:
    assert macro_f1(_own(listing)) >= 0.93


@pytest.mark.parametrize("language", ["en", "zh"])
def test_cases_that_no_rule_was_written_with_are_typed(language: str) -> None:
    assert macro_f1(_frozen(f"{language}_second")) >= 0.85
