"""Tells a standing rule for the assistant from a single request, an advice and a report."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from graphmem.text.claims.choice import first_of
from graphmem.text.claims.zh.clause import Clause

_REPLIES: Final = (
    r"(?:回答|回复|回覆|答案|答复|消息|输出|邮件|总结|对话|聊天|解释|推荐|菜谱|代码|翻译|文章|作文)"
)
_FIRM: Final = re.compile(
    r"以后|除非我|请?你?记住|(?:推荐|回答|回复|翻译|总结|讲解|写[^，]{1,4})[^，]{0,6}(?:时|的时候)|所有[^，]{1,8}(?:都|一律|请)|今后|往后|日后|从现在(?:开始|起)|从今|从此|(?:今天|现在|这次|本次|这句话)(?:开始|起)|每次|每回|每当|凡是|但凡|只要我|只要是|默认|一律|始终|永远|任何时候|无论|不管|"
    rf"所有(?:的)?{_REPLIES}|每[条个篇封次份](?:的)?{_REPLIES}|统一用|长期|一直(?:用|叫|称|保持|以|按)|再也(?:不|别)|"
    r"(?:别|不要|不许|不准|不用|不必|请勿|禁止)(?:总是|老是?|总|再|一直|每次)|全部都|都不要|都别|都不许|都要|都得|都请|都必须|"
    rf"{_REPLIES}(?:时|的时候|里|中|末尾|开头|最后|结尾|一律|都|尽量)|跟我(?:说话|讲话|聊天|沟通|交流)|(?:当|如果|要是|一旦)我|我(?:问|说|发|让|提到|要|贴)[^，]{{0,12}}(?:时|的时候|就)"
)
_COMMAND: Final = re.compile(
    r"^(?:请|麻烦|拜托|烦请|务必|一定|必须|你|您|都|就|先|只|尽量|得|一律|始终|永远|一直|统一|默认|每次|也|全部|直接|帮我|给我|和我|跟我|对我|在|把|不管|凡是|以后|今后|往后|同时)*"
    r"(?:请|别|不要|不许|不准|不用|不必|勿|禁止|避免|避开|不能|不得|不可以|务必|必须|一定|都要|都得|要|得|用|使用|叫|称呼|称|喊|回答|回复|回|写|给|列|加|加上|附|附上|标|标注|标明|注明|控制|翻译?|说|讲|保持|提醒|推荐|"
    r"输出|采用|按|以|先|只|简短|简洁|省略|跳过|忽略|删掉|去掉|保留|记得|检查|确认|询问|问|解释|总结|改|换|换成|当|当作|默认|假设|使用|引用|提供|告诉|分|精简|详细|随便|直接|写成|不超过|不再|少|多|优先|排除|安排|放|从|语气|称呼)"
)
_OF_SELF: Final = re.compile(
    r"(?:我|咱)(?:们)?(?!们?用|问|说|发|让|提|要你|要求|需要你|希望你|想让你|请你|贴|给你|叫你|用|写|输入|上传|心情|情绪|不开心|没)"
)
_SUBORDINATE: Final = re.compile(
    r"^(?:每次|每当|每回|只要|凡是|当|如果|要是|一旦|无论|不管|但凡|以后|今后|往后|从现在起|从现在开始|假如|若)*[^，]{0,3}我[^，]{0,20}(?:时|的时候|的话|之前|后|”|」|\")?$"
)
_TOLD: Final = re.compile(
    r"(?:希望|需要|要求|要|想让|请|麻烦|拜托)[你您]|[你您](?:以后|今后|每次|都|要|就|必须|得|应该|只|别|不要|不许|不用|可以(?:不用|叫|直接)|能不能|一定)"
)
_ONCE: Final = re.compile(
    r"这(?:次|一?条|一?封|一?段|一?篇|个问题|句|份|道)|上面|下面|以下|上述|本文|这里|刚才那"
)
_ALWAYS: Final = re.compile(r"以后|今后|往后|从现在|从今|每次|任何时候|永远")
_NAMING: Final = re.compile(
    r"^(?:请|就|你|您|可以|直接|都|一直|以后|今后|从现在(?:起|开始))*(?:叫|喊|称呼)我(?!们|妈|爸|起床|一声|的名|去|来|帮|做|爷|奶|哥|姐|老公|老婆|为难)(?:为|作|做)?[^，。]{1,8}$"
)
_STYLE: Final = re.compile(
    r"^(?:请|麻烦|拜托)?(?:别|不要|不许|不准|勿|请勿)(?:用|使用|加|发|带|给我用|给我发)[^，这那]{0,4}(?:表情|emoji|符号|颜文字|感叹号|敬语|术语|列表|表格|网络用语|成语)|^(?:你|您)的(?:回答|回复)(?:要|请|应该|别|不要|尽量|控制|太)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """An instruction as it was found.

    Attributes:
        clause: the clause that commands.
        is_negated: whether it forbids.
        is_conditional: whether it holds under a condition only.
    """

    clause: Clause
    is_negated: bool
    is_conditional: bool


def find(sentence: str, parts: Sequence[Clause]) -> Rule | None:
    """The standing rule of a sentence, None if it sets none."""
    is_once = _ONCE.search(sentence) is not None and _ALWAYS.search(sentence) is None
    if is_once or (all(part.is_marked for part in parts) and not _ALWAYS.search(sentence)):
        return None
    is_firm = _FIRM.search(sentence) is not None
    for part in parts:
        text = _bare(part)
        if _NAMING.match(text) or _STYLE.match(text):
            return _rule(sentence, part)
        if is_firm and _commands(part, text):
            return _rule(sentence, part)
    return None


def _bare(part: Clause) -> str:
    """A clause without what introduces it."""
    return (
        part.text.strip(' “”"「」（）()、')
        if not part.front
        else (part.front + part.subject + part.body).strip(' “”"「」、')
    )


_FRONTED: Final = re.compile(
    r"^(?:(?:从|自)?(?:现在|今天|今|此|这次|本次)(?:往后|以后|之后|开始|起)?|以后|今后|往后|日后|每次|每回|每当|凡是|但凡|默认|永远|任何时候|始终|一律|记住|请记住|麻烦你记住|否则|所以|但|不过|那|那么|(?:在|跟|和|给|对|回)?我?[^，我]{0,10}(?:的时候|时候|时(?!间)|末尾|开头|结尾|里|中|之前|之后))+"
)


def _commands(part: Clause, text: str) -> bool:
    """Whether a clause commands, and does not report of the speaker."""
    is_told = _TOLD.search(text) is not None
    fronted = _FRONTED.match(text)
    body = text[fronted.end() :] if fronted else text
    is_report = _OF_SELF.match(text) is not None and not _SUBORDINATE.match(text)
    is_of_others = part.who in {"kin", "name", "third", "own"} or re.match(
        r"(?:我|咱)们?(?!们?用|们?以|们?说|们?就用)", body
    )
    forbids = part.who == "own" and re.search(r"不准|不许|别|不要|必须|务必", part.body)
    commands = any(pattern.match(words) for pattern in (_COMMAND,) for words in (body, text))
    return first_of(
        (part.is_marked and not is_told, False),
        (is_told and not re.match(r"我(?:以后|今后|每次)", text), True),
        (is_report, False),
        (bool(forbids), True),
        (bool(is_of_others), False),
        otherwise=commands or _topic_command(body) or _is_standing(part, text, body),
    )


def _is_standing(part: Clause, text: str, body: str) -> bool:
    """Whether something is said of all the time to come that has not happened yet."""
    is_open = part.who in {"none", "noun", "thing"} and "了" not in body
    return is_open and len(body) > 2 and _is_future(text)


def _is_future(text: str) -> bool:
    """Whether a clause is set in all the time to come."""
    return re.match(r"(?:以后|今后|往后|从今|从现在|凡是|所有(?:的)?回[答复])", text) is not None


def _topic_command(body: str) -> bool:
    """Whether a command stands behind its topic: dates are always written so."""
    found = re.search(
        r"(?:一律|统统|统一|都附|都加|都标|都先|都用|都要|都得|都请|都写|都按|都控制|都不要|都别|都必须|请|只用|不要|别|务必|必须|控制在|写成|避开)",
        body,
    )
    return found is not None and found.start() <= 12


def _rule(sentence: str, part: Clause) -> Rule:
    return Rule(
        clause=part,
        is_negated=re.search(
            r"别|不要|不许|不准|不用|不必|勿|禁止|避免|避开|不得|不能|再也不", part.text
        )
        is not None,
        is_conditional=re.search(
            r"如果|要是|每当|只要|凡是|但凡|时候|当我|一旦|我问|我说|我发|每次|时[^间候]", sentence
        )
        is not None,
    )
