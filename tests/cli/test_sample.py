"""The sample conversation that the quickstart replays."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

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


def test_the_evidence_of_each_question_comes_first(tmp_path: Path) -> None:
    with MemoryService.open(data_dir=tmp_path) as service:
        for session in SAMPLE["sessions"]:
            messages = [
                Message(role=m["role"], content=m["content"], timestamp=session["started"])
                for m in session["messages"]
            ]
            service.add("t", "m", session["session_id"], messages, policy=ADD_SEARCH)
        for asked in SAMPLE["questions"]:
            first = service.retrieve("t", "m", asked["question"], limit=1).hits[0]
            assert asked["phrase"] in first.content, asked["question"]
