"""The verb group of a clause: its tense and aspect, whether it is denied, and its main verb."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from graphmem.text.claims.en import lexicon
from graphmem.text.claims.en.token import Token
from graphmem.text.claims.en.verbs import Form, forms, is_base, is_gerund, is_participle, lemma
from graphmem.text.words import word_set

Tense = Literal["present", "past", "perfect", "future"]

_NOT: Final = word_set("not never no-longer")
_PAST_AUXILIARIES: Final = word_set("was were had did")
_CHAINS: Final = word_set("have need ought supposed used")
_ADJECTIVAL: Final = lexicon.LASTING_PARTICIPLES | lexicon.TRANSIENT


@dataclass(frozen=True, slots=True, kw_only=True)
class VerbGroup:
    """The verbs of a clause.

    Attributes:
        verb: the main verb's base form.
        tense: of the finite verb; `future` for will and going to.
        modal: the modal auxiliary, also `have to`, `need to`, `used to`, `would like to`.
        is_progressive: whether it is going on.
        is_passive: whether the subject suffers it.
        is_negated: whether it is denied.
        adverbs: the adverbs within it.
        end: behind its last word.
        participle: how the participle of a passive is written.
    """

    verb: str
    tense: Tense
    modal: str = ""
    is_progressive: bool = False
    is_passive: bool = False
    is_negated: bool = False
    adverbs: frozenset[str] = frozenset()
    end: int
    participle: str = ""


@dataclass(slots=True)
class _Reading:
    """What has been read so far."""

    words: Sequence[Token]
    at: int
    modal: str = ""
    is_past: bool = False
    has_have: bool = False
    has_be: bool = False
    has_do: bool = False
    is_negated: bool = False
    adverbs: set[str] = field(default_factory=set)

    def low(self, ahead: int = 0) -> str:
        place = self.at + ahead
        return self.words[place].low if place < len(self.words) else ""


def read(words: Sequence[Token], at: int) -> VerbGroup | None:
    """The verb group that begins at a place; None if there is no verb."""
    state = _Reading(words, at)
    while _auxiliary(state):
        state.at += 1
    low = state.low()
    if state.has_be:
        return _after_be(state)
    if state.has_have and low == "got":
        state.at += 1
        return _chained(state, "have", "present")
    if state.has_have and is_participle(low):
        state.at += 1
        return _group(state, lemma(low, "participle"), "perfect")
    if state.has_have:
        return _chained(state, "have", "past" if state.is_past else "present")
    return _finite(state)


def _auxiliary(state: _Reading) -> bool:
    """Take in one word if it is an auxiliary, a negation or an adverb within the group."""
    low = state.low()
    if low == "no" and state.low(1) == "longer":
        state.at += 1
        low = "no-longer"
    if low in _NOT:
        state.is_negated = True
        state.adverbs.add(low)
        return True
    if low in lexicon.ADVERBS or (
        low.endswith("ly") and not forms(low) and len(low) > 4 and state.low(1)
    ):
        return _adverb(state, low)
    if low in lexicon.MODALS and not state.has_be:
        state.modal = low
        return True
    return _primary(state, low)


def _adverb(state: _Reading, low: str) -> bool:
    """An adverb belongs to the group unless it is what a copula says."""
    if state.has_be and low in _ADJECTIVAL | {"here", "better", "well"} and not _verb_ahead(state):
        return False
    if low == "no" or (low in {"like", "all"} and not state.low(1)):
        return False
    state.adverbs.add(low)
    return True


def _verb_ahead(state: _Reading) -> bool:
    return is_gerund(state.low(1)) or is_participle(state.low(1))


def _primary(state: _Reading, low: str) -> bool:
    """Take in be, have and do; have and do only where another verb follows."""
    if low in lexicon.BE or (low == "'s" and not state.has_be):
        if low == "'s" and state.low(1) in {"got", "been"}:
            state.has_have = True
            return True
        state.has_be = True
        state.is_past |= low in _PAST_AUXILIARIES
        state.has_have &= low == "been"
        return True
    if state.has_be:
        return False
    if low in lexicon.HAVE and not state.has_have:
        state.has_have = True
        state.is_past |= low == "had"
        return True
    if low in lexicon.DO and not state.has_do and (state.low(1) == "not" or is_base(state.low(1))):
        state.has_do = True
        state.is_past |= low == "did"
        return True
    return False


def _tense(state: _Reading) -> Tense:
    if state.has_have and state.has_be:
        return "perfect"
    if state.modal in {"will", "shall"}:
        return "future"
    return "past" if state.is_past else "present"


def _after_be(state: _Reading) -> VerbGroup:
    low = state.low()
    tense = _tense(state)
    if low == "going" and state.low(1) == "to" and is_base(state.low(2)):
        state.at += 3
        return _group(state, lemma(state.low(-1), "base"), "future")
    if low == "supposed" and state.low(1) == "to" and _is_infinitive(state.low(2)):
        state.at += 3
        state.modal = "supposed to"
        return _group(state, lemma(state.low(-1), "base"), tense)
    if is_gerund(low) and low not in {"amazing", "boring", "exciting", "interesting", "surprising"}:
        state.at += 1
        return _chained(state, lemma(low, "gerund"), tense, is_progressive=True)
    if is_participle(low) and low not in _ADJECTIVAL:
        state.at += 1
        return _group(state, lemma(low, "participle"), tense, is_passive=True)
    return _group(state, "be", tense)


def _finite(state: _Reading) -> VerbGroup | None:
    """The group of a verb without be and have in front."""
    low = state.low()
    if not low or not low[0].isalpha() or low in lexicon.PREPOSITIONS - {"like"}:
        return None
    state.at += 1
    if state.modal or state.has_do:
        return _chained(state, lemma(low, "base"), _tense(state))
    form = forms(low)
    which: Form = "past" if "past" in form and not _is_present_of_two(low) else "base"
    if "third" in form:
        which = "third"
    if low == "used" and state.low() == "to":
        which = "past"
    return _chained(state, lemma(low, which), "past" if which == "past" else "present")


def _is_present_of_two(low: str) -> bool:
    """Whether a form that is past and base alike is more often the present (read, let)."""
    return (
        low in {"read", "let", "cost", "bet", "fit", "hurt", "find", "lay", "saw"} and low != "saw"
    )


def _chained(
    state: _Reading, verb: str, tense: Tense, *, is_progressive: bool = False
) -> VerbGroup:
    """A group that goes on in an infinitive which has to, need to, used to or would like to opens."""
    chain = verb in _CHAINS or (verb == "use" and tense == "past")
    wish = state.modal == "would" and verb in {"like", "love", "prefer", "hate"}
    if (chain or wish) and state.low() == "to" and _is_infinitive(state.low(1)):
        state.modal = f"would {verb}" if wish else f"{verb} to"
        state.at += 2
        base = lemma(state.low(-1), "base")
        return _group(state, base, tense, is_progressive=is_progressive)
    return _group(state, verb, tense, is_progressive=is_progressive)


def _is_infinitive(low: str) -> bool:
    closed = lexicon.POSSESSIVE | lexicon.DETERMINERS | lexicon.PREPOSITIONS
    return bool(low) and low.isalpha() and low not in closed and not is_gerund(low)


def _group(
    state: _Reading,
    verb: str,
    tense: Tense,
    *,
    is_progressive: bool = False,
    is_passive: bool = False,
) -> VerbGroup:
    return VerbGroup(
        verb=verb,
        tense=tense,
        modal=state.modal,
        is_progressive=is_progressive,
        is_passive=is_passive,
        is_negated=state.is_negated,
        adverbs=frozenset(state.adverbs),
        end=state.at,
        participle=state.low(-1) if is_passive else "",
    )
