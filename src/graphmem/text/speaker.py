"""Who said a message, and which speakers a query names."""

from __future__ import annotations

import re
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

_OPENING: Final = r"\s{0,8}(?P<open>\*\*|__|[\[【(（<]|)"
_CLOSING: Final = r"(?:\*\*|__|[\]】)）>]|)"
_COLON: Final = rf"{_CLOSING}\s{{0,2}}(?P<colon>[:：]){_CLOSING}"
_LABEL: Final = re.compile(
    rf"{_OPENING}(?P<label>[^\s:：\[\]【】()（）<>*\"“”{{}}|/\\=,，;；!?！？。#`]"
    rf"[^\n\r:：\[\]【】()（）<>*\"“”{{}}|/\\=,，;；!?！？。#`]{{0,{_MAX_LABEL - 1}}}?){_COLON}"
)
_GIVEN_LABEL: Final = re.compile(rf"{_OPENING}(?P<label>[^\n\r:：]{{1,80}}?){_COLON}")
_BODY: Final = re.compile(r"\s*(?=\S)")

_HAN_NAME: Final = re.compile(rf"[{script.HAN}]+(?:[·•・‧][{script.HAN}]+)*")
_HAN_CHAR: Final = re.compile(rf"[{script.HAN}]")
_HAN_DOT: Final = re.compile("[·•・‧]")
_NUMBER: Final = re.compile(r"\d{1,4}")
_NAME_WORD: Final = re.compile(r"[^\W\d_](?:[\w'’.\-]*\w)?\.?")
_HAN_DAY: Final = re.compile("(?:周|星期|礼拜)[一二三四五六日末天]|[一二三四五六七八九十\\d]+")

_QUERY_WORD: Final = re.compile(r"[^\W_]+(?:['’\-.][^\W_]+)*")
_POSSESSIVE: Final = re.compile(r"['’]s?\Z")
_SENTENCE_START: Final = re.compile(r"(?:\A|[.!?…。！？\n:：])[\s\"'“‘(]*\Z")
_MIN_NICKNAME: Final = 3


@dataclass(frozen=True, slots=True)
class Attribution:
    """Who said a message, and where its own words begin.

    Attributes:
        speaker: as given, else the label that opens the text; None if neither.
        body_start: offset of the first word behind the label, 0 without one.
    """

    speaker: str | None
    body_start: int


def attribute(content: str, *, speaker: str | None) -> Attribution:
    """Say who said a message from what was given and, failing that, from how the text opens.

    `Caroline: I went ...` and `小明：我昨天...` name a speaker; `Note: ...`, `Here's my plan: ...`,
    times, URLs, code and lists of `key: value` lines do not. Only this message is looked at.
    """
    given = speaker.strip() if speaker else ""
    if given:
        return Attribution(given, _given_body(content, given))
    match = _LABEL.match(content)
    if not match:
        return Attribution(None, 0)
    label = match["label"].strip()
    body = _body_start(content, match, label)
    if not body or not _is_name(label) or _is_form(content, label):
        return Attribution(None, 0)
    return Attribution(label, body)


def _given_body(content: str, given: str) -> int:
    """Where the text goes on behind the given speaker's own label."""
    match = _GIVEN_LABEL.match(content)
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
    spaced = body.end() > end
    # Chinese is typed with a half-width colon and no space, too: 小明:你好
    han = bool(_HAN_NAME.fullmatch(label) and _HAN_CHAR.match(content, body.end()))
    return body.end() if spaced or match["colon"] == "：" or han else 0


def _is_name(label: str) -> bool:
    if _HAN_NAME.fullmatch(label):
        return _is_han_name(label)
    parts = label.split()
    if len(parts) > _MAX_WORDS:
        return False
    if len(parts) == 1 and parts[0] in labels.ROLES:
        return True
    bare = [fold(part).rstrip(".") for part in parts]
    if len(parts) > 1 and bare[0] in labels.OPENERS:
        return False
    if any(_is_heading(word) for word in bare):
        return False
    return bare[0] not in words.ENGLISH.difference(labels.NAMES_AND_WORDS) and all(
        _is_name_word(part, first=index == 0) for index, part in enumerate(parts)
    )


def _is_heading(word: str) -> bool:
    solid = word.replace(".", "")
    return solid in labels.HEADINGS or (
        len(solid) > len("exception") // 2 and solid.endswith(labels.HEADING_ENDINGS)
    )


def _is_name_word(word: str, *, first: bool) -> bool:
    """Whether one word of a label can be part of a name: capitalised, a particle or a number."""
    if not first and (_NUMBER.fullmatch(word) or fold(word) in labels.NAME_PARTICLES):
        return True
    return bool(_NAME_WORD.fullmatch(word)) and not word[0].islower()


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
    """Whether the first lines are all `key: value` with different keys: a form or a dialogue."""
    lines = [line for line in content[:2000].splitlines() if line.strip()][:4]
    if len(lines) < 2:
        return False
    matches = [_LABEL.match(line) for line in lines]
    keys = {match["label"].strip() for match in matches if match}
    return all(matches) and keys != {label}


def speaker_terms(name: str) -> tuple[str, ...]:
    """The index terms under which a text may name this speaker.

    Returns:
        The terms of each word of two characters or more; of a Chinese name the whole, and of one
        with three characters the given name. Without repetitions; empty for a blank name.
    """
    return tuple(dict.fromkeys(term for part in _profile(name).parts for term in _part_terms(part)))


def _part_terms(part: str) -> Sequence[str]:
    return (part,) if _HAN_NAME.fullmatch(part) else terms(part)


@dataclass(frozen=True, slots=True)
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
    parts: list[str] = []
    every = [_POSSESSIVE.sub("", word) for word in _QUERY_WORD.findall(_split_scripts(fold(name)))]
    for word in every:
        if word in labels.GENERIC_SPEAKERS or word in labels.TITLES or len(word) < 2:
            continue
        if word.isdigit() or word in labels.NAME_PARTICLES:
            continue
        parts.append(word)
        if _HAN_NAME.fullmatch(word) and len(word) == 3:
            parts.append(word[1:])
    numbered = not parts and len(every) > 1
    return _Profile(tuple(dict.fromkeys(parts)), tuple(every) if numbered else ())


def _split_scripts(text: str) -> str:
    """Part Chinese from what stands beside it with spaces."""
    return re.sub(rf"[{script.HAN}]+", r" \g<0> ", text)


@dataclass(frozen=True, slots=True)
class _Query:
    """A query's words, folded, and those that are written as names."""

    text: str
    words: tuple[str, ...]
    capitalised: frozenset[str]


def _read_query(query: str) -> _Query:
    spaced = _split_scripts(query)
    shouted = query.isupper()
    found: list[str] = []
    capitalised: set[str] = set()
    for match in _QUERY_WORD.finditer(spaced):
        word = _POSSESSIVE.sub("", match[0])
        folded = fold(word)
        found += [folded, *(folded.split("-") if "-" in folded else ())]
        if word[:1].isupper() and not shouted and not _opens(spaced, match.start()):
            capitalised.add(folded)
    return _Query(fold(query), tuple(found), frozenset(capitalised))


def _opens(text: str, index: int) -> bool:
    """Whether the word at `index` begins a sentence, where a capital tells nothing."""
    return bool(_SENTENCE_START.search(text[max(0, index - 8) : index]))


def named(query: str, speakers: Sequence[str]) -> list[int]:
    """Which of the speakers a query names.

    A word of the name is enough, whatever its case, or a possessive of it; a name that is a common
    word too (Will, Rose) must be capitalised inside the sentence; a capitalised beginning of three
    letters or more (Mel) counts when one speaker only has it. Roles and pronouns name nobody.

    Returns:
        Indices into `speakers`, ascending.
    """
    asked = _read_query(query)
    profiles = [_profile(name) for name in speakers]
    found = {index for index, profile in enumerate(profiles) if _names(asked, profile)}
    for word in asked.capitalised:
        if len(word) >= _MIN_NICKNAME and word not in labels.NAMES_AND_WORDS:
            owners = [
                index
                for index, profile in enumerate(profiles)
                if any(part.startswith(word) for part in profile.parts)
            ]
            if len(owners) == 1:
                found.add(owners[0])
    return sorted(found)


def _names(asked: _Query, profile: _Profile) -> bool:
    if profile.phrase:
        return f" {' '.join(profile.phrase)} " in f" {' '.join(asked.words)} "
    for part in profile.parts:
        if _HAN_CHAR.match(part):
            if part in asked.text:
                return True
        elif part in labels.NAMES_AND_WORDS or part in words.ENGLISH:
            if part in asked.capitalised:
                return True
        elif part in asked.words:
            return True
    return False
