"""Types of clauses in the past and the perfect."""

from __future__ import annotations

from typing import Final

from graphmem.domain.claim import AtomType
from graphmem.text.claims.en import lexicon
from graphmem.text.claims.en.frame import Frame
from graphmem.text.words import word_set

_ORIGINS: Final = word_set("bear grow raise name")
_FEATS: Final = word_set(
    "invent discover found establish compose paint conquer colonise sign orbit land rule reign"
)
_LASTING: Final = lexicon.STATES | word_set("be have live know love go wear")
_PASSING: Final = word_set("work think talk feel look wait try wonder see run read watch write")
_LATELY: Final = lexicon.WEEKDAYS | word_set("morning yesterday today tonight night week")
_SPAN: Final = word_set("for since always")
_LAST_OLD_YEAR: Final = 1950


def of_past(frame: Frame) -> AtomType:
    """The past is what happened, but for where somebody comes from and what was always so."""
    group = frame.group
    if group.verb in {"grow", "bring"} and frame.tail[:1] == ("up",):
        return "persona"
    if group.verb == "be" and frame.tail[:1] in {("born",), ("named",)}:
        return "persona"
    if group.is_passive and group.verb in _ORIGINS:
        return "persona"
    if "always" in group.adverbs and group.verb in lexicon.ATTITUDE | {"want", "dream", "be"}:
        return "persona"
    return "episodic"


def of_perfect(frame: Frame) -> AtomType:
    """The perfect tells a lasting state where it says for how long, else what has happened."""
    group = frame.group
    is_lately = not _LATELY.isdisjoint(frame.around)
    if frame.is_occasion and ("since" not in frame.around or is_lately):
        return "episodic"
    if "never" in group.adverbs and group.verb not in {"be", "feel", "see", "hear"}:
        return "persona"
    if "never" in group.adverbs and group.verb == "be" and frame.tail[:1] == ("to",):
        return "persona"
    has_span = not _SPAN.isdisjoint(frame.around)
    if has_span and group.is_progressive:
        return "persona" if group.verb not in _PASSING or _is_long(frame) else "episodic"
    if has_span and group.verb in _LASTING:
        return "episodic" if group.verb == "be" and _is_passing_state(frame) else "persona"
    return "persona" if group.verb in {"own", "know"} else "episodic"


def _is_long(frame: Frame) -> bool:
    return not {"years", "year", "decades", "months", "childhood", "since"}.isdisjoint(frame.around)


def _is_passing_state(frame: Frame) -> bool:
    return frame.tail[:1] != () and frame.tail[0] in lexicon.TRANSIENT and not _is_long(frame)


def is_encyclopaedic(frame: Frame) -> bool:
    """Whether a name or a noun phrase is spoken of as books do: far years, inventions, foundings."""
    words = (*frame.around, *(token.low for token in frame.subject))
    if not {"my", "our", "me", "us", "i", "we", "your"}.isdisjoint(words):
        return False
    if any(_is_far_year(word) for word in words) or not {"century", "bc", "ad"}.isdisjoint(words):
        return True
    return frame.group.verb in _FEATS and frame.group.tense == "past" and not frame.is_occasion


def _is_far_year(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) in {3, 4} and int(word) < _LAST_OLD_YEAR
