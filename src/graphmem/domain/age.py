"""An age is written as a number and a unit: `30d`."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Final

FORM: Final = "a whole number and a unit: s, m, h, d or w, such as 30d"
PATTERN: Final = r"^[0-9]{1,9}[smhdw]$"
_UNITS: Final = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def parse_age(text: str) -> timedelta:
    """Read an age.

    Raises:
        ValueError: it is none, or longer than any time that there is.
    """
    if not re.fullmatch(PATTERN, text):
        raise ValueError(FORM)
    try:
        return timedelta(**{_UNITS[text[-1]]: int(text[:-1])})
    except OverflowError as error:
        raise ValueError("longer than any time that there is") from error
