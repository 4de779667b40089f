from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from graphmem.domain.moment import Moment
from graphmem.domain.question import FAMILIES
from graphmem.text.questions.reader import READ, analyse_question

CASES = Path(__file__).parent / "question_cases"
# What the rules reach on the cases, which were frozen before them; none may fall.
LEAST = {
    "en": {"class": 1.0, "labels": 1.0, "people": 0.98, "answer": 0.99},
    "zh": {"class": 1.0, "labels": 1.0, "people": 0.91, "answer": 0.97},
}


def cases(language: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((CASES / f"{language}.json").read_text("utf-8"))
    return found


@pytest.mark.parametrize("language", ["en", "zh"])
def test_frozen_cases_are_read_as_labelled(language: str) -> None:
    rows = cases(language)
    right = dict.fromkeys(LEAST[language], 0)
    for row in rows:
        found = analyse_question(row["question"])
        read = {
            "class": found.kind,
            "labels": list(found.labels),
            "people": list(found.people),
            "answer": found.answer,
        }
        for name in right:
            right[name] += read[name] == row[name]
    assert {name: count / len(rows) >= LEAST[language][name] for name, count in right.items()} == (
        dict.fromkeys(right, True)
    )


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("我的电话是多少？", "lookup"),
        ("我的航班号是多少", "lookup"),
        ("密码是多少来着？", "lookup"),
        ("密码多少？", "lookup"),
        ("我的贷款利率是多少呢？", "lookup"),
        ("那台相机多少钱？", "lookup"),
        ("电量剩百分之多少？", "lookup"),
        ("我家的门牌号是几？", "lookup"),
        ("我住几单元？", "lookup"),
        ("去机场坐几号线？", "lookup"),
        ("老周住几号楼？", "lookup"),
        ("我穿几号的鞋？", "lookup"),
        ("我的座位是几号？", "lookup"),
        ("有多少人报名？", "count"),
        ("我买了多少个苹果？", "count"),
        ("他去过多少次北京？", "count"),
        ("报名的人数是多少？", "count"),
        ("我们一共是多少？", "count"),
        ("小区有几栋楼？", "count"),
        ("她是几个孩子的妈妈？", "count"),
        ("我们几号出发？", "temporal_point"),
        ("我的生日是几号？", "temporal_point"),
        ("婚礼在几月几号？", "temporal_point"),
    ],
)
def test_a_number_that_names_something_is_not_counted(question: str, kind: str) -> None:
    assert analyse_question(question).kind == kind


def test_every_class_has_a_family_and_ten_cases_a_language() -> None:
    for language in ("en", "zh"):
        counts = dict.fromkeys(FAMILIES, 0)
        for row in cases(language):
            counts[row["class"]] += 1
        assert min(counts.values()) >= 10


def test_relative_dates_are_seen_from_when_it_was_asked() -> None:
    asked = Moment.parse_iso("2023-05-08T12:00:00Z")
    (date,) = analyse_question("What did I buy last Tuesday?", asked).dates
    assert date.interval.text() == "2023-05-02"
    assert analyse_question("What did I buy last Tuesday?").dates == ()
    assert analyse_question("Tell me of the boat that I just bought.", asked).dates == ()


def test_known_speakers_are_persons_wherever_they_stand() -> None:
    assert analyse_question("Any news of Xq?", known=["Xq"]).people == ("Xq",)


@given(st.text(max_size=300))
def test_any_text_is_a_question_of_some_class(text: str) -> None:
    assert analyse_question(text).kind in FAMILIES


@pytest.mark.parametrize(
    "piece",
    [
        "how many ",
        "what ",
        "did you ",
        "which of the two or ",
        "我说过",
        "谁和",
        "几",
        "before or ",
    ],
)
def test_hostile_questions_are_read_in_bounded_time(piece: str) -> None:
    hostile = piece * 100_000
    began = time.perf_counter()
    analyse_question(hostile)
    assert time.perf_counter() - began < 2
    assert analyse_question(hostile[:READ]) == analyse_question(hostile)
