"""The tense of a clause: Chinese has no tense, but words that say whether a thing was done or is to be."""

from __future__ import annotations

import re
from typing import Final, Literal

from graphmem.text.timex.calendar import Outlook, Tense
from graphmem.text.timex.clause import behind_last
from graphmem.text.timex.zh.arranging import has_failed, is_ahead, is_done

_REACH: Final = 40  # characters of a clause that are looked at on either side
_STOP: Final = re.compile(r"[，。！？；,!?;\n…]|\.\s")
# Words that hold a character of the markers below and say nothing of tense.
_MASK: Final = re.compile(
    r"为了|除了|了解|了不起|.不了|得了吧|算了|对了|罢了|"
    r"过[年节来去程敏期分错几半渡]|过生日|过两天|[不通超经难透好]过|太过|过于|"
    r"[特区分告级个性类离差识]别|别[人的墅处扭]|[理思梦感幻联猜妄]想|想必|大约|[一肯决稳固特规]定|会[餐诊考合见]|"
    r"[开聚约宴晚大社机协工学年商例酒舞体误领教董事峰运盛晨班茶]会|会[议员计所场长谈面儿友费]|"
    r"[不主重只首需]要(?=[求的紧是])|不要|主要|重要|要是|要求|要么|要点|要不|只要|纪要|要好|要紧|摘要|首要|要命|要死|要素|"
    r"将近|将军|麻将|刚[好性才]|不得已|而已|"
    r"的(?:会|计划|打算|准备|安排|希望)|计划[书表]|准备工作|再[也三次]|想[起到念法象]|不再"
)
_PAST: Final = re.compile(
    r"了|(?<=.)过|已经|已|曾经|曾|刚|当时|那时|"
    r"[到去来回买见走拿给做开办识报搬生拍写订寄收发签种打结离领提送借修换定交看吃喝玩听用种聊谈试跑唱选做画借]的|"
    r"[收遇碰见看听买抢拿找借捡梦接等考]到|[碰遇撞]见|[寄送打发传]来|才知道|发现|"
    r"没(?=[去来睡见吃看赶买写收回接做完说到参上下出起考想])|(?:玩|吃|睡|考|打|聊|喝|过)得"
)
_FUTURE: Final = re.compile(
    r"要(?!了)|会|将|打算|准备(?![了好得])|计划|想(?![了过])|约[好了在]|定[在于]|预[计定约订](?!了)|即将|到时|马上|"
    r"快到|希望|期待|记得|别|截止|必须|务必|(?<![意看听遇碰罕常偏少])见(?=[，。！!\n]|\Z)|安排在|需要|来得及|有空|有时间|"
    r"能不能|[能可].{0,8}[吗？?]|怎么样[？?]|行吗|好吗|好不好|去不去|争取|吧(?=[，。！？!?\n]|\Z)|再|该(?=[交去还走做])|"
    r"(?<![玩吃睡考打聊喝过走跑做说写来变觉记值晓懂])得(?=[去交上加回还开带写赶请])"
)
_PLAN: Final = re.compile(
    r"(?:约|定|订|预约|准备|安排)[了好的]|说好|(?:推迟|改|延|延期|挪|提前|安排)[到在成]|提醒|等到?\Z"
)
_DONE: Final = re.compile(r"已经|曾|刚|当时")
# What is usual, supposed or was meant is of no one day.
_UNREAL: Final = re.compile(
    r"每|通常|经常|总是|一般|平时|往往|向来|常常|习惯|如果|要是|假如|本来|原本|原定|本该|除非|"
    r"一到|只要|逢|都会|都想|讨厌|喜欢|最[爱烦怕]|"
    r"[到至-](?:周|星期|礼拜).都"
)
# Of the present, or of what is near: 周五了, 周五就放假了, 周五不去了, 周五太堵了.
_UNCLEAR: Final = re.compile(
    r"\A(?:了|好了|的话|的.{0,10}[买订抢约定])|(?:就|不(?!小心|知)|太|最|够|可)[^，。把给]{1,8}了(?=[，。！？!?\n吧]|\Z)"
)
_SENTENCE_END: Final = re.compile(r"[。！？!?\n]")
_REPORTED: Final = re.compile(r"说|告诉|决定|表示|宣布|通知|答应|提到|问")


def tense(text: str, start: int, end: int) -> Tense | None:
    """The tense of the clause around a stretch of a text; None if nothing says so or words disagree."""
    match outlook(text, start, end):
        case "past":
            return "past"
        case "future":
            return "future"
        case "ahead" if _told(*_clause(text, start, end)) == "future":
            return "future"
        case _:
            return None


def outlook(text: str, start: int, end: int) -> Outlook | None:
    """The same of a date without a year, which may be of what was arranged."""
    before, after = _clause(text, start, end)
    if _UNREAL.search(before) or _UNREAL.search(after):
        return None
    if is_done(after):
        return "past"
    if is_ahead(before, after):
        return "unsure" if has_failed(_rest(text, end)) else "ahead"
    return _told(before, after)


def _rest(text: str, end: int) -> str:
    """What follows in the same sentence."""
    rest = text[end : end + _REACH]
    stop = _SENTENCE_END.search(rest)
    return rest[: stop.start()] if stop else rest


def _told(before: str, after: str) -> Tense | None:
    left, right = _left(_masked(before)), _right(_masked(after))
    if right == "past" and left == "future":
        return None
    if right == "unclear":
        return left if left == "future" else None
    return right or left


def _right(text: str) -> Tense | Literal["unclear"] | None:
    """What the words behind the time say: the first marker, as 要…了 is still to be."""
    past, future = _PAST.search(text), _FUTURE.search(text)
    if future and (past is None or future.start() < past.start()):
        return "unclear" if _REPORTED.search(text[: future.start()]) else "future"
    if past:
        return "unclear" if _UNCLEAR.search(text) else "past"
    return None


def _left(text: str) -> Tense | None:
    """What the words before the time say: there 了 tells of another thing (买了周五的票)."""
    if _PLAN.search(text):
        return "future"
    is_done = bool(_DONE.search(text))
    if _FUTURE.search(text):
        return None if is_done else "future"
    return "past" if is_done else None


def _clause(text: str, start: int, end: int) -> tuple[str, str]:
    """The clause before and behind a stretch; the next one too if the stretch ends with a comma."""
    before = behind_last(_STOP, text[max(0, start - _REACH) : start])
    after = text[end : end + _REACH]
    stop = _STOP.search(after)
    if stop and stop.start() == 0 and stop[0] in "，," and not before.strip():  # 周五，我们去了公园
        after = after[1:]
        stop = _STOP.search(after)
    return before, after[: stop.end() if stop else None]


def _masked(text: str) -> str:
    return _MASK.sub(lambda match: "_" * len(match[0]), text)
