"""Lasting claims as lines: which of them say by themselves what they say, and what may have ended them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from graphmem.domain.atom import Atom, fold_claim
from graphmem.domain.setting import plain
from graphmem.text import script
from graphmem.text.analyse import terms
from graphmem.text.claims.zh.lexicon import KIN, NEGATION, OTHERS
from graphmem.text.words import word_set

# Whom or what such a value means stands elsewhere.
_POINTS: Final = re.compile(
    r"^(?:that|such|so|one|ones|same)\b"
    r"|\b(?:he|him|his|she|her|hers|it|its|they|them|their|theirs|this|these|those|you|your|yours|me|us|here|there)\b",
    re.IGNORECASE,
)
_ZH_POINTS: Final = re.compile(r"[她它你您这那此]|(?<![吉其])他(?![人乡])")
# A second clause, or what a value holds under.
_CLAUSE: Final = re.compile(
    r"[,;.!?:，；。！？：…—]|\s[-–]\s"
    r"|\b(?:but|because|since|although|though|however|if|unless|until|except|when|while)\b"
    r"|\band\s+(?:i|i'm|we|my|our|he|she|they|it|then|now)\b"
    r"|但|因为|所以|虽然|如果|除非|除了",
    re.IGNORECASE,
)
_LISTED: Final = re.compile(
    r"[\w\s'-]+(?:, [\w'-]+(?: [\w'-]+)?)*,? (?:and|or) [\w'-]+(?: [\w'-]+)?"
)
# A time that only the day it was said on resolves.
_PASSING: Final = re.compile(
    r"\b(?:today|tonight|tomorrow|yesterday|now|nowadays|currently|recently|lately|ago|soon|already|these\s+days"
    r"|(?:last|next|this|past|coming)\s+(?:\w+\s+)?(?:day|night|morning|afternoon|evening|week|weekend|month|year|spring"
    r"|summer|autumn|fall|winter|semester|term|(?:mon|tues|wednes|thurs|fri|satur|sun)day)s?|at\s+the\s+moment)\b"
    r"|[今昨前明后][天晚早]|[去前今明]年|[上下这本]个?(?:周|星期|礼拜|月|季度|学期)|最近|现在|目前|刚刚?|以前|之前|马上",
    re.IGNORECASE,
)
_NEGATION: Final = re.compile(
    r"\b(?:not|no|never|without|neither|nor|cannot)\b|n['’]t\b|\b(?:ca|wo|do|does|did)nt\b"
    rf"|{NEGATION}",
    re.IGNORECASE,
)
_HARDLY: Final = re.compile(
    r"\b(?:hardly|rarely|seldom|barely|scarcely|almost|nearly|only|used\s+to)\b|很少|几乎|难得|差点|偶尔",
    re.IGNORECASE,
)
_ZH_NEGATION: Final = re.compile(r"[不没别未无]")
_NOT_AT_FIRST: Final = re.compile(r"^(?:的|地|得|了|着|过|们|不|没)")
_NO_VERB: Final = frozenset({"们", "的", "了", "着", "过", "地", "得", "我", "就", "都"})
_ABLE: Final = re.compile(
    r"\b(can(?:['’]?t|\s?not)?)\s+(?:\w+ly\s+|really\s+|even\s+|ever\s+)?(\w+)", re.IGNORECASE
)

_NAME: Final = re.compile(r"(?<![\w'’])[A-Z][a-z]+")
_ZH_NAME: Final = re.compile(r"叫(?:做)?([^，的。]{1,6})")
_OWNED: Final = re.compile(r"^.+?(?:['’]s?\s+|的)(?=\S)")
_ZH_NOUN: Final = re.compile(rf"{KIN}|{OTHERS}")
_SLIGHT: Final = word_set(
    "the a an my our best old new big little older younger favourite favorite"
)
# What ends an attitude in words that its chain may not have read.
_TURNED: Final = re.compile(
    r"n['’]t\b|\b(?:not|never|no\s+longer|any\s?more|used\s+to|stop(?:s|ped|ping)|quit|g[ao](?:ve|ne|t)\s+(?:up|off|over)|went\s+off"
    r"|(?:tired|sick)\s+of|bored|instead|allerg\w+|favou?rite)\b|不|没|戒|腻|以前|曾经|过敏|改|最喜欢|最爱",
    re.IGNORECASE,
)


def verb_of(atom: Atom, negated: str) -> str:
    """How a line names the relation of a claim; empty where it would say something else than was said.

    Args:
        atom: a lasting claim.
        negated: the words around a relation that is denied.
    """
    predicate, said = atom.predicate, atom.content
    if predicate in _NO_VERB or _HARDLY.search(said):
        return ""
    is_denied = atom.polarity == "negated"
    if is_denied and len(_NEGATION.findall(said)) > 1:
        return ""  # denied twice, or one of two clauses
    if script.has_han(predicate) and _ZH_NEGATION.search(predicate):
        return predicate  # it denies by itself
    able = _ABLE.search(said)
    if able is not None and not script.has_han(predicate):
        is_its = able[2].lower() == predicate.split(" ")[0]
        is_alike = (len(able[1]) > len("can")) is is_denied
        if not is_its or not is_alike:
            return ""
        return f"can't {predicate}" if is_denied else f"can {predicate}"
    return negated.format(predicate) if is_denied else predicate


def is_plain(value: str) -> bool:
    """Whether a value says what it says alone: no pronoun, no second clause, no time that passes."""
    if _NOT_AT_FIRST.match(value) or _PASSING.search(value):
        return False
    if _POINTS.search(value) or _ZH_POINTS.search(value):
        return False
    return _CLAUSE.search(value) is None or _LISTED.fullmatch(value) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """What tells that a lasting claim may be over.

    Attributes:
        words: each of them names what the claim is of.
        turned: what it is an attitude to; empty for other claims.
    """

    words: tuple[str, ...]
    turned: str

    def is_told(self, later: str, found: frozenset[str]) -> bool:
        """Whether what was said later speaks of the same.

        Args:
            later: what was said later.
            found: its terms.
        """
        if any(holds(later, found, word) for word in self.words):
            return True
        return holds(later, found, self.turned) and _TURNED.search(later) is not None


def watch(atom: Atom, speaker: str) -> Watch:
    """What to look out for behind a lasting claim.

    Args:
        atom: the claim.
        speaker: who made it.
    """
    kind, _, about = plain(atom.attribute).partition(":")
    if kind == "attitude":
        return Watch(words=_names(atom, speaker), turned=atom.value)
    of_relation = (about, atom.predicate) if about else ()
    return Watch(words=(*_names(atom, speaker), *of_relation), turned="")


def _names(atom: Atom, speaker: str) -> tuple[str, ...]:
    """The words that name what a claim is about: its subject, but for the speaker, and names in its value."""
    value = "" if atom.attribute else atom.value
    told = (*_NAME.findall(value), *_ZH_NAME.findall(value))
    if fold_claim(atom.subject) == fold_claim(speaker):
        return told
    phrase = _OWNED.sub("", atom.subject)
    if script.has_han(phrase):
        noun = _ZH_NOUN.match(phrase)
        rest = phrase[noun.end() :] if noun else phrase
        called = re.search(rf"{re.escape(phrase)}((.)\2)", atom.content)  # 我的狗豆豆
        known = (noun[0] if noun else "", rest, called[1] if called else "")
        return (*told, *filter(None, known))
    return (*told, *(word for word in phrase.split() if word.lower() not in _SLIGHT))


def holds(text: str, found: frozenset[str], words: str) -> bool:
    """Whether a text, whose terms are given, holds these words; no text holds nothing."""
    if script.has_han(words):
        return fold_claim(words) in fold_claim(text)
    wanted = {*terms(words)}
    return bool(wanted) and wanted <= found
