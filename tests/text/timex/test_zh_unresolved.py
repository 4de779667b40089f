from __future__ import annotations

import pytest

from graphmem.text.timex.expression import Kind
from graphmem.text.timex.reader import read
from tests.text.timex.chinese import MONDAY, values


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("三个小时", "duration"), ("两年半", "duration"), ("每周五下午三点", "set"), ("每年5月7日", "set"), ("每个月15号", "set"),
        ("十岁那年五月", "age"), ("前几天", "vague"), ("几年前", "vague"), ("两三天前", "vague"), ("十几天前", "vague"), ("三年多前", "vague"),
        ("前两天", "vague"), ("这两天", "vague"), ("那年5月7日", "vague"),
    ],
)  # fmt: skip
def test_what_is_no_date_keeps_the_dates_within_it_from_being_read(text: str, kind: Kind) -> None:
    message = f"我{text}去了，今天也去"
    assert values(message) == ["2023-05-08"]
    assert read(message, MONDAY)[0].kind == kind


@pytest.mark.parametrize(
    "text",
    [
        "他一天到晚抱着手机，说了也不听", "三天打鱼两天晒网了", "有十一个苹果，少了一个", "两点建议，记得改", "等五分钟就要好了", "第二次见面他就走了",
        "天天加班，要疯了", "有一天你会明白的", "不久前他来过", "两天一夜要花多少", "3号线要停运了", "版本3.12.1会崩", "比分3-2要逆转了",
        "从2点到5点要开会", "IP 192.168.1.1 要改", "百年孤独我看了", "24节气要背", "七日游我报了", "半个月前的事我忘了",
    ],
)  # fmt: skip
def test_no_date_is_read_where_there_is_none(text: str) -> None:
    assert values(text) == []
