"""Says which type of memory a clause makes, by whom it speaks of and by its marks of time and aspect."""

from __future__ import annotations

import re
from typing import Final, Literal

from graphmem.domain.claim import AtomType
from graphmem.text.claims.choice import first_of
from graphmem.text.claims.draft import Voice
from graphmem.text.claims.zh import lexicon
from graphmem.text.claims.zh.clause import Clause

Verdict = AtomType | Literal["none"]

_HABIT: Final = re.compile(lexicon.HABIT)
_OCCASION: Final = re.compile(f"{lexicon.PAST_TIME}|{lexicon.FUTURE_TIME}|{lexicon.DATED_TIME}")
_FIRM_OCCASION: Final = re.compile(
    rf"昨|今[天早晚]|明[天早晚]|后天|[上下这]个?(?:周|星期|月)|{lexicon.DATED_TIME}"
)
_FORMER: Final = re.compile(
    r"以前|曾经?(?!孙)|小时候|过去(?![看了吧])|那时候?|当年|原先|本来|之前(?!的)|年轻的?时候|上学的?时候|大学时"
)
_PERFECTIVE: Final = re.compile(
    r"了(?!解|不起|得|无|如|然)|过(?!敏|节|年|夜|日|冬|得|于|分|程|渡|道|关|度|时|期|客)(?:[^去来]|$)|(?:已经?|都)[^，]{1,8}(?:[好完掉到]|完毕|完成|成功)(?:$|，)"
)
_SPAN_STATE: Final = re.compile(
    r"(?:住|学|做|当|养|结婚|工作|用|练|吃素|戒烟|干|教|写|弹|跑|开|认识|在一起|恋爱)(?:[^，]{0,8})了?(?:[一二两三四五六七八九十几百\d]+多?(?:年|个月)|好几年|大半辈子|半辈子)[^，过]{0,6}了?$|(?:[一二两三四五六七八九十几百\d]+多?(?:年|个月)|好几年|多年)了$"
)
_AGE: Final = re.compile(r"[一二三四五六七八九十\d]{1,3}岁(?!那|的时候|时|开始|起|就)")
_PLAN: Final = re.compile(
    r"打算|准备|计划|决定|正在|正要|得(?=[把去早赶回交加写做完])|需要(?=[把去])|要(?=[去把来回搬加出参交开考做])|将要|快要|约(?:了|好)|预约"
)
_DREAM: Final = re.compile(
    r"(?:想|希望|盼着?|渴望)(?:能|能够|早日|有一天|将来|以后|有朝一日)?(?:成为|当|做|开|学|拥有|有|考上|去|写|变|买|养|攒|环游)|梦想|目标是|理想|愿望|志向|一直想|有生之年"
)
_STATE: Final = re.compile(rf"(?:{lexicon.STATE}|{lexicon.ATTITUDE})")
_ATTITUDE: Final = re.compile(lexicon.ATTITUDE)
_FEELING: Final = re.compile(
    rf"(?:很|好|太|特别|非常|有点儿?|超|真|挺|超级|十分|都|快|要|更|又|还)?(?:{lexicon.FEELING})"
)
_DEGREE: Final = re.compile(
    r"(?:很|比较|特别|挺|非常|太|超级?|十分|极其|蛮|最|偏|有些|不太|不怎么|不)(?!是|要|用|行|好意思|知道|错|了)[\u4e00-\u9fff]"
)
_DISPOSED: Final = re.compile(
    r"把[^，]{1,12}(?:了|[好完掉到坏丢光断])|被[^，]|让人|给[^，]{1,6}(?:打|发|送|寄|买|写)了"
)
_FAR_YEAR: Final = re.compile(
    r"(?<!\d)1[0-8]\d\d年?|19[0-4]\d年|世纪|公元|[唐宋元明清汉秦隋]朝|古代|朝代"
)
_ADVICE: Final = re.compile(
    r"建议|应该|最好|可以|有益|有助|不妨|需要注意|能够?帮|避免|通常|一般|容易"
)
_REQUEST: Final = re.compile(
    r"^(?:请|麻烦|拜托|劳驾)?(?:你|您)?(?:能|可以|先|再|就)?(?:帮(?:我|忙|他|她|写|看|查|改)|给我|教我|告诉我|提醒我|推荐|介绍|解释|翻译|总结|概括|列(?:出|举)|写(?:一|首|篇|个|封|段)|用.{1,10}(?:写|说|回答|总结|解释|翻译|概括)|把(?:上面|这|下面|以下|它|上述)|算(?:一下|算)|查(?:一下|查)|"
    r"看看|说说|讲讲|讲(?:一|个)|来(?:一|个|首|点)|生成|画(?:一|个|张)|改(?:一下|写|成)|分析|比较一下|想(?:一|个|几)|起(?:个|一)|给.{1,10}(?:起|写|取|想|做)|随便|继续|换(?:一?个|成)|再(?:来|写|说|给)|接着|举|润色|整理|找(?:一|几|些)|设(?:一|个|置|定)|(?:明|今|后)[天晚早]?[^，]{0,8}(?:提醒|叫)我|让我(?:们)?(?:看|想|试|知道)|请)"
)
_REQUEST_OF_FIRST: Final = re.compile(
    r"^(?:想(?:问|知道|请教|请你|让你|了解|咨询)|需要(?:你|一[个份篇]|帮)|要(?:你|一[个份篇])|希望你|该(?:怎|如))|^不(?:太)?(?:知道|清楚|确定|明白|懂)$|^(?:觉得|认为|感觉)(?:你|这|那|很|挺|不错|可以|也)|^(?:猜|祝|支持你|相信你|也(?:是|觉得|这么|一样)|爱你|懂|明白|理解|知道)|^(?:真的?|好|太)(?:爱|喜欢|羡慕)(?:你|这|了)|^(?:喜欢|爱)(?:你|这|它)"
)
_PRAISE: Final = re.compile(
    r"^(?:真|好|太|很|可真|人真|非常|超|最|说得|做得|唱得|写得|的(?!车|票|订|预|快|航|行|会))|^(?:是|的)[^，]{0,6}(?:天才|好人|最[棒好]|朋友)"
)
_DEED: Final = re.compile(r"已经?|刚刚?|帮(?:您|你)|为(?:您|你)|替(?:您|你)|给(?:您|你)|把|按")
_DONE: Final = re.compile(r"了|[好完成掉](?:$|[，的])|过")
_NO_DEED: Final = re.compile(
    r"^(?:可以|能|很高兴|建议|无法|不能|没有|没法|不会|是|觉得|认为|推荐|来|理解|明白|随时|愿意|希望|想|的)|抱歉"
)
_SUBMITTED: Final = re.compile(r"已经?(?!知|婚|有)|提交了|预订了|完成了|取消了|到账|发货|确认了")
_OURS: Final = re.compile(r"我(?:家|们|妈|爸|的|老)|咱")


def verdict(clause: Clause, voice: Voice) -> Verdict:
    """The type of a clause's claim, `none` if it makes no memory."""
    if voice.is_machine:
        return _of_machine(clause)
    if re.match(lexicon.GREETING, clause.said) or re.match(lexicon.GREETING, clause.text):
        return "none"
    match clause.who:
        case "first" | "kin" | "own" | "third":
            return _of_person(clause)
        case "name":
            return "none" if _FAR_YEAR.search(clause.text) else _of_named(clause)
        case "none":
            return _of_nobody(clause)
        case _:
            return _of_thing(clause)


def _of_person(clause: Clause) -> Verdict:
    if clause.subject[0] in "你您":
        return "none"
    if clause.who == "first" and _REQUEST_OF_FIRST.match(clause.body):
        return "none"
    return _by_aspect(clause) or _by_predicate(clause)


def _by_aspect(clause: Clause) -> Verdict | None:
    """The type by what a clause says of time; None if it says nothing."""
    said = clause.said
    is_set_in_time = _OCCASION.search(said.replace("今年", "")) is not None
    cases: tuple[tuple[bool, Verdict | None], ...] = (
        (_AGE.search(said) is not None and not is_set_in_time, "persona"),
        (_DREAM.search(said) is not None and not is_set_in_time and "了" not in said, "persona"),
        (_FORMER.search(said) is not None and "从小" not in said, "episodic"),
        (re.search(r"从来(?:没|不)|从没|从未|从小|从不", said) is not None, "persona"),
        (_HABIT.search(said) is not None and not _is_past_occasion(said), "persona"),
        (_SPAN_STATE.search(said) is not None and not is_set_in_time, "persona"),
        (_BIRTHDAY.match(clause.subject + said) is not None, "persona"),
        (_is_set(said) or _is_done(said), "episodic"),
    )
    return first_of(*cases, otherwise=None)


_BIRTHDAY: Final = re.compile(r"[^，]{0,6}(?:生日|纪念日)(?:是|在)")


def _is_past_occasion(said: str) -> bool:
    return re.search(r"昨|今[天早晚]|刚才|上周|上个月|去年|明天|下周|下个月", said) is not None


def _is_set(said: str) -> bool:
    """Whether something is set at one time, or planned."""
    without = re.sub(r"今年|现在|最近几年", "", said)
    if _OCCASION.search(without) and not re.search(
        r"[\d一二三四五六七八九十]+点(?:前|左右|以前|多)?(?:睡|起|下班|上班)", said
    ):
        return not (_ATTITUDE.match(without) and "了" not in said)
    return _PLAN.search(said) is not None


def _is_done(said: str) -> bool:
    """Whether something has happened, or changed."""
    if _DISPOSED.search(said):
        return True
    found = _PERFECTIVE.search(said)
    if not found:
        return False
    if re.search(
        r"(?:养|生|有|开)了[^，]{0,3}[一二两三四五六七八九十几\d]+[只条个匹头盆缸位家]", said
    ) and not _OCCASION.search(said):
        return False
    return not re.search(
        r"(?:太|最|可|够|极)[^，了]{1,6}了|受不了|[吃喝跑忍少免]不了|为了|除了|对得?了|得不得了|惯了|不了解|[一-龥]不过|不过|忘不了|离不了|岁了$|多了$",
        said,
    )


def _by_predicate(clause: Clause) -> Verdict:
    """The type by what is said: feelings pass, states last, errands are events."""
    body = clause.body
    if _FEELING.match(body) and not _ATTITUDE.search(body[:6]):
        return "episodic"
    if _ATTITUDE.search(body[:10]) or re.search(r"过敏|不耐受", body):
        return "persona"
    if (
        re.match(
            r"(?:正在|在)(?!家|哪|这|那|[^，]{1,12}(?:工作|上班|读|学习|做|当|住|教|任职|开))", body
        )
        and "呢" in body
    ):
        return "episodic"
    if re.match(r"(?:去|来|回|到|先|得|要|需要|必须|出差|加班)", body):
        return "episodic"
    if _STATE.search(body[:14]) or _DEGREE.search(body[:8]):
        return "persona"
    return "persona" if len(body) > 2 and clause.who in {"first", "kin", "own"} else "none"


def _of_named(clause: Clause) -> Verdict:
    found = _by_aspect(clause)
    if found:
        return found
    body = clause.body
    personal = re.search(
        rf"^(?:也|都|特别|很|最|不|非常|一直)?(?:{lexicon.ATTITUDE}|会说|住|养|在[^，]+(?:工作|上班|当|做)|有(?:个|两|一)|是(?:个|一名|[^，]{{0,8}}{lexicon.OCCUPATION}|我)|对[^，]+过敏|{lexicon.TRAIT}|吃素|不吃|不喝)",
        body,
    )
    if personal:
        return "persona"
    if _FEELING.match(body):
        return "episodic"
    return "persona" if _DEGREE.match(body) else "none"


def _of_nobody(clause: Clause) -> Verdict:
    """A clause without a known subject: the speaker left out, a thing, a request or knowledge."""
    text = clause.said
    is_none = _REQUEST.match(text) or _FAR_YEAR.search(text) or _UNSAID.match(text)
    ours = _OURS.search(text) is not None
    is_advice = _ADVICE.search(text) is not None and not _is_past_occasion(text)
    is_habit = _HABIT.search(text) is not None
    is_set = _is_set(text) and (_is_done(text) or bool(clause.front) or ours)
    is_missing = (
        len(text) > 4
        and re.search(
            r"还没|没(?:有)?[^，]{1,3}$|^[^我请别，]{1,8}(?:让|叫|约|骂|夸|送|带)我|^[^说做唱写玩，]{1,6}得(?:很|不|比|还|挺|特别|太)",
            text,
        )
        is not None
    )
    is_felt = bool(clause.front) and _FEELING.match(clause.body) is not None
    happens = _is_done(text) or (_FIRM_OCCASION.search(text) is not None and not is_habit)
    lasts = ours and (is_habit or _STATE.search(text) is not None)
    cases: tuple[tuple[bool, Verdict], ...] = (
        (is_none is not None, "none"),
        (_OF_ME.match(clause.body) is not None or _NICKNAME.match(text) is not None, "persona"),
        (is_advice, "none"),
        (is_set, "persona" if is_habit and not _is_past_occasion(text) else "episodic"),
        (is_missing or happens or is_felt, "episodic"),
        (lasts or _HABIT.search(clause.front) is not None, "persona"),
    )
    return first_of(*cases, otherwise="none")


_UNSAID: Final = re.compile(r"(?:别|不要|请|如果|要是|只要|虽然|当)")
_OF_ME: Final = re.compile(
    rf"(?:一直|从小|从来|特别|很|最|超|不|真的?|也|就|平时|对[^，]+)?(?:{lexicon.ATTITUDE}|过敏|不耐受|吃素|恐高|单身|梦想)"
    rf"|(?:{lexicon.TRAIT})[^，]{{0,4}}(?:很|不|比较|特别|差|好|弱|大|小)"
)
_NICKNAME: Final = re.compile(
    r"(?:我?的?朋友|大家|同事|家人|别人|同学)们?(?:都|一般|常|总|平时)*[叫喊]我"
)


def _of_thing(clause: Clause) -> Verdict:
    """What this, that and the listener do: hardly ever a memory."""
    if clause.who == "second":
        return "none"
    if re.search(r"我(?:的|们|家|妈|爸|老公|老婆)", clause.body) and "是" in clause.body[:3]:
        return "persona"
    if _is_set(clause.said) and _is_done(clause.said):
        return "episodic"
    return "none"


def _of_machine(clause: Clause) -> Verdict:
    """What an assistant did or promised counts, and what it repeats about its user."""
    text = clause.text
    if re.match(lexicon.GREETING, clause.said) or re.match(
        r"(?:如果|要是|建议|请|可以)", clause.said
    ):
        return "none"
    if clause.who == "first":
        return _deed(clause)
    if clause.who in {"kin", "own", "second"} and clause.subject[0] in "你您":
        return _restated(clause)
    if re.search(r"(?:您|你)的?", text) and _DONE.search(text) and _DEED.search(text):
        return "episodic"
    return (
        "episodic"
        if _SUBMITTED.search(text) and not _FAR_YEAR.search(text) and not _ADVICE.search(text)
        else "none"
    )


def _deed(clause: Clause) -> Verdict:
    said = clause.said
    if _NO_DEED.match(clause.body):
        return "none"
    if re.search(r"会|将|提醒[您你]|帮[您你]|给[您你]", said) and (
        _OCCASION.search(said) or (re.search(r"会|将", said) and _DEED.search(said))
    ):
        return "episodic"
    return (
        "episodic"
        if _DONE.search(said) and not re.search(r"明白了|了解|知道了|懂了", said)
        else "none"
    )


def _restated(clause: Clause) -> Verdict:
    body = clause.body
    if re.match(
        r"(?:可以|应该|需要|最好|要|能|不妨|也?可|不用|如果|想|觉得|好|说得|真|太|还|会|先|得|就|不需|必须)",
        body,
    ) or _PRAISE.match(body):
        return "none"
    found = _by_aspect(clause)
    if found:
        return found
    if re.match(
        rf"(?:也|很|最|不|一直)?(?:{lexicon.STATE}|{lexicon.ATTITUDE}|在[^，]+(?:工作|上班|住|读)|对[^，]+过敏)",
        body,
    ):
        return "persona"
    return "none"


def is_nickname(clause: Clause) -> bool:
    """Whether a clause tells what others call the speaker."""
    return _NICKNAME.match(clause.said) is not None
