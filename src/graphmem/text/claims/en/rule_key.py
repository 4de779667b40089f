"""The rule that an instruction sets anew: language, length, emoji, name, units."""

from __future__ import annotations

import re
from typing import Final

from graphmem.text.claims.en import lexicon
from graphmem.text.claims.en.instruction import Rule

_LANGUAGES: Final = "|".join(sorted(lexicon.LANGUAGES))
_FILLER: Final = (
    r"(?: (?:in|to|me|back|with|only|always|your|my|all|answers|replies|messages|everything|every|questions"
    r"|question|time|us|just|message))*"
)
_LANGUAGE: Final = re.compile(
    rf"\b(?:answer|reply|respond|speak|talk|write|chat|communicate|use){_FILLER} (?:{_LANGUAGES})\b(?! (?:words|names))"
)
_REPLIES: Final = r"(?:your|all|the) (?:\w+ )?(?:answers|replies|responses)"
_LENGTH: Final = re.compile(
    rf"\b{_REPLIES}\b.*\b(?:short|shorter|brief|concise|long|longer|detailed|(?:words|sentences|lines|paragraphs))\b"
    rf"|\b(?:short|shorter|brief|concise|longer|detailed) {_REPLIES}\b|\bbe (?:brief|concise)\b"
)
_EMOJI: Final = re.compile(r"\b(?:emojis?|emoticons?)\b")
_NAME: Final = re.compile(r"\b(?:call me|(?:address|refer to) me as) \w")
_TEMPERATURE: Final = re.compile(r"\b(?:celsius|fahrenheit)\b")
_UNITS: Final = re.compile(r"\b(?:metric|imperial)\b")


def rule_attribute(rule: Rule) -> str:
    """The key of the rule, empty where it may stand beside others of its sort."""
    if rule.is_conditional:
        return ""
    text = " ".join(token.low for token in rule.words)
    if _EMOJI.search(text):
        return "rule:emoji" if text.count(" and ") + text.count(" or ") == 0 else ""
    if rule.is_negated:
        return ""
    for pattern, key in _RULES:
        if pattern.search(text):
            return key
    return ""


_RULES: Final = (
    (_NAME, "rule:name"),
    (_LANGUAGE, "rule:language"),
    (_LENGTH, "rule:length"),
    (_TEMPERATURE, "rule:temperature"),
    (_UNITS, "rule:units"),
)
