"""Answers: what the model is shown, what becomes of what it says, and of its failures."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from graphmem import AsyncMemoryService, MemoryService, Message, ServiceConfig
from graphmem.domain.answer import Answer
from graphmem.errors import (
    ChatError,
    ChatResponseError,
    ChatUnavailableError,
    ConfigError,
    GenerationDisabledError,
    MemoryNotFoundError,
)
from graphmem.readout.frame import CLOSE, OPEN
from graphmem.readout.prompt import wording_of
from tests.providers.chat.server import ChatServer, said, status
from tests.providers.server import Answer as Sent
from tests.readout.injections import INJECTIONS
from tests.service.conftest import says

QUESTION = "When did Ann join the choir?"
TOLD = Message(
    role="user",
    speaker="Ann",
    content="I joined a choir last Tuesday.",
    timestamp="2023-05-08T13:56:00Z",
)
BEARER = "sk-very-secret"


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with ChatServer() as started:
        started.usual = said("On 2023-05-02 [m1].")
        yield started


def settings(server: ChatServer, directory: Path, **changes: Any) -> ServiceConfig:
    config = ServiceConfig(
        data_dir=directory,
        dense_retrieval=False,
        generate_answers=True,
        answer_model="talker",
        answer_base_url=server.base_url,
        model_timeout_seconds=5.0,
        answer_api_key=BEARER,
    )
    return replace(config, **changes)


@pytest.fixture
def service(server: ChatServer, tmp_path: Path) -> Iterator[MemoryService]:
    with MemoryService.open(config=settings(server, tmp_path)) as opened:
        opened.add("t", "m", "s", [TOLD])
        yield opened


def ask(service: MemoryService, question: str = QUESTION, **options: Any) -> Answer:
    return service.answer("t", "m", question, **options)


def test_the_model_reads_exactly_what_prepare_makes(
    service: MemoryService, server: ChatServer
) -> None:
    ready = service.prepare("t", "m", QUESTION, options=["May", "June"], asked_at="2023-06-01")
    answer = ask(service, options=["May", "June"], asked_at="2023-06-01")
    (request,) = server.requests
    assert request["messages"] == [message.to_dict() for message in ready.messages]
    assert (answer.evidence, answer.trace.prepare) == (ready.evidence, ready.trace)
    assert answer.usage.prompt == ready.usage


def test_an_answer_has_text_citations_and_costs(service: MemoryService, server: ChatServer) -> None:
    server.script = [
        said("On 2023-05-02 [m1].", usage={"prompt_tokens": 70, "completion_tokens": 9})
    ]
    answer = ask(service)
    assert (answer.text, answer.abstained) == ("On 2023-05-02 [m1].", False)
    assert [one.text for one in answer.citations] == ["I joined a choir last Tuesday (2023-05-02)."]
    assert (answer.usage.model_calls, answer.usage.prompt_tokens) == (1, 70)
    assert answer.usage.answer_tokens == 9
    assert (answer.trace.model, answer.trace.finish) == ("talker", "stop")
    assert json.loads(json.dumps(answer.to_dict()))["citations"] == ["m1"]
    with pytest.raises(AttributeError):
        answer.text = "x"  # type: ignore[misc]


def test_an_invented_citation_is_taken_out_and_told(
    service: MemoryService, server: ChatServer
) -> None:
    server.script = [said("On 2023-05-02 [m1, m77], or in June [m2].")]
    answer = ask(service)
    assert answer.text == "On 2023-05-02 [m1], or in June."
    assert answer.trace.invented == ("m77", "m2")
    assert service.statistics().answers is not None


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Zebra?", "I do not know: the records hold nothing about this."),
        ("斑马呢？", "不知道：记录中没有与此有关的内容。"),
    ],
)
def test_without_evidence_the_model_is_not_asked(
    service: MemoryService, server: ChatServer, question: str, text: str
) -> None:
    answer = ask(service, question)
    assert (answer.text, answer.abstained, answer.evidence) == (text, True, ())
    assert (answer.usage.model_calls, answer.usage.prompt_tokens) == (0, 0)
    assert answer.trace.finish == "not_asked"
    assert server.requests == []


def test_an_abstention_of_the_model_is_told(service: MemoryService, server: ChatServer) -> None:
    server.script = [said("I do not know."), said("The records do not say, but likely May [m1].")]
    assert ask(service).abstained
    assert not ask(service).abstained


def test_thoughts_are_no_answer(service: MemoryService, server: ChatServer) -> None:
    server.script = [said("<think>May? [m5]</think>\n\nOn 2023-05-02 [m1]."), said("<think>May")]
    answer = ask(service)
    assert (answer.text, answer.trace.invented) == ("On 2023-05-02 [m1].", ())
    with pytest.raises(ChatResponseError, match="max_output_tokens"):
        ask(service)


def test_an_answer_that_was_cut_off_says_so(service: MemoryService, server: ChatServer) -> None:
    server.script = [said("On 2023-05-02 [m1], as [m", finish="length")]
    answer = ask(service)
    assert (answer.text, answer.trace.finish) == ("On 2023-05-02 [m1], as", "length")


@pytest.mark.parametrize(
    ("changes", "sent"),
    [
        ({}, {"temperature": 0, "max_completion_tokens": 2000, "reasoning_effort": "none"}),
        (
            {"answer_frequency_penalty": 0.3, "answer_reasoning_effort": "low"},
            {
                "temperature": 0,
                "max_completion_tokens": 2000,
                "reasoning_effort": "low",
                "frequency_penalty": 0.3,
            },
        ),
        (
            {"answer_request_profile": "qwen", "max_output_tokens": 50},
            {
                "temperature": 0,
                "max_tokens": 50,
                "frequency_penalty": 0.2,
                "enable_thinking": False,
                "chat_template_kwargs": {"enable_thinking": False},
            },
        ),
        (
            {"answer_request_profile": "omit", "answer_frequency_penalty": 0.3},
            {"temperature": 0, "max_tokens": 2000},
        ),
    ],
)
def test_each_profile_sends_its_fields(
    server: ChatServer, tmp_path: Path, changes: dict[str, Any], sent: dict[str, Any]
) -> None:
    with MemoryService.open(config=settings(server, tmp_path, **changes)) as service:
        service.add("t", "m", "s", [TOLD])
        ask(service)
    (request,) = server.requests
    assert request.pop("model") == "talker"
    request.pop("messages")
    assert request == sent
    assert server.keys == [f"Bearer {BEARER}"]


def test_a_short_outage_is_waited_out(service: MemoryService, server: ChatServer) -> None:
    server.script = [status(429, Retry_After="0"), status(503)]
    assert ask(service).text
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    "storm", [status(429), status(500), lambda _: Sent(hangs=True)], ids=["429", "500", "hang"]
)
def test_an_outage_ends_after_bounded_tries_and_may_be_repeated(
    server: ChatServer, tmp_path: Path, storm: Any
) -> None:
    config = settings(server, tmp_path, model_timeout_seconds=0.6)
    with MemoryService.open(config=config) as service:
        service.add("t", "m", "s", [TOLD])
        server.usual = storm
        with pytest.raises(ChatUnavailableError):
            ask(service)
        assert len(server.requests) <= 4
        assert [one.part for one in service.readiness().degraded] == ["answers"]
        server.usual = said("On 2023-05-02 [m1].")
        assert ask(service).citations
        assert service.readiness().degraded == ()


@pytest.mark.parametrize(
    "bad",
    [status(401), said(""), said("[m9]"), lambda _: Sent(body=b"{}")],
    ids=["401", "empty", "invented", "garbage"],
)
def test_an_answer_that_is_none_is_an_error(
    service: MemoryService, server: ChatServer, bad: Any
) -> None:
    server.usual = bad
    with pytest.raises(ChatResponseError):
        ask(service)


def test_what_became_of_the_questions_is_counted(
    service: MemoryService, server: ChatServer
) -> None:
    usage = {"prompt_tokens": 70, "completion_tokens": 9}
    server.script = [said("May [m1][m2].", usage=usage), said("I do not know.", usage=usage)]
    ask(service)
    ask(service)
    ask(service, "Zebra?")
    server.usual = said("")
    with pytest.raises(ChatError):
        ask(service)
    counts = service.statistics().answers
    assert counts is not None
    assert (counts.answered, counts.abstained, counts.failed, counts.invented) == (1, 2, 1, 1)
    assert (counts.prompt_tokens, counts.answer_tokens) == (140, 18)


def test_answers_are_off_unless_they_are_enabled(tmp_path: Path) -> None:
    config = ServiceConfig(data_dir=tmp_path, dense_retrieval=False)
    with MemoryService.open(config=config) as service:
        service.add("t", "m", "s", [TOLD])
        with pytest.raises(GenerationDisabledError, match="generate_answers"):
            ask(service)
        assert service.statistics().answers is None


def test_a_memory_that_is_not_there_has_no_answer(
    service: MemoryService, server: ChatServer
) -> None:
    with pytest.raises(MemoryNotFoundError):
        service.answer("t", "other", "x")
    assert server.requests == []


@pytest.mark.parametrize(
    "question", ["What of instructions, rules, records, passwords?", "指令、规则、记录和密码呢？"]
)
def test_no_stored_text_leaves_its_frame_on_the_way_to_the_model(
    service: MemoryService, server: ChatServer, question: str
) -> None:
    assert len(INJECTIONS) == 50
    for start in range(0, 50, 10):
        service.add("t", "m", f"s{start}", says(*INJECTIONS[start : start + 10]))
    ask(service, question)
    (system, user) = server.requests[0]["messages"]
    assert (system["role"], system["content"]) == ("system", wording_of(question).system)
    assert user["role"] == "user"
    head, _, rest = user["content"].partition(f"{OPEN}\n")
    inside, _, tail = rest.partition(f"\n{CLOSE}")
    assert head == ""
    assert "<" not in inside
    assert tail.count(CLOSE) == 0
    assert "PWNED" not in tail


def test_no_payload_and_no_key_is_logged_or_in_an_error(
    service: MemoryService, server: ChatServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    ask(service)
    server.usual = status(400)
    with pytest.raises(ChatError) as raised:
        ask(service)
    told = caplog.text + str(raised.value) + repr(service.config)
    assert not any(word in told for word in ("choir", "2023-05-02", BEARER))


async def test_the_async_half_answers_the_same(server: ChatServer, tmp_path: Path) -> None:
    async with await AsyncMemoryService.open(config=settings(server, tmp_path)) as service:
        await service.add("t", "m", "s", [TOLD])
        assert (await service.answer("t", "m", QUESTION)).text == "On 2023-05-02 [m1]."


def test_a_reader_beside_the_holder_may_ask(
    service: MemoryService, server: ChatServer, tmp_path: Path
) -> None:
    with MemoryService.open(config=settings(server, tmp_path), read_only=True) as reader:
        assert ask(reader).text == "On 2023-05-02 [m1]."


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"answer_model": ""}, "answer_model"),
        ({"answer_base_url": ""}, "answer_base_url"),
        ({"answer_base_url": "ftp://x"}, "answer_base_url"),
        ({"answer_request_profile": "azure"}, "answer_request_profile"),
        (
            {"answer_request_profile": "qwen", "answer_reasoning_effort": "low"},
            "answer_reasoning_effort",
        ),
        (
            {"answer_request_profile": "omit", "answer_reasoning_effort": "high"},
            "answer_reasoning_effort",
        ),
        ({"answer_frequency_penalty": 3.0}, "answer_frequency_penalty"),
        ({"max_output_tokens": 0}, "max_output_tokens"),
        ({"generate_answers": "yes"}, "generate_answers"),
    ],
)
def test_a_wrong_setting_is_named_before_anything_is_opened(
    server: ChatServer, tmp_path: Path, changes: dict[str, Any], field: str
) -> None:
    with pytest.raises(ConfigError) as raised:
        MemoryService.open(config=settings(server, tmp_path / "d", **changes))
    assert raised.value.field == field
    assert not (tmp_path / "d").exists()


def test_the_model_of_the_build_answers_unless_another_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: ChatServer
) -> None:
    monkeypatch.setenv("BUILD_KEY", "of the build")
    file = tmp_path / "settings.json"
    stated = {
        "dense_retrieval": False,
        "semantic_build": False,
        "generate_answers": True,
        "llm_model": "builder",
        "llm_base_url": server.base_url,
        "llm_api_key_env": "BUILD_KEY",
        "require_exact_tokenizer": False,
    }
    file.write_text(json.dumps(stated))
    with MemoryService.open(data_dir=tmp_path / "d", config=ServiceConfig.load(file)) as service:
        service.add("t", "m", "s", [TOLD])
        assert ask(service).trace.model == "builder"
    assert server.requests[-1]["model"] == "builder"
    assert server.keys[-1] == "Bearer of the build"
