from __future__ import annotations

import pytest

from graphmem.domain.moment import Moment
from graphmem.text.timex.reader import read

ANCHOR = Moment.parse_iso("2024-05-10T10:00:00+00:00")  # a Friday


def value(text: str) -> str | None:
    """The value of the only expression of a text."""
    [found] = read(text, ANCHOR)
    return found.interval.text() if found.interval else None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I've booked a flight for December 1", "2024-12-01"),
        ("For December 1 I've booked a flight", "2024-12-01"),
        ("The trip was postponed to December 3", "2024-12-03"),
        ("I've been hired starting December 1", "2024-12-01"),
        ("I was promoted, effective December 1", "2024-12-01"),
        ("The lease was extended until December", "..2024-12"),
        ("We've hired a band for our wedding on December 14", "2024-12-14"),
        ("I've agreed to babysit on December 14", "2024-12-14"),
        ("I've reserved a table for Monday", "2024-05-13"),
        ("The lease was extended until Monday", "..2024-05-13"),
    ],
)
def test_the_date_of_an_occasion_is_the_next(text: str, expected: str) -> None:
    assert value(text) == expected


@pytest.mark.parametrize(
    ("near", "far"),
    [
        (
            "I registered for the marathon on October 3",
            "I registered for the marathon on January 3",
        ),
        ("I was promised a raise in July", "I was promised a raise in January"),
        ("The exam was scheduled for October 3", "The exam was scheduled for January 3"),
        ("She agreed to come on October 3", "She agreed to come on January 3"),
    ],
)
def test_a_date_of_either_is_the_next_only_where_that_is_nearest(near: str, far: str) -> None:
    told = value(near)
    assert told is not None
    assert told.startswith("2024-")
    assert value(far) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I booked it on December 3", "2023-12-03"),
        ("She invited us on Monday", "2024-05-06"),
        ("We signed the lease in December", "2023-12"),
        ("I registered my car in December", "2023-12"),
        ("I went to Rome for December 24", "2023-12-24"),
        ("The shop was closed until December", "..2023-12"),
        ("On December 5 I signed up for a class", "2023-12-05"),
        ("We booked a hotel on Monday", "2024-05-06"),
    ],
)
def test_the_date_of_arranging_is_past(text: str, expected: str) -> None:
    assert value(text) == expected


@pytest.mark.parametrize(
    "text", ["We booked a hotel in August", "I signed up for a class on Monday"]
)
def test_what_nothing_tells_is_text(text: str) -> None:
    assert value(text) is None


def test_what_has_just_been_is_not_a_year_away() -> None:
    assert value("I booked a table for May 3") == "2024-05-03"
