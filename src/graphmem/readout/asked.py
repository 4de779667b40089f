"""Asked says whether a question asks for an attribute, or for one of the values that it had."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from graphmem.build.graph import Chain
from graphmem.domain.atom import fold_claim
from graphmem.readout.lasting import holds
from graphmem.text import script
from graphmem.text.analyse import terms
from graphmem.text.words import word_set

# What attributes are called in questions, besides their own names and the words of their claims.
# Words of either language, and patterns where a word by itself is asked for much else ("where").
_WHERE: Final = r"\bwhere(?:'s| is| are| am)\b|在哪[里儿]?[呢啊呀]?\s*(?:[？?]|$)"
_NAMES: Final = {
    "residence": (
        "live home reside house move relocate",
        rf"{_WHERE}|住|搬家|搬到|老家|家在|定居",
    ),
    "employer": (
        "work job employer company employed workplace career boss colleague",
        r"工作|上班|公司|单位|任职|离职|入职|跳槽|同事|老板",
    ),
    "job": (
        "job work profession occupation career position role",
        r"living\b|工作|职业|职位|做什么的|干什么的",
    ),
    "age": ("old age birthday", r"岁|多大|年龄|年纪"),
    "birthday": ("birthday born birth", r"生日|出生"),
    "name": ("name called", r"叫|名字|称呼"),
    "nickname": ("nickname name called", r"叫|绰号|外号|昵称|名字|称呼"),
    "phone": ("phone number reach contact cell mobile", r"电话|手机|号码|联系"),
    "email": ("email mail contact reach", r"邮"),
    "address": ("address live", rf"{_WHERE}|地址|住"),
    "partner": (
        "partner husband wife spouse boyfriend girlfriend fiance fiancee married dating relationship",
        r"老公|老婆|丈夫|妻子|对象|男友|女友|男朋友|女朋友|爱人|伴侣|结婚",
    ),
    "marital status": (
        "married single divorced wedding marriage relationship husband wife",
        r"单身|婚",
    ),
    "diet": ("diet eat food vegetarian vegan meat restaurant", r"吃|饮食|素食|荤"),
    "native language": ("language tongue native", r"母语|语言"),
    "rule": (
        "answer reply respond rule instruction language format emoji call unit",
        r"回答|回复|规则|要求|指示|语言|格式|表情|称呼|叫",
    ),
}
_EMPTY: Final = word_set("be have get do go say a an the to of in on at my our is")


def asks_for(text: str, chain: Chain) -> bool:
    """Whether a question speaks of what a chain is about: the attribute, or a value of it."""
    attribute, _, about = chain.attribute.partition(":")
    names, pattern = _NAMES.get(attribute, ("", r"(?!)"))
    if re.search(pattern, text.lower()):
        return True
    asked = frozenset(terms(text))
    named = (name for name in (about or attribute, *names.split()) if name)
    said = [one.atom.value for one in chain.states]
    if attribute != "attitude":  # whose verbs are those of all others
        said += [one.atom.predicate for one in chain.states]
    return any(holds(text, asked, words) for words in (*named, *_whole(said)))


def _whole(said: Iterable[str]) -> Iterable[str]:
    """Values and verbs in the words that tell them apart from others."""
    for words in said:
        if script.has_han(words):
            yield words
        else:
            yield " ".join(word for word in fold_claim(words).split() if word not in _EMPTY)
