"""A clause is a stretch of a Chinese sentence between commas, taken apart into who and what."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from graphmem.text.claims.zh import lexicon

Who = Literal["first", "second", "third", "kin", "own", "name", "thing", "noun", "none"]

MOST_CLAUSES: Final = 12
_CUT: Final = re.compile(
    r"[，,；;：:。！？!?…~—\n]+|\s-+\s|(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])"
)
LEAD: Final = re.compile(rf"[\s“”\"「（(【*#>·\-、.]*(?:(?:{lexicon.OPENERS})[\s，、]*)*")
_TIME: Final = re.compile(
    rf"(?:(?:在|到|从|等)?(?:{lexicon.PAST_TIME}|{lexicon.FUTURE_TIME}|{lexicon.DATED_TIME}|{lexicon.HABIT}|现在|目前|如今|以前|曾经|小时候|以后|将来|(?:早|晚|中午|夜里)[上晨间]?|[\d一二三四五六七八九十]+分|半)"
    r"(?:的时候|之前|以前|以来|开始|起|时|末|里)?(?:的)?)+"
)
_SUBJECTS: Final[tuple[tuple[Who, re.Pattern[str]], ...]] = (
    (
        "first",
        re.compile(
            r"(?:我|俺|本人)(?:们)?(?:这个?人|自己|俩|和[^，]{1,6}?(?=[昨今明上下去前刚都一]))"
        ),
    ),
    (
        "kin",
        re.compile(
            rf"(?:我|咱|你|您|他|她)(?:们|家)?(?:的|那个?)?(?:亲|大|小|二|三|最好的|好)?(?:{lexicon.KIN}|{lexicon.OTHERS})(?:们|俩|家)?(?!圈)"
        ),
    ),
    (
        "own",
        re.compile(
            r"(?:我|咱|你|您|他|她)(?:们)?(?:的[^，是在有很会不都要也就已被了刚坏丢掉破突]{1,8}?(?=[是在有很会不都要也就已被了刚昨今明下特比坏丢掉破突]|$)|家[楼狗猫门阳客厨卫附小里]?[^，是在有很会不都要也就已被了刚]{0,3}?(?=[是在有很会不都要也就已被养一住了刚]))"
        ),
    ),
    (
        "own",
        re.compile(
            r"(?:我|咱)们?(?:的)?(?:公司|学校|部门|单位|小区|团队|班级?(?!上)|宿舍|店|村|组(?!织))"
        ),
    ),
    ("first", re.compile(r"我们?|咱们?|俺们?|本人")),
    ("second", re.compile(r"[你您]们?")),
    ("third", re.compile(r"[他她]们?")),
    ("thing", re.compile(r"[这那它此](?:个|些|次|样|种|件事)?|有(?:人|个)")),
    ("kin", re.compile(rf"(?:{lexicon.KIN})(?![^，]{{0,2}}节)")),
    ("name", re.compile(lexicon.NAME + lexicon.PREDICATE_OF_NAME)),
)
_ASKS: Final = re.compile(
    r"[吗嘛么]$|什么(?!都|也|的)|怎么(?!都|也)(?:样|办)?|为什么|为何|谁(?!都|也)|哪(?!怕|都|也)(?:里|儿|个|些|天|种)?|几[点个岁号](?!钟头)(?!月|小时)|多少|是不是|有没有|能不能|要不要|好不好|行不行|可不可以|会不会|"
    r"对不对|如何|请问|多[久远大高长](?!了)|何时|咋"
)
_SOFT_ASKS: Final = re.compile(r"什么|怎么|谁|哪|几|多少|如何")


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A clause of a folded sentence; offsets are those of the sentence.

    Attributes:
        text: its words, folded.
        start: where it begins.
        asks: whether it is a question.
        is_marked: whether a question mark follows it.
        who: whom its subject means; `none` where it is left out.
        subject: the subject as it is written, folded; empty where it is left out.
        subject_start: where the subject stands.
        body: what is said of the subject.
        body_start: where that begins.
        front: what stands before the subject.
    """

    text: str
    start: int
    asks: bool
    is_marked: bool
    who: Who
    subject: str
    subject_start: int
    body: str
    body_start: int
    front: str

    @property
    def said(self) -> str:
        """Everything but the subject."""
        return self.front + self.body


def clauses(sentence: str) -> list[Clause]:
    """The clauses of a folded sentence, `MOST_CLAUSES` at most."""
    found = list(_cut(sentence))[:MOST_CLAUSES]
    marks = [sentence[end : end + 2] for _, end in found]
    return [
        _clause(sentence[start:end], start, is_marked=mark[:1] in {"?", "？"} or "？" in mark)
        for (start, end), mark in zip(found, marks, strict=True)
    ]


def _cut(sentence: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _CUT.finditer(sentence):
        if match.start() > start:
            yield start, match.start()
        start = match.end()
    if start < len(sentence):
        yield start, len(sentence)


def _clause(text: str, start: int, *, is_marked: bool) -> Clause:
    lead = LEAD.match(text)
    at = lead.end() if lead and lead.end() < len(text) else 0
    asks = is_marked or (bool(_ASKS.search(text)) and not _is_embedded(text))
    time = _TIME.match(text, at)
    behind = time.end() if time else at
    for place in dict.fromkeys((behind, at)):
        for who, pattern in _SUBJECTS:
            match = pattern.match(text, place)
            if match:
                return _with_subject(text, start, who, match, at, asks=asks, is_marked=is_marked)
    return _without_subject(text, start, at, behind, asks=asks, is_marked=is_marked)


def _is_embedded(text: str) -> bool:
    """Whether a question word stands in a statement: I don't know why."""
    return bool(re.match(r".{0,6}(?:不知道|忘了|记不清|想不起)", text))


def _with_subject(
    text: str, start: int, who: Who, match: re.Match[str], at: int, *, asks: bool, is_marked: bool
) -> Clause:
    return Clause(
        text=text,
        start=start,
        asks=asks,
        is_marked=is_marked,
        who=who,
        subject=match[0],
        subject_start=start + match.start(),
        body=text[match.end() :],
        body_start=start + match.end(),
        front=text[at : match.start()],
    )


def _without_subject(
    text: str, start: int, at: int, behind: int, *, asks: bool, is_marked: bool
) -> Clause:
    inner = re.compile(
        r"(?<![给帮对跟和让叫问的向为把醒诉教陪等找喊称呼替送请])(?:我|咱)们?(?!们|的|家|公司|学校|部门|单位|小区|团队|宿舍|班(?!上))"
    ).search(text, behind)
    if inner and inner.start() > behind:
        return Clause(
            text=text,
            start=start,
            asks=asks,
            is_marked=is_marked,
            who="first",
            subject=inner[0],
            subject_start=start + inner.start(),
            body=text[inner.end() :],
            body_start=start + inner.end(),
            front=text[at : inner.start()],
        )
    return Clause(
        text=text,
        start=start,
        asks=asks,
        is_marked=is_marked,
        who="none",
        subject="",
        subject_start=start + behind,
        body=text[behind:],
        body_start=start + behind,
        front=text[at:behind],
    )
