"""Times and spans of time that have no date: clock times, ages, durations, now and then.

The time reader looks for dates that can be told; these details it may pass over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from graphmem.domain.fact import FactKind
from graphmem.text.facts.english_numeral import either
from graphmem.text.facts.english_rule import Rule, Start

_NUMBERS: Final = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety"
)
_EN_COUNT: Final = (
    rf"(?:\d+(?:[.,]\d+)?(?:\s?(?:-|–|to|or)\s?\d+)?|an?|(?:{either(_NUMBERS)})(?:[ -](?:{either(_NUMBERS)}))?"
    r"|a hundred|half an?|a couple(?: of)?|a few|few|several|many|some|all|the whole|whole|the entire)"
)
_EN_UNIT: Final = (
    r"(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|nights?|weeks?|weekends?|months?|years?|yrs?|decades?"
    r"|centur(?:y|ies)|semesters?)"
)
_EN_DURATION: Final = Rule(
    rf"\b(?:(?:for|in|within|over|after)\s)?{_EN_COUNT}(?:[ -](?:more|whole|full|long|solid|straight|good))?[ -]?{_EN_UNIT}"
    rf"(?:\s(?:and\s)?(?:a half|{_EN_COUNT}\s{_EN_UNIT}))?\b"
    r"|\bfor (?:ages|a while|a long time|good|life|years|months|weeks|days|hours|decades|ever|so long)\b"
    r"|\ball (?:day|night|week|month|year|summer|winter|morning|afternoon|evening)(?: long)?\b|\bovernight\b"
    r"|(?<![A-Za-z0-9_.])\d+(?:\.\d+)?\s?(?:h|hrs?|mins?|secs?)(?:\s?\d+\s?(?:m|mins?))?\b",
    "0 a an for in within over after half few several many some all the whole overnight",
    _NUMBERS,
)
_EVERYDAY: Final = re.compile(
    r"a (?:second|sec|minute|min|day|night|week|month|year|hour|weekend)|one (?:day|night|second|minute)"
    r"|(?:some|the whole) (?:days?|weekends?)|(?:in|after|over) (?:a )?(?:day|week|month|year)s?",
    re.IGNORECASE,
)
_CLOCK: Final = Rule(
    r"(?<![A-Za-z0-9_.:])(?:(?:at|by|around|from|until|till|before|after)\s)?(?:"
    r"\d{1,2}(?::[0-5]\d)?\s?(?:a\.m\.|p\.m\.|[ap]m\b|o['’]clock\b)|(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?![\d:]))"
    rf"|\b(?:at\s)?(?:{either(_NUMBERS)}) o['’]clock\b"
    rf"|\bat (?:{either(_NUMBERS)}|noon|midnight|dawn|dusk|half past \w+|quarter (?:past|to) \w+)\b(?! (?:in|of) )",
    "0 at by around from until till before after",
    _NUMBERS,
)
_LIFE: Final = "(?:teens|childhood|youth|(?:early |late |mid[- ]?)?(?:twenties|thirties|forties|fifties|sixties|seventies|eighties|\\d0s))"
_ENGLISH_LENGTH: Final = re.compile(
    rf"(?:for\s)?{_EN_COUNT}(?:\s?(?:to|or|-|–)\s?{_EN_COUNT})?(?:\s(?:more|long|full|whole))?[ -]{_EN_UNIT}",
    re.IGNORECASE,
)
_VAGUE: Final = Rule(
    r"\b(?:recently|lately|nowadays|these days|back then|at (?:the|that) (?:moment|time)|currently|previously|formerly"
    r"|once upon a time|the other (?:day|night|week|morning|evening)|some ?day|one day|(?:long|ages|a while) ago"
    r"|earlier (?:today|this \w+)|soon|later|in the (?:morning|afternoon|evening|past|future|summer|winter|spring|fall|autumn)"
    r"|at night|(?:at|on|over) (?:the )?weekends?|daily|weekly|monthly|yearly|annually"
    r"|every(?: (?:other|single|second))? (?:day|night|morning|afternoon|evening|week|weekend|month|year|hour)"
    rf"|as a (?:child|kid|teenager|boy|girl|baby)|in (?:my|his|her|their|your|our) {_LIFE}"
    r"|(?:when|since|until) (?:i|he|she|we|they|you) (?:was|were|turned) (?:\d{1,2}"
    rf"|(?:{either(_NUMBERS)})(?:-\w+)?|(?:a )?(?:kid|child|teenager|boy|girl|little|young|small))(?: years old)?"
    r"|at (?:the )?age (?:of )?\w+|aged \d+)\b",
    "recently lately nowadays these back at currently previously formerly once the some someday one long ages a earlier",
    "soon later in on over daily weekly monthly yearly annually every as when since until aged",
)

_ZH_COUNT: Final = r"(?:(?<![A-Za-z0-9_.\d])[零〇一二两三四五六七八九十百千半几数多好\d.]{1,16}+|大半|小半|整整?[一]?)(?:多|来|几|余)?"
_ZH_UNIT: Final = r"(?:个?(?:半)?(?:小时|钟头|星期|礼拜|月|世纪|季度|学期|工作日|夜晚|晚上)|年代?(?!级)|天(?!津)|夜|周|日(?![元币圆本])|分钟|秒钟?|刻钟|周年|载|宿|晚(?!点)|昼夜|辈子)"
_ZH_DURATION: Final = re.compile(
    rf"(?:第)?(?:{_ZH_COUNT}(?:整)?{_ZH_UNIT}(?:半|多|左右)?(?:零?{_ZH_COUNT}(?:分钟?|秒|天|个月))?)"
    r"|一?整(?:个)?(?:天|夜|晚|年|周|个?月|个?星期|个?上午|个?下午|个?晚上|个?夏天|个?冬天|个?暑假|个?寒假)|一?(?:辈子|生)(?=[都没不只])|大半(?:天|夜|年|辈子)|好?半天(?=[才都没])|通宵|好久|许久|很久|多年"
)
_ZH_DATE_BEFORE: Final = re.compile(r"[\d年月第哪这那某每同]\Z")
_ZH_TIME: Final = re.compile(
    r"(?P<skip>十分|现在分词|(?:晚上|早上|中午|下午|上午)好|一点(?![钟半整])|两点水|(?:国庆|春节|元旦|中秋|端午|圣诞)快乐|过去(?=[吧了的吗，。]|\Z))"
    r"|春节|元旦|国庆节?|中秋节?|端午节?|清明节|五一|十一(?=[我们去放长假])|过年|大年初[一二三]|除夕|圣诞节?|情人节|寒假|暑假"
    r"|最近|近来|近期|近日|以前|从前|过去(?=[一二三几的我他她])|之前|现在|如今|目前|眼下|刚才|刚刚|将来|未来|以后|今后|往后|小时候|童年|儿时|当时|那时候?|那会儿|当年|早年|有一天|有一次|哪天"
    r"|改天|前几天|前些天|前两天|前阵子|这阵子|前段时间|这段时间|这几天|这两天|近几年|这几年|前几年|不久前?|很久以前|早就|平时|平常|每天|每周|每月|每年|每晚|每个?(?:星期|月|周末|早上|晚上|季度)|天天|周末|年底|年初|月底|月初|傍晚"
    r"|(?:凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|半夜|夜里|深夜|早|晚)?(?:[零一二两三四五六七八九十]{1,3}|\d{1,2})(?:点钟|点半|点(?:整|[零一二三四五六七八九十\d]{1,3}分?|一刻|三刻)?(?![儿些心赞评名滴缀\d建意要])|:[0-5]\d)"
    r"|(?:凌晨|清晨|早上|早晨|上午|中午|下午|晚上|半夜|夜里|深夜)"
    r"|(?:[一二两三四五六七八九十]{1,3}|\d{1,3})岁(?:那年|时|的时候|生日|以后|之前|以前|起|开始)?|十几岁|几岁的?时候"
)
_ZH_HOUSES: Final = frozenset("院楼线门房店厅桌台机馆仓库厂")


class Elapsed(NamedTuple):
    """A time or a span of time."""

    start: int
    end: int
    kind: FactKind


def is_length(text: str) -> bool:
    """Whether a vague time says how long, as "a few hours" does, and not when."""
    return bool(_ENGLISH_LENGTH.fullmatch(text) or _ZH_DURATION.fullmatch(text))


def english(text: str, beginnings: Sequence[Start]) -> Iterator[Elapsed]:
    """English ages, clock times and vague times, then durations."""
    for rule in (_CLOCK, _VAGUE):
        for match in rule.find(text, beginnings):
            yield Elapsed(*match.span(), "date")
    for match in _EN_DURATION.find(text, beginnings):
        if not _EVERYDAY.fullmatch(match[0]):
            yield Elapsed(*match.span(), "duration")


def chinese(text: str) -> Iterator[Elapsed]:
    """Chinese ages, clock times and vague times of a simplified text, then durations."""
    for match in _ZH_TIME.finditer(text):
        if match["skip"] is None:
            yield Elapsed(*match.span(), "date")
    for match in _ZH_DURATION.finditer(text):
        dated = _ZH_DATE_BEFORE.search(text, max(0, match.start() - 1), match.start())
        if not dated and not match[0].startswith("第"):
            yield Elapsed(*match.span(), "duration")


def is_house(text: str, end: int) -> bool:
    """Whether a number with 号 before `end` is that of a house or a line, and no day: 12号楼."""
    return text[end - 1 : end] == "号" and text[end : end + 1] in _ZH_HOUSES
