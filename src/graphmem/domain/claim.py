"""A claim is what one sentence says of somebody: the raw matter of an atom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

from graphmem.domain.interval import Interval

AtomType = Literal["persona", "instruction", "episodic"]
Polarity = Literal["affirmed", "negated"]
Modality = Literal["asserted", "possible", "wanted", "required", "conditional", "planned"]

ATOM_TYPES: Final[tuple[AtomType, ...]] = get_args(AtomType)
POLARITIES: Final[tuple[Polarity, ...]] = get_args(Polarity)
MODALITIES: Final[tuple[Modality, ...]] = get_args(Modality)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One claim, in the words of the text.

    Attributes:
        start: offset of its sentence.
        end: offset behind it.
        type: what sort of memory it makes.
        subject: whom or what it speaks of: the speaker's name for the first person, a name or a noun
            phrase as written; empty when that can't be told (a pronoun whose owner is unsure).
        predicate: the verb or the relation, in its base form ("live in", "love", "喜欢").
        value: what it says: object or complement, as written; empty without one.
        polarity: `negated` when the predicate is denied.
        modality: how firmly it is claimed.
        event: when it is true or happened, as the text says; None when it does not say.
        attribute: the single-valued attribute that it sets, such as `residence`, `employer`,
            `attitude:sushi`; a newer value of the same attribute of the same subject replaces the
            older. With `/end` behind it where a value is ended without another (a job that was left),
            with `/more` where the sentence says something beside the value.
            Empty for everything that may be true beside others.
    """

    start: int
    end: int
    type: AtomType
    subject: str
    predicate: str
    value: str
    polarity: Polarity = "affirmed"
    modality: Modality = "asserted"
    event: Interval | None = None
    attribute: str = ""
