"""An atom is one claim that a memory keeps: typed, dated, with the words it stands on."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

from graphmem.domain.claim import AtomType, Modality, Polarity
from graphmem.domain.interval import Interval
from graphmem.domain.scope import Scope, digest_parts
from graphmem.domain.setting import MORE, Setting, plain

Origin = Literal["rules", "llm", "verbatim", "hand"]

ORIGINS: Final[tuple[Origin, ...]] = ("rules", "llm", "verbatim", "hand")
# As stores and exports may name them: earlier builds wrote `model`.
KNOWN_ORIGINS: Final[Mapping[str, Origin]] = {
    **{origin: origin for origin in ORIGINS},
    "model": "llm",
}
_ID_BYTES: Final = 12
_SPACE: Final = re.compile(r"\s+")
_EDGES: Final = re.compile(r"^\W+|\W+$")


@dataclass(frozen=True, slots=True, kw_only=True)
class AtomSource:
    """Words that an atom stands on.

    Attributes:
        turn_no: the turn.
        start: offset of the words in the turn's text.
        end: offset behind them.
    """

    turn_no: int
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AtomDraft:
    """An atom before its memory knows whether it holds the same already.

    Attributes:
        type: what sort of memory it is.
        content: the claim in words, as spoken where rules found it.
        subject: whom it speaks of; empty when that can't be told.
        predicate: verb or relation in its base form.
        value: what is said of the subject.
        polarity: `negated` when the predicate is denied.
        modality: how firmly it is claimed.
        event: when it is true or happened; None when the words do not say.
        attribute: the single-valued attribute that it sets; empty for most.
        origin: who found it.
        source: the words it stands on.
    """

    type: AtomType
    content: str
    subject: str
    predicate: str
    value: str
    polarity: Polarity
    modality: Modality
    event: Interval | None
    attribute: str
    origin: Origin
    source: AtomSource

    @property
    def claim(self) -> tuple[str, str]:
        """What names its atom beside the event, which follows from the words."""
        return fold_claim(self.subject), fold_claim(self.content)


@dataclass(frozen=True, slots=True, kw_only=True)
class Atom:
    """One atom of a memory.

    Attributes:
        atom_id: its public id, stable through updates.
        background: a note beside the claim; who said it and when, unless set by hand.
        revision: 1 for an atom as it was found or made, one more with each update by hand.
        created_us: when its first source was said, else recorded; microseconds since 1970 UTC.
        updated_us: the same, or when it was last changed by hand.
        session: the session in which a hand made it, as it is kept; empty for none.
        sources: the words it stands on, ordered by turn and place; none for one made by hand.
    """

    atom_id: str
    type: AtomType
    content: str
    background: str
    subject: str
    predicate: str
    value: str
    polarity: Polarity
    modality: Modality
    event: Interval | None
    attribute: str
    origin: Origin
    revision: int
    created_us: int
    updated_us: int
    session: str = ""
    sources: tuple[AtomSource, ...] = ()

    @property
    def chain(self) -> tuple[str, str] | None:
        """What atoms of which only the newest value holds have in common; None for all others."""
        if not self.attribute:
            return None
        return fold_claim(self.subject), plain(self.attribute)

    @property
    def says_more(self) -> bool:
        """Whether it says something beside the value of its attribute."""
        return self.attribute.endswith(MORE)

    @property
    def setting(self) -> Setting:
        """What it does to its attribute."""
        return Setting.of(
            attribute=self.attribute,
            predicate=fold_claim(self.predicate),
            polarity=self.polarity,
            value=fold_claim(self.value),
        )

    def with_sources(self, sources: tuple[AtomSource, ...]) -> Atom:
        """The same atom on other words."""
        return replace(self, sources=sources)


def make_atom_id(scope: Scope, draft: AtomDraft) -> str:
    """Name an atom by the claim as it was spoken, so that saying it again names the same atom.

    Subject, words and event make the claim; case, width, spaces and outer punctuation do not.

    Returns:
        `a_` and 24 hexadecimal digits of a BLAKE2b digest (RFC 7693).
    """
    event = draft.event.text() if draft.event else ""
    parts = (scope.tenant_id, scope.memory_id, "atom", *draft.claim, event)
    return "a_" + digest_parts(*parts)[:_ID_BYTES].hex()


def make_hand_atom_id(scope: Scope, request_id: str, position: int) -> str:
    """Name an atom made by hand by the request that made it, so that a replay names the same."""
    parts = (scope.tenant_id, scope.memory_id, "hand", request_id, str(position))
    return "a_" + digest_parts(*parts)[:_ID_BYTES].hex()


def fold_claim(text: str) -> str:
    """A claim without what does not change it: case, width, spaces, outer punctuation."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return _EDGES.sub("", _SPACE.sub(" ", folded))
