"""A setting is what an atom does to the attribute that it names: it sets a value, or ends one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

_Key = TypeVar("_Key")

END: Final = "/end"
"""What an attribute ends in where a value is ended without another one: a job that was left."""

MORE: Final = "/more"
"""What an attribute ends in where the atom says more than its value: it is never hidden."""

_WORD: Final = re.compile(r"\w+|[^\w\s]")
_ARTICLES: Final = frozenset({"a", "an", "the", "my", "our"})
# What may follow a value without making it another one: "Paris", "Paris with my sister", "34 years old".
_ADDS: Final = frozenset(
    re.findall(
        r"\S+",
        "in at on for from with without near by as since because after before until where which who "
        "years year yrs now again , ( - \u2013 \u2014 ;",
    )
)


def plain(attribute: str) -> str:
    """The name of an attribute, without what tells how an atom sets it."""
    return attribute.removesuffix(MORE).removesuffix(END)


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What an atom does to its attribute.

    Attributes:
        stance: what two atoms must share besides the value to say the same.
        words: the value, folded, without an article.
        is_end: whether the value is ended; an empty one stands for whatever it was.
    """

    stance: str
    words: tuple[str, ...]
    is_end: bool

    @classmethod
    def of(cls, *, attribute: str, predicate: str, polarity: str, value: str) -> Setting:
        """What a claim does to its attribute; all words are folded."""
        words = _WORD.findall(value)
        while len(words) > 1 and words[0] in _ARTICLES:
            words.pop(0)
        # "Use emojis" and "avoid emojis" differ, unlike "live in Rome" and "move to Rome".
        stance = f"{polarity} {predicate}" if ":" in attribute else polarity
        if attribute.startswith(
            ("attitude:", "allergy:")
        ):  # it names the value, alike for all wordings
            words = [plain(attribute)]
        return cls(stance=stance, words=tuple(words), is_end=attribute.endswith(END))

    def agrees_with(self, other: Setting) -> bool:
        """Whether both say the same value, one of them perhaps with something added."""
        is_alike = (self.stance, self.is_end) == (other.stance, other.is_end)
        return is_alike and self._names(other)

    def ends(self, other: Setting) -> bool:
        """Whether this ends the value that the other one has set."""
        return self.is_end and not other.is_end and (not self.words or self._names(other))

    def replaces(self, other: Setting) -> bool:
        """Whether the value of the other one holds no more when this comes after it."""
        return self.ends(other) if self.is_end else not self.agrees_with(other)

    def _names(self, other: Setting) -> bool:
        short, long = sorted((self.words, other.words), key=len)
        if not short or long[: len(short)] != short:
            return False
        return len(long) == len(short) or long[len(short)] in _ADDS


def holding(said: Sequence[tuple[_Key, Setting]]) -> frozenset[_Key]:
    """The keys of those settings of one attribute that hold, given in the order in which they are true.

    The newest value holds with every saying of it since another value; said again, it retires
    nothing. What ends a value retires that value alone, and is itself what happened, which no value
    retires.
    """
    kept: set[_Key] = set()
    run: set[Setting] = set()
    ended: set[Setting] = set()
    is_past = False
    for key, setting in reversed(said):
        if setting.is_end:
            kept.add(key)
            ended.add(setting)
            continue
        # Those of a run are beginnings of each other, so that few are compared.
        is_past = is_past or not all(setting.agrees_with(one) for one in run)
        if not is_past:
            run.add(setting)
            if not any(end.ends(setting) for end in ended):
                kept.add(key)
    return frozenset(kept)
