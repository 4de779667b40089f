"""The frozen cases: 300 a language from before the rules, with lures in which no date may be read."""

from __future__ import annotations

import pytest

from tests.text.timex.scoring import load, misses

KNOWN = ["en.json", "zh.json"]


@pytest.mark.parametrize("name", KNOWN)
def test_the_cases_that_the_rules_were_written_with_are_read(name: str) -> None:
    cases = load(name)["cases"]
    missed = misses(cases)
    assert len(missed) <= 0.02 * len(cases), "\n".join(map(str, missed))


@pytest.mark.parametrize("name", KNOWN)
def test_no_date_is_read_in_a_lure(name: str) -> None:
    missed = misses(load(name)["lures"])
    assert not missed, "\n".join(map(str, missed))
