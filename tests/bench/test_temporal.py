from __future__ import annotations

from graphmem.bench.evidence import (
    EvidenceMemory,
    EvidenceMessage,
    EvidenceSession,
    EvidenceSet,
    Question,
)
from graphmem.bench.retrieval import LEXICAL, loaded
from graphmem.bench.temporal import TemporalReport, measure, newest_moment, written_dates
from graphmem.domain.message import Message

TOLD = "2023-05-08T13:56:00Z"


def _memory(answer: str, *texts: str, question: str = "When was the zebra seen?") -> EvidenceSet:
    messages = tuple(
        EvidenceMessage(id=f"m{number}", message=Message(role="user", content=text, timestamp=TOLD))
        for number, text in enumerate(texts)
    )
    asked = Question(id="q", text=question, kind="temporal", answer=answer, evidence=("m0",))
    memory = EvidenceMemory(
        memory_id="m",
        sessions=(EvidenceSession(session_id="s", messages=messages),),
        questions=(asked,),
    )
    return EvidenceSet(name="tiny", licence="none", memories=(memory,))


def _measured(evidence: EvidenceSet) -> TemporalReport:
    with loaded(evidence, LEXICAL) as bench:
        return measure(bench)


def test_a_resolved_date_counts_as_written() -> None:
    report = _measured(_memory("7 May 2023", "I saw the zebra yesterday."))
    assert report.to_dict()["dated"] == 1.0
    assert report.to_dict()["dated_by_prefix"] == 0.0


def test_a_date_that_the_text_does_not_tell_is_not_written() -> None:
    report = _measured(_memory("7 May 2023", "I saw the zebra recently."))
    assert report.to_dict()["undated"] == ["q"]


def test_a_finer_date_within_the_answer_counts_and_a_coarser_does_not() -> None:
    assert _measured(_memory("May 2023", "The zebra came yesterday.")).to_dict()["dated"] == 1.0
    assert _measured(_memory("7 May 2023", "The zebra came this month.")).to_dict()["dated"] == 0.0


def test_an_interval_counts_that_begins_or_ends_within_the_answer() -> None:
    assert _measured(_memory("April 2023", "A zebra came two weeks ago.")).to_dict()["dated"] == 1.0
    assert _measured(_memory("3 May 2023", "A zebra came last week.")).to_dict()["dated"] == 0.0


def test_an_approximate_date_counts_by_its_last_day_and_is_told_apart() -> None:
    found = _measured(_memory("8 May 2023", "I just bought a zebra.")).to_dict()
    assert (found["dated"], found["dated_about"]) == (1.0, 1)
    assert _measured(_memory("7 May 2023", "I just bought a zebra.")).to_dict()["dated"] == 0.0
    exact = _measured(_memory("7 May 2023", "I bought a zebra yesterday.")).to_dict()
    assert (exact["dated"], exact["dated_about"]) == (1.0, 0)


def test_an_answer_that_is_but_a_year_is_a_date() -> None:
    assert _measured(_memory("2022", "The zebra came last year.")).to_dict()["dated"] == 1.0


def test_answers_without_a_date_and_evidence_that_is_not_found_do_not_count() -> None:
    assert _measured(_memory("four years", "The zebra came yesterday.")).answered_by_date == 0
    lost = _measured(_memory("7 May 2023", "It came yesterday."))
    assert (lost.answered_by_date, lost.to_dict()["evidence_found"]) == (1, 0)
    assert lost.to_dict()["dated"] is None


def test_complete_dates_and_those_in_brackets_are_written() -> None:
    found = written_dates("On 3 May 2023 and last week (2023-05-01..2023-05-07), not yesterday.")
    assert [one.text() for one in found] == ["2023-05-03", "2023-05-01..2023-05-07"]


def test_the_newest_message_is_the_latest_in_time() -> None:
    evidence = _memory("x", "a", "b")
    newest = newest_moment(evidence.memories[0])
    assert newest is not None
    assert newest.iso() == TOLD
