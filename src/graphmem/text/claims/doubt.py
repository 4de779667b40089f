"""Doubt: what keeps a sentence from setting anything, whatever its clauses say.

What others say of somebody, what is quoted, told as fiction or a joke, or what an assistant supposes, may
be remembered; no value is set by it, so that nothing is retired.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from graphmem.text.claims.draft import Draft, Voice
from graphmem.text.segment import Span

_QUOTED: Final = re.compile(r"“[^“”]*”|「[^「」]*」|『[^『』]*』|\"[^\"\n]*\"|‘[^‘’\n]*’")
_SOMEBODY: Final = re.compile(
    r"\b(?:i|i'm|my|me|we|our|you|your|he|she|his|her)\b|[我你您他她]", re.I
)
_REPORT: Final = (
    r"(?<!\bi )(?<!\bi've )(?<!\bi just )(?<!\bi already )\b(?:says|said|claims|claimed|told|insists|insisted|joked|jokes"
    r"|swears|swore|thinks|believes)\b(?! hi\b)"
    r"|\b(?:they|people|who|everyone|kids|friends|parents)\s+(?:say|claim|think|believe|joke)\b"
    r"|\b(?:can't|cannot|can not|couldn't|wouldn't|won't|don't|not|never)\s+(?:say|claim|mean|think)\b"
    r"|\b(?:not (?:that|true)|rumou?r has it|so they say|allegedly)\b"
)
_TALE: Final = "novel|story|stories|book|game|games|movie|film|play|script|screenplay|series|campaign|fanfic|fantasy|simulation|sim"
_FICTION: Final = (
    rf"\b(?:for|in|of|from)\s+(?:my|the|a|this|our|his|her|their)\s+(?:[\w'-]+\s+){{0,2}}?(?:{_TALE}|dreams?)\b"
    r"|\bin\s+(?:my\s+)?dreams\b|\bdream(?:t|ed|ing)?\s+(?:that|i|where|in\s+which|about)\b|\bin\s+(?:minecraft|d&d|skyrim|the\s+sims)\b"
    r"|\b(?:fictional|fictitious|role-?play(?:ing)?|pretend(?:ing)?|imagine|imagining|imaginary|hypothetical(?:ly)?"
    r"|make-?believe|alter\s+ego)\b"
)
# Words to work on, and cases that are put.
_TEXT: Final = (
    r"\b(?:translate|rephrase|paraphrase|proofread|let's\s+say|i'd\s+say|suppose|for\s+(?:example|instance)|e\.g\."
    r"|sample|example\s*:)"
)
_JOKE: Final = (
    r"\b(?:just\s+(?:kidding|joking)|only\s+(?:kidding|joking)|kidding|jk|not\s+really)\b"
)
_HEDGE: Final = (
    r"\b(?:part|half|most|some)\s+(?:of\s+)?the\s+(?:year|time|week|month)\b|\bpart[- ]time\b|\bpretty\s+much\b"
    r"|\b(?:more\s+or\s+less|all\s+but|so\s+to\s+speak|in\s+a\s+way|metaphorically|figuratively|in\s+spirit|at\s+heart|on\s+paper)\b"
)
_ENGLISH: Final = re.compile(f"{_REPORT}|{_FICTION}|{_TEXT}|{_JOKE}", re.I)
_ENGLISH_HEDGE: Final = re.compile(_HEDGE, re.I)
_JOKE_BEHIND: Final = re.compile(
    rf"[\W_]*(?:(?:lol|haha|no|nah|well)[\W_]+)?(?:{_JOKE}|开玩笑|[骗逗]你)", re.I
)

_SPEAKERS: Final = (
    "[他她它]们?|爸|妈|爷爷|奶奶|公|婆|哥|姐|弟|妹|儿子|女儿|孩子|朋友|友|同事|同学|老师|医生|老板|领导|别人|有人"
    "|大家|人家|邻居"
)
_CHINESE: Final = re.compile(
    rf"(?:{_SPEAKERS})(?:们)?(?:都|总|老|常|经常|一直|总是|老是|刚|[昨今]天)*(?:说|讲|觉得|认为|以为|声称)"
    r"|(?<!我)(?<![跟和对]你)(?:说|觉得|认为|以为)[:：]?我"
    r"|(?:小说|故事|游戏|剧本|电影|梦|剧|漫画|动漫|书)(?:里|中(?![心国]))|(?:写|为|给)(?:我的?)?(?:新)?小说|梦[见到]|做梦"
    r"|假装|假设|假如|想象|扮演|我的角色|虚构|开玩笑|[骗逗]你|说着玩|翻译[:：成]|改写|润色|造句|比如|例如|举例|譬如"
)
_CHINESE_HEDGE: Final = re.compile(
    r"差一?点|险些|几乎|简直|基本上?|算是|有时|偶尔|部分时间|一半的?时间|半年(?=[住在])"
)


@dataclass(frozen=True, slots=True)
class Quotation:
    """What stands between marks in a message; a title or a name is nobody's speech."""

    start: int
    end: int
    is_speech: bool


def quotations(text: str) -> tuple[Quotation, ...]:
    """What a message quotes, in order; none overlaps another."""
    return tuple(
        Quotation(*quoted.span(), is_speech=_SOMEBODY.search(quoted[0]) is not None)
        for quoted in _QUOTED.finditer(text)
    )


def is_in_doubt(
    text: str, quoted: Sequence[Quotation], span: Span, draft: Draft, voice: Voice
) -> bool:
    """Whether a claim sets nothing, however plain its clause is.

    Args:
        text: the whole message.
        quoted: what it quotes.
        span: the sentence.
        draft: the claim.
        voice: who speaks: an assistant repeats and supposes.
    """
    said = text[span.start : span.end]
    is_rule = draft.type == "instruction"
    return (
        voice.is_machine
        or _is_quoted(quoted, span)
        or _ENGLISH.search(said.replace("’", "'")) is not None
        or _CHINESE.search(said) is not None
        or _JOKE_BEHIND.match(text, span.end) is not None
        or (not is_rule and bool(_ENGLISH_HEDGE.search(said) or _CHINESE_HEDGE.search(said)))
    )


def _is_quoted(quoted: Sequence[Quotation], span: Span) -> bool:
    """Whether a sentence begins within marks, or has speech in it."""
    first = bisect_right(quoted, span.start, key=lambda one: one.end)
    for at in range(first, len(quoted)):
        one = quoted[at]
        if one.start >= span.end:
            return False
        if one.is_speech or one.start <= span.start:
            return True
    return False
