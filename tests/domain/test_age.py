from __future__ import annotations

from datetime import timedelta

import pytest

from graphmem.domain.age import parse_age


@pytest.mark.parametrize(
    ("text", "age"),
    [
        ("30d", timedelta(days=30)),
        ("0s", timedelta()),
        ("90m", timedelta(minutes=90)),
        ("36h", timedelta(hours=36)),
        ("2w", timedelta(weeks=2)),
    ],
)
def test_an_age_is_a_number_and_a_unit(text: str, age: timedelta) -> None:
    assert parse_age(text) == age


@pytest.mark.parametrize("text", ["", "30", "d", "-1d", "1.5d", "30 d", "30D", "30d\n", "٣d", "1y"])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="such as 30d"):
        parse_age(text)


def test_the_longest_ages_are_taken_and_longer_ones_refused() -> None:
    assert parse_age("999999999d") == timedelta(days=999_999_999)
    assert parse_age("99999999w") == timedelta(weeks=99_999_999)
    with pytest.raises(ValueError, match="such as 30d"):
        parse_age("999999999w")
