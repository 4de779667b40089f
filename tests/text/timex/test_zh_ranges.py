from __future__ import annotations

import pytest

from tests.text.timex.chinese import dates, value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5月3日到7日", "2023-05-03..2023-05-07"), ("5月3-7日", "2023-05-03..2023-05-07"), ("5月3日—5月7日", "2023-05-03..2023-05-07"),
        ("從三月到六月", "2023-03..2023-06"), ("三月到六月", "2023-03..2023-06"), ("在三月和六月之间", "2023-03..2023-06"), ("3到6月份", "2023-03..2023-06"), ("2018-2020年", "2018..2020"),
        ("12月30日至1月2日", "2022-12-30..2023-01-02"), ("2022年12月到2月", "2022-12..2023-02"), ("上周一到周三", "2023-05-01..2023-05-03"),
        ("从上周五到昨天", "2023-05-05..2023-05-07"), ("15号到20号我要出差", "2023-05-15..2023-05-20"), ("周一到周三我要出差", "2023-05-15..2023-05-17"),
        ("明天下午三点到五点", "2023-05-09 15:00..2023-05-09 17:00"), ("昨晚11点到凌晨2点", "2023-05-07 23:00..2023-05-08 02:00"), ("2023.3.5-2023.3.8期间", "2023-03-05..2023-03-08"),
    ],
)  # fmt: skip
def test_two_dates_are_one_range(text: str, expected: str) -> None:
    assert value(text) == expected


@pytest.mark.parametrize("text", ["昨天到北京", "昨天到3号楼开会", "昨天到了三点"])
def test_going_somewhere_is_no_range(text: str) -> None:
    assert value(text) == "2023-05-07"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("从三月开始", "2023-03.."), ("自2016年以来", "2016.."), ("2016年至今", "2016.."), ("从去年三月起", "2022-03.."),
        ("今天起我要戒烟", "2023-05-08.."), ("到六月为止", "..2023-06"), ("直到上周五", "..2023-05-05"), ("截至2023年3月", "..2023-03"),
        ("周五之前要交", "..2023-05-12"), ("2016年以前", "..2016"), ("明天起床", "2023-05-09"), ("明天开始放假", "2023-05-09"),
    ],
)  # fmt: skip
def test_a_range_may_be_open_to_a_side(text: str, expected: str) -> None:
    assert value(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("最近两周", "2023-04-24..2023-05-08"), ("过去一个月", "2023-04-08..2023-05-08"), ("近三年", "2020-05-08..2023-05-08"),
        ("最近半年", "2022-11-08..2023-05-08"), ("过去几天", None), ("未来两周", None), ("过去24小时", None), ("这一周", None),
    ],
)  # fmt: skip
def test_the_last_days_end_today(text: str, expected: str | None) -> None:
    assert value(text) == expected


def test_a_range_is_one_expression_with_its_particles() -> None:
    assert [text for text, _ in dates("我从三月开始跑步，报名到六月为止")] == [
        "从三月开始",
        "到六月为止",
    ]
