"""Laws of the contract's section "Query, budget, readout" that concern a memory as a whole.

The others: classes and labels in tests/text/test_questions.py; whole sentences, frames and layouts in tests/readout;
aids and relations in test_aids.py; what an answer uses in test_answer.py; the routes in tests/server/test_prepare.py.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from graphmem import MemoryService, Message, ServiceConfig
from graphmem.domain.prepared import Prepared, Readout
from graphmem.domain.question import FAMILIES, QuestionClass
from graphmem.errors import InvalidInputError
from graphmem.ports.tokens import TokenCounter
from graphmem.readout.assemble import Rules
from graphmem.readout.budget import QueryBudget
from graphmem.readout.prompt import CHINESE, ENGLISH
from graphmem.text.tokens import BuiltInTokenCounter
from tests.readout.makers import COUNTERS, OddCounter
from tests.text.test_questions import cases

BUDGETS = {
    "lookup": (32, 2200),
    "temporal": (64, 3800),
    "list": (80, 4500),
    "inference": (80, 4500),
}
FAMILY_QUESTIONS = {
    "lookup": "Where is the boat?",
    "temporal": "When did the boat leave?",
    "list": "Which boats are there?",
    "inference": "Would Ann enjoy the boat?",
}
LONG = "The boat sailed on to the next harbour and the crew slept well that night. " * 5


def _filled(directory: Path, text: str, turns: int = 240) -> MemoryService:
    config = ServiceConfig(data_dir=directory, dense_retrieval=False)
    service = MemoryService.open(config=config)
    for start in range(0, turns, 120):
        told = [
            Message(
                role="user",
                speaker="Ann",
                content=f"Boat {number}. {text}",
                timestamp=f"2023-05-{1 + number % 28:02}T10:00:00Z",
            )
            for number in range(start, start + 120)
        ]
        service.add("t", "m", f"s{start}", told)
    return service


@pytest.fixture(scope="module")
def short(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryService]:
    """240 turns of a few words: the number of turns is what bounds a stage."""
    with _filled(tmp_path_factory.mktemp("short"), "I live in Paris.") as service:
        yield service


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MemoryService]:
    """240 turns of some 50 tokens: the tokens are what bounds a stage."""
    with _filled(tmp_path_factory.mktemp("long"), LONG) as service:
        yield service


def _rules(counter: TokenCounter | None = None, readout: Readout = "v5_81", **budget: int) -> Rules:
    return Rules(
        readout=readout,
        budget=replace(QueryBudget(), **budget),
        counter=counter or BuiltInTokenCounter(),
    )


def _prompt(
    service: MemoryService, question: str, by: Rules | None = None
) -> tuple[Prepared, list[str]]:
    ready = service.prepare("t", "m", question, rules=by)
    return ready, [one.turn_id for one in ready.evidence if one.lane == "stage"]


ASKED = [
    (row["question"], row["class"], row["labels"])
    for language in ("en", "zh")
    for row in cases(language)
]


@pytest.mark.parametrize("kind", list(FAMILIES))
def test_each_class_has_the_budget_of_its_family(short: MemoryService, kind: QuestionClass) -> None:
    """Of all frozen questions of the class, in both languages."""
    of_kind = [question for question, known, _ in ASKED if known == kind]
    assert len(of_kind) >= 20
    for question in of_kind:
        trace = short.prepare("t", "m", question).trace
        turns, tokens = BUDGETS[FAMILIES[kind]]
        assert (trace.stage_turns, trace.stage_tokens) == (turns, tokens)


@pytest.mark.parametrize("wording", [ENGLISH, CHINESE])
def test_only_comparison_and_geography_add_a_structural_constraint(
    short: MemoryService, wording: object
) -> None:
    words = ENGLISH if wording is ENGLISH else CHINESE
    seen = set()
    for question, _, labels in ASKED:
        user = short.prepare("t", "m", question).messages[1].content
        is_chinese = "问题：" in user.rpartition("</memory>")[2]
        if is_chinese is not (words is CHINESE):
            continue
        added = {label for label, text in words.constraints.items() if text in user}
        assert added == set(labels), question
        seen |= added
        tail = user.rpartition(words.question.format(question))[2]
        assert tail.count("\n\n") == len(labels)
    assert seen == {"comparison", "geographic_resolution"}


@pytest.mark.parametrize("family", list(BUDGETS))
def test_the_stage_is_bounded_by_turns_and_by_tokens(
    short: MemoryService, long: MemoryService, family: str
) -> None:
    turns, tokens = BUDGETS[family]
    question = FAMILY_QUESTIONS[family]
    _, stage = _prompt(short, question)
    assert len(stage) == turns
    by = _rules(focus_turns=0, aid_tokens=0)
    spent = [_prompt(service, question, by)[0].usage.evidence_tokens for service in (short, long)]
    assert max(spent) <= tokens
    assert spent[1] > tokens * 0.9
    assert len(_prompt(long, question, by)[1]) < turns


@pytest.mark.parametrize("family", list(BUDGETS))
def test_retrieve_without_a_limit_is_the_graph_stage(
    short: MemoryService, long: MemoryService, family: str
) -> None:
    for service in (short, long):
        found = service.retrieve("t", "m", FAMILY_QUESTIONS[family])
        _, stage = _prompt(service, FAMILY_QUESTIONS[family])
        assert {hit.id for hit in found.hits} == set(stage)
        assert [hit.score for hit in found.hits] == sorted(
            (hit.score for hit in found.hits), reverse=True
        )


def test_retrieve_with_a_limit_has_no_token_budget(long: MemoryService) -> None:
    for limit in (1, 33, 100):
        assert len(long.retrieve("t", "m", "Where is the boat?", limit=limit).hits) == limit


@pytest.mark.parametrize("readout", ["v5_81", "v5_73"])
@pytest.mark.parametrize("counter", [*COUNTERS, OddCounter("seams", name="second")], ids=str)
@pytest.mark.parametrize("family", list(BUDGETS))
def test_13_000_tokens_are_never_passed(
    short: MemoryService, long: MemoryService, readout: Readout, counter: TokenCounter, family: str
) -> None:
    """By the default ceiling, whatever a token is, also where stages ask for far more than it."""
    greedy = {
        "lookup_turns": 200, "temporal_turns": 200, "wide_turns": 200, "lookup_tokens": 100_000,
        "temporal_tokens": 100_000, "wide_tokens": 100_000, "focus_tokens": 100_000,
        "aid_tokens": 100_000,
    }  # fmt: skip
    for service in (short, long):
        for by in (_rules(counter, readout), _rules(counter, readout, **greedy)):
            try:
                ready = service.prepare("t", "m", FAMILY_QUESTIONS[family], rules=by)
            except InvalidInputError:  # the instructions alone are over it
                bare = [ENGLISH.system, FAMILY_QUESTIONS[family]]
                assert sum(counter.count(text) for text in bare) > 3_000
                continue
            counted = sum(counter.count(message.content) for message in ready.messages)
            assert counted == ready.usage.prompt_tokens <= 13_000
            assert ready.usage.max_prompt_tokens == 13_000


def test_the_order_of_retreat(long: MemoryService) -> None:
    """As the ceiling comes down: the source-focus shrinks to nothing, only then the stage does, as `v5_73`."""
    question = FAMILY_QUESTIONS["lookup"]
    free, _ = _prompt(long, question)
    whole = free.trace.optimized_readout
    assert (whole.fallback, whole.focus_kept) == (False, whole.focus_wanted)
    assert whole.focus_wanted > 0
    seen = []
    for ceiling in range(free.usage.prompt_tokens, 400, -97):
        ready, _ = _prompt(long, question, _rules(max_answer_tokens_hard=ceiling))
        trace = ready.trace.optimized_readout
        assert ready.usage.prompt_tokens <= ceiling
        assert (trace.stage_wanted, trace.focus_wanted) == (whole.stage_wanted, whole.focus_wanted)
        assert trace.fallback is (trace.used == "v5_73")
        assert trace.fallback or trace.stage_kept == trace.stage_wanted
        assert not trace.fallback or trace.focus_kept == 0
        assert ready.to_dict()["trace"]["optimized_readout"]["fallback"] is trace.fallback  # type: ignore[index]
        seen.append((trace.fallback, trace.focus_kept, trace.stage_kept))
    assert seen == sorted(seen, key=lambda one: (one[0], -one[1], -one[2]))
    assert {fallback for fallback, _, _ in seen} == {True, False}
    assert len({kept for fallback, kept, _ in seen if not fallback}) > 3
    assert len({kept for fallback, _, kept in seen if fallback}) > 3


def test_tokens_are_counted_with_the_tokenizer_that_is_named(tmp_path: Path) -> None:
    tokenizers = pytest.importorskip("tokenizers")
    made = tokenizers.Tokenizer(tokenizers.models.WordLevel({"[UNK]": 0}, unk_token="[UNK]"))  # noqa: S106
    made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    made.save(str(tmp_path / "tokenizer.json"))
    config = ServiceConfig(
        data_dir=tmp_path / "d",
        dense_retrieval=False,
        tokenizer_path=str(tmp_path / "tokenizer.json"),
    )
    with MemoryService.open(config=config) as service:
        service.add("t", "m", "s", [Message(role="user", content="the boat is red")])
        usage = service.prepare("t", "m", "Where is the boat?").usage
        words = service.prepare("t", "m", "Where is the boat?").messages
    exact = sum(len(made.encode(one.content).ids) for one in words)
    assert usage.prompt_tokens == exact
    assert usage.tokenizer.startswith("tokenizer:")
    assert not usage.is_approximate


def test_who_reads_what_was_replaced_reads_what_replaced_it(tmp_path: Path) -> None:
    """A witness of change comes before better ranked turns of the source-focus."""
    config = ServiceConfig(data_dir=tmp_path, dense_retrieval=False)
    with MemoryService.open(config=config) as service:

        def tell(session: str, day: int, *texts: str) -> None:
            said = [
                Message(role="user", speaker="Ann", content=text, timestamp=f"2023-05-{day:02}")
                for text in texts
            ]
            service.add("t", "m", session, said)

        tell("s0", 1, "My red boat and I: I live in Paris.")
        tell("s1", 2, *(f"My red boat {number}." for number in range(40)))
        tell("s2", 9, "I live in Berlin now, where I have no boat.")
        question = "What of my red boat in Paris, Ann?"
        by = _rules(lookup_turns=20, focus_turns=1)
        shown, without = (
            service.prepare("t", "m", question, rules=rules)
            for rules in (by, _rules(lookup_turns=20, focus_turns=1, aid_tokens=0))
        )
        lanes = {one.text[:16]: one.lane for one in shown.evidence}
        assert lanes["My red boat and "] == "stage"
        assert lanes["I live in Berlin"] == "focus"
        assert not any("Berlin" in one.text for one in without.evidence)


@pytest.mark.parametrize("readout", ["v5_81", "v5_73"])
def test_the_same_rows_and_question_give_the_same_bytes(
    short: MemoryService, readout: Readout
) -> None:
    for question in FAMILY_QUESTIONS.values():
        by = _rules(readout=readout)
        first, again = (
            json.dumps(service_prompt.to_dict())
            for service_prompt in (short.prepare("t", "m", question, rules=by) for _ in range(2))
        )
        assert first == again


def test_computed_lines_are_paid_for_by_the_source_focus(short: MemoryService) -> None:
    question = FAMILY_QUESTIONS["inference"]
    ready, _ = _prompt(short, question)
    plain, _ = _prompt(short, question, _rules(aid_tokens=0))
    spent = sum(BuiltInTokenCounter().count(aid.text) for aid in ready.trace.aids)
    title = 15  # with the breaks of its lines
    assert spent > 10
    assert ready.usage.prompt_tokens <= plain.usage.prompt_tokens + title
    assert len(plain.evidence) > len(ready.evidence)
