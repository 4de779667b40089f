"""Tiny evidence files of our own, as JSON values, one per format."""

from __future__ import annotations

import json
from pathlib import Path

Json = dict[str, object]


def native() -> Json:
    return {
        "name": "tiny",
        "licence": "ours",
        "memories": [
            {
                "memory_id": "harbour",
                "sessions": [
                    _session("monday", "m", ["The ferry leaves at noon.", "I sold my canoe."]),
                    _session("tuesday", "t", ["Rain all day.", "灯塔的门票是二十元。"]),
                ],
                "questions": [
                    _asked("q1", "When does the ferry leave?", "single", evidence=["m0"]),
                    _asked("q2", "灯塔的门票多少钱？", "single", evidence=["t1"]),
                    _asked("q3", "Was it raining?", "by session", evidence_sessions=["tuesday"]),
                    _asked("q4", "Who sold the lighthouse?", "adversarial", evidence=["m1"]),
                    _asked("q5", "What colour was the canoe?", "abstention", evidence=[]),
                ],
            }
        ],
    }


def locomo() -> list[Json]:
    return [
        {
            "sample_id": "conv-1",
            "conversation": {
                "speaker_a": "Ada",
                "speaker_b": "Ben",
                "session_10_date_time": "12:05 am on 1 March, 2023",
                "session_10": [{"speaker": "Ben", "dia_id": "D10:1", "text": "Last one."}],
                "session_2_date_time": "1:56 pm on 8 May, 2022",
                "session_2": [
                    {"speaker": "Ada", "dia_id": "D2:1", "text": "Look!", "blip_caption": "a kite"},
                    {"speaker": "Ben", "dia_id": "D2:2", "text": "", "blip_caption": "a dog"},
                ],
                "session_3_date_time": "2:00 pm on 9 May, 2022",
            },
            "qa": [
                {"question": "A?", "answer": 2022, "evidence": ["D2:1; D10:1"], "category": 1},
                {"question": "B?", "answer": "x", "evidence": ["D", "D9:9"], "category": 2},
                {"question": "C?", "adversarial_answer": "y", "evidence": [], "category": 5},
                {"question": "D?", "answer": "z", "evidence": ["D:2:2", "D02:01"], "category": 4},
            ],
        }
    ]


def longmemeval() -> list[Json]:
    asked: Json = {
        "question_id": "lm1",
        "question_type": "single-session-user",
        "question": "Which boat?",
        "answer": 3,
        "question_date": "2023/05/30 (Tue) 23:40",
        "haystack_session_ids": ["s_a", "s_b"],
        "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/21"],
        "haystack_sessions": [
            [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}],
            [{"role": "user", "content": "My boat is the Heron.", "has_answer": True}],
        ],
        "answer_session_ids": ["s_b"],
    }
    return [asked, asked | {"question_id": "lm2_abs"}]


def write(directory: Path, value: object, name: str = "set.json") -> Path:
    path = directory / name
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    return path


def _session(session_id: str, prefix: str, texts: list[str]) -> Json:
    messages = [
        {"id": f"{prefix}{at}", "role": "user", "speaker": "Ada", "content": text}
        for at, text in enumerate(texts)
    ]
    return {"session_id": session_id, "messages": messages}


def _asked(question_id: str, question: str, kind: str, **gold: list[str]) -> Json:
    return {"id": question_id, "question": question, "answer": "-", "kind": kind, **gold}
