"""The single-valued attribute that a clause sets; only where no unrelated fact could share it."""

from __future__ import annotations

import re
from typing import Final

from graphmem.text.claims.choice import first_of
from graphmem.text.claims.key import chinese_key
from graphmem.text.claims.zh import lexicon
from graphmem.text.claims.zh.clause import Clause
from graphmem.text.claims.zh.employment import employment
from graphmem.text.claims.zh.place import is_body, is_place

_ATTITUDE: Final = re.compile(
    rf"^(?:也|都|很|最|更|超级?|特别|非常|真的?|真心|其实|一直|从小就?|还是|现在|挺|比较|最最|越来越)*(?:不太|不怎么|不大|不再|不)?({lexicon.ATTITUDE_KEYS})(?:上(?![海学班课网街]))?(?:吃|喝)?([^，了的]{{1,8}})(?:了)?$"
)
_UNTHING: Final = re.compile(r"^[你您他她它这那我]|什么|怎么|时候|但|因为|和你|一个人$|死|上了|过")
_FAVOURITE: Final = re.compile(
    r"^(?:现在|目前|如今|一直|还是|就)*最(?:喜欢|爱|喜爱)(?:吃|喝|看|听|玩)?的([^，是]{1,6})是(.+)$"
)
_ALLERGY: Final = re.compile(
    r"^(?:现在|目前|已经|也|还|一直|从小|再也?|不再?)*对([^，的了和跟]{1,8}?)(?:已经|也|都|很|严重|现在)*(?:不再?|没有?)?过敏了?$"
)
_RESIDENCE: Final = re.compile(
    r"^(?:现在|目前|一直|一家|全家|就|还|也)*住(?:在)?([^，了的]{2,10})$"
)
_MOVED: Final = re.compile(
    r"^(?:已经|刚刚?|就|终于|又|也|都|从[^，]{1,4}|全家|一家人?|最近|今年|上个?[周月]|[昨前]天)*(?:搬|搬家)(?:到|去|来)了?([^，了的]{2,8})了?$"
)
_WORK: Final = re.compile(r"^(?:现在|目前|也|就|一直)*在([^，]{2,14}?)(工作|上班|任职)$")
_NO_EMPLOYER: Final = re.compile(
    r"家$|[上里下中外间]$|^(?:家|外|晚上|白天|周末|这|那|一家|国外|海外|外地|老家|学习)|一起|努力|^(?:给|为|替|帮|跟|和|与|考虑|计划|打算|准备|远程|居家|线上|全职|兼职|业余|加班|户外|野外|夜间)"
)
_JOB: Final = re.compile(
    rf"^(?:现在|目前)?(?:是|当|做)(?:一?[名个位])?([^，的不了过]{{0,6}}{lexicon.OCCUPATION})$"
)
# How somebody does something is not what they live by: 新手司机, 好老师.
_HOW: Final = re.compile(
    r"个?(?:新手|老(?!师)|好|差|烂|坏|称职|优秀|业余|马路|不错|合格|糟糕|厉害|出色|很|最|半吊子|假|未来|退休)"
)
_CALLED: Final = re.compile(
    rf"^(?:{lexicon.KIN}|{lexicon.OTHERS}|{lexicon.OCCUPATION}|服务员|滴滴|外卖|车|人)|[来去帮给送做等别吃拿买过]"
)
_PERSON: Final = re.compile(
    r"(?:歌手|演员|作家|明星|球员|球星|导演|老师|画家|诗人|主播|人|偶像|乐队|选手|家|员)$"
)
_UNNAMED: Final = re.compile(
    r"的$|^(?:很|太|最|非常|特别|真|比|越来|[一这那]?[个位种]|[来去从在被把给])"
)
_NAME: Final = re.compile(r"^(?:的名字)?(?:叫|是叫|名叫)(?:做)?([^，了着我你他她]{2,6})$")
_LIKE_NAME: Final = re.compile(rf"[{lexicon.SURNAMES}小老阿]|[A-Za-z]|(.)\1")
_AGE: Final = re.compile(
    r"^(?:今年|现在|已经|刚|刚满|都)*([一二三四五六七八九十\d]{1,3})岁(?:了)?$"
)
_MARITAL: Final = re.compile(
    r"^(?:现在|目前|还|还是|已经|是)*(已婚|单身|未婚|离异|离婚了?|结婚了|丧偶)(?:的?)$"
)
_DIET: Final = re.compile(
    r"^(?:现在|一直|长期|是)?(?:个)?(吃素|吃全素|素食主义者|素食者|纯素|纯素食者)(?:的|了)?$"
)
_RELATION: Final = re.compile(
    r"^的?(名字|生日|年龄|手机号码?|电话号?码?|邮箱|电子邮箱|微信号|住址|地址|家庭住址|身高|体重|血型|鞋码|尺码|家乡|老家|籍贯|时区|母语|密码提示|老板|主治医生|家庭医生|牙医|车|学校|星座|工作|职业)(?:是|：|:|在)([^，]{1,24})$"
)
_KEYS: Final = {
    "名字": "name", "生日": "birthday", "年龄": "age", "手机号": "phone", "手机号码": "phone", "电话": "phone",
    "电话号": "phone", "电话号码": "phone", "电话码": "phone", "邮箱": "email", "电子邮箱": "email",
    "住址": "address", "地址": "address", "家庭住址": "address", "工作": "job", "职业": "job", "母语": "native language",
}  # fmt: skip
_IDENTIFIES: Final = re.compile(r"[A-Za-z\d]")
_NEGATIVE: Final = re.compile(r"^(?:[^，]{0,4})(?:不|没)")


def attribute(clause: Clause) -> tuple[str, str, str]:
    """The key of the attribute with predicate and value, empty strings for what may be true beside others."""
    if not _is_sure(clause):
        return "", "", ""
    nickname = _NICKNAME.match(clause.said)
    if nickname and clause.who == "none":
        return "nickname", "叫", nickname[1]
    if clause.who == "none":
        return "", "", ""
    body = clause.body.strip(" 。！!.~…啊呀呢吧啦哦")
    for find in (_favourite, _attitude, _allergic, _placed, employment, _working, _being, _related):
        found = find(body, clause)
        if found[0]:
            return found
    return "", "", ""


def _is_sure(clause: Clause) -> bool:
    """Whether the subject can't be mistaken for another, and nothing is put off or over."""
    if re.search(
        r"以前|曾|如果|要是|可能|也许|打算|想|准备|计划|会不会|小时候|的时候|以后", clause.said
    ):
        return False
    if clause.who == "kin":
        return (
            re.fullmatch(rf"(?:[我你您](?:们|家)?的?)?{lexicon.UNIQUE_KIN}", clause.subject)
            is not None
        )
    return clause.who in {"first", "name", "own", "second", "none"}


_NICKNAME: Final = re.compile(
    r"(?:朋友|大家|同事|家人|同学)们?(?:都|一般|平时)*[叫喊]我([^，。]{2,6}?)[。]?$"
)
_NOTHING: Final = ("", "", "")


def _favourite(body: str, clause: Clause) -> tuple[str, str, str]:
    found = _FAVOURITE.match(clause.front + body if not clause.front else body)
    if not found or clause.who == "own" or not _is_favourite(found[1], found[2]):
        return _NOTHING
    return f"favourite:{chinese_key(found[1])}", f"最喜欢的{found[1]}", found[2]


def _is_favourite(noun: str, value: str) -> bool:
    """Whether a favourite is named, and not only told of: 很贵, 台湾人, 来开演唱会的."""
    is_origin = _PERSON.search(noun) is not None and value.endswith("人")
    return not (is_origin or _UNNAMED.search(value))


def _attitude(body: str, clause: Clause) -> tuple[str, str, str]:
    found = _ATTITUDE.match(body)
    if not found or found[2].startswith("不得") or _UNTHING.search(found[2]) or clause.who == "own":
        return _NOTHING
    return f"attitude:{chinese_key(found[2])}", found[1], found[2]


def _allergic(body: str, clause: Clause) -> tuple[str, str, str]:
    found = _ALLERGY.match(body)
    if not found or clause.who == "own":
        return _NOTHING
    return f"allergy:{chinese_key(found[1])}", "过敏", found[1]


def _placed(body: str, clause: Clause) -> tuple[str, str, str]:
    if clause.who == "own":
        return _NOTHING
    found = _RESIDENCE.match(body)
    if found and is_place(found[1]):
        return "residence", "住在", found[1]
    moved = _MOVED.match(body)
    if (
        moved
        and is_place(moved[1])
        and "了" in body
        and not re.search(r"\d{4}|年前|去年|前年", clause.said)
    ):
        return "residence", "搬到", moved[1]
    return _NOTHING


def _working(body: str, clause: Clause) -> tuple[str, str, str]:
    if clause.who == "own":
        return _NOTHING
    found = _WORK.match(body)
    if found and not _NO_EMPLOYER.search(found[1]) and is_body(found[1]):
        return "employer", found[2], found[1]
    job = _JOB.match(body)
    return ("job", "当", job[1]) if job and not _HOW.match(job[1]) else _NOTHING


def _being(body: str, clause: Clause) -> tuple[str, str, str]:
    if clause.who == "own":
        return _NOTHING
    for pattern, key, predicate in (
        (_AGE, "age", "岁"),
        (_NAME, "name", "叫"),
        (_MARITAL, "marital status", "是"),
        (_DIET, "diet", "吃"),
    ):
        found = pattern.match(body)
        if found and (key != "name" or _is_name(found[1])):
            return key, predicate, found[1]
    return _NOTHING


def _is_name(value: str) -> bool:
    """Whether somebody is called so, and nobody is called to do something."""
    return _LIKE_NAME.match(value) is not None and not _CALLED.search(value)


def _related(body: str, clause: Clause) -> tuple[str, str, str]:
    """My X is Y, where one has one X only and Y names it."""
    owned = re.match(r"[我你您]的?(.*)", clause.subject)
    phrase = (owned[1] if owned and clause.who == "own" else "") + body
    found = _RELATION.match(phrase)
    if not found or _NEGATIVE.match(found[2]) or not _names(found[1], found[2]):
        return _NOTHING
    return _KEYS.get(found[1], f"is:{found[1]}"), found[1], found[2]


def _names(noun: str, value: str) -> bool:
    """Whether a value says which one it is, and not only how it is."""
    return not value.endswith("的") and first_of(
        (noun in _HOMES, is_place(value)),
        (noun in {"工作", "职业"}, _ONE_JOB.fullmatch(value) is not None),
        (noun == "生日", "月" in value),
        (noun in _PEOPLE, re.search("[A-Za-z]", value) is not None and "岁" not in value),
        (noun in _SINGLE, _IDENTIFIES.search(value) is not None),
        (_KEYS.get(noun) == "email", "@" in value),
        (_KEYS.get(noun) == "phone", value[0] in "+0123456789"),
        otherwise=True,
    )


_HOMES: Final = frozenset({"老家", "家乡", "籍贯"})
_SINGLE: Final = frozenset({"车", "学校"})
_PEOPLE: Final = frozenset({"老板", "牙医", "主治医生", "家庭医生"})
_ONE_JOB: Final = re.compile(rf"[^，]{{0,6}}{lexicon.OCCUPATION}")
