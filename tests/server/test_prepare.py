"""Prompts over HTTP."""

from __future__ import annotations

import pytest

from graphmem.wire.product import PreparedAnswer
from tests.server.live import Live
from tests.server.test_product import a_question, product_add, refusal

PATHS = ["/v1/prepare", "/prepare"]


@pytest.mark.parametrize("path", PATHS)
def test_a_prompt_is_the_sdk_s_value(server: Live, user: str, path: str) -> None:
    messages = [
        {
            "role": "user",
            "speaker": "Ann",
            "content": "I joined a choir last Tuesday.",
            "timestamp": "2023-05-08T13:56:00Z",
        }
    ]
    assert server.post("/v1/add", product_add(user, messages=messages)).status == 200
    asked = a_question(
        user, "When did Ann join?", options=["May", "June"], asked_at="2023-06-01T00:00:00Z"
    )
    reply = server.post(path, asked)
    assert reply.status == 200
    found = PreparedAnswer.model_validate(reply.json())
    assert [message.role for message in found.messages] == ["system", "user"]
    assert "[m1] Ann: I joined a choir last Tuesday (2023-05-02)." in found.messages[1].content
    assert "(2) June" in found.messages[1].content
    assert found.trace.question.kind == "temporal_point"
    assert found.usage.turns == len(found.evidence) == 1


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"query": " "}, "query: must not be blank"),
        ({"asked_at": "soon"}, "asked_at: "),
        ({"options": None}, "options: must be an array"),
        ({"limit": 5}, "unknown field"),
        ({"query": "why " * 45_000}, "query: takes"),
    ],
)
def test_a_wrong_field_is_named(
    server: Live, user: str, path: str, change: dict[str, object], problem: str
) -> None:
    server.post("/v1/add", product_add(user))
    reply = server.post(path, a_question(user) | change)
    assert refusal(reply) == (400, "invalid", False)
    assert problem in reply.json()["error"]["message"]  # type: ignore[index]


@pytest.mark.parametrize("path", PATHS)
def test_404_for_a_memory_that_is_not_there(server: Live, path: str) -> None:
    assert refusal(server.post(path, a_question("nobody-here")))[:2] == (404, "memory_not_found")


def test_without_a_limit_retrieve_answers_by_the_question_s_class(server: Live, user: str) -> None:
    server.post("/v1/add", product_add(user, *(f"boat {n}" for n in range(70))))
    for query, hits in (("Where is the boat?", 32), ("When did the boat leave?", 64)):
        for asked in (a_question(user, query), a_question(user, query, limit=None)):
            assert len(server.post("/v1/retrieve", asked).json()["hits"]) == hits  # type: ignore[arg-type]
