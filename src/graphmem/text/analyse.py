"""The one analyser: what a text is indexed under, and what a query looks for."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from functools import cache, lru_cache
from itertools import pairwise
from typing import Final, cast

import Stemmer

from graphmem.text import script, words
from graphmem.text.normalize import fold

MAX_TERM = 64
"""Characters of the longest term; a longer run is cut to this prefix."""

_CACHED_WORDS: Final = 32_768
_SHORTEST_WORD: Final = 3  # Chinese words of two characters are bigrams already

# Every repetition is possessive and its parts can't match the same character: linear in time.
_LATIN: Final = r"[a-z0-9]++(?:[_'.@+&:,\-][a-z0-9]++)*+(?:\+\+|\#)?+"
_UNLIKE_LETTERS: Final = f"_{script.HAN}{script.KANA}{script.HANGUL}{script.UNSPACED}"
_ASCII_TOKEN: Final = re.compile(_LATIN)
_TOKEN: Final = re.compile(
    rf"""
    (?P<latin>(?>{_LATIN})(?![{script.LATIN_REST}]))
    | (?P<han>[{script.HAN}]+)
    | (?P<unspaced>[{script.KANA}]+ | [{script.UNSPACED}]+)
    | (?P<hangul>[{script.HANGUL}]+)
    | (?P<emoji>
        [{script.FLAG_LETTERS}]{{2}}
        | [{script.EMOJI}][{script.SKIN_TONES}]?
          (?:{script.ZWJ}[{script.EMOJI}][{script.SKIN_TONES}]?){{0,9}} )
    | (?P<other>(?![{_UNLIKE_LETTERS}])\w
        (?:(?![{_UNLIKE_LETTERS}])[\w{script.MARKS}{script.ZWJ}])*+ )
    """,
    re.VERBOSE,
)
_SKIN_TONE: Final = re.compile(f"[{script.SKIN_TONES}]")

_THOUSANDS: Final = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_NOT_JOINED: Final = re.compile(r",|(?<!\d):|:(?!\d)|(?<![a-z])&|&(?![a-z])|\+\+|\#")
_CONTRACTED: Final = re.compile(r"'(?:s|d|m|t|ll|re|ve)(?![a-z0-9])")
_PARTS: Final = re.compile(r"[a-z0-9]+")
_DECIMAL: Final = re.compile(r"\d+\.\d+")
_CLOCK: Final = re.compile(r"(\d{1,2}:\d\d(?::\d\d)?)(?:[ap]m)?")
_VERSION: Final = re.compile(r"v?(\d+(?:\.\d+)+)")
_ACRONYM: Final = re.compile(r"[a-z](?:\.[a-z])+")
_LANGUAGE: Final = re.compile(r"[a-z](?:\+\+|\#)")  # C++, C#, F#
_MEASURE: Final = re.compile(r"(\d+)[a-z]{1,3}")  # 5pm, 10k, 2nd
_PREFIXED: Final = re.compile(r"[a-z]{1,4}-[a-z]+|[a-z]+-[a-z]{1,3}")  # pre-edit, follow-up


class _ThreadStemmer(threading.local):
    """A Snowball English stemmer a thread: the library's object is not safe to share."""

    def __init__(self) -> None:
        # Its own cache is off: `_latin` keeps the terms of the words seen last.
        self.stem = cast("Callable[[str], str]", Stemmer.Stemmer("english", 0).stemWord)


_stemmer: Final = _ThreadStemmer()


@cache
def _segmenter() -> Callable[[str], list[str]]:
    import rjieba  # noqa: PLC0415 - loads a dictionary for .16 s, which English never needs

    return cast("Callable[[str], list[str]]", rjieba.cut)


def terms(text: str) -> list[str]:
    """The index terms of a text, in order and with repetitions; the same for writes and queries.

    English words are stemmed (Snowball English) and function words dropped; identifiers, e-mail
    addresses, hyphenated words and versions stand whole and in parts; Chinese stands in bigrams,
    in characters and in longer words; each emoji is a term.

    Returns:
        Terms without white space, of 1 to `MAX_TERM` characters; empty if the text names nothing.
    """
    folded = fold(text)
    found: list[str] = []
    if folded.isascii():
        for token in _ASCII_TOKEN.findall(folded):
            found += _latin(token) if len(token) <= MAX_TERM else _split_latin(token)
        return found
    for match in _TOKEN.finditer(folded):
        found += _BY_SCRIPT[cast("str", match.lastgroup)](match[0])
    return found


def _latin_any(token: str) -> tuple[str, ...]:
    return _latin(token) if len(token) <= MAX_TERM else _split_latin(token)


@lru_cache(_CACHED_WORDS)
def _latin(token: str) -> tuple[str, ...]:
    """The terms of a short token; words repeat, so the answer is kept."""
    return _split_latin(token)


def _split_latin(token: str) -> tuple[str, ...]:
    """The terms of one run of letters and digits with what joins them."""
    if token.isalnum():
        return _word(token)
    if _LANGUAGE.fullmatch(token):
        return (token, *_word(token[0]))
    pieces = _NOT_JOINED.split(_THOUSANDS.sub("", token))
    return tuple(term for piece in pieces if piece for term in _joined(piece))


def _word(word: str) -> tuple[str, ...]:
    """The terms of letters and digits with nothing between them."""
    if word in words.ENGLISH:
        return ()
    word = word[:MAX_TERM]
    if word.isalpha():
        return (_stemmer.stem(word),)
    measure = _MEASURE.fullmatch(word)
    return (word, measure[1]) if measure else (word,)


def _joined(token: str) -> tuple[str, ...]:
    """The terms of words joined by apostrophe, dot, hyphen, underscore, plus or at sign."""
    token = "" if token in words.ENGLISH else _CONTRACTED.sub("", token)
    if not token or token.isalnum():
        return _word(token) if token else ()
    if token[0].isdigit() or token[0] == "v":
        numbers = _number(token)
        if numbers:
            return numbers
    if _ACRONYM.fullmatch(token):
        return _word(token.replace(".", ""))
    token = token.removeprefix("www.")
    parts = [term for part in _PARTS.findall(token) for term in _word(part)]
    whole = token.replace("'", "")
    solid = _word(whole.replace("-", "")) if _PREFIXED.fullmatch(whole) else ()
    return (
        (*_word(whole), *solid, *parts) if whole.isalnum() else (whole[:MAX_TERM], *solid, *parts)
    )


def _number(token: str) -> tuple[str, ...]:
    """The terms of a decimal, a clock time or a version; none if the token is neither."""
    if _DECIMAL.fullmatch(token):
        return (token[:MAX_TERM],)
    if clock := _CLOCK.fullmatch(token):
        return tuple(dict.fromkeys((token, clock[1])))
    if version := _VERSION.fullmatch(token):
        return tuple(dict.fromkeys((token[:MAX_TERM], version[1][:MAX_TERM])))
    return ()


def _han(run: str) -> list[str]:
    """The terms of Chinese: bigrams, so that a cut elsewhere can't hide a word; characters; longer words.

    Characters beside bigrams find the word by its neighbour in meaning, which shares one of them
    (收养 and 领养, 海边 and 海滩), for the little that a frequent character counts (Kwok 1997,
    Comparing Representations in Chinese Information Retrieval).
    """
    function = words.CHINESE
    found = [a + b for a, b in pairwise(run) if a not in function or b not in function]
    found += [character for character in run if character not in words.CHINESE_ALONE]
    if len(run) >= _SHORTEST_WORD:
        for word in _segmenter()(run):
            if len(word) >= _SHORTEST_WORD and not function.issuperset(word):
                found.append(word[:MAX_TERM])
    return found


def _bigrams(run: str) -> list[str]:
    """The terms of a script without spaces; a lone sign (mostly a particle) tells nothing."""
    return [a + b for a, b in pairwise(run)]


def _hangul(run: str) -> list[str]:
    """The terms of a Korean word: itself, and bigrams to find the stem under its particles."""
    return [run[:MAX_TERM], *(_bigrams(run) if len(run) > 2 else ())]


def _emoji(cluster: str) -> list[str]:
    """The term of one emoji, whatever its skin tone."""
    return [_SKIN_TONE.sub("", cluster)]


def _other(word: str) -> list[str]:
    """The term of a word in another alphabet, not stemmed."""
    return [word.replace(script.ZWJ, "")[:MAX_TERM]]


_BY_SCRIPT: Final[dict[str, Callable[[str], list[str] | tuple[str, ...]]]] = {
    "latin": _latin_any,
    "han": _han,
    "unspaced": _bigrams,
    "hangul": _hangul,
    "emoji": _emoji,
    "other": _other,
}
