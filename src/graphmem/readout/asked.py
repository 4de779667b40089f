"""Asked says whether a question asks for an attribute, or for one of the values that it had."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from graphmem.build.graph import Chain
from graphmem.domain.atom import fold_claim
from graphmem.text import script
from graphmem.text.analyse import terms
from graphmem.text.words import word_set

# What attributes are called in questions, besides their own names and the words of their claims.
_NAMES: Final = {
    "residence": (
        "where live reside home house based city town country move relocate stay",
        r"住|搬|家|哪[里儿]|城市",
    ),
    "employer": (
        "where work job employer company employed workplace career boss colleague",
        r"工作|上班|公司|单位|职|哪[里儿]",
    ),
    "job": (
        "job work profession occupation career living position role",
        r"工作|职业|职位|做什么|干什么|干嘛",
    ),
    "age": ("old age birthday young", r"岁|多大|年龄|年纪"),
    "birthday": ("birthday born birth", r"生日|出生"),
    "name": ("name called call", r"叫|名|称呼"),
    "nickname": ("nickname name called call", r"叫|绰号|外号|昵称|名|称呼"),
    "phone": ("phone number call reach contact cell mobile", r"电话|手机|号码|联系"),
    "email": ("email mail address contact reach", r"邮"),
    "address": ("address where live", r"地址|住|哪[里儿]"),
    "partner": (
        "partner husband wife spouse boyfriend girlfriend fiance fiancee married dating relationship",
        r"老公|老婆|丈夫|妻子|对象|男友|女友|爱人|伴侣|结婚",
    ),
    "marital status": (
        "married single divorced wedding marriage marital status relationship husband wife",
        r"结婚|离婚|单身|已婚|未婚|婚",
    ),
    "diet": (
        "diet eat food vegetarian vegan meat dish restaurant cook dinner lunch",
        r"吃|饮食|素|荤|菜",
    ),
    "native language": ("language mother tongue native speak", r"母语|语言|说什么"),
    "rule": (
        "answer reply respond rule instruction language format style emoji call unit",
        r"回答|回复|规则|要求|指示|语言|格式|表情|称呼|叫",
    ),
}
_EMPTY: Final = word_set("be have get do go say a an the to of in on at my our is")


def asks_for(text: str, chain: Chain) -> bool:
    """Whether a question speaks of what a chain is about: the attribute, or a value of it."""
    attribute, _, about = chain.attribute.partition(":")
    english, chinese = _NAMES.get(attribute, ("", r"(?!)"))
    if re.search(chinese, text):
        return True
    asked = frozenset(terms(text))
    named = (name for name in (about or attribute, *english.split()) if name)
    said = (words for one in chain.states for words in (one.atom.value, one.atom.predicate))
    return any(_holds(text, asked, words) for words in (*named, *_whole(said)))


def _whole(said: Iterable[str]) -> Iterable[str]:
    """Values and verbs in the words that tell them apart from others."""
    for words in said:
        if script.has_han(words):
            yield words
        else:
            yield " ".join(word for word in fold_claim(words).split() if word not in _EMPTY)


def _holds(text: str, asked: frozenset[str], words: str) -> bool:
    if script.has_han(words):
        return bool(words) and fold_claim(words) in fold_claim(text)
    wanted = {*terms(words)}
    return bool(wanted) and wanted <= asked
