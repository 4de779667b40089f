"""Answers over HTTP."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from graphmem.domain.prepared import Evidence
from graphmem.wire.product import AnswerAnswer
from tests.providers.chat.server import ChatServer, said, status
from tests.server.live import Live, configure, running
from tests.server.test_metrics import read
from tests.server.test_product import a_question, message_of, product_add, refusal

TOLD = "Her secret favourite is 秘密 tea."


@pytest.fixture(scope="module")
def chat() -> Iterator[ChatServer]:
    with ChatServer() as started:
        yield started


@pytest.fixture(scope="module")
def answering(chat: ChatServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    config = replace(
        configure(tmp_path_factory.mktemp("answering")),
        generate_answers=True,
        answer_model="talker",
        answer_base_url=chat.base_url,
        model_timeout_seconds=3.0,
    )
    with running(config) as live:
        yield live


@pytest.fixture(autouse=True)
def _well(chat: ChatServer) -> None:
    chat.script.clear()
    chat.usual = said("Tea [m1], [m8].", usage={"prompt_tokens": 70, "completion_tokens": 9})


def test_an_answer_is_the_sdk_s_value(answering: Live, chat: ChatServer, user: str) -> None:
    answering.post("/v1/add", product_add(user, TOLD))
    asked = a_question(user, "favourite?", options=["tea", "milk"], asked_at="2023-06-01")
    reply = answering.post("/v1/answer", asked)
    assert reply.status == 200
    found = AnswerAnswer.model_validate(reply.json())
    assert (found.text, found.citations) == ("Tea [m1],.", ["m1"])
    assert found.trace.invented == ["m8"]
    assert [one.text for one in found.evidence] == [TOLD]
    assert (found.usage.prompt_tokens, found.usage.answer_tokens) == (70, 9)
    prepared = answering.post("/v1/prepare", asked).json()
    assert chat.requests[-1]["messages"] == prepared["messages"]
    assert set(AnswerAnswer.model_fields["evidence"].annotation.__args__[0].model_fields) == {  # type: ignore[union-attr]
        name for name in Evidence.__slots__ if name != "shares"
    }


def test_503_without_enabled_answers_and_no_retry_helps(server: Live, user: str) -> None:
    server.post("/v1/add", product_add(user))
    reply = server.post("/v1/answer", a_question(user))
    assert refusal(reply) == (503, "generation_disabled", False)
    assert "generate_answers" in message_of(reply)
    assert "retry-after" not in reply.headers


@pytest.mark.parametrize("code", [429, 500, 401])
def test_503_with_a_failing_model_and_a_retry_may_help(
    answering: Live, chat: ChatServer, user: str, code: int
) -> None:
    answering.post("/v1/add", product_add(user, TOLD))
    chat.usual = status(code)
    reply = answering.post("/v1/answer", a_question(user, "favourite?"))
    assert refusal(reply) == (503, "model_unavailable", True)
    assert int(reply.headers["retry-after"]) > 0
    assert "秘密" not in reply.body.decode()
    chat.usual = said("Tea.")
    assert answering.post("/v1/answer", a_question(user, "favourite?")).status == 200


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"query": " "}, "query: must not be blank"),
        ({"asked_at": "soon"}, "asked_at: "),
        ({"limit": 5}, "unknown field"),
    ],
)
def test_a_wrong_field_is_named_and_no_model_is_asked(
    answering: Live, chat: ChatServer, user: str, change: dict[str, object], problem: str
) -> None:
    answering.post("/v1/add", product_add(user))
    before = len(chat.requests)
    reply = answering.post("/v1/answer", a_question(user) | change)
    assert refusal(reply) == (400, "invalid", False)
    assert problem in message_of(reply)
    assert len(chat.requests) == before


def test_404_for_a_memory_that_is_not_there(answering: Live) -> None:
    asked = answering.post("/v1/answer", a_question("nobody-here"))
    assert refusal(asked)[:2] == (404, "memory_not_found")


def test_metrics_count_answers_and_their_tokens(answering: Live, user: str) -> None:
    answering.post("/v1/add", product_add(user, TOLD))
    before = read(answering)
    answering.post("/v1/answer", a_question(user, "favourite?"))
    answering.post("/v1/answer", a_question(user, "zebra?"))
    answering.settle()
    after = read(answering)

    def grown(name: str) -> float:
        return after[name] - before.get(name, 0)

    assert grown('graphmem_answers_total{outcome="answered"}') == 1
    assert grown('graphmem_answers_total{outcome="abstained"}') == 1
    assert grown('graphmem_answers_total{outcome="failed"}') == 0
    assert grown('graphmem_answer_tokens_total{of="prompt"}') == 70
    assert grown('graphmem_answer_tokens_total{of="answer"}') == 9
    assert grown("graphmem_invented_citations_total") == 1
    assert grown('graphmem_stage_seconds_count{route="/v1/answer",stage="answer"}') == 1
    assert after["graphmem_answer_model_up"] == 1


def test_nothing_of_a_question_or_an_answer_is_logged(
    answering: Live, chat: ChatServer, user: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    answering.post("/v1/add", product_add(user, TOLD))
    answering.post("/v1/answer", a_question(user, "favourite drink?"))
    chat.usual = status(400)
    answering.post("/v1/answer", a_question(user, "favourite drink?"))
    answering.settle()
    assert not any(word in caplog.text for word in ("秘密", "drink", "Tea"))


def test_a_model_that_hangs_keeps_no_other_call_waiting(
    chat: ChatServer, tmp_path: Path, user: str
) -> None:
    """Answers stand in the lane of `/v1`, which has a thread for each request that may be in."""
    from concurrent.futures import ThreadPoolExecutor
    from threading import Event

    held = Event()

    def slow(request: dict[str, object]) -> object:
        held.wait(20)
        return said("Tea [m1].")(request)

    config = replace(
        configure(tmp_path),
        generate_answers=True,
        answer_model="talker",
        answer_base_url=chat.base_url,
    )
    chat.usual = slow  # type: ignore[assignment]
    with running(config) as live, ThreadPoolExecutor(8) as pool:
        live.post("/v1/add", product_add(user, TOLD))
        calls = [
            pool.submit(live.post, "/v1/answer", a_question(user, "favourite?")) for _ in range(8)
        ]
        assert live.post("/v1/retrieve", a_question(user, "favourite?")).status == 200
        assert not any(call.done() for call in calls)
        held.set()
        assert [call.result().status for call in calls] == [200] * 8
