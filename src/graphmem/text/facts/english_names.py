"""English names: runs of words with capitals, and what tells a name where every word has one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from graphmem.text import labels, script
from graphmem.text.facts import english_words
from graphmem.text.facts.given_names import GIVEN_NAMES
from graphmem.text.facts.mask import Mask, Span
from graphmem.text.normalize import fold
from graphmem.text.words import word_set

_LATIN: Final = r"A-Za-zÀ-ÖØ-öø-ɏḀ-ỿ"
_WORD: Final = re.compile(
    rf"[{_LATIN}][{_LATIN}0-9]*+(?:(?:['’.&-]|[’']\s?(?=s\b))[{_LATIN}0-9]++)*+\.?"
)
_CAPITAL: Final = re.compile(r"[^\W\d_]")
_SENTENCE_GAP: Final = re.compile(r"[!?…\n:：。！？；;\"“「『•*#>|]|\.(?:\s|\Z)|\.\.|-\s|\(")
_HAN: Final = re.compile(rf"[{script.HAN}]")
_JOINTS: Final = frozenset({" ", " & "})
_PARTICLES: Final = word_set(
    "of de del della di da do dos du la le el al van von der den ter bin ibn for the and at"
)
_PARTICLES_ALONE: Final = _PARTICLES - {"and", "at", "for", "the", "do", "la", "le"}
_TITLES: Final = labels.TITLES | word_set("st mt ft mount lake saint prince princess queen king")
_POSSESSIVE: Final = re.compile(r"['’]s?\Z")
_INNER_CAPITAL: Final = re.compile(r"[a-z]{1,5}[A-Z][A-Za-z0-9]*")
_ACRONYM: Final = re.compile(r"[A-Z][A-Z0-9&.-]*[A-Z0-9]")
_ROMAN: Final = re.compile(r"\s(?:I{1,3}|I?V|VI{1,3})(?![\w%.,:/-]\w)")
_NAME_SHAPE: Final = re.compile(r"[A-ZÀ-Þ][^\W\d_]{2,}(?:[aiouáéíóúqj]|ko|sz|cz|dh|kh|sh?k)")
_PARTICIPLES: Final = (
    "ing",
    "ly",
    "ed",
    "tion",
    "ness",
    "ment",
    "ity",
    "ism",
    "ous",
    "able",
    "less",
    "ful",
)
_CONTRACTED: Final = re.compile(r"['’](?:m|ve|ll|re|d|t)\Z", re.IGNORECASE)
_PRONOUN: Final = re.compile(r"I(?:['’]\w+)?")
_LONGEST_UNIT: Final = 3  # kWh


class _Word(NamedTuple):
    """A word with a capital.

    Attributes:
        start: offset of its first letter.
        end: offset behind its last one.
        text: as written.
        key: folded, without possessive.
        opens: whether it begins a sentence, where its capital tells nothing.
    """

    start: int
    end: int
    text: str
    key: str
    opens: bool


def find(text: str, mask: Mask, known: Sequence[str] = ()) -> Iterator[Span]:
    """The names in a text in Latin letters.

    Args:
        text: the message.
        mask: places that hold no names: addresses, code, numbers with their nouns, dates.
        known: names of the speakers, found in any case.
    """
    yield from _known(text, known)
    if not _has_capital(text):
        yield from _lowercase(text)
        return
    lower = {match[0] for match in _WORD.finditer(text) if match[0].islower()}
    run: list[_Word] = []
    for word in _capitalised(text, mask):
        if run and not _joins(text, run[-1], word):
            yield from _named(text, run, lower)
            run = []
        run.append(word)
    yield from _named(text, run, lower)


def _has_capital(text: str) -> bool:
    return not text.islower()


def _known(text: str, known: Sequence[str]) -> Iterator[Span]:
    """Where speakers are named, in any case unless their name is a common word."""
    for name in known:
        for part in name.split():
            if len(part) > 1 and fold(part) not in labels.GENERIC_SPEAKERS:
                common = (
                    fold(part) in labels.NAMES_AND_WORDS or fold(part) in english_words.FUNCTION
                )
                pattern = re.compile(
                    rf"(?<![A-Za-z0-9_]){re.escape(part)}(?![A-Za-z0-9_])",
                    0 if common else re.IGNORECASE,
                )
                yield from (match.span() for match in pattern.finditer(text))


def _lowercase(text: str) -> Iterator[Span]:
    """Given names in a text that has no capitals."""
    for match in _WORD.finditer(text):
        if _POSSESSIVE.sub("", match[0].rstrip(".")) in GIVEN_NAMES:
            yield match.span()


def _capitalised(text: str, mask: Mask) -> Iterator[_Word]:
    """The words that begin with a capital or hold one, with whether they begin a sentence."""
    before, token = 0, ""
    for match in _WORD.finditer(text):
        start, end = match.span()
        word = match[0]
        if not word.islower() and not mask.covers(start, end):
            opens = _opens(text, before, start, token)
            yield from _as_word(text, start, end, opens=opens)
        before, token = end, word


def _as_word(text: str, start: int, end: int, *, opens: bool) -> Iterator[_Word]:
    word = text[start:end]
    if word.endswith(".") and not _keeps_stop(word):
        word, end = word[:-1], end - 1
    if _PRONOUN.fullmatch(word):
        return
    if word[0].isupper() or _has_inner_capital(word):
        yield _Word(start, end, word, fold(_POSSESSIVE.sub("", word)).rstrip("."), opens)


def _has_inner_capital(word: str) -> bool:
    """Whether a word is spelt like iPad, and is no unit of measure."""
    return len(word) > _LONGEST_UNIT and bool(_INNER_CAPITAL.fullmatch(word))


def _keeps_stop(word: str) -> bool:
    """Whether the full stop belongs to the word: a title, an initial, an acronym."""
    bare = word[:-1]
    return len(bare) == 1 or "." in bare or bare.lower() in _TITLES


def _opens(text: str, before: int, start: int, token: str) -> bool:
    if before == 0:
        return not _HAN.search(text, 0, start)
    gap = text[before:start]
    if token.endswith(".") and not _keeps_stop(token) and gap != "":
        return True
    return gap != " " and bool(_SENTENCE_GAP.search(gap))


def _joins(text: str, left: _Word, right: _Word) -> bool:
    """Whether two words with capitals belong to one name."""
    if right.opens or left.end > right.start:
        return False
    gap = text[left.end : right.start]
    if gap in _JOINTS:
        return True
    return len(gap) < 14 and gap[:1] == " " and gap[-1:] == " " and _is_particles(gap.split())


def _is_particles(between: list[str]) -> bool:
    return (
        bool(between)
        and len(between) < 3
        and between[0] in _PARTICLES_ALONE
        and _PARTICLES.issuperset(between)
    )


def _named(text: str, run: list[_Word], lower: set[str]) -> Iterator[Span]:
    """The name that a run of words with capitals is, without what is no part of it."""
    first = 0
    while first < len(run) and _is_no_name(text, run[first], len(run) - first, lower):
        first += 1
    parts: list[_Word] = []
    for word in run[first:]:
        if _is_common(text, word) and not _binds(word, parts):
            yield from _span(text, parts)
            parts = []
        else:
            parts.append(word)
    yield from _span(text, parts)


def _is_common(text: str, word: _Word) -> bool:
    """Whether a word of a run names nobody by itself."""
    if word.key in english_words.FUNCTION:
        return True
    return word.key in english_words.NEVER_NAMES and not _is_month_name(text, word)


def _binds(word: _Word, parts: list[_Word]) -> bool:
    """Whether a common word stands inside a name, as English does in The English Patient."""
    return bool(parts) and word.key not in english_words.FUNCTION and not word.opens


def _span(text: str, parts: list[_Word]) -> Iterator[Span]:
    while len(parts) > 1 and parts[-1].key in english_words.NEVER_NAMES:
        parts.pop()
    if not parts or (len(parts) == 1 and _is_bare(parts[0])):
        return
    end = parts[-1].end
    numbered = _ROMAN.match(text, end)
    stripped = _POSSESSIVE.sub("", text[parts[0].start : end])
    yield parts[0].start, numbered.end() if numbered else parts[0].start + len(stripped)


def _is_bare(word: _Word) -> bool:
    """Whether a single word is a title, an initial or a mere letter."""
    return len(word.key) < 2 or word.key in _TITLES or bool(_CONTRACTED.search(word.text))


def _is_no_name(text: str, word: _Word, length: int, lower: set[str]) -> bool:
    """Whether the first word of a run is there for another reason than a name."""
    if word.key in english_words.NEVER_NAMES:
        return not _is_month_name(text, word)
    if not word.opens:
        return word.key in english_words.FUNCTION and word.key not in labels.NAMES_AND_WORDS
    if _has_inner_capital(word.text) or word.key in _TITLES:
        return False
    if word.key in english_words.OPENING or word.text.lower() in english_words.OPENING:
        return True
    if length > 1:
        return word.key.endswith(("ing", "ly"))
    return not _is_certain(text, word, lower)


def _is_month_name(text: str, word: _Word) -> bool:
    """Whether a month does what people do: May brought her guitar."""
    if word.key not in labels.CALENDAR_NAMES:
        return False
    follower = _follower(text, word.end)
    return follower in english_words.PERSONAL_VERBS - english_words.AUXILIARY_VERBS


def _is_certain(text: str, word: _Word, lower: set[str]) -> bool:
    """Whether a word that opens a sentence is a name for sure."""
    if word.key in lower:
        return False
    if word.key in GIVEN_NAMES or (_ACRONYM.fullmatch(word.text) and not text.isupper()):
        return True
    follower = _follower(text, word.end)
    personal = follower in english_words.PERSONAL_VERBS
    if word.key in labels.NAMES_AND_WORDS:
        return personal and follower not in english_words.AUXILIARY_VERBS
    if _POSSESSIVE.search(word.text) or _has_companion(text, word.end):
        return True
    if _NAME_SHAPE.fullmatch(word.text):
        return True
    proper = personal and follower not in english_words.AUXILIARY_VERBS
    return proper and not word.key.endswith((*_PARTICIPLES, "ers", "s"))


_FOLLOWER: Final = re.compile(r"\s([a-z]+)")
_COMPANION: Final = re.compile(
    r"\s(?:and|&)\s(?:I\b|[A-Z][a-z]+)|,\s[A-Z][a-z]+,?\s(?:and|&)\s[A-Z]"
)


def _follower(text: str, end: int) -> str:
    found = _FOLLOWER.match(text, end)
    return found[1] if found else ""


def _has_companion(text: str, end: int) -> bool:
    """Whether another name is joined to the word: Ulla and Bo."""
    return bool(_COMPANION.match(text, end))
