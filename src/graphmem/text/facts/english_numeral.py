"""How English writes numbers, as parts of patterns."""

from __future__ import annotations

from typing import Final

_ONES: Final = "one two three four five six seven eight nine"
_TEENS: Final = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_TENS: Final = "twenty thirty forty fourty fifty sixty seventy eighty ninety"

CARDINALS: Final = f"{_ONES} {_TEENS} {_TENS} zero"
"""The words that a spelt number begins with."""


def either(words: str) -> str:
    """An alternation of the words of a list, the longest first."""
    return "|".join(sorted(words.split(), key=lambda word: (-len(word), word)))


SCALES: Final = "hundred|thousand|million|billion|trillion"
SMALL: Final = (
    rf"(?:(?:{either(_TENS)})(?:[ -](?:{either(_ONES)})\b)?|{either(_TEENS)}|{either(_ONES)}|zero)"
)
"""A spelt number below a hundred."""
SPELT: Final = (
    rf"(?:(?:{SMALL}|an?|half an?|a couple(?: of)?|several|a few|few) (?:{SCALES})\b"
    rf"(?:(?: and|,)? {SMALL}(?: (?:{SCALES}))?\b| (?:{SCALES})\b){{0,4}}+|{SMALL})"
)
"""A spelt number."""
PLURAL: Final = rf"(?:(?:{SCALES}|dozen|score)s(?: of (?:{SCALES})s)?(?: of)?)"
"""A large number that is not told: thousands of."""
DOZEN: Final = (
    rf"(?:(?:{SMALL}|an?|half an?|a couple(?: of)?|\d+) (?:dozen|score)|a (?:couple|pair|trio) of)"
)
"""A number in dozens and pairs."""
DIGITS: Final = r"\d++(?:[,.]\d++)*+"
"""A number in digits, without sign and unit."""
SPELT_OPENERS: Final = f"{CARDINALS} a an half several few hundreds thousands millions billions trillions dozens scores"
"""What the spelt patterns begin with."""
