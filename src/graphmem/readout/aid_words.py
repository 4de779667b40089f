"""The words around what aids compute, in the language of the question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from graphmem.text import script


@dataclass(frozen=True, slots=True, kw_only=True)
class AidWords:
    """All that aids say themselves.

    Attributes:
        title: above them.
        state: the latest value, and the one before it.
        span: two events in order, and the days between them.
        since: an event, the day of the question, and the days between them.
        order: two events in order.
        count: of whom, by which relation, how many, and which.
        comma: between the things counted.
        negated: around a relation that is denied.
    """

    title: str
    state: str
    span: str
    since: str
    order: str
    count: str
    comma: str
    negated: str


ENGLISH: Final = AidWords(
    title="Computed from the records above:",
    state="Latest: {}; it replaced: {}",
    span="{} came before {}: {} days",
    since="{} came before the question ({}): {} days",
    order="{} came before {}",
    count="{}, {}: the records tell of {} in all: {}",
    comma="; ",
    negated="not: {}",
)
CHINESE: Final = AidWords(
    title="由以上记录推算：",
    state="最新：{}；此前：{}",
    span="{} 早于 {}：相隔 {} 天",
    since="{} 早于提问（{}）：相隔 {} 天",
    order="{} 早于 {}",
    count="{}，{}：记录中共有 {} 项：{}",
    comma="；",
    negated="并非：{}",
)


def words_of(question: str) -> AidWords:
    """The words in the language of a question."""
    return CHINESE if script.has_han(question) else ENGLISH
