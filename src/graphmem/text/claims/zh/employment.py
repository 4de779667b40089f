"""Employment tells where a clause says that a job begins or ends; only where it can be nothing else."""

from __future__ import annotations

import re
from typing import Final

from graphmem.domain.setting import END
from graphmem.text.claims.choice import first_of
from graphmem.text.claims.zh import lexicon
from graphmem.text.claims.zh.clause import Clause
from graphmem.text.claims.zh.place import is_body, is_place

_EMPLOYER: Final = "employer"
_NOTHING: Final = ("", "", "")
_FRONT: Final = rf"(?:(?:上上?|这|本)个?(?:周|星期|礼拜)[一二三四五六日天]|已经?|刚刚?|就|终于|正式|最近|上个?[周月]|年初|{lexicon.PAST_TIME}|{lexicon.DATED_TIME})*"
_NAME: Final = "[^，了的从到]{2,12}?"
_FIRM: Final = f"(?P<firm>{_NAME})"
_TRADE: Final = rf"(?:[^，]{{0,6}}{lexicon.OCCUPATION})"

_BEGUN: Final = tuple(
    re.compile(_FRONT + pattern)
    for pattern in (
        rf"(?:从{_NAME})?(?P<verb>跳槽|转职)(?:到|去|来)了?{_FIRM}(?:了|工作|上班)?$",
        rf"(?P<verb>入职)了?{_FIRM}(?:(?:当|做|担任){_TRADE})?了?$",
        rf"(?P<verb>加入)了?{_FIRM}(?:(?:当|做|担任){_TRADE}|工作|上班)了?$",
        r"(?P<verb>加入)了?(?P<firm>[^，了的从到]{2,10}(?:公司|集团|事务所))$",
        rf"(?:在|去|到){_FIRM}(?P<verb>入职|找到(?:新|一份)?工作)了?$",
        rf"被{_FIRM}(?P<verb>录用|聘用)了?$",
    )
)
_ENDED: Final = tuple(
    re.compile(_FRONT + pattern)
    for pattern in (
        rf"从{_FIRM}(?P<verb>离职|辞职|退休|跳槽|离开|裸辞)(?:了|出来了?)?$",
        rf"(?P<verb>离开)了?{_FIRM}了?$",
        rf"(?:再也?)?不(?:再)?在{_FIRM}(?P<verb>工作|上班|任职)了$",
        rf"被{_FIRM}(?P<verb>裁员?|开除|辞退|解雇)了?$",
    )
)
_LEFT: Final = re.compile(
    _FRONT + r"(?:(离职|辞职|裸辞|被裁员?|被辞退|失业|退休|辞掉工作)了|(辞(?:掉了|了)工作)了?)$"
)
# What stands for some employer, and names none.
_UNNAMED: Final = re.compile(
    r"^(?:[这那哪某别另]|其他|新|原|老|前|一家|几家|国|外地|家)|^(?:公司|单位|工作|岗位|职位|团队|部门)|岗位?$|^[我你他她]"
    rf"|^(?:{lexicon.KIN}|{lexicon.OTHERS})$"
)
_AHEAD: Final = re.compile(lexicon.FUTURE_TIME + "|要|将|快")


def employment(body: str, clause: Clause) -> tuple[str, str, str]:
    """The attribute with predicate and employer, empty strings where no job begins or ends."""
    if clause.who == "own" or _AHEAD.search(clause.said):
        return _NOTHING
    if left := _LEFT.match(body):
        return _EMPLOYER + END, left[1] or left[2], ""
    begun = _named(_BEGUN, body)
    ended = _named(_ENDED, body)
    return first_of(
        (begun is not None, (_EMPLOYER, *(begun or ("", "")))),
        (ended is not None, (_EMPLOYER + END, *(ended or ("", "")))),
        otherwise=_NOTHING,
    )


def _named(patterns: tuple[re.Pattern[str], ...], body: str) -> tuple[str, str] | None:
    """Verb and employer, where one of these says so and names one."""
    for found in (pattern.match(body) for pattern in patterns):
        if found is not None and _is_firm(found["firm"], found["verb"]):
            return found["verb"], found["firm"]
    return None


def _is_firm(name: str, verb: str) -> bool:
    """Whether a name is that of an employer; one may leave anything, but a noun that is no place is one."""
    is_sure = verb != "离开" or is_body(name)
    return is_sure and not _UNNAMED.search(name) and not is_place(name)
