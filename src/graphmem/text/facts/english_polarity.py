"""English words that negate a claim, or make it less than a fact."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from graphmem.text.facts.english_numeral import either
from graphmem.text.facts.english_rule import Rule, Start
from graphmem.text.facts.mask import Span

_BE_DO_HAVE: Final = "is are was were do does did have has had could would should"
_AUXILIARIES: Final = f"{_BE_DO_HAVE} might must need ought ai wo ca sha dare"
_APOSTROPHE: Final = "['’]"
# Set phrases that negate nothing; they are consumed first, so that no word within them is marked.
_SET_PHRASES: Final = (
    r"no (?:problemo?|probs?|worr(?:ies|y)|way|doubt|wonder|matter|kidding|thanks?(?: you)?|offen[cs]e|idea|rush"
    r"|pressure|big ?deal|biggie|sweat|clue|pun|harm done|hard feelings)\b"
    r"|nos?\. ?(?=[A-Z]*\d)"
    r"|not (?:only|to mention|at all(?=[.!]*\s*\Z)|to worry|a problem\b(?! for)|bad)\b"
    r"|(?:why|or|if) not\b|yes or no\b|never ?mind\b|nothing (?:but|like)\b"
    rf"|(?:can{_APOSTROPHE}?t|cannot) (?:wait|help|complain)\b"
    rf"|could(?:n{_APOSTROPHE}?t| not) (?:agree|help|resist)(?: more)?\b"
    rf"|do(?:n{_APOSTROPHE}?t| not) (?:worry|mention it|you (?:think|agree)|be shy|hesitate)\b"
    rf"|why (?:don|doesn|didn){_APOSTROPHE}?t\b"
    rf"|(?<=, )(?:{either(_AUXILIARIES)})n{_APOSTROPHE}t (?:i|you|he|she|it|we|they|there|that)(?=\s?\?)"
)
_NEGATION: Final = Rule(
    rf"\b(?:(?P<phrase>{_SET_PHRASES})|(?:no longer|not any ?more|no one|cannot|can{_APOSTROPHE}?t|won{_APOSTROPHE}?t"
    rf"|ain{_APOSTROPHE}?t|shan{_APOSTROPHE}?t|(?:{either(_AUXILIARIES)})n{_APOSTROPHE}t|(?:{either(_BE_DO_HAVE)})nt"
    r"|dunno|not|never|no|none|nobody|nothing|nowhere|neither|nor|without|hardly|barely|scarcely|unable to)\b)",
    "no not nos why or if yes never nothing can cannot cant could couldn couldnt do don dont won wont ain aint shan",
    "shant none nobody nowhere neither nor without hardly barely scarcely unable dunno",
    " ".join(f"{word}n {word}nt" for word in _AUXILIARIES.split()),
)

_INTENDING: Final = "intend aim"
_MODALITY: Final = Rule(
    r"\b(?:(?P<skip>would you (?:mind|like|please|be)|could you|if you (?:like|ask me)|need(?:ed)? not|guess (?:what|who|where)|should i\b(?=[^.]*\?)"
    r"|hav(?:e|ing) to (?:say|admit)\b|may(?=\s+\d)|wish(?:ing|es)? (?:you|him|her|them)\b|considering\b(?! \w+ing))"
    rf"|(?:should|would|could|must|might|ought|need)(?=n{_APOSTROPHE}?t\b)"
    r"|(?:(?:may|might|should|could|would|must)(?:['’]ve|a)?|shall|ought(?: to)?|(?:supposed|required|obliged|forced) to"
    r"|maybe|perhaps|possibl[ey]|probabl[ey]|presumably|potentially|supposedly|apparently|allegedly|hopefully"
    r"|conceivably|(?:un)?likely|seem(?:s|ed|ingly)?|prolly"
    r"|ha(?:ve|s|d|ving) (?:got )?to|got to|gotta|hafta|wanna|need(?:s|ed|ing)?(?: to)?|want(?:s|ed|ing)?(?: to)?"
    r"|wish(?:es|ed|ing)?|hop(?:e|es|ed|ing)(?: to)?|plan(?:s|ned|ning)? (?:to|on)|planning"
    r"|(?:intend|aim)(?:s|ed|ing)? to|mean(?:s|t)? to|consider(?:s|ed|ing)?|thinking (?:of|about) \w+ing"
    r"|expect(?:s|ed|ing)?(?: to)?|dream(?:s|ed|t|ing)? of|guess|suppos(?:e|ing)(?: that)?|suspect|doubt|imagine"
    r"|not sure|unsure|if|unless|whether|in case|provided that|providing|assuming|as long as|depend(?:s|ing) on"
    rf"|otherwise|had better|(?<={_APOSTROPHE})d (?:like|love|rather|better|prefer|hate))\b)",
    "would wouldn wouldnt could couldn couldnt should shouldn shouldnt shoulda coulda woulda must mustn mustnt might",
    "mightn mightnt may maya ought oughtn need needn neednt needed needs needing shall supposed required obliged forced",
    "maybe perhaps possible possibly probable probably presumably potentially supposedly apparently allegedly hopefully",
    "conceivably likely unlikely seem seems seemed seemingly prolly have has had having got gotta hafta wanna want wants",
    "wanted wanting wish wishes wished wishing hope hopes hoped hoping hop plan plans planned planning intend intends",
    "intended intending aim aims aimed aiming mean means meant consider considers considered considering thinking expect",
    "expects expected expecting dream dreams dreamed dreamt dreaming guess suppose supposing suspect doubt imagine not",
    "unsure if unless whether in provided providing assuming as depends depending otherwise d",
)


def negations(text: str, beginnings: Sequence[Start]) -> Iterator[Span]:
    """The words that negate; set phrases ("no problem", "can't wait") are none."""
    for match in _NEGATION.find(text, beginnings):
        if match["phrase"] is None and not _is_part(text, *match.span()):
            yield match.span()


def modalities(text: str, beginnings: Sequence[Start]) -> Iterator[Span]:
    """The words of possibility, wish, duty and condition."""
    for match in _MODALITY.find(text, beginnings):
        if match["skip"] is None and not _is_part(text, *match.span()) and not _is_may(text, match):
            yield match.span()


def _is_part(text: str, start: int, end: int) -> bool:
    """Whether what was found is a part of a longer word with hyphens: no-brainer, must-have."""
    return (start > 0 and text[start - 1] == "-") or text[end : end + 1] == "-"


_QUESTION: Final = re.compile(r"May (?:I|we)\b")


def _is_may(text: str, match: re.Match[str]) -> bool:
    """Whether this is May with a capital, a month or a name; and not May I."""
    return (
        match[0].startswith("May")
        and match[0] != "Maybe"
        and not _QUESTION.match(text, match.start())
    )
