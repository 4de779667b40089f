from __future__ import annotations

from dataclasses import replace

import pytest

from graphmem.bench.evidence import (
    EvidenceMemory,
    EvidenceMessage,
    EvidenceSession,
    EvidenceSet,
    Question,
)
from graphmem.bench.readout import ABLATIONS, SETTINGS, V5_73, V5_81, ReadOut, measure
from graphmem.bench.readout_report import ReadoutReport
from graphmem.bench.retrieval import LEXICAL, loaded
from graphmem.domain.message import Message
from graphmem.readout.assemble import Rules
from graphmem.readout.budget import QueryBudget

TOLD = "2023-05-08T13:56:00Z"


def _set(
    *texts: str, evidence: tuple[str, ...] = ("m0",), answer: str | None = None
) -> EvidenceSet:
    messages = tuple(
        EvidenceMessage(id=f"m{number}", message=Message(role="user", content=text, timestamp=TOLD))
        for number, text in enumerate(texts)
    )
    asked = Question(
        id="q", text="Where is the zebra?", kind="single", answer=answer, evidence=evidence
    )
    memory = EvidenceMemory(
        memory_id="m",
        sessions=(EvidenceSession(session_id="s", messages=messages),),
        questions=(asked,),
    )
    return EvidenceSet(name="tiny", licence="none", memories=(memory,))


def _measured(evidence: EvidenceSet, rules: Rules = V5_81) -> ReadOut:
    with loaded(evidence, LEXICAL) as bench:
        (found,) = measure(bench, rules)
    return found


def test_evidence_counts_when_it_is_in_the_prompt() -> None:
    told = ("The zebra is in the park.", "A zebra!", "The zebra ate.", "No zebra.")
    found = _measured(_set(*told, evidence=("m0", "m1")))
    assert (found.scores["all"], found.scores["recall"], found.scores["precision"]) == (1, 1, 0.5)
    assert found.tokens > 100
    tight = replace(V5_73, budget=QueryBudget(lookup_turns=1))
    assert _measured(_set(*told, evidence=("m0", "m1")), tight).scores["recall"] == 0.5


def test_a_turn_that_is_shown_in_part_is_not_whole() -> None:
    long = "The zebra sleeps. " + "The keeper swept the yard. " * 60
    found = _measured(_set(long))
    assert (found.scores["all"], found.scores["whole"]) == (1, 0)


@pytest.mark.parametrize(
    ("answer", "written"),
    [
        ("the park", 1.0),
        ("Park and a pond", 1.0),
        ("par", 0.0),
        ("the zoo", 0.0),
        ("2 May 2023", 1.0),
        ("3 May 2023", 0.0),
        ("公园", 1.0),
        (None, 0.0),
    ],
)
def test_an_answer_is_written_word_by_word_or_as_its_date(
    answer: str | None, written: float
) -> None:
    told = "Since last Tuesday the zebra is in the park, by the pond (在公园)."
    assert _measured(_set(told, answer=answer)).scores["answer"] == written


def test_the_report_holds_each_setting_by_kind_and_by_family() -> None:
    evidence = _set("The zebra is in the park.")
    with loaded(evidence, LEXICAL) as bench:
        report = ReadoutReport(
            evidence=evidence,
            runs={name: measure(bench, rules) for name, rules in SETTINGS.items()},
            ablation={name: measure(bench, rules) for name, rules in ABLATIONS.items()},
            embedding=LEXICAL,
        ).to_dict()
    assert report["questions"] == 1
    setting = report["readouts"]["v5_81"]  # type: ignore[index]
    assert setting["by_kind"]["single"] == setting["by_family"]["lookup"]
    assert setting["all"] == {"mean": 1.0, "low": 1.0, "high": 1.0}
    assert setting["tokens"]["mean"] == setting["tokens"]["p95"] > 100
    assert set(report["ablation"]) == set(ABLATIONS)  # type: ignore[call-overload]
