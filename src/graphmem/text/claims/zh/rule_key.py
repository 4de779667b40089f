"""The rule that an instruction sets anew: language, length, emoji, name, units."""

from __future__ import annotations

import re
from typing import Final

from graphmem.text.claims.zh import lexicon
from graphmem.text.claims.zh.instruction import Rule

_LANGUAGE: Final = re.compile(
    rf"(?:用|说|讲|使用){lexicon.LANGUAGE}(?:来)?(?:$|回答|回复|答|回我?|说|跟我|和我|交流|聊|沟通|吧|就|对话|给我回)"
)
_LENGTH: Final = re.compile(
    r"(?:回答|回复|答案)[^，]{0,10}(?:简短|简洁|短一?点|精简|字|句|详细|长一?点)|(?:控制|限制)在[^，]{1,6}字"
)
_EMOJI: Final = re.compile(r"表情|emoji|颜文字")
_NAME: Final = re.compile(r"(?:叫|喊|称呼)我")


def rule_attribute(rule: Rule) -> str:
    """The key of the rule, empty where it may stand beside others of its sort."""
    text = rule.clause.text
    if _NAME.search(text) and not rule.is_negated and not rule.is_conditional:
        return "rule:name"
    if rule.is_conditional:
        return ""
    if _EMOJI.search(text):
        return "rule:emoji"
    if rule.is_negated:
        return ""
    if _LANGUAGE.search(text):
        return "rule:language"
    return "rule:length" if _LENGTH.search(text) else ""
