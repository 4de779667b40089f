"""Prompts of a memory: what they hold, under which rules, and that nothing forgotten is in them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from graphmem import AsyncMemoryService, MemoryService, Message, ServiceConfig
from graphmem.errors import ConfigError, InvalidInputError, MemoryNotFoundError
from graphmem.service.factory import build_parts
from tests.service.conftest import make_service, make_store, says

TOLD = "2023-05-08T13:56:00Z"


def _say(content: str, speaker: str = "Ann", timestamp: str | None = TOLD) -> Message:
    return Message(role="user", content=content, speaker=speaker, timestamp=timestamp)


def test_a_prompt_holds_dated_attributed_evidence(service: MemoryService) -> None:
    receipt = service.add(
        "t", "m", "s", [_say("I joined a choir last Tuesday."), _say("Nice!", "Bob")]
    )
    ready = service.prepare("t", "m", "When did Ann join the choir?")
    system, user = ready.messages
    assert (system.role, user.role) == ("system", "user")
    assert (
        "## 2023-05-08, session 1\n[m1] Ann: I joined a choir last Tuesday (2023-05-02).\n"
        in user.content
    )
    assert "The newest record is of 2023-05-08 13:56." in user.content
    assert [one.turn_id for one in ready.evidence] == list(receipt.turn_ids)
    assert ready.trace.question.kind == "temporal_point"
    assert ready.trace.retrieval.named_speakers == ("Ann",)


def test_short_ids_stay_when_others_are_deleted(service: MemoryService) -> None:
    receipt = service.add("t", "m", "s", says("the red boat", "the blue boat", "the green boat"))
    service.delete_messages("t", "m", receipt.turn_ids[:1])
    ready = service.prepare("t", "m", "Which boat?")
    assert [(one.id, one.text) for one in ready.evidence] == [
        ("m2", "the blue boat"),
        ("m3", "the green boat"),
    ]
    assert "red" not in json.dumps(ready.to_dict())


def test_the_question_s_dates_are_seen_from_when_it_was_asked(service: MemoryService) -> None:
    service.add("t", "m", "s", [_say("The boat sank.")])
    ready = service.prepare("t", "m", "What sank last Tuesday?", asked_at="2024-01-10")
    assert "The question was asked on 2024-01-10." in ready.messages[1].content
    assert [date.interval.text() for date in ready.trace.question.dates] == ["2024-01-09"]
    of_newest = service.prepare("t", "m", "What sank last Tuesday?")
    assert [date.interval.text() for date in of_newest.trace.question.dates] == ["2023-05-02"]


def test_options_help_and_are_shown(service: MemoryService) -> None:
    service.add("t", "m", "s", says("the zebra was painted green", "something else"))
    ready = service.prepare("t", "m", "颜色？", options=["green", "blue"])
    assert "选项：\n(1) green\n(2) blue" in ready.messages[1].content
    best = max(ready.evidence, key=lambda one: one.score)
    assert best.text == "the zebra was painted green"


def test_the_same_version_and_question_give_the_same_bytes(tmp_path: Path) -> None:
    told = [_say(f"boat {n} sailed on May {n + 1}th") for n in range(20)]
    answers = []
    for kind in ("memory", "sqlite"):
        with make_service(make_store(kind, tmp_path)) as service:
            service.add("t", "m", "s", told, request_id="r")
            answers += [
                json.dumps(service.prepare("t", "m", "Which boats?").to_dict()) for _ in "ab"
            ]
    assert len(set(answers)) == 1


def test_without_a_limit_retrieve_gives_the_turns_of_the_question_s_class(
    service: MemoryService,
) -> None:
    service.add("t", "m", "s", says(*(f"boat {n}" for n in range(100))))
    for query, turns in (
        ("Where is the boat?", 32),
        ("When did the boat leave?", 64),
        ("Which boats?", 80),
    ):
        found = service.retrieve("t", "m", query).hits
        assert len(found) == turns
        scores = [hit.score for hit in found]
        assert scores == sorted(scores, reverse=True)
    assert len(service.retrieve("t", "m", "boat", limit=100).hits) == 100


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"query": " "}, "query"),
        ({"query": "x" * 200_001}, "query"),
        ({"query": "why " * 40_000}, "query"),
        ({"query": "x", "options": "abc"}, "options"),
        ({"query": "x", "asked_at": "soon"}, "asked_at"),
    ],
)
def test_a_wrong_argument_is_named(
    service: MemoryService, arguments: dict[str, str], field: str
) -> None:
    service.add("t", "m", "s", says("boat"))
    with pytest.raises(InvalidInputError) as raised:
        service.prepare("t", "m", **arguments)  # type: ignore[arg-type]
    assert raised.value.field == field


def test_a_memory_that_is_not_there_has_no_prompt(service: MemoryService) -> None:
    with pytest.raises(MemoryNotFoundError):
        service.prepare("t", "m", "x")


def test_settings_choose_the_read_out_and_its_budgets(tmp_path: Path) -> None:
    config = ServiceConfig(
        data_dir=tmp_path,
        dense_retrieval=False,
        readout="v5_73",
        runtime_overrides={"query_budget": {"lookup_turns": 2}},
    )
    with MemoryService.open(config=config) as service:
        service.add("t", "m", "s", says("boat one", "boat two", "boat three"))
        ready = service.prepare("t", "m", "Where is the boat?")
    assert ready.trace.optimized_readout.used == "v5_73"
    assert ready.usage.turns == 2


@pytest.mark.parametrize(
    ("budget", "error"),
    [
        ({"lookup_turn": 2}, "lookup_turns"),
        ({"lookup_turns": 0}, "whole number"),
    ],
)
def test_a_wrong_budget_is_named_before_anything_is_opened(
    tmp_path: Path, budget: dict[str, object], error: str
) -> None:
    config = ServiceConfig(data_dir=tmp_path / "d", runtime_overrides={"query_budget": budget})
    with pytest.raises(ConfigError, match=error):
        MemoryService.open(config=config)
    assert not (tmp_path / "d").exists()


async def test_the_async_half_prepares_the_same(tmp_path: Path) -> None:
    config = ServiceConfig(data_dir=tmp_path, dense_retrieval=False)
    async with await AsyncMemoryService.open(config=config) as service:
        await service.add("t", "m", "s", says("boat one"))
        ready = await service.prepare("t", "m", "Which boat?")
    assert [one.text for one in ready.evidence] == ["boat one"]


def test_an_approximate_count_is_flagged(tmp_path: Path) -> None:
    config = ServiceConfig(
        data_dir=tmp_path,
        dense_retrieval=False,
        tokenizer_path=str(tmp_path / "none.json"),
        require_exact_tokenizer=False,
    )
    parts = build_parts(config, read_only=False)
    with MemoryService(replace(parts), config) as service:
        service.add("t", "m", "s", says("boat"))
        assert service.prepare("t", "m", "boat?").usage.is_approximate
