"""Arranging what lies ahead: in 我被邀请参加1月5号的婚礼了 the 了 is of the invitation, the date of the wedding.

What is arranged stands behind its verb, with its date (订了6月5号的票); a date before the verb is of the
arranging (6月5号订的票).
"""

from __future__ import annotations

import re
from typing import Final

_ARRANGING: Final = re.compile(
    r"邀请|受邀|应邀|预[订约定]|[订定约排][了好到上在]|约(?=[我你他她])|安排|通知|答应|承诺|许诺|报名|报[了上]|选[上中](?=.{0,4}参加)|"
    r"请好了?|请[我咱](?:们|俩)?[去来喝参]|租[了好下]|包[了下]|"
    r"(?:续|延|延期|延长|推迟|改期?|挪|顺延|展期|定|排)[到至在]|(?:续[签约租费]|改签|[交付调租])到|有效期到|批[了准].{0,4}(?:假|延)"
)
_GETTING: Final = re.compile(r"(?:收到|拿到|抢到|买到|买[了好]|抽中|中了|弄到|请了)了?")
_ADMISSION: Final = re.compile(r"票|邀请|请[柬帖]|名额|假|入场|通知")
_BETWEEN: Final = re.compile(
    r"[了过是](?!.{0,3}张)|的时候|之?后|以后|从|自|直到|一直|截至|没|不|在.{1,6}里|去过"
)
"""What makes the arranging, or what stands between it and the date, a thing of its own: 被邀请参加了."""
_ENDING: Final = re.compile(r"[了啦]?[，,。.！!；;、\s~～…]*\Z")
_DONE: Final = re.compile(
    r"了(?!解|不起)|过(?![年节生平])|已经?|没|[去来到买见](?=的[^\u4e00-\u9fff]*\Z)"
)
_FAILED: Final = re.compile(
    r"没[来去到成]|取消|泡汤|作废|后来|结果|爽约|放.{0,3}鸽子|黄了|忘了|退[了掉]"
)
_COMING_TO_PASS: Final = re.compile(
    r"(?:早)?[就才便](?:已经?)?(?:报(?:了?名|上)|订|定|约|预[订约定]|买|抢|收到|拿到|通知|答应|安排|被?邀请)[^，。]{0,6}(?:[了的]|\Z)|"
    r"(?:约|订|定|报|买|请|邀请|通知)[好完]?了?(?:以后|之后)"
)


def is_ahead(before: str, after: str) -> bool:
    """Whether a date between two parts of a clause is of what was arranged in the first."""
    found = list(_ARRANGING.finditer(before))
    if not found and _ADMISSION.search(after):
        found = list(_GETTING.finditer(before))
    if not found or _BETWEEN.search(before[found[-1].end() :].removeprefix("了")):
        return False
    return not _DONE.search(_ENDING.sub("", after))


def has_failed(rest: str) -> bool:
    """Whether the sentence goes on with what came of it: 约好周五见面，可他没来."""
    return bool(_FAILED.search(rest))


def is_done(after: str) -> bool:
    """Whether the arranging itself is told behind the date: 11月3号就报名了."""
    return bool(_COMING_TO_PASS.match(after))
