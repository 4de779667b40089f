"""Chinese names: of people by surname and title, of places and organisations by their endings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from graphmem.text import script
from graphmem.text.facts import chinese_words as lists
from graphmem.text.facts.chinese_token import Token
from graphmem.text.facts.mask import Mask, Span

_HAN: Final = f"[{script.HAN}]"
_TITLED: Final = re.compile(
    rf"(?:(?:{lists.COMPOUND})|[{lists.SURNAMES}]){_HAN}{{0,2}}?(?:{lists.TITLES})"
)
_FAMILIAR: Final = re.compile(
    rf"(?<!{_HAN}[大最很更好太])[小老阿](?:[{lists.SURNAMES}]|(?<=阿){_HAN})(?!{_HAN}?(?:{lists.NOT_FAMILIAR_AFTER}))"
)
_CALLED: Final = re.compile(
    rf"(?:名叫|取名(?:叫|为)?|起名(?:叫)?|名字(?:叫|是)|叫做|昵称(?:叫|是)?|网名(?:叫|是)?|(?:我|他|她|它|儿子|女儿|孩子|宝宝|猫|狗|老公|老婆|丈夫|妻子|老师|老板|同事|朋友|室友|弟弟|妹妹|哥哥|姐姐|男友|女友|男朋友|女朋友)(?:名字)?叫|[，,]叫)"
    rf"(?P<name>{_HAN}{{1,4}}?)(?=[，,。！!？?；;、\s的]|\Z)"
)
_SURNAMED: Final = re.compile(rf"姓((?:{lists.COMPOUND})|[{lists.SURNAMES}])(?![名氏])")
_DOTTED: Final = re.compile(rf"{_HAN}{{1,8}}(?:[·•・‧]{_HAN}{{1,8}}){{1,4}}+")
_FOREIGN: Final = re.compile(rf"[{lists.TRANSLITERATING}]{{3,8}}")
_LISTED: Final = re.compile("|".join(sorted(lists.PLACES_AND_BRANDS, key=len, reverse=True)))
_LATIN: Final = re.compile(
    r"(?<![A-Za-z0-9_@])(?:[A-Z][A-Za-z0-9&+'-]*|[a-z]{1,3}[A-Z][A-Za-z0-9]*)(?: [A-Z][A-Za-z0-9&'-]*)*(?![A-Za-z0-9_@])"
)
_GIVEN_LENGTHS: Final = (2, 3)
_PERSON_TAGS: Final = frozenset({"nr", "nrt", "nrfg"})
_MIN_PLACE: Final = 2
_MAX_ORGANISATION_WORDS: Final = 3
_PLACE_TAGS: Final = ("ns", "nt", "nz")
_PROPER_TAGS: Final = ("nr", "ns", "nt", "nz", "j", "eng")


def find(
    text: str, tokens: Sequence[Token], mask: Mask, known: Sequence[str] = ()
) -> Iterator[Span]:
    """The names in a simplified text.

    Args:
        text: the message, simplified.
        tokens: its words.
        mask: places that hold no names.
        known: names of the speakers.
    """
    for name in known:
        if len(name) > 1:
            yield from (match.span() for match in re.finditer(re.escape(name), text))
    yield from (match.span(1) for match in _SURNAMED.finditer(text))
    for pattern in (_DOTTED, _LISTED, _TITLED, _FAMILIAR):
        yield from (m.span() for m in pattern.finditer(text) if m[0] not in lists.NOT_NAMES)
    for match in _CALLED.finditer(text):
        if match["name"] not in lists.NOT_CALLED:
            yield match.span("name")
    yield from _latin(text)
    yield from _tagged(text, tokens, mask)


def _latin(text: str) -> Iterator[Span]:
    """Words in Latin letters with a capital: in Chinese no sentence begins with one."""
    for match in _LATIN.finditer(text):
        if match[0].upper() not in lists.LATIN_WORDS and len(match[0]) > 1:
            yield match.span()


def _tagged(text: str, tokens: Sequence[Token], mask: Mask) -> Iterator[Span]:
    """Names by the part of speech of their words."""
    for index, token in enumerate(tokens):
        if token.word in lists.NOT_NAMES or mask.covers(token.start, token.end):
            continue
        if token.tag in _PERSON_TAGS:
            yield from _person(token, tokens[index - 1].word if index else "")
        elif token.tag in {"ns", "nt"} and _is_place(tokens, index):
            yield token.start, token.end
        elif len(token.word) == 1 and token.word in lists.SURNAMES:
            yield from _split_person(tokens, index)
        if token.word.endswith(lists.ENDINGS):
            yield from _organisation(tokens, index)


def _is_place(tokens: Sequence[Token], index: int) -> bool:
    """Whether a word that the tagger takes for a place is one; short ones are often none."""
    word = tokens[index].word
    if len(word) < _MIN_PLACE or word.startswith(lists.NOT_PLACE_STARTS):
        return False
    if tokens[index].tag == "nt":
        return word.endswith(lists.ENDINGS) or len(word) > _GIVEN_LENGTHS[1]
    before = tokens[index - 1].word if index else ""
    return len(word) > _MIN_PLACE or word[-1] in lists.PLACE_SIGNS or before in lists.BEFORE_PLACES


def _person(token: Token, before: str) -> Iterator[Span]:
    """A word that the tagger takes for a person's name, if it looks like one."""
    word = token.word
    if word.startswith(lists.NOT_PERSON_STARTS) or before in lists.BEFORE_VERBS:
        return
    if _is_full_name(word) or _is_short_name(word) or _FOREIGN.fullmatch(word):
        yield token.start, token.end
        return
    inner = lists.SURNAMED.search(word) if len(word) > _GIVEN_LENGTHS[1] else None
    if inner:
        yield token.start + inner.start(), token.start + inner.end()


def _is_full_name(word: str) -> bool:
    """Whether a word begins with a surname; one of two characters needs a common one."""
    if word.startswith(lists.COMPOUNDS):
        return len(word) > _MIN_PLACE
    surnames = lists.SURNAMES if len(word) > _MIN_PLACE else lists.COMMON_SURNAMES
    return len(word) in _GIVEN_LENGTHS and word[0] in surnames


def _is_short_name(word: str) -> bool:
    """Whether two characters are a given name: doubled, familiar, or both often given."""
    if len(word) != _MIN_PLACE:
        return False
    return word[0] == word[1] or word[0] in "小老阿大" or set(word) <= lists.GIVEN


def _split_person(tokens: Sequence[Token], index: int) -> Iterator[Span]:
    """A surname that the tagger has parted from its given name, where people are spoken of."""
    if index + 1 == len(tokens):
        return
    token, follower = tokens[index], tokens[index + 1]
    before = tokens[index - 1].word if index else ""
    asked = before in lists.BEFORE_PEOPLE or (before == "" or before in "，。！？；：、 \n,!?:;")
    if not asked or follower.word in lists.NOT_GIVEN or not lists.is_han(follower.word):
        return
    if _can_be_given(follower.word, known_person=before in lists.BEFORE_PEOPLE):
        yield token.start, follower.end


def _can_be_given(word: str, *, known_person: bool) -> bool:
    """Whether the word behind a surname can be a given name."""
    if len(word) == 1:
        return word in lists.GIVEN
    return len(word) == _MIN_PLACE and (known_person or bool(set(word) & lists.GIVEN))


def _organisation(tokens: Sequence[Token], index: int) -> Iterator[Span]:
    """A word that ends as places and organisations do, with the proper words before it."""
    token = tokens[index]
    start, at = token.start, index
    proper = token.word not in lists.GENERIC and len(token.word) > 2 and _names_place(token)
    while at > 0 and index - at < _MAX_ORGANISATION_WORDS and _is_proper(tokens[at - 1]):
        at -= 1
        start, proper = tokens[at].start, True
    if proper:
        yield start, token.end


def _names_place(token: Token) -> bool:
    """Whether a word names a place by its tag, or by an ending that roads and the like have."""
    return token.tag.startswith(_PLACE_TAGS) or token.word.endswith(lists.ROADS)


def _is_proper(token: Token) -> bool:
    """Whether a word can be the proper part of an organisation's name."""
    if len(token.word) < 2 or token.word in lists.NOT_NAMES or token.word in lists.NOT_PROPER:
        return False
    return token.tag.startswith(_PROPER_TAGS)
