"""An age is written as a number and a unit: `30d`."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Final

FORM: Final = "a whole number and a unit: s, m, h, d or w, such as 30d"
# As many digits as a timedelta can take.
PATTERN: Final = r"^([0-9]{1,9}[smhd]|[0-9]{1,8}w)$"
_UNITS: Final = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def parse_age(text: str) -> timedelta:
    """Read an age.

    Raises:
        ValueError: it is none, or longer than 2.7 million years.
    """
    if not re.fullmatch(PATTERN, text):
        raise ValueError(FORM)
    return timedelta(**{_UNITS[text[-1]]: int(text[:-1])})
