"""The frozen cases by other hands, with lures: 300 a language from before the rules, 200 from after them, and
60 of "just" and 刚 with some of nights after midnight and of what is no prose, 60 of what was arranged."""

from __future__ import annotations

import pytest

from tests.text.timex.scoring import CASES, load, misses

KNOWN = ["en.json", "zh.json"]
RECENCY = ["recency_en.json", "recency_zh.json"]
ARRANGED = ["arranged_en.json", "arranged_zh.json"]
SECOND = [name for name in ("en_second.json", "zh_second.json") if (CASES / name).is_file()]


@pytest.mark.parametrize("name", KNOWN)
def test_the_cases_that_the_rules_were_written_with_are_read(name: str) -> None:
    cases = load(name)["cases"]
    missed = misses(cases)
    assert len(missed) <= 0.02 * len(cases), "\n".join(map(str, missed))


@pytest.mark.parametrize("name", [*SECOND, *RECENCY])
def test_cases_that_no_rule_was_written_with_are_read(name: str) -> None:
    cases = load(name)["cases"]
    missed = misses(cases)
    assert len(missed) <= 0.05 * len(cases), "\n".join(map(str, missed))


@pytest.mark.parametrize("name", [*KNOWN, *SECOND, *RECENCY])
def test_no_date_is_read_in_a_lure(name: str) -> None:
    missed = misses(load(name)["lures"])
    assert not missed, "\n".join(map(str, missed))


@pytest.mark.parametrize("part", ["cases", "lures"])
@pytest.mark.parametrize("name", ARRANGED)
def test_what_was_arranged_lies_ahead_and_arranging_behind(name: str, part: str) -> None:
    cases = load(name)[part]
    missed = misses(cases)
    assert len(missed) <= 0.05 * len(cases), "\n".join(map(str, missed))
