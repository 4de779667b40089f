from __future__ import annotations

import pytest

from graphmem.text.facts.chinese_token import tokens
from graphmem.text.traditional import simplified
from tests.text.facts.found import found


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("我有两只猫。", "两只猫"),
        ("他重六十公斤。", "六十公斤"),
        ("拿了第三名。", "第三名"),
        ("3-2赢了", "3-2"),
        ("完成百分之九十五", "百分之九十五"),
        ("身高一米八五，", "一米八五"),
        ("住在502室", "502室"),
        ("三分之一的人", "三分之一"),
        ("来了三十多个人", "三十多个人"),
        ("我有一个弟弟", "一个弟弟"),
        ("两块蛋糕", "两块蛋糕"),
    ],
)
def test_numbers_stand_with_what_they_count(text: str, number: str) -> None:
    assert found(text, "number") == [number]


@pytest.mark.parametrize(
    "text",
    [
        "等我一下",
        "有一点累",
        "十分感谢",
        "吃三明治",
        "乱七八糟的",
        "一起走",
        "这一条",
        "张三来了",
        "去四川",
    ],
)
def test_everyday_counting_is_no_number(text: str) -> None:
    assert found(text, "number") == []


@pytest.mark.parametrize(
    ("text", "money"),
    [
        ("花了三百块。", "三百块"),
        ("两块五，便宜", "两块五"),
        ("¥99包邮", "¥99"),
        ("一万元", "一万元"),
        ("950日元", "950日元"),
        ("两万块钱", "两万块钱"),
        ("人民币5000", "人民币5000"),
    ],
)
def test_money_has_a_currency(text: str, money: str) -> None:
    assert found(text, "money") == [money]
    assert found(text, "number") == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("我不吃辣", ["不"]),
        ("他从不迟到", ["从不"]),
        ("我沒去過", ["沒"]),
        ("别走", ["别"]),
        ("不客气，没问题", []),
        ("好不好，有没有", []),
        ("别人特别好", []),
        ("他不得不走", []),
    ],
)
def test_negations_are_marked_but_set_phrases(text: str, words: list[str]) -> None:
    assert found(text, "negation") == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("如果下雨，可能取消", ["如果", "可能"]),
        ("我想学琴", ["想"]),
        ("我好想你们", []),
        ("他也許來", ["也許"]),
        ("我得走了", ["得"]),
        ("跑得快", []),
        ("这很重要", []),
        ("最好的朋友", []),
    ],
)
def test_modality_is_possibility_wish_duty_condition(text: str, words: list[str]) -> None:
    assert found(text, "modality") == words


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("我跟王小明去上海。", ["王小明", "上海"]),
        ("他在清华大学上学", ["清华大学"]),
        ("罗经理和老周来了", ["罗经理", "老周"]),
        ("我不认识顾明远，", ["顾明远"]),
        ("我家的狗叫豆包，", ["豆包"]),
        ("她姓欧阳。", ["欧阳"]),
        ("在恒通物流上班", ["恒通物流"]),
        ("我的iPad坏了", ["iPad"]),
        ("我去過花蓮", ["花蓮"]),
    ],
)
def test_names_have_surnames_titles_or_endings(text: str, names: list[str]) -> None:
    assert found(text, "name") == names


@pytest.mark.parametrize(
    "text", ["谢谢老公", "不许再提", "我老师高兴", "今天养狗过敏", "小时候在小区", "坐高铁"]
)
def test_what_only_looks_alike_names_nobody(text: str) -> None:
    assert found(text, "name") == []


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("买洋葱、虾皮和酱油。", ["洋葱", "虾皮", "酱油"]),
        ("去过北京、西安、成都。", ["北京", "西安", "成都"]),
        ("周一、周二都行", []),
        ("要带：护照，雨伞，充电器", ["护照", "雨伞", "充电器"]),
        ("买了苹果，香蕉，还有酸奶。", ["苹果", "香蕉", "酸奶"]),
    ],
)
def test_an_enumeration_has_three_items(text: str, items: list[str]) -> None:
    assert found(text, "listed") == items


def test_simplifying_keeps_the_length() -> None:
    text = "我沒去過花蓮，也許下個月去"
    assert simplified(text) == "我没去过花莲，也许下个月去"
    assert len(simplified(text)) == len(text)


@pytest.mark.parametrize(
    "text", ["我沒去過花蓮 ok\n\t１２ abc。", "😀王a\u0301小\u200b明", "…——“”"]
)
def test_the_words_cover_the_text(text: str) -> None:
    assert "".join(token.word for token in tokens(text)) == text
    assert all(text[t.start : t.end] == t.word for t in tokens(text))
