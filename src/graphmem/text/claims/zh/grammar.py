"""Reads the claim of a Chinese sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from graphmem.domain.claim import AtomType, Modality
from graphmem.domain.setting import END
from graphmem.text.claims.draft import Draft, Voice
from graphmem.text.claims.zh import instruction, kind, lexicon
from graphmem.text.claims.zh.attribute import attribute
from graphmem.text.claims.zh.beside import beside, beside_rule
from graphmem.text.claims.zh.clause import Clause, clauses
from graphmem.text.claims.zh.place import tagger
from graphmem.text.claims.zh.rule_key import rule_attribute
from graphmem.text.traditional import simplified

_SUBORDINATE: Final = re.compile(r"^(?:如果|要是|假如|只要|每当|当)|(?:的时候|的话|时|之前|之后)$")
_NEGATED: Final = re.compile(lexicon.NEGATION)
_SKIPPED: Final = frozenset({"d", "t", "c", "y", "e", "o", "zg", "uj", "ul", "r", "m", "f", "x"})
_VERBS: Final = frozenset({"当", "用", "叫", "给"})
_UNVERBS: Final = frozenset(
    [
        "可能",
        "会",
        "要",
        "想",
        "能",
        "可以",
        "应该",
        "不要",
        "不许",
        "不准",
        "不用",
        "别",
        "请",
        "务必",
        "必须",
        "需要",
        "打算",
        "准备",
    ]
)
_EDGES: Final = ' ，,。！!？?；;：:、.…~“”"」「'
_MODALITIES: Final[tuple[tuple[Modality, re.Pattern[str]], ...]] = (
    ("conditional", re.compile(r"如果|要是|假如|只要|除非")),
    ("possible", re.compile(r"可能|也许|大概|或许|说不定|好像|应该是|估计|恐怕")),
    ("wanted", re.compile(r"想(?!起|到|念|法|象)|希望|梦想|愿意|盼|渴望")),
    ("required", re.compile(r"必须|应该|需要|一定要|得(?=[把去早赶回交加写做完])|不得不")),
    (
        "planned",
        re.compile(
            r"打算|准备|计划|将|要(?=去|把|来|回|搬|加|出|参|交|开|考|做|结)|会(?=在|再|给|去)"
        ),
    ),
)


def draft(sentence: str, voice: Voice) -> Draft | None:
    """The claim of a sentence, None if it makes none."""
    text = simplified(sentence)
    parts = clauses(text)
    if not voice.is_machine:
        rule = instruction.find(text, parts) if parts else None
        if rule is not None:
            return _instruction(sentence, parts, rule)
    front = ""
    for at, part in enumerate(parts):
        if part.asks:
            continue
        if _SUBORDINATE.search(part.text) and at + 1 < len(parts):
            front += part.text
            continue
        found = kind.verdict(part, voice)
        if found != "none":
            claim = _claim(sentence, part, found, voice, front)
            is_whole = claim.attribute.startswith(("attitude:", "allergy:"))
            more = beside(parts, at, claim.value, is_whole=is_whole) if claim.attribute else ()
            return replace(claim, beside=more)
    return None


def _instruction(sentence: str, parts: Sequence[Clause], rule: instruction.Rule) -> Draft:
    part = rule.clause
    predicate, start = _predicate(part)
    return Draft(
        type="instruction",
        subject="assistant",
        predicate=predicate,
        value=sentence[start : part.start + len(part.text)].strip(_EDGES),
        polarity="negated" if rule.is_negated else "affirmed",
        modality="conditional" if rule.is_conditional else "required",
        attribute=rule_attribute(rule),
        beside=beside_rule(parts, parts.index(part)),
    )


def _claim(sentence: str, part: Clause, found: AtomType, voice: Voice, front: str) -> Draft:
    subject = _subject(sentence, part, voice)
    modality = _modality(front + part.said)
    key, predicate, value = attribute(part) if subject and modality == "asserted" else ("", "", "")
    if not key:
        predicate, start = _whole(part, *_predicate(part))
        value = _without_aspect(sentence[start : part.start + len(part.text)].strip(_EDGES))
    else:
        predicate = _written(sentence, part, predicate)
        value = _written(sentence, part, value)
        subject = voice.name if part.who == "own" and part.subject[0] == "我" else subject
    is_negated = _NEGATED.search(part.said) is not None and "受不了" not in part.said
    return Draft(
        type=found,
        subject=subject,
        predicate=predicate,
        value=value,
        polarity="negated" if is_negated else "affirmed",
        modality=modality,
        attribute="" if is_negated and not _may_be_denied(key) else key,
    )


_ABLE: Final = re.compile(r"[不得](?:[了起到下惯动来完着开住]|起来)")  # 吃不了
_OF_NOUN: Final = re.compile(r"的[^，是叫的]{1,8}(?=[是叫].)")
_OPENS_NOUN: Final = re.compile(r"最?不?(?:太|怎么)?\Z")


def _whole(part: Clause, predicate: str, start: int) -> tuple[str, int]:
    """A predicate with what belongs to its verb, and where the value begins; empty if the verb is none of a clause.

    In 我喜欢的歌手是陶喆 it is what the noun is told by, which is said to be something.
    """
    rest = part.text[start - part.start :]
    if able := _ABLE.match(rest):
        return predicate + able[0], start + able.end()
    if not rest.startswith("的") or not predicate:
        return predicate, start
    noun = _OF_NOUN.match(rest)
    if noun is None:
        return "", part.start + len(part.text)
    before = part.text[: start - part.start].removesuffix(predicate)
    how = _OPENS_NOUN.search(before)
    opened = how[0] if how else ""
    return opened + predicate + noun[0], start + noun.end() + 1


# Of a verb, not of what it takes: 入职了腾讯; but 了解, 过敏, 着急, and what can't be done (吃不了).
_ASPECT: Final = re.compile(
    r"^(?:了(?![解断不])|过(?![敏年节期度程去])|着(?![急迷凉装]))|(?<![不得])了$"
)


def _without_aspect(value: str) -> str:
    """A value without the particles of its verb."""
    return _ASPECT.sub("", value).strip(_EDGES)


def _may_be_denied(key: str) -> bool:
    return key.startswith(("attitude:", "allergy:")) or key.endswith(END)


def _written(sentence: str, part: Clause, value: str) -> str:
    """A folded value as the sentence writes it."""
    at = part.text.find(value)
    return sentence[part.start + at : part.start + at + len(value)] if at >= 0 else value


def _subject(sentence: str, part: Clause, voice: Voice) -> str:
    """Whom the subject means, as far as that is sure."""
    written = sentence[part.subject_start : part.subject_start + len(part.subject)]
    if part.who == "first" or (
        part.who == "none" and (_is_own_story(part) or kind.is_nickname(part))
    ):
        return voice.name
    if part.who in {"third", "thing", "none"} or not written:
        return ""
    if part.who == "second":
        return voice.listener
    owned = re.match(
        r"(?:我们|我|咱们|咱|你们|你|妳|您|他们|他|她们|她)(?:的|家的|那个?)?", written
    )
    if owned is None:
        return f"{_owner(voice.name)}的{written}" if part.who == "kin" else written
    owner = {"我": voice.name, "咱": voice.name, "你": voice.listener, "您": voice.listener}.get(
        written[0], ""
    )
    return f"{_owner(owner)}的{written[owned.end() :]}" if owner else ""


_ROLES: Final = {"user": "用户", "assistant": "助手"}


def _owner(name: str) -> str:
    """A role in the language of the phrase that it is part of; the name of everybody else."""
    return _ROLES.get(name, name)


def _is_own_story(part: Clause) -> bool:
    """Whether a clause without a subject begins with its verb, so that the speaker is left out."""
    tags = tagger()(part.body[:12])
    return bool(tags) and tags[0][1][:1] in {"v", "d", "p", "a"}


_WEEKDAY: Final = re.compile(r"(?:上上?|这|本|下下?)个?(?:周|星期|礼拜)[一二三四五六日天]")


def _predicate(part: Clause) -> tuple[str, int]:
    """The first verb or adjective of a clause, and where its value begins in the sentence."""
    day = _WEEKDAY.match(part.body)  # a dictionary reads 上周一入职 as 上周, 一入, 职
    skipped = day.end() if day and day.end() < len(part.body) else 0
    at = part.body_start + skipped
    words: Sequence[tuple[str, str]] = tagger()(part.body[skipped : skipped + 60])
    work = re.match(r"(?:[^在]{0,4})在([^，]{1,14}?)(工作|上班|上学|读书|任职)", part.body)
    if work:
        return work[2], part.body_start + work.start(1)
    for place, (word, tag) in enumerate(words):
        at += len(word)
        following = words[place + 1][0] if place + 1 < len(words) else ""
        if word not in _VERBS and _is_skipped(word, tag, is_last=not following):
            continue
        if word in _PARTICLES and place:  # of a verb that the dictionary takes for a noun
            return words[place - 1][0], at
        if following in _COMPLEMENTS and tag[:1] == "v":
            return word + following, at + len(following)
        return word, at
    return (words[0][0], part.body_start + len(words[0][0])) if words else ("", part.body_start)


_PARTICLES: Final = frozenset({"了", "过", "着"})
_COMPLEMENTS: Final = frozenset({"在", "到", "给", "成", "为"})


def _is_skipped(word: str, tag: str, *, is_last: bool) -> bool:
    """Whether a word stands before the verb: adverbs, negations, modal verbs, topics."""
    if word in _UNVERBS or tag in _SKIPPED or _NEGATED.fullmatch(word):
        return not is_last
    return tag[:1] in {"n", "p"} and not is_last


def _modality(said: str) -> Modality:
    for modality, pattern in _MODALITIES:
        if pattern.search(said):
            return modality
    return "asserted"
