from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from graphmem.bench.datasets import load
from graphmem.bench.evidence import EvidenceSet, Question
from graphmem.errors import InvalidInputError
from tests.bench import samples


def questions(evidence: EvidenceSet) -> list[Question]:
    return [question for memory in evidence.memories for question in memory.questions]


def contents(evidence: EvidenceSet) -> list[str]:
    return [m.message.content for s in evidence.memories[0].sessions for m in s.messages]


class TestNative:
    def test_everything_is_read(self, tmp_path: Path) -> None:
        evidence = load(samples.write(tmp_path, samples.native()))
        assert (evidence.name, evidence.licence) == ("tiny", "ours")
        assert (evidence.turns, evidence.questions) == (4, 5)
        first = evidence.memories[0].sessions[0].messages[0]
        assert (first.id, first.message.speaker, first.message.timestamp) == ("m0", "Ada", None)
        assert questions(evidence)[2].evidence_sessions == ("tuesday",)

    @pytest.mark.parametrize(
        ("path", "value", "field"),
        [
            (("memories", 0, "memory_id"), None, "memories.0.memory_id"),
            (("memories", 0, "sessions"), {}, "memories.0.sessions"),
            (
                ("memories", 0, "sessions", 1, "messages", 0, "content"),
                7,
                "memories.0.sessions.1.messages.0.content",
            ),
            (("memories", 0, "questions", 1, "question"), "  ", "memories.0.questions.1.question"),
            (
                ("memories", 0, "questions", 0, "evidence"),
                ["m9"],
                "memories.0.questions.0.evidence",
            ),
            (("memories", 0), "x", "memories.0"),
            (("name",), None, "name"),
        ],
    )
    def test_a_broken_field_is_named(
        self, tmp_path: Path, path: tuple[str | int, ...], value: object, field: str
    ) -> None:
        whole: Any = copy.deepcopy(samples.native())
        place = whole
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value
        with pytest.raises(InvalidInputError, match=r"set\.json") as caught:
            load(samples.write(tmp_path, whole))
        assert caught.value.field == field


class TestLocomo:
    def test_sessions_that_took_place_are_in_the_order_of_their_numbers(
        self, tmp_path: Path
    ) -> None:
        sessions = load(samples.write(tmp_path, samples.locomo())).memories[0].sessions
        assert [s.session_id for s in sessions] == ["session_2", "session_10"]

    def test_the_set_is_named_after_its_file(self, tmp_path: Path) -> None:
        assert load(samples.write(tmp_path, samples.locomo(), "ten.json")).name == "ten"

    def test_times_become_iso(self, tmp_path: Path) -> None:
        sessions = load(samples.write(tmp_path, samples.locomo())).memories[0].sessions
        times = [s.messages[0].message.timestamp for s in sessions if s.messages]
        assert times == ["2022-05-08T13:56:00", "2023-03-01T00:05:00"]

    def test_a_caption_stands_for_its_image(self, tmp_path: Path) -> None:
        said = contents(load(samples.write(tmp_path, samples.locomo())))
        assert said[:2] == ["Look! [shares an image: a kite]", "[shares an image: a dog]"]

    def test_malformed_evidence_counts_as_far_as_it_can_be_read(self, tmp_path: Path) -> None:
        asked = questions(load(samples.write(tmp_path, samples.locomo())))
        assert [q.evidence for q in asked] == [("D2:1", "D10:1"), (), (), ("D2:2", "D2:1")]

    def test_kinds_and_answers(self, tmp_path: Path) -> None:
        asked = questions(load(samples.write(tmp_path, samples.locomo())))
        assert [q.kind for q in asked] == ["multi_hop", "temporal", "adversarial", "single_hop"]
        assert [q.answer for q in asked] == ["2022", "x", "y", "z"]

    @pytest.mark.parametrize("category", [0, 6, "1", None])
    def test_an_unknown_category_is_named(self, tmp_path: Path, category: object) -> None:
        broken: Any = samples.locomo()
        broken[0]["qa"][1]["category"] = category
        with pytest.raises(InvalidInputError, match=r"^0\.qa\.1\.category"):
            load(samples.write(tmp_path, broken))

    def test_a_wrong_time_is_named(self, tmp_path: Path) -> None:
        broken: Any = samples.locomo()
        broken[0]["conversation"]["session_2_date_time"] = "yesterday"
        with pytest.raises(InvalidInputError, match=r"session_2_date_time: must be a time"):
            load(samples.write(tmp_path, broken))


class TestLongMemEval:
    def test_each_question_has_its_own_memory(self, tmp_path: Path) -> None:
        evidence = load(samples.write(tmp_path, samples.longmemeval()))
        assert [m.memory_id for m in evidence.memories] == ["lm1", "lm2_abs"]
        assert contents(evidence) == ["Hi", "Hello", "My boat is the Heron."]

    def test_marked_turns_and_sessions_are_the_evidence(self, tmp_path: Path) -> None:
        question = questions(load(samples.write(tmp_path, samples.longmemeval())))[0]
        assert question.evidence == ("1:0",)
        assert question.evidence_sessions == ("s_b",)
        assert (question.kind, question.answer) == ("single-session-user", "3")
        assert question.asked_at == "2023-05-30T23:40:00"

    def test_an_abstention_has_no_evidence(self, tmp_path: Path) -> None:
        question = questions(load(samples.write(tmp_path, samples.longmemeval())))[1]
        assert (question.kind, question.evidence, question.evidence_sessions) == (
            "abstention",
            (),
            (),
        )

    def test_dates_with_and_without_a_clock(self, tmp_path: Path) -> None:
        sessions = load(samples.write(tmp_path, samples.longmemeval())).memories[0].sessions
        times = [s.messages[0].message.timestamp for s in sessions]
        assert times == ["2023-05-20T02:21:00", "2023-05-21"]

    def test_as_many_dates_as_sessions(self, tmp_path: Path) -> None:
        broken: Any = samples.longmemeval()
        broken[0]["haystack_dates"] = ["2023/05/21"]
        with pytest.raises(InvalidInputError, match=r"2 sessions, but 2 ids and 1 dates"):
            load(samples.write(tmp_path, broken))

    def test_a_wrong_date_is_named(self, tmp_path: Path) -> None:
        broken: Any = samples.longmemeval()
        broken[1]["question_date"] = "30.5.2023"
        with pytest.raises(InvalidInputError, match=r"^1\.question_date"):
            load(samples.write(tmp_path, broken))


class TestUnknown:
    @pytest.mark.parametrize("value", [{}, [], [{}], [1], 3, {"data": []}])
    def test_an_unknown_shape_is_refused_with_the_known_ones(
        self, tmp_path: Path, value: object
    ) -> None:
        with pytest.raises(InvalidInputError, match=r"LoCoMo.*LongMemEval"):
            load(samples.write(tmp_path, value))

    def test_a_file_that_is_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(InvalidInputError, match=r"can't read .*none\.json: No such file"):
            load(tmp_path / "none.json")

    def test_a_file_that_is_not_json(self, tmp_path: Path) -> None:
        path = tmp_path / "torn.json"
        path.write_text('{"memories": [', encoding="utf-8")
        with pytest.raises(InvalidInputError, match="not valid JSON"):
            load(path)

    def test_a_file_that_is_not_text(self, tmp_path: Path) -> None:
        path = tmp_path / "binary.json"
        path.write_bytes(b"\xff\xfe\x00")
        with pytest.raises(InvalidInputError, match="not valid JSON"):
            load(path)
