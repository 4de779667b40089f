"""Recency: 刚 and 刚刚 before a verb of something that happened, a short while ago."""

from __future__ import annotations

import re
from typing import Final

from graphmem.text.timex.clause import behind_last
from graphmem.text.timex.expression import Candidate
from graphmem.text.timex.frame import Frame
from graphmem.text.timex.zh.folding import folded
from graphmem.text.timex.zh.surroundings import is_cut_out, word_behind
from graphmem.text.words import word_set

_REACH: Final = 40
"""How many characters of the sentence are looked at on each side."""
_GANG: Final = re.compile(r"(?<![金小大阿老李王张刘陈赵吴])(?:才刚刚|才刚|刚刚(?!刚)|刚(?![刚才]))")
_SENTENCE_END: Final = re.compile(r"[。！？!?\n]")
_CLAUSE_END: Final = re.compile(r"[，。！？；,!?;：:\n…、]")
_NUMERAL: Final = "0-9０-９〇零一二两三四五六七八九十百千万半几"

# What 刚 is a part of, and what it goes with where it says "only", "just right" or "at first".
_OTHER: Final = re.compile(
    rf"[好性需强毅果健烈愎柔正劲硬直玉体度]|[{_NUMERAL}]|[够满能会要想欲待是不没可合及适有在][^了]|[够满能会要想]|打算|准备|"
    rf"(?:过|到|达到|满|到了|过了)?(?:[{_NUMERAL}]|一半)|[说讲问聊谈]|提(?:到|起|及|过|的)|(?:觉得|以为|认为|听说|感到|感觉|知道|认识到|意识到)"
)
_BETWEEN: Final = re.compile(
    r"(?:又|也|才|全|都|被|一起|顺利|终于|成功|正式|亲手|"
    r"(?:从|跟|和|与|把|将|给|被|帮|陪|带|为|对|由|让|替|用|坐|花)[^，。！？]{1,14}?(?=[买卖吃喝看见参办开完结做搬签逛拍找回来到出"
    r"去领拿送修装换收发打养生录考通升调派接约讨了]))"
)
# Marks behind a verb that it is done.
_DONE: Final = re.compile(
    r"[^，。]{0,12}?(?:完|了(?!解)|[买收拿领拍捡借换学接遇碰找来回搬调转升考看见走飞赶跑爬开寄送养租签聘评抽中赢得]到(?!底)|"
    r"[回上下进出过]来|[回过]去|[做装修办弄写画洗煮煲烤搭种学搞谈选订约整收准挑改编录拍]好|[办做建写学生领种拍烤挂装养结]成|"
    r"(?<=[吃看参开度去做玩])过(?!敏))"
)
# Verbs that say by themselves that something began, ended, or passed into other hands.
_EVENT: Final = re.compile(
    r"(?:[^，。]{0,8}?)(?:结束|毕业|结婚|离婚|订婚|分手|辞职|离职|入职|退休|升职|转行|搬家|搬[到进来去回]|出院|住院|出生|去世|怀孕|"
    r"生[下完]|到家|到达|抵达|回[来国家到]|下班|下课|放学|放假|下飞机|落地|起床|开业|开张|开学|上映|上市|上线|发布|出版|发表|报名|加入|"
    r"入手|入住|入学|录取|通过|获得|获奖|得奖|拿下|赢得|完成|参加|考上|领养|收养|收到|买[的房车]|换[的工]|装修|装好|"
    r"卖掉|丢掉|认识|遇见|见面|成立|创办|退出|签约|签下|成交|取消|取得|夺冠|当[上了]|成为|失业|复[学工职]|学会|出差|旅[行游]回|举行|举办|举行)"
)
_STATES: Final = word_set(
    "是 有 在 会 能 要 想 喜欢 爱 觉得 知道 需要 希望 像 属于 等于 住 叫 姓 及格 够 满 可以 应该 可能 愿意 以为 认为 想要 打算 准备 计划 "
    "担心 害怕 感觉 明白 懂 记得 适合 值得 开始 说 听说 聊 谈 讲 问 提到 提 没有 没 算 差 超过 不到 达到 允许 算是 相信 看来 出头 及 过"
)
"""Verbs that tell of no event: states, thoughts, modals, measures, talk."""
_BEGUN: Final = re.compile(
    r"从[^，。]{1,10}[回来到出]|开始[^，。]|[换当](?=.)|上(?:完|[大小中高初]学|研|岗|车|飞)"
)
# It is told from another time, is usual, supposed or asked.
_ELSEWHEN: Final = re.compile(
    r"那时|当时|那会|那阵|那年|那天|那晚|那段|当年|当初|小时候|以前|从前|过去|后来|之前|曾经|起初|最初|每次|每当|每逢|总是|经常|通常|一般|往往|"
    r"平时|不久前|近来|最近|前些|前几|有一[天次年]|有次|早先|早些|往年|如果|要是|假如|假设|假使|万一|倘若|若是|的话|好像|似乎|仿佛|像是|"
    r"就像|以为|希望|除非|只要|一旦|下次|将来|以后"
)
_DENIED: Final = re.compile(r"(?:不是|并非|没有?|不)\Z")
_BEHIND: Final = re.compile(
    r"时候|时(?=[，,。我他她你就还也])|那会|那阵|那[年天晚段时]|那几|之后|以后|后(?=[，,就我他她])|之前|(?<!的.)(?<!的..)(?<!的...)就(?!业|读|职|诊|医|餐|绪|是)|便(?!宜|利|当|携)|(?<=.)又(?!一)|"
    r"[吗么呢]\Z|没多久|不久|没几"
)
_THEN: Final = re.compile(
    r"[，,]\s*(?:[我你他她它们]{0,2})(?:就(?!业|读|职)|便(?!宜)|又|突然|忽然)"
)
_BEGINS: Final = re.compile(r"开始(?:[，,]|的|时|还|我|他|她|有|不|很|挺|觉|以|只|都|没|是|会|那)")


def candidates(text: str) -> list[Candidate]:
    """Each 刚 that says a short while ago, in text order."""
    if "刚" not in text and "剛" not in text:
        return []
    plain = folded(text)
    return [
        Candidate(start=match.start(), end=match.end(), kind="recent", resolve=Frame.just_before)
        for match in _GANG.finditer(plain)
        if _is_recent(plain, match.start(), match.end())
    ]


def _is_recent(text: str, start: int, end: int) -> bool:
    before = behind_last(_SENTENCE_END, text[max(0, start - _REACH) : start])
    after = text[end : end + _REACH]
    stop = _CLAUSE_END.search(after)
    clause, mark = (after[: stop.start()], stop[0]) if stop else (after, "")
    rest = _until(_SENTENCE_END, after)
    if mark in {"?", "？"} or not _tells_event(clause):
        return False
    if _ELSEWHEN.search(before) or _ELSEWHEN.search(rest):
        return False
    if _BEHIND.search(clause) or _THEN.match(rest, len(clause)):
        return False
    own = behind_last(_CLAUSE_END, before)
    if _DENIED.search(own) or _is_at_first(own, clause, after):
        return False
    return not is_cut_out(text, start, end)[0]


def _tells_event(clause: str) -> bool:
    """Whether the words behind 刚 say that something happened."""
    if clause.startswith("在"):  # 在公司开完会, but 在看书 is going on
        place, tag = word_behind(clause, 1)
        is_going_on = len(place) == 1 and tag.startswith("v")
        return not is_going_on and _is_done(clause, 1 + len(place))
    at = 0
    between = _BETWEEN.match(clause)
    while between:
        at = between.end()
        between = _BETWEEN.match(clause, at)
    if _OTHER.match(clause) or _OTHER.match(clause, at):
        return False
    if _is_done(clause, at):
        return True
    if _BEGUN.match(clause):
        return True
    word, tag = word_behind(clause, at)
    return tag.startswith("v") and word not in _STATES


def _is_done(clause: str, at: int) -> bool:
    return bool(_EVENT.match(clause, at) or _DONE.match(clause, at))


def _is_at_first(own: str, clause: str, after: str) -> bool:
    """Whether 刚开始 means "at first": it opens its clause, or no verb follows."""
    if not clause.startswith("开始"):
        return False
    return bool(_BEGINS.match(after)) or not own.strip()


def _until(pattern: re.Pattern[str], text: str) -> str:
    stop = pattern.search(text)
    return text[: stop.start()] if stop else text
