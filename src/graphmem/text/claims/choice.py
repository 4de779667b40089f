"""A choice takes the first of some cases that holds: a table of rules, in the order of their rank."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


def first_of(*cases: tuple[bool, T], otherwise: T) -> T:
    """The value of the first case that holds."""
    return next((value for holds, value in cases if holds), otherwise)
