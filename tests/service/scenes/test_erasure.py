"""What a chat model was asked and what it answered goes from the files with the turns it is about."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.providers.chat.server import ChatServer, said
from tests.providers.server import Answer
from tests.service.rig import until
from tests.service.scenes.makers import lister, origins

from graphmem.config import ServiceConfig
from graphmem.domain.message import Message
from graphmem.ports.chat import ChatMessage
from graphmem.service import erasing
from graphmem.service.memory import MemoryService
from graphmem.service.policy import ADD_SEARCH

WORD = "zanzibarquux"
ECHO = "quuxzanzibar"  # stands in answers only


def _echoing(request: dict[str, Any]) -> Answer:
    """Say something of one's own about every scene in which the word stands."""
    messages = [ChatMessage(**message) for message in request["messages"]]
    prefix = f"{ECHO}: " if WORD in messages[-1].content else ""
    return said(prefix + lister(messages))(request)


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with ChatServer() as started:
        started.usual = _echoing
        yield started


@pytest.fixture
def service(
    server: ChatServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[MemoryService]:
    monkeypatch.setattr(erasing, "GATHER_SECONDS", 0.0)
    config = ServiceConfig(
        data_dir=tmp_path,
        dense_retrieval=False,
        llm_model="m",
        llm_base_url=server.base_url,
        require_exact_tokenizer=False,
        build_overrides={"models": {"scene_turns": 2}},
    )
    with MemoryService.open(config=config) as opened:
        yield opened


def _say(service: MemoryService, *texts: str, memory: str = "m") -> list[str]:
    messages = [Message(role="user", content=text) for text in texts]
    return list(service.add("t", memory, "s", messages, policy=ADD_SEARCH).turn_ids)


def _holding(directory: Path) -> set[str]:
    """Which of the two stands anywhere in the files."""
    found = b"".join(path.read_bytes() for path in directory.iterdir())
    return {word for word in (WORD, ECHO) if word.encode() in found}


def _wait_for_erasure(service: MemoryService) -> None:
    until(lambda: service.erasures("t", "m")[-1].erased_at is not None)


TEXTS = ("I love sushi.", f"I own a {WORD}.", "I live in Oslo.", "I have two dogs.")


@pytest.mark.parametrize("what", ["messages", "session", "memory"])
def test_deleted_turns_leave_no_byte_of_what_a_model_was_asked_or_answered(
    service: MemoryService, tmp_path: Path, what: str
) -> None:
    ids = _say(service, *TEXTS)
    assert service.catch_up(60)
    assert _holding(tmp_path) == {WORD, ECHO}
    if what == "messages":
        service.delete_messages("t", "m", [ids[1]])
    elif what == "session":
        service.delete_session("t", "m", "s")
    else:
        service.delete_memory("t", "m")
    _wait_for_erasure(service)
    assert _holding(tmp_path) == set()


def test_only_the_scene_of_a_deleted_turn_is_asked_about_anew(
    service: MemoryService, server: ChatServer
) -> None:
    ids = _say(service, *TEXTS)
    assert service.catch_up(60)
    asked = len(server.requests)
    service.delete_messages("t", "m", [ids[1]])
    assert service.catch_up(60)
    assert len(server.requests) == asked + 1
    assert WORD not in str(server.requests[-1])
    assert set(origins(service).values()) == {"llm"}
    assert len(origins(service)) == 3


def test_the_answer_about_another_memory_stays(
    service: MemoryService, server: ChatServer, tmp_path: Path
) -> None:
    _say(service, *TEXTS)
    _say(service, *TEXTS, memory="n")
    assert service.catch_up(60)
    service.delete_memory("t", "m")
    _wait_for_erasure(service)
    assert _holding(tmp_path) == {WORD, ECHO}
    asked = len(server.requests)
    service.rebuild("t", "n")
    assert len(server.requests) == asked


def test_an_answer_about_a_turn_that_was_deleted_meanwhile_is_not_kept(
    service: MemoryService, server: ChatServer, tmp_path: Path
) -> None:
    ids: list[str] = []
    deleted = threading.Event()

    def deleting(request: dict[str, Any]) -> Answer:
        until(lambda: bool(ids))
        if not deleted.is_set() and WORD in str(request):
            service.delete_messages("t", "m", [ids[1]])
            deleted.set()
        return _echoing(request)

    server.usual = deleting
    ids += _say(service, *TEXTS)
    assert deleted.wait(60)
    assert service.catch_up(60)
    _wait_for_erasure(service)
    assert _holding(tmp_path) == set()
