from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from graphmem.bench.ablation import ABLATION_METRICS, ablate
from graphmem.bench.datasets import load
from graphmem.bench.evidence import EvidenceSet
from graphmem.bench.retrieval import ask, count_scored, loaded
from graphmem.retrieval.recipe import ABLATIONS
from tests.bench import samples


@pytest.fixture
def tiny(tmp_path: Path) -> EvidenceSet:
    return load(samples.write(tmp_path, samples.native()))


def test_only_questions_with_evidence_and_a_true_premise_are_asked(tiny: EvidenceSet) -> None:
    with loaded(tiny) as bench:
        outcomes = ask(bench)
    assert [outcome.question_id for outcome in outcomes] == ["q1", "q2", "q3"]
    assert count_scored(tiny) == 3


def test_evidence_is_found_by_turn_in_both_languages_and_by_session(tiny: EvidenceSet) -> None:
    with loaded(tiny) as bench:
        first, second, third = ask(bench, depths=(1, 4))
    assert first.scores["recall@1"] == 1.0
    assert second.scores["recall@1"] == 1.0
    assert third.scores["session_recall@4"] == third.scores["recall@4"] == 1.0


def test_each_session_and_each_question_is_a_step(tiny: EvidenceSet) -> None:
    steps: list[str] = []
    with loaded(tiny, step=steps.append) as bench:
        ask(bench, step=steps.append)
    assert steps == ["add"] * 2 + ["ask"] * 3


def test_two_runs_score_alike(tiny: EvidenceSet) -> None:
    runs = []
    for _ in range(2):
        with loaded(tiny) as bench:
            runs.append([outcome.scores for outcome in ask(bench)])
    assert runs[0] == runs[1]


def test_long_blank_and_many_messages_can_be_added(tmp_path: Path) -> None:
    whole: Any = samples.native()
    messages = whole["memories"][0]["sessions"][0]["messages"]
    messages[1]["content"] = "harbour " * 140_000
    messages += [{"id": f"b{n}", "role": "user", "content": "  "} for n in range(3)]
    messages += [{"id": f"n{n}", "role": "narrator", "content": f"note {n}"} for n in range(300)]
    with loaded(load(samples.write(tmp_path, whole))) as bench:
        found = ask(bench)
    assert len(bench.sources["harbour"]) == 304
    assert found[0].scores["recall@10"] == 1.0


def test_ablation_compares_every_recipe(tiny: EvidenceSet) -> None:
    with loaded(tiny) as bench:
        changes = ablate(bench, ask(bench))
    assert set(changes) == set(ABLATIONS)
    assert all(set(change) == set(ABLATION_METRICS) for change in changes.values())
