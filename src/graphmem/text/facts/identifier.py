"""Identifiers: numbers of orders, flights and telephones, versions, keys, hashes, and code itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from graphmem.text import script
from graphmem.text.facts.mask import Span

_FENCE: Final = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_INLINE: Final = re.compile(r"`[^`\n]+`")

_PHONE: Final = re.compile(
    r"(?<![\w+.-])(?:"
    r"\+\d{1,3}(?:[ .-]?\(?\d{1,5}\)?){2,6}+"
    r"|\(\d{2,5}\)[ -]?\d{3,4}(?:[ -]?\d{3,4}){1,2}+"
    r"|0\d{1,4}(?: \d{3,4}){1,3}+"
    r"|1[3-9]\d{9}|1[3-9]\d(?: \d{4}){2}"
    r"|\d{3}\.\d{3}\.\d{4}"
    r"|\d{3,5}(?: \d{3,5}){2,5}+"
    r")(?![A-Za-z0-9]|[.,]\d)",
    re.ASCII,
)
# In Chinese, letters and digits follow without a space, so only Latin neighbours bound a token.
_TOKEN: Final = re.compile(
    r"(?<![A-Za-z0-9_])(?:--?(?=[a-z]))?[A-Za-z0-9_]++(?:[-._/:][A-Za-z0-9_]++)*+(?:\(\))?"
)
_CALL: Final = re.compile(r"[A-Za-z_][\w.]*\(\)", re.ASCII)
_SNAKE: Final = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+")
_OPTION: Final = re.compile(r"--[a-z][a-z-]+")
_SETTING: Final = re.compile(r"(?<![A-Za-z0-9_])[A-Z][A-Z0-9_]{1,60}=[^\s,;，。；]{1,200}")
_HANDLE: Final = re.compile(r"(?<![\w@./])@[A-Za-z_]\w{1,40}(?:\.\w{1,30})?", re.ASCII)
_NUMBERED: Final = re.compile(r"(?<![\w#])#\d{2,12}(?!\w)", re.ASCII)
_SPACED_FLIGHT: Final = re.compile(
    r"(?<![A-Za-z0-9])(?!(?:AD|BC|AM|PM|US|UK|EU|TV|PC|OK|NO|CE|IN|ON|AT|TO|OF|OR)\b)[A-Z]{2} \d{3,4}"
    r"(?![A-Za-z0-9%]|[.,:]\d)"
)
_POSTCODE: Final = re.compile(r"(?<![A-Za-z0-9])[A-Z]{1,2}\d[A-Z0-9]? \d[A-Z]{2}(?![A-Za-z0-9])")
_PLATE: Final = re.compile(
    r"[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼][A-Z][·• ]?[A-Z0-9]{5,6}(?![A-Za-z0-9])"
)

_VERSION: Final = re.compile(r"[vV]\d+(?:\.\d+)*(?:[-.]?(?:rc|beta|alpha|b|a)\.?\d*)?")
_DOTTED: Final = re.compile(r"\d+(?:\.\d+){2,}(?:[-.]?(?:rc|beta|alpha|b|a|dev)\.?\d*)?")
_HEX: Final = re.compile(r"(?:0x)?[0-9a-f]{6,128}|(?:0x)?[0-9A-F]{8,128}")
_UPPER_MIX: Final = re.compile(r"[A-Z0-9]{5,40}")
_LETTERS_DIGITS: Final = re.compile(r"[A-Z]{1,4}\d{3,20}[A-Z]?")
_CARRIER: Final = re.compile(r"(?:[A-Z]{2}|[A-Z]\d|\d[A-Z])\d{2,4}")
_PREFIXED: Final = re.compile(r"[A-Z]{2,10}-\d{2,12}")
_MEASURED: Final = re.compile(
    r"(?:\d[\d.]*(?:st|nd|rd|th|[A-Za-z]{1,3}|mbps|gbps|kcal|mins?|hrs?|secs?|days?)){1,2}", re.I
)
_DIGIT_GROUPS: Final = re.compile(r"\d+(?:-\d+)+")
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_NOT_CODE: Final = frozenset({"COVID-19", "SARS-CoV-2"})
_LONG_DIGITS: Final = 8
_LONG_KEY: Final = 12
_GROUPED_DIGITS: Final = 7

# What stands before an identifier that has no shape of its own. The ambiguous ones (order two
# pizzas) need three digits.
_LABEL: Final = re.compile(
    r"(?i)(?:\b(?:order|invoice|ticket|pin|pass(?:code|word)|pwd?|code|ref(?:erence)?|confirmation|booking"
    r"|reservation|tracking|account|acct|policy|case|serial|model|licen[cs]e|passport|ext(?:ension)?"
    r"|zip|postcode|claim|membership|member|user|customer|patient|student|employee|ssn|iban|sku|isbn"
    r"|vin|commit|build|pr|issue|bug|flight|train|plate|key|token|id|wifi|locker|combination)\b"
    r"(?:\s(?:number|no\.?|code|id|key|plate|is|was|password|reference|to|the|my|for|card|hash)\b){0,3}"
    r"|(?:单号|订单|编号|号码|验证码|密码|取件码|取餐码|尾号|卡号|账号|学号|工号|车牌号?|车次|航班号?|手机号?|电话|证号"
    r"|邀请码|兑换码|口令|型号|序列号|邮编|微信号?|QQ号?|房号|会员号|流水号|提交|单子|工单)(?:码|是|为|号|的)?)"
    r"(?:\s?[:：#＃=]\s?#?|\s#?|)(?=(?P<token>[A-Za-z0-9_](?:[\w#@$!%*&.+-]{0,60}\w|\w{0,60})))",
    re.ASCII,
)
_MIN_LABELLED_DIGITS: Final = 3
_VERSIONED: Final = re.compile(
    r"(?i)(?:\b(?:version|release|build|ver\.?|rev(?:ision)?|firmware)\s|版本(?:号)?[是为:： ]?)v?(?P<token>\d+(?:\.\d+)*)"
)
_MEASURE_AFTER: Final = re.compile(
    rf"\s?(?:%|people|users|dollars|euros|[{script.HAN}]*(?:元|块|人|个|米))"
)


def find_code(text: str) -> Iterator[Span]:
    """Code that its own marks set off: fences and back-ticks."""
    if "```" in text or "~~~" in text:
        yield from (match.span() for match in _FENCE.finditer(text))
    if "`" in text:
        yield from (match.span() for match in _INLINE.finditer(text))


def find(text: str) -> Iterator[Span]:
    """The identifiers of a text, in no order; they may overlap."""
    if any(map(str.isdigit, text)):
        yield from _with_digits(text)
    if "_" in text or "()" in text or "--" in text:
        yield from (m.span() for m in _TOKEN.finditer(text) if _is_symbol(m[0]))
    if "=" in text:
        yield from (match.span() for match in _SETTING.finditer(text))
    if "@" in text:
        yield from (match.span() for match in _HANDLE.finditer(text))


def _with_digits(text: str) -> Iterator[Span]:
    for pattern in (_PHONE, _NUMBERED, _SPACED_FLIGHT, _POSTCODE, _PLATE):
        yield from (match.span() for match in pattern.finditer(text))
    for match in _TOKEN.finditer(text):
        if _is_identifier(match[0]) and not _is_counted(text, match):
            yield match.span()
    for pattern in (_LABEL, _VERSIONED):
        for match in pattern.finditer(text):
            if _is_labelled(match["token"]) or pattern is _VERSIONED:
                yield match.span("token")


def _is_counted(text: str, match: re.Match[str]) -> bool:
    """Whether a long run of digits is an amount after all."""
    return match[0].isdigit() and bool(_MEASURE_AFTER.match(text, match.end()))


def _is_labelled(token: str) -> bool:
    digits = sum(map(str.isdigit, token))
    return digits >= _MIN_LABELLED_DIGITS or (
        digits > 0 and len(token) > _MIN_LABELLED_DIGITS and not _MEASURED.fullmatch(token)
    )


def _is_symbol(token: str) -> bool:
    """Whether a word is written as only code is."""
    return bool(_SNAKE.fullmatch(token) or _CALL.fullmatch(token) or _OPTION.fullmatch(token))


def _is_identifier(token: str) -> bool:
    """Whether a run of letters, digits and joints names one thing among many of its kind."""
    if token.isalpha() or not any(map(str.isdigit, token)) or token in _NOT_CODE:
        return False
    if token.isdigit():
        return len(token) >= _LONG_DIGITS
    if _VERSION.fullmatch(token) or _DOTTED.fullmatch(token):
        return True
    if token.isalnum():
        return _is_solid(token)
    return _is_joined(token)


def _is_solid(token: str) -> bool:
    """The same for letters and digits with nothing between."""
    if _MEASURED.fullmatch(token) and not _CARRIER.fullmatch(token):
        return False
    if _HEX.fullmatch(token) or _LETTERS_DIGITS.fullmatch(token) or _CARRIER.fullmatch(token):
        return True
    if _UPPER_MIX.fullmatch(token):
        return True
    return len(token) >= _LONG_KEY and sum(map(str.isdigit, token)) > 1


def _is_joined(token: str) -> bool:
    """The same for groups with hyphens and the like between."""
    if _DIGIT_GROUPS.fullmatch(token):
        return _is_grouped(token.split("-"))
    if _PREFIXED.fullmatch(token):
        return True
    groups = token.split("-")
    mixed = [g for g in groups if not g.isalpha() and not g.isdigit() and _is_solid(g)]
    if len(groups) > 1 and mixed:
        return True
    letters = sum(map(str.isalpha, token))
    digits = sum(map(str.isdigit, token))
    return len(groups) > 2 and letters > 0 and digits > 3 and not _has_word(groups)


def _has_word(groups: list[str]) -> bool:
    """Whether a part is a lower-case word, as in 12-year-old."""
    return any(group.isalpha() and group.islower() for group in groups)


def _is_grouped(groups: list[str]) -> bool:
    """Whether digits in groups are an identifier, and no score, range or date."""
    if len(groups) > 2:
        return True
    first, second = groups
    if len(first) + len(second) < _GROUPED_DIGITS or _YEAR.fullmatch(first):
        return False
    if second[0] == "0":
        return True
    is_range = len(first) == len(second) or (first[-1] == second[-1] == "0")
    return not is_range
