"""A service whose chat model is a server on a real socket that fails in every way: nothing is lost."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.providers.chat.server import ChatServer, ChatStep, said, status
from tests.providers.server import Answer
from tests.service.rig import until
from tests.service.scenes.makers import lister, origins, told

from graphmem.config import ServiceConfig
from graphmem.domain.message import Message
from graphmem.errors import BuildFailedError, ConfigError
from graphmem.ports.chat import ChatMessage
from graphmem.service.memory import MemoryService
from graphmem.service.policy import ADD_SEARCH, PRODUCT, Policy

CONVERSATION = (
    "I moved to Oslo last month.", "Great! I have two dogs now.", "I love sushi and green tea.",
    "My sister Mia is a nurse.", "I work as a baker.", "We went to Rome in May.",
    "I am allergic to nuts.", "I bought a red bike.", "I never eat meat.",
    "I play chess every Friday.", "I was born in 1984.", "I want to become a vet.",
)  # fmt: skip


def part(end: int) -> ChatStep:
    """Answer well, but only the beginning."""

    def answer(request: dict[str, Any]) -> Answer:
        messages = [ChatMessage(**message) for message in request["messages"]]
        return said(lister(messages)[:end], finish="length")(request)

    return answer


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with ChatServer() as started:
        started.usual = told
        yield started


def settings(server: ChatServer, directory: Path, **others: Any) -> ServiceConfig:
    return replace(
        ServiceConfig(),
        data_dir=directory,
        dense_retrieval=False,
        llm_model="m",
        llm_base_url=server.base_url,
        require_exact_tokenizer=False,
        **others,
    )


def say(service: MemoryService, policy: Policy = PRODUCT) -> None:
    messages = [
        Message(role="user", content=text, speaker="AnnTom"[3 * (at % 2) :][:3])
        for at, text in enumerate(CONVERSATION)
    ]
    service.add("t", "m", "s", messages, request_id="r", policy=policy)


def by_model(service: MemoryService) -> int:
    return sum(origin == "llm" for origin in origins(service).values())


FAILURES: dict[str, list[ChatStep]] = {
    "429": [status(429, Retry_After="0")] * 3,
    "500": [status(500)] * 2,
    "dies in mid-answer": [lambda request: Answer(body=told(request).body, dies_after=60)] * 2,
    "dies before its answer": [lambda request: Answer(body=told(request).body, dies_after=0)],
}
USELESS: dict[str, ChatStep] = {
    "garbage": lambda request: Answer(body=b"<html>oops"),
    "prose": said("I can't help with that."),
    "empty": said(""),
    "cut off at once": part(30),
    "thoughts only": said("<think>Let me see: []"),
    "the schema": lambda request: said(
        json.dumps(request["response_format"]["json_schema"]["schema"])
    )(request),
    "inventions": said(
        json.dumps(
            {
                "atoms": [
                    {"position": 0, "type": "persona", "quote": "I am Batman", "value": "Batman"}
                ]
            }
        )
    ),
}
READABLE: dict[str, ChatStep] = {
    "fenced": lambda request: said(f"```json\n{_text(request)}\n```")(request),
    "after thoughts": lambda request: said(f"<think>[]</think>{_text(request)}")(request),
    "a bare list": lambda request: said(json.dumps(json.loads(_text(request))["atoms"]))(request),
    "in prose": lambda request: said(f"Sure:\n{_text(request)}\nDone.")(request),
}


def _text(request: dict[str, Any]) -> str:
    return lister([ChatMessage(**message) for message in request["messages"]])


@pytest.mark.parametrize("name", FAILURES)
def test_what_passes_is_waited_for(server: ChatServer, tmp_path: Path, name: str) -> None:
    server.script = list(FAILURES[name])
    with MemoryService.open(config=settings(server, tmp_path)) as service:
        say(service)
        assert by_model(service) == 10
        assert len(server.requests) == 2 + len(FAILURES[name])


@pytest.mark.parametrize("name", READABLE)
def test_what_can_be_read_is_taken(server: ChatServer, tmp_path: Path, name: str) -> None:
    server.usual = READABLE[name]
    with MemoryService.open(config=settings(server, tmp_path)) as service:
        say(service)
        assert by_model(service) == 10


@pytest.mark.parametrize("name", USELESS)
def test_what_is_of_no_use_fails_the_add_and_loses_nothing(
    server: ChatServer, tmp_path: Path, name: str
) -> None:
    server.usual = USELESS[name]
    with MemoryService.open(config=settings(server, tmp_path)) as service:
        with pytest.raises(BuildFailedError):
            say(service)
        server.usual = told
        assert service.catch_up(60)
        assert by_model(service) == 10
        assert service.status("t", "m").state == "ready"


def test_of_an_answer_that_is_cut_off_the_whole_atoms_are_taken(
    server: ChatServer, tmp_path: Path
) -> None:
    server.usual = part(400)
    with MemoryService.open(config=settings(server, tmp_path)) as service:
        say(service)
        found = origins(service)
        assert 0 < by_model(service) < 10
        assert found["I never eat meat."] == "llm"
        assert found["I play chess every Friday."] in {"rules", "llm"}
        assert found["I was born in 1984."] == "rules"


def test_a_storm_of_429_and_a_hang_keep_rules_serving_and_the_job_listed(
    server: ChatServer, tmp_path: Path
) -> None:
    server.usual = status(429, Retry_After="0")
    with MemoryService.open(
        config=settings(server, tmp_path, model_timeout_seconds=0.5)
    ) as service:
        say(service, ADD_SEARCH)
        assert by_model(service) == 0
        assert set(origins(service).values()) >= {"rules"}
        until(lambda: len(server.requests) >= 4)
        server.usual = lambda request: Answer(hangs=True)
        hung = len(server.requests)
        until(lambda: len(server.requests) > hung)
        assert not service.catch_up(0.01)
        assert service.retrieve("t", "m", "sushi", policy=ADD_SEARCH).hits
        server.usual = told
        assert service.catch_up(60)
        assert by_model(service) == 10


def test_closing_does_not_wait_for_a_model_that_hangs(server: ChatServer, tmp_path: Path) -> None:
    server.usual = lambda request: Answer(hangs=True)
    service = MemoryService.open(config=settings(server, tmp_path))
    say(service, ADD_SEARCH)
    until(lambda: bool(server.requests))
    began = time.monotonic()
    closer = threading.Thread(target=service.close)
    closer.start()
    closer.join(20)
    assert not closer.is_alive()
    assert time.monotonic() - began < 20


CHILD = """
import sys
from pathlib import Path
from dataclasses import replace
from graphmem import MemoryService, Message, ServiceConfig
from graphmem.service.policy import ADD_SEARCH
config = replace(
    ServiceConfig(), data_dir=Path(sys.argv[1]), dense_retrieval=False, llm_model="m",
    llm_base_url=sys.argv[2], require_exact_tokenizer=False, build_overrides={"models": {"scene_turns": 2}},
)
service = MemoryService.open(config=config)
messages = [Message(role="user", content=text, speaker="Ann") for text in sys.argv[3:]]
service.add("t", "m", "s", messages, request_id="r", policy=ADD_SEARCH)
print("added", flush=True)
sys.stdin.read()
"""


def test_after_a_kill_in_the_middle_the_rest_is_told(server: ChatServer, tmp_path: Path) -> None:
    server.script = [told, told]
    server.usual = lambda request: Answer(hangs=True)
    arguments = [str(tmp_path), server.base_url, *CONVERSATION]
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"added\n"
        until(lambda: len(server.requests) >= 3)
        child.send_signal(signal.SIGKILL)
        child.wait(20)
    server.usual = told
    limits = {"models": {"scene_turns": 2}}
    with MemoryService.open(config=settings(server, tmp_path, build_overrides=limits)) as service:
        assert service.catch_up(60)
        assert by_model(service) == 10
        assert len(server.requests) == 3 + 4  # what had been told before was not asked again


def test_a_key_that_is_refused_leaves_the_memory_waiting(
    server: ChatServer, tmp_path: Path
) -> None:
    server.usual = status(401)
    limits = {"models": {"max_attempts": 1}}
    with MemoryService.open(config=settings(server, tmp_path, build_overrides=limits)) as service:
        with pytest.raises(BuildFailedError, match="API key"):
            say(service)
        assert service.status("t", "m").state == "pending"


def test_model_and_address_go_together() -> None:
    with pytest.raises(ConfigError, match="llm_base_url"):
        ServiceConfig(llm_model="m")
    with pytest.raises(ConfigError, match="llm_model"):
        ServiceConfig(llm_base_url="http://127.0.0.1:1/v1")


@pytest.mark.parametrize(
    "overrides",
    [{"model": {}}, {"models": {"scene_turn": 1}}, {"models": {"scene_turns": 0}}],
)
def test_a_wrong_override_is_an_error_that_names_it(
    tmp_path: Path, overrides: dict[str, dict[str, int]]
) -> None:
    config = replace(ServiceConfig(), data_dir=tmp_path, build_overrides=overrides)
    with pytest.raises(ConfigError, match=r"build_overrides\.model"):
        MemoryService.open(config=config)
