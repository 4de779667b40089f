"""English amounts of money."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from graphmem.text.facts.english_numeral import (
    DIGITS,
    DOZEN,
    PLURAL,
    SCALES,
    SPELT,
    SPELT_OPENERS,
    either,
)
from graphmem.text.facts.english_rule import Rule, Start
from graphmem.text.facts.mask import Span

_COUNTRY: Final = (
    r"(?:(?:us|u\.s\.|american|canadian|australian|hong kong|singapore|swiss|british|new zealand|nz|japanese"
    r"|chinese|taiwan(?:ese)?|mexican|norwegian|swedish|danish|czech|turkish|indian|korean)\s)?"
)
_CODES: Final = "usd eur gbp jpy cny rmb chf cad aud hkd sgd inr krw sek nok dkk czk pln nzd mxn brl zar thb twd btc eth"
_CURRENCY: Final = (
    rf"{_COUNTRY}(?:{either(_CODES)}|"
    r"dollars?|bucks?|euros?|quid|pence|cents?|yen|yuan|renminbi|won|rupees?|francs?|pesos?|kron(?:or|er|a|e|ur)"
    r"|z[łl]oty(?:s|ch)?|rubles?|roubles?|lira|lire|shekels?|dirhams?|baht|ringgit|rand|reais|dinars?|riyals?"
    r"|forints?|bitcoins?|sterling|shillings?|nickels?|dimes?|fiver|tenner|pounds sterling)\b"
)
_SIGNS: Final = "£€¥￥₹₩₽₺₪฿₫₱₴"
_DOLLARS: Final = "us au ca hk nz a c s nt r mx"
_SYMBOL: Final = (
    rf"(?:(?:{either(_DOLLARS)})?\$|[{_SIGNS}]|(?:{either(_CODES)})(?=\s?\d)(?![A-Za-z]))"
)
_SCALE: Final = rf"(?:\s?(?:k|m|mm|bn|b|mil|grand|{SCALES})\b)?"
_MONEY: Final = Rule(
    rf"(?<![A-Za-z0-9_.]){_SYMBOL}\s?{DIGITS}{_SCALE}(?:\s?(?:-|–|to)\s?{_SYMBOL}?{DIGITS}{_SCALE})?"
    rf"|(?<![A-Za-z0-9_.])(?<!\d,){DIGITS}(?:\s?[-–]\s?{DIGITS})?{_SCALE}(?:\s?[{_SIGNS}$](?!\d)|[ -]?{_CURRENCY}|p\b)"
    rf"|\b(?:{SPELT}|{PLURAL}|{DOZEN}|half an?|an?|a few|several|few|some)(?: (?:{SCALES}))?[ -]{_CURRENCY}",
    f"0 some $ {' '.join(_SIGNS)}",
    _CODES,
    _DOLLARS,
    SPELT_OPENERS,
)
_POUNDS: Final = Rule(
    rf"(?<![A-Za-z0-9_.])(?<!\d,)(?:{DIGITS}|{SPELT}|an?)[ -](?:pounds?|crowns?|grand)\b",
    "0",
    SPELT_OPENERS,
)
_BUYING: Final = re.compile(
    r"\b(?:cost|costs|pa(?:y|id|ys|ying)|price[ds]?|owe[sd]?|spen[dt]|spending|worth|charge[sd]?|fees?|fine|rent"
    r"|earn(?:s|ed)?|salary|wages?|save[ds]?|saving|sold|sells?|bought|buys?|bill|deposit|tip|loan|lent|lend"
    r"|borrow(?:ed)?|donated?|raise[ds]?|bet|bid|budget|refund(?:ed)?|invest(?:ed)?|tickets?|cash|money|bank|won"
    r"|bonus|cheap|discount|off|gave|per hour|an hour|a month|for|grand)\b",
    re.IGNORECASE,
)
_WEIGHING: Final = re.compile(
    r"\b(?:weigh\w*|weight|los[et]|losing|gain\w*|lift\w*|heav\w+|of (?!cash|money|savings)|flour|meat|baby|born"
    r"|carry|carried|bench|dumbbells?|piano)\b",
    re.IGNORECASE,
)
_CONTEXT: Final = 48


def find(text: str, beginnings: Sequence[Start]) -> Iterator[Span]:
    """The amounts of money of a text."""
    yield from (match.span() for match in _MONEY.find(text, beginnings))
    for match in _POUNDS.find(text, beginnings):
        if _is_money(text, *match.span()):
            yield match.span()


def _is_money(text: str, start: int, end: int) -> bool:
    """Whether pounds are those of a price, by the words beside them."""
    beside = text[max(0, start - _CONTEXT) : end + _CONTEXT]
    return bool(_BUYING.search(beside)) and not _WEIGHING.search(beside)
