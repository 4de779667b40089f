"""Who said a message, and which speakers a query names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from graphmem.text import labels, script, words
from graphmem.text.analyse import terms
from graphmem.text.normalize import fold

_MAX_LABEL: Final = 40
_MAX_WORDS: Final = 4
_MAX_HAN: Final = 6
_MAX_HAN_PARTS: Final = 16  # 加夫列尔·加西亚·马尔克斯

# What no name holds: line breaks, brackets, quotes, the punctuation of prose and of code.
_NO_NAME: Final = r"\n\r:：\[\]【】()（）<>*\"“”{}|/\\=,，;；!?！？。#`"
_COLON: Final = r"(?P<close>\*\*|__|[\]】)）>]|)\s{0,2}(?P<colon>[:：])(?P<late>\*\*|__|)"
_OPENING: Final = r"\s{0,8}(?P<open>\*\*|__|[\[【(（<]|)"
_LABEL: Final = re.compile(
    rf"{_OPENING}(?P<label>[^\s{_NO_NAME}][^{_NO_NAME}]{{0,{_MAX_LABEL - 1}}}?){_COLON}"
)
# A given speaker may be any text, so its label may, too.
_GIVEN_LABEL: Final = re.compile(rf"{_OPENING}(?P<label>[^\n\r:：]{{1,80}}?){_COLON}")
_COLON_WITHIN: Final = 100  # characters that either pattern can reach
_BODY: Final = re.compile(r"\s*(?=\S)")

_HAN_NAME: Final = re.compile(rf"[{script.HAN}]+(?:[·•・‧][{script.HAN}]+)*")
_HAN_CHAR: Final = re.compile(rf"[{script.HAN}]")
_HAN_DOT: Final = re.compile("[·•・‧]")
_NUMBER: Final = re.compile(r"\d{1,4}")
_NAME_WORD: Final = re.compile(r"[^\W\d_](?:[\w'’.\-]*\w)?\.?")
_NEVER_ALONE: Final = words.ENGLISH - labels.NAMES_AND_WORDS
_HAN_DAY: Final = re.compile("(?:周|星期|礼拜)[一二三四五六日末天]|[一二三四五六七八九十\\d]+")

_MAX_FORM_LINES: Final = 4
_FORM_HEAD: Final = 2000  # characters looked at
_SHORT_VALUE: Final = 24

_QUERY_WORD: Final = re.compile(r"[^\W_]+(?:['’\-.][^\W_]+)*")
_POSSESSIVE: Final = re.compile(r"['’]s?\Z")
_SENTENCE_START: Final = re.compile(r"(?:\A|[.!?…。！？\n:：])[\s\"'“‘(]*\Z")
_NAMELESS: Final = labels.GENERIC_SPEAKERS | labels.TITLES | labels.NAME_PARTICLES
_CONTRACTIONS: Final = frozenset(word for word in words.ENGLISH if "'" in word)  # Let's, What's
_LOOK_BACK: Final = 8
_HAN_RUN: Final = re.compile(rf"[{script.HAN}]+")
_FULL_HAN_NAME: Final = 3  # characters: a surname of one and a given name of two
_MIN_NICKNAME: Final = 3
_NO_NICKNAMES: Final = words.ENGLISH | labels.NAMES_AND_WORDS | labels.SHORT_DATES


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribution:
    """Who said a message, and where its own words begin.

    Attributes:
        speaker: as given, else the label that opens the text; None if neither.
        body_start: offset of the first word behind the label, 0 without one.
    """

    speaker: str | None
    body_start: int


_NOBODY: Final = Attribution(speaker=None, body_start=0)


def attribute(content: str, *, speaker: str | None) -> Attribution:
    """Say who said a message from what was given and, failing that, from how the text opens.

    `Caroline: I went ...` and `小明：我昨天...` name a speaker; `Note: ...`, `Here's my plan: ...`,
    times, URLs, code and lists of `key: value` lines do not. Only this message is looked at.
    """
    given = speaker.strip() if speaker else ""
    if given:
        return Attribution(speaker=given, body_start=_given_body(content, given))
    match = _LABEL.match(content) if _has_colon(content) else None
    if not match or bool(match["open"]) != bool(match["close"] or match["late"]):
        return _NOBODY
    label = match["label"].strip()
    body = _body_start(content, match, label)
    if not body or not _is_name(label) or _is_form(content, label):
        return _NOBODY
    return Attribution(speaker=label, body_start=body)


def _has_colon(content: str) -> bool:
    """Whether a label is possible at all; most messages have none, and this is the cheap look."""
    head = content[:_COLON_WITHIN]
    return ":" in head or "：" in head


def _given_body(content: str, given: str) -> int:
    """Where the text goes on behind the given speaker's own label."""
    match = _GIVEN_LABEL.match(content) if _has_colon(content) else None
    if not match or fold(match["label"].strip()) != fold(given):
        return 0
    body = _BODY.match(content, match.end())
    return body.end() if body else 0


def _body_start(content: str, match: re.Match[str], label: str) -> int:
    """Where the text behind a label begins; 0 if the colon is not a label's or nothing follows."""
    end = match.end()
    body = _BODY.match(content, end)
    if not body:
        return 0
    gap = body[0]
    if not gap and match["colon"] == ":":
        # Chinese is typed with a half-width colon and no space, too: 小明:你好
        return end if _HAN_NAME.fullmatch(label) and _HAN_CHAR.match(content, end) else 0
    if "\n" in gap and label.lower() not in labels.ROLES:
        return 0  # alone on its line it is a heading
    return body.end()


def _is_name(label: str) -> bool:
    """Whether a label reads as a name, a form of address or a role."""
    return label.lower() not in labels.ALONE and _reads_as_name(label)


def _reads_as_name(label: str) -> bool:
    if _HAN_NAME.fullmatch(label):
        return _is_han_name(label)
    if label in labels.ROLES:
        return True
    parts = label.split()
    bare = [fold(part).rstrip(".") for part in parts]
    if len(parts) > _MAX_WORDS or any(_is_heading(word) for word in bare):
        return False
    if bare[0] in _NEVER_ALONE or (len(parts) > 1 and bare[0] in labels.OPENERS):
        return False
    if bare[0] in labels.CALENDAR_NAMES and any(_NUMBER.fullmatch(word) for word in bare):
        return False
    return all(_is_name_word(part, first=index == 0) for index, part in enumerate(parts))


def _is_heading(word: str) -> bool:
    return word in labels.HEADINGS or word.endswith(labels.HEADING_ENDINGS)


def _is_name_word(word: str, *, first: bool) -> bool:
    """Whether one word of a label can be part of a name: capitalised, a particle or a number."""
    if not first and (_NUMBER.fullmatch(word) or fold(word) in labels.NAME_PARTICLES):
        return True
    word = unicodedata.normalize("NFC", word)
    letters = "".join(c for c in word if not unicodedata.category(c).startswith("M"))
    return bool(_NAME_WORD.fullmatch(letters)) and not word[0].islower()


def _is_han_name(label: str) -> bool:
    parts = _HAN_DOT.split(label)
    if len(label) > (_MAX_HAN if len(parts) == 1 else _MAX_HAN_PARTS):
        return False
    return not (
        label in labels.CHINESE_HEADINGS
        or label.endswith(labels.CHINESE_HEADING_ENDINGS)
        or not labels.CHINESE_PROSE.isdisjoint(label)
        or _HAN_DAY.fullmatch(label)
    )


def _is_form(content: str, label: str) -> bool:
    """Whether the first lines are all `key: value`: a form, or a dialogue, which nobody said alone."""
    lines = [line for line in content[:_FORM_HEAD].splitlines() if line.strip()]
    matches = [_LABEL.match(line) for line in lines[:_MAX_FORM_LINES]]
    pairs = [(match["label"].strip(), match.string[match.end() :]) for match in matches if match]
    others = [key for key, _ in pairs if key != label]
    if len(pairs) < len(matches) or not others:
        return False
    short = all(len(value.strip()) <= _SHORT_VALUE for _, value in pairs)
    return short or any(_is_name(key) for key in others)


def speaker_terms(name: str) -> tuple[str, ...]:
    """The index terms under which a text may name this speaker.

    Returns:
        The terms of each word of two characters or more; of a Chinese name the whole, and of one
        with three characters the given name. Without repetitions; empty for a blank name.
    """
    return tuple(dict.fromkeys(term for part in _profile(name).parts for term in _part_terms(part)))


def _part_terms(part: str) -> Sequence[str]:
    return (part,) if _HAN_NAME.fullmatch(part) else terms(part)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Profile:
    """How one speaker can be named, folded.

    Attributes:
        parts: words and Chinese (given) names, each enough to name the speaker.
        phrase: words that name the speaker only together (Speaker 2).
    """

    parts: tuple[str, ...]
    phrase: tuple[str, ...]


@lru_cache(4096)
def _profile(name: str) -> _Profile:
    every = tuple(_bare(word) for word in _QUERY_WORD.findall(_part_han(fold(name))))
    parts: dict[str, None] = {}
    for word in every:
        if _can_name(word):
            parts[word] = None
            if len(word) == _FULL_HAN_NAME and _HAN_NAME.fullmatch(word):
                parts[word[1:]] = None
    numbered = not parts and len(every) > 1
    return _Profile(parts=tuple(parts), phrase=every if numbered else ())


def _can_name(word: str) -> bool:
    """Whether a word of a name can name its bearer alone."""
    return len(word) > 1 and not word.isdigit() and word not in _NAMELESS


def _bare(word: str) -> str:
    return _POSSESSIVE.sub("", word)


def _part_han(text: str) -> str:
    """Part Chinese by spaces from what stands beside it."""
    return _HAN_RUN.sub(r" \g<0> ", text)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Query:
    """What a query can name speakers with.

    Attributes:
        text: the whole, folded.
        words: its words, folded, without possessives, in order.
        names: those written as only names are: a capital inside a sentence, or a possessive.
        openers: those with a capital that a sentence's beginning explains.
    """

    text: str
    words: tuple[str, ...]
    names: frozenset[str]
    openers: frozenset[str]


def _read_query(query: str) -> _Query:
    parted = _part_han(query)
    shouted = query.isupper()
    chinese = bool(_HAN_RUN.search(query))  # where no sentence begins with a capital
    found: list[str] = []
    names: set[str] = set()
    openers: set[str] = set()
    for match in _QUERY_WORD.finditer(parted):
        word = _bare(match[0])
        folded = fold(word)
        found += [folded, *(folded.split("-") if "-" in folded else ())]
        if word[:1].isupper() and not shouted and fold(match[0]) not in _CONTRACTIONS:
            inside = chinese or word != match[0] or not _opens(parted, match.start())
            (names if inside else openers).add(folded)
    return _Query(
        text=fold(query),
        words=tuple(found),
        names=frozenset(names),
        openers=frozenset(openers - labels.OPENING_VERBS),
    )


def _opens(text: str, index: int) -> bool:
    """Whether the word at `index` begins a sentence, where a capital tells nothing."""
    return bool(_SENTENCE_START.search(text[max(0, index - _LOOK_BACK) : index]))


def named(query: str, speakers: Sequence[str]) -> list[int]:
    """Which of the speakers a query names.

    A word of the name is enough, whatever its case, or a possessive of it; a name that is a common
    word too (Will, Rose) needs its capital; the beginning of a name (Mel), three letters or more
    and written as a name, counts if one speaker only has it. Roles and pronouns name nobody.

    Returns:
        Indices into `speakers`, ascending.
    """
    asked = _read_query(query)
    profiles = [_profile(name) for name in speakers]
    found = {index for index, profile in enumerate(profiles) if _names(asked, profile)}
    for word in asked.names:
        if len(word) >= _MIN_NICKNAME and word not in _NO_NICKNAMES:
            owners = [index for index, profile in enumerate(profiles) if _begins(word, profile)]
            if len(owners) == 1:
                found.add(owners[0])
    return sorted(found)


def _begins(word: str, profile: _Profile) -> bool:
    return any(part.startswith(word) for part in profile.parts)


def _names(asked: _Query, profile: _Profile) -> bool:
    if profile.phrase:
        return f" {' '.join(profile.phrase)} " in f" {' '.join(asked.words)} "
    return any(_names_part(asked, part) for part in profile.parts)


def _names_part(asked: _Query, part: str) -> bool:
    if part in labels.NAMES_AND_WORDS or part in words.ENGLISH:
        return part in asked.names or part in asked.openers
    if not part.isascii() and part.upper() == part.lower():
        return part in asked.text  # Chinese, Japanese, Korean: particles follow without a space
    return part in asked.words
