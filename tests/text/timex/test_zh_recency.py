"""刚 before what happened is dated about the anchor; 刚 that means anything else never is."""

from __future__ import annotations

import pytest

from graphmem.domain.annotation import annotate
from graphmem.text.timex.reader import read
from tests.text.scaling import growth
from tests.text.timex.chinese import MONDAY, dates

ABOUT = "~2023-05-08"


@pytest.mark.parametrize(
    "text",
    [
        "我刚从北京回来。",
        "我刚毕业，正在找工作。",
        "她刚刚搬到上海",
        "刚看完那部电影，太好看了",
        "我们刚在公司开完会",
        "我刚和他见了面",
        "刚买的手机就是好看",
        "我才刚到家",
        "我剛開始學吉他",
        "我妹妹刚生了个女儿",
        "我刚给狗狗洗完澡",
        "刚领养了一只猫",
        "刚跑完马拉松，腿好酸",
        "刚换手机，还不太会用",
        "他刚失业",
        "刚交房租",
        "刚打完球，累死了",
        "刚过完年",
        "她刚被提拔了",
        "刚刚在超市碰到了老师",
        "我刚刚才把门锁修好",
        "我们刚刚又完成了一幅画",
    ],
)
def test_what_just_happened_is_dated_about_today(text: str) -> None:
    assert [value for _, value in dates(text)] == [ABOUT]


@pytest.mark.parametrize(
    "text",
    [
        "刚好我也在",
        "时间刚刚好",
        "刚需买房",
        "这孩子刚满两岁",
        "钱刚够",
        "我刚及格",
        "现在刚五点",
        "气温刚过零度",
        "孩子刚会走路",
        "我刚觉得有点冷",
        "我刚在看书",
        "他刚说的话",
        "金刚经",
        "李刚来了",
        "小刚买了车",
        "他名叫王志刚来了",
        "刚果很热",
        "刚正不阿",
        "刚才手滑点错了",
    ],
)
def test_measure_states_names_and_other_words_are_no_dates(text: str) -> None:
    assert dates(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "我刚想给你打电话",
        "刚要出门",
        "刚准备睡觉",
        "刚开始我不习惯",
        "刚到家就下雨了",
        "我刚躺下，就来电话了",
        "刚来的时候什么都不懂",
        "刚毕业那年很穷",
        "那时我刚结婚",
        "你刚到家吗？",
        "如果刚买了就坏",
        "这车不是刚买的",
        "每次刚擦完地板就下雨",
    ],
)
def test_what_is_not_yet_not_real_or_told_from_elsewhere_is_text(text: str) -> None:
    assert dates(text) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("上周刚搬家", ["2023-05-01..2023-05-07"]),
        ("前几天刚修好", []),
        ("最近刚换工作", []),
        ("昨天很开心。我刚到家。", ["2023-05-07", ABOUT]),
    ],
)
def test_another_time_in_the_sentence_comes_first(text: str, found: list[str]) -> None:
    assert [value for _, value in dates(text)] == found


def test_it_is_written_behind_the_adverb() -> None:
    text = "我刚从罗马回来"
    found = annotate(text, [m for e in read(text, MONDAY) if (m := e.mention())])
    assert found.text == "我刚(~2023-05-08)从罗马回来"


@pytest.mark.parametrize("unit", ["刚", "刚刚", "我刚买了", "刚从", "刚开始。", "金刚"])
def test_it_is_read_in_linear_time(unit: str) -> None:
    assert growth(lambda text: read(text, MONDAY), unit, length=8_000) < 3.0
