"""Made-up conversations of any length, the same on every machine: four friends, two languages.

The words are ours. Common ones repeat as in speech, and names of places and things are coined from
syllables, so that the vocabulary goes on growing with the conversation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

import numpy as np

from graphmem.domain.message import Message

SESSION_TURNS: Final = 40

_START: Final = datetime(2022, 1, 3, 9, 0, tzinfo=UTC)
_SPEAKERS: Final = (("Nora", False), ("Idris", False), ("苏晚", True), ("何川", True))
_COINED: Final = 0.48
_COINED_KINDS: Final = 60_000
_COINED_STRIDE: Final = 7_919  # shares no factor with the kinds, so that no question repeats

_OPENERS: Final = (
    "Honestly", "By the way", "Last week", "This morning", "After work", "On Sunday", "In the end",
    "To be fair", "Guess what", "As usual", "Back in spring", "Before dinner",
)  # fmt: skip
_ACTIONS: Final = (
    "I finally repaired", "we argued about", "my sister sold", "I am learning to use", "we ordered",
    "the neighbours borrowed", "I dreamed of", "my boss praised", "I keep forgetting", "we planted",
    "our team presented", "I wrote a letter about", "they cancelled", "I photographed", "we cooked",
    "my doctor warned me about", "I won", "the children painted", "I returned", "we are saving for",
)  # fmt: skip
_THINGS: Final = (
    "the bicycle", "a red kayak", "the garden fence", "the tax form", "an old piano", "the budget",
    "a bowl of noodles", "the telescope", "two concert tickets", "the kitchen tiles", "a novel",
    "the sewing machine", "our holiday plan", "the school play", "a mountain trail", "the contract",
    "that podcast", "a jar of honey", "the wedding speech", "the running shoes", "a stray cat",
)  # fmt: skip
_CLOSERS: Final = (
    "and it took all day", "because the weather was awful", "so I feel relieved", "with my cousin",
    "although it cost too much", "and nobody noticed", "before the guests came", "for the third time",
    "while the radio was on", "and I would do it again", "near the old station", "without any help",
)  # fmt: skip
_ZH_OPENERS: Final = (
    "说真的", "对了", "上个星期", "今天早上", "下班以后", "周日那天", "结果", "跟往常一样", "开春的时候",
    "晚饭之前", "你猜怎么着",
)  # fmt: skip
_ZH_ACTIONS: Final = (
    "我终于修好了", "我们讨论了", "我妹妹卖掉了", "我正在学着用", "邻居借走了", "我梦见了", "老板夸奖了",
    "我总是忘记", "我们种下了", "团队展示了", "我写信谈到", "他们取消了", "我拍下了", "孩子们画了",
    "医生提醒我注意", "我退回了",
)  # fmt: skip
_ZH_THINGS: Final = (
    "那辆自行车", "一条红色的皮划艇", "院子的篱笆", "报税表", "一架旧钢琴", "下个月的预算", "一碗牛肉面",
    "天文望远镜", "两张音乐会门票", "厨房的瓷砖", "一本小说", "缝纫机", "假期计划", "学校的话剧", "登山路线",
    "租房合同", "一罐蜂蜜", "婚礼致辞", "跑步鞋", "一只流浪猫",
)  # fmt: skip
_ZH_CLOSERS: Final = (
    "花了一整天", "因为天气太糟", "所以松了一口气", "是和表弟一起的", "虽然贵了点", "没有人注意到",
    "赶在客人来之前", "这已经是第三次了", "当时收音机还开着", "下次还想再来", "就在老车站附近",
)  # fmt: skip
_SYLLABLES: Final = ("ka", "lo", "min", "ter", "vo", "sa", "ri", "den", "pu", "ga", "shi", "nel")
_CHARACTERS: Final = "云山海林石桥溪谷平安文新永和东南西北清风明月"


def chatter(turns: int, *, seed: int = 1) -> Iterator[tuple[str, Message]]:
    """The session id and the message of each turn, one minute apart, a session a day."""
    draw = _Draw(seed)
    for number in range(turns):
        session, position = divmod(number, SESSION_TURNS)
        speaker, chinese = _SPEAKERS[draw.below(len(_SPEAKERS))]
        said = _START + timedelta(days=session, minutes=position)
        message = Message(
            role="user",
            speaker=speaker,
            content=_turn(draw, chinese=chinese),
            timestamp=said.isoformat(),
        )
        yield f"day-{session}", message


def question(number: int, *, seed: int = 2) -> str:
    """A question in the words of the conversations; each number asks something else."""
    draw = _Draw(seed * 1_000_003 + number)
    coined = number * _COINED_STRIDE % _COINED_KINDS
    if draw.below(2):
        asked = f"{draw.pick(_ZH_OPENERS)}{draw.pick(_ZH_ACTIONS)}{draw.pick(_ZH_THINGS)}"
        return f"{asked}和{_coin_chinese(coined)}，是什么时候的事？"
    asked = f"{draw.pick(_ACTIONS)} {draw.pick(_THINGS)} {draw.pick(_CLOSERS)}"
    return f"When was it that {asked}, in {_coin_english(coined)}?"


class _Draw:
    """A seeded source of choices."""

    def __init__(self, seed: int) -> None:
        self._random = np.random.default_rng(seed)

    def below(self, count: int) -> int:
        return int(self._random.integers(count))

    def pick(self, choices: Sequence[str]) -> str:
        return choices[self.below(len(choices))]

    def chance(self, share: float) -> bool:
        return bool(self._random.random() < share)


def _turn(draw: _Draw, *, chinese: bool) -> str:
    sentence = _chinese if chinese else _english
    joint = "" if chinese else " "
    return joint.join(sentence(draw) for _ in range(1 + draw.below(4)))


def _english(draw: _Draw) -> str:
    place = f" in {_coin_english(draw.below(_COINED_KINDS))}" if draw.chance(_COINED) else ""
    words = f"{draw.pick(_OPENERS)}, {draw.pick(_ACTIONS)} {draw.pick(_THINGS)}"
    return f"{words}{place} {draw.pick(_CLOSERS)}."


def _chinese(draw: _Draw) -> str:
    place = f"在{_coin_chinese(draw.below(_COINED_KINDS))}" if draw.chance(_COINED) else ""
    words = f"{draw.pick(_ZH_OPENERS)}，{place}{draw.pick(_ZH_ACTIONS)}{draw.pick(_ZH_THINGS)}"
    return f"{words}，{draw.pick(_ZH_CLOSERS)}。"


def _coin_english(number: int) -> str:
    return "".join(_SYLLABLES[digit] for digit in _digits(number, len(_SYLLABLES))).capitalize()


def _coin_chinese(number: int) -> str:
    return "".join(_CHARACTERS[digit] for digit in _digits(number, len(_CHARACTERS)))


def _digits(number: int, base: int) -> list[int]:
    digits = [number % base]
    while number := number // base:
        digits.append(number % base)
    return digits
