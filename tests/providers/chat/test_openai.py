from __future__ import annotations

import itertools
import json
import logging
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from graphmem.errors import ChatError, ChatResponseError, ChatUnavailableError, ConfigError
from graphmem.ports.chat import ChatMessage, ChatReply, Sampling, Schema
from graphmem.providers.chat.openai import OpenAIChat
from graphmem.providers.chat.profile import PROFILES, ProfileName, answer_sampling
from tests.providers.chat.server import ChatServer, ChatStep, said, status
from tests.providers.server import Answer

FAVOURITE = "her secret favourite is 秘密"
BEARER = "sk-very-secret"
ASKED = [
    ChatMessage(role="system", content="List atoms."),
    ChatMessage(role="user", content=FAVOURITE),
]
SCHEMA = Schema(name="atoms", body={"type": "object"})


@pytest.fixture
def server() -> Iterator[ChatServer]:
    with ChatServer() as started:
        yield started


def _chat(
    server: ChatServer, *, profile: ProfileName = "openai", seconds: float = 20
) -> OpenAIChat:
    return OpenAIChat(
        server.base_url, model="m", profile=profile, api_key=BEARER, timeout_seconds=seconds
    )


@pytest.fixture
def chat(server: ChatServer) -> Iterator[OpenAIChat]:
    made = _chat(server)
    yield made
    made.close()


def _ask(chat: OpenAIChat, *, seconds: float | None = None) -> ChatReply:
    return chat.complete(ASKED, schema=SCHEMA, max_tokens=9, seconds=seconds)


def _body(value: object) -> ChatStep:
    return lambda request: Answer(body=json.dumps(value).encode())


def _message(message: object) -> ChatStep:
    return _body({"choices": [{"message": message}]})


def test_messages_schema_and_limit_are_sent_and_text_and_tokens_come_back(
    server: ChatServer, chat: OpenAIChat
) -> None:
    server.script = [said("茶", usage={"prompt_tokens": 7, "completion_tokens": 2})]
    reply = _ask(chat)
    assert reply == ChatReply(text="茶", prompt_tokens=7, reply_tokens=2)
    assert reply.finish == "stop"
    assert reply.tokens == 9
    (request,) = server.requests
    assert request == {
        "model": "m",
        "messages": [{"role": m.role, "content": m.content} for m in ASKED],
        "temperature": 0,
        "max_completion_tokens": 9,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "atoms", "strict": True, "schema": {"type": "object"}},
        },
    }
    assert server.keys == [f"Bearer {BEARER}"]


def test_the_qwen_profile_switches_thinking_off(server: ChatServer) -> None:
    chat = _chat(server, profile="qwen")
    _ask(chat)
    (request,) = server.requests
    assert request["enable_thinking"] is False
    assert request["chat_template_kwargs"] == {"enable_thinking": False}
    assert request["response_format"]["type"] == "json_schema"
    assert request["max_tokens"] == 9
    chat.close()


@pytest.mark.parametrize("profile", PROFILES)
def test_a_server_that_knows_less_is_asked_more_plainly_from_then_on(
    server: ChatServer, profile: ProfileName
) -> None:
    def old(request: dict[str, Any]) -> Answer:
        known = set(request) <= {"model", "messages", "max_tokens", "temperature"}
        return (said("yes") if known else status(400))(request)

    server.usual = old
    chat = _chat(server, profile=profile)
    assert _ask(chat).text == _ask(chat).text == "yes"
    refused = {"openai": 2, "qwen": 2, "omit": 1}[profile]
    assert len(server.requests) == refused + 2
    chat.close()


def test_an_answer_that_was_cut_off_is_told(server: ChatServer, chat: OpenAIChat) -> None:
    server.script = [said('{"at', finish="length"), said("Yes", finish="content_filter")]
    reply = _ask(chat)
    assert reply.finish != "stop"
    assert reply.finish == "length"
    assert reply.reply_tokens == 2  # estimated: the server counted none
    assert reply.prompt_tokens == 14
    assert _ask(chat).finish == "content_filter"


def test_a_text_is_asked_for_without_a_schema(server: ChatServer, chat: OpenAIChat) -> None:
    server.script = [said("In May [3].", finish="stop")]
    assert chat.complete(ASKED, max_tokens=9).text == "In May [3]."
    assert set(server.requests[0]) == {"model", "messages", "temperature", "max_completion_tokens"}


@pytest.mark.parametrize(
    ("profile", "penalty", "effort", "sent"),
    [
        ("openai", None, "none", {"temperature": 0, "reasoning_effort": "none"}),
        (
            "openai",
            0.5,
            "low",
            {"temperature": 0, "frequency_penalty": 0.5, "reasoning_effort": "low"},
        ),
        ("qwen", None, "none", {"temperature": 0, "frequency_penalty": 0.2}),
        ("qwen", 0.0, "none", {"temperature": 0, "frequency_penalty": 0}),
        ("omit", 0.5, "none", {"temperature": 0}),
    ],
)
def test_an_answer_in_words_is_sampled_as_its_profile_wants(
    server: ChatServer,
    profile: ProfileName,
    penalty: float | None,
    effort: str,
    sent: dict[str, object],
) -> None:
    chat = _chat(server, profile=profile)
    sampling = answer_sampling(profile, frequency_penalty=penalty, reasoning_effort=effort)
    chat.complete(ASKED, max_tokens=9, sampling=sampling)
    names = {"temperature", "frequency_penalty", "reasoning_effort"}
    (request,) = server.requests
    assert {name: request[name] for name in names & set(request)} == sent
    chat.close()


@pytest.mark.parametrize(
    ("known", "tries"),
    [
        ({"max_completion_tokens", "reasoning_effort"}, 2),  # a model that reasons
        ({"max_completion_tokens", "temperature", "frequency_penalty"}, 3),  # one that does not
        ({"max_completion_tokens"}, 4),
        ({"max_tokens", "temperature"}, 5),
    ],
)
def test_a_wish_that_a_server_refuses_is_given_up(
    server: ChatServer, chat: OpenAIChat, known: set[str], tries: int
) -> None:
    def choosy(request: dict[str, Any]) -> Answer:
        is_known = set(request) <= {"model", "messages", *known}
        return (said("yes") if is_known else status(400))(request)

    server.usual = choosy
    wishes = Sampling(frequency_penalty=0.2, reasoning_effort="low")
    assert chat.complete(ASKED, max_tokens=9, sampling=wishes).text == "yes"
    assert len(server.requests) == tries


def test_a_server_that_refuses_everything_is_asked_nothing_twice(
    server: ChatServer, chat: OpenAIChat
) -> None:
    server.usual = status(400)
    with pytest.raises(ChatResponseError, match="400"):
        _ask(chat)
    assert len(server.requests) == 3
    assert all(a != b for a, b in itertools.combinations(server.requests, 2))


def test_errors_of_the_answering_model_name_its_settings(server: ChatServer) -> None:
    chat = OpenAIChat(server.base_url, model="m", purpose="answer")
    server.script = [lambda request: Answer(body=b"{}"), status(400), status(400), status(400)]
    with pytest.raises(ChatResponseError, match="answer_base_url"):
        _ask(chat)
    with pytest.raises(ChatResponseError, match="prompt and answer"):
        _ask(chat)
    chat.close()


def test_an_answer_in_parts_is_joined(server: ChatServer, chat: OpenAIChat) -> None:
    parts = [{"type": "text", "text": "a"}, {"type": "refusal"}, {"type": "text", "text": "b"}]
    server.script = [said(parts)]
    assert _ask(chat).text == "ab"


@pytest.mark.parametrize(
    "first",
    [
        status(500),
        status(429, Retry_After="0"),
        status(503, Retry_After="x"),
        lambda request: Answer(body=said("x" * 400)(request).body, dies_after=30),
    ],
    ids=["500", "429", "503", "dies in mid-answer"],
)
def test_what_may_pass_is_tried_again(
    server: ChatServer, chat: OpenAIChat, first: ChatStep
) -> None:
    server.script = [first, said("yes")]
    assert _ask(chat).text == "yes"
    assert len(server.requests) == 2


USELESS: dict[str, ChatStep] = {
    "401": status(401),
    "400": status(400),
    "redirect": status(307, Location="http://127.0.0.1:1/"),
    "no JSON": lambda request: Answer(body=b"<html>" + FAVOURITE.encode()),
    "no UTF-8": lambda request: Answer(body=b"\xff\xfe\xfa"),
    "deep": lambda request: Answer(body=b"[" * 200_000),
    "list": _body([1]),
    "null": _body(None),
    "an error": _body({"error": FAVOURITE}),
    "no choice": _body({"choices": []}),
    "no message": _message(None),
    "a number": _message({"content": 1}),
    "parts of nothing": _message({"content": [1]}),
    "empty": said(""),
    "blank": said(" \n"),
    "refused": _message({"content": None, "refusal": FAVOURITE}),
}


def _check_silence(error: ChatError, caplog: pytest.LogCaptureFixture) -> None:
    chain: BaseException | None = error
    while chain is not None:
        assert "secret" not in f"{chain!r} {chain}"
        chain = chain.__cause__
    assert "secret" not in caplog.text
    assert "秘密" not in caplog.text


@pytest.mark.parametrize("name", USELESS)
def test_what_is_no_answer_is_an_error_that_tells_neither_text_nor_key(
    server: ChatServer, chat: OpenAIChat, caplog: pytest.LogCaptureFixture, name: str
) -> None:
    caplog.set_level(logging.DEBUG)
    server.usual = USELESS[name]
    with pytest.raises(ChatResponseError) as caught:
        _ask(chat)
    _check_silence(caught.value, caplog)


@pytest.mark.parametrize(
    "step",
    [lambda request: Answer(hangs=True), status(500), status(429, Retry_After="60")],
    ids=["hangs", "500", "429"],
)
def test_a_server_that_gives_nothing_in_time_is_unavailable(
    server: ChatServer, caplog: pytest.LogCaptureFixture, step: ChatStep
) -> None:
    caplog.set_level(logging.DEBUG)
    server.usual = step
    chat = _chat(server, seconds=0.2)
    with pytest.raises(ChatUnavailableError) as caught:
        _ask(chat)
    _check_silence(caught.value, caplog)
    chat.close()


def test_a_caller_may_have_less_time(server: ChatServer, chat: OpenAIChat) -> None:
    server.usual = lambda request: Answer(hangs=True)
    began = time.monotonic()
    with pytest.raises(ChatUnavailableError):
        _ask(chat, seconds=0.1)
    assert time.monotonic() - began < 10


def test_a_storm_of_429_ends_after_a_few_tries(server: ChatServer, chat: OpenAIChat) -> None:
    server.usual = status(429, Retry_After="0")
    with pytest.raises(ChatUnavailableError):
        _ask(chat)
    assert len(server.requests) == 4


def test_closing_ends_a_call_that_waits_for_its_answer(server: ChatServer) -> None:
    asked = threading.Event()

    def hang(request: dict[str, Any]) -> Answer:
        asked.set()
        return Answer(hangs=True)

    server.usual = hang
    chat = _chat(server, seconds=600)
    failures: list[ChatError] = []

    def ask() -> None:
        try:
            _ask(chat)
        except ChatError as error:
            failures.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    assert asked.wait(20)
    chat.close()
    thread.join(20)
    assert isinstance(failures[0], ChatUnavailableError)
    with pytest.raises(ChatUnavailableError, match="closed"):
        _ask(chat)
    assert len(server.requests) == 1


def test_the_fingerprint_tells_servers_models_and_profiles_apart_and_no_secret() -> None:
    made = [
        OpenAIChat("http://user:pass@a/v1", model="m"),
        OpenAIChat("http://b/v1", model="m"),
        OpenAIChat("http://b/v1", model="n"),
        OpenAIChat("http://b/v1", model="m", profile="qwen"),
    ]
    same = OpenAIChat("http://b/v1/", model="m", api_key=BEARER)
    prints = [each.fingerprint for each in made]
    assert len(set(prints)) == len(made)
    assert same.fingerprint == prints[1]
    assert not any("pass" in each for each in prints)
    for each in [*made, same]:
        each.close()


def test_what_is_no_url_is_a_wrong_setting() -> None:
    with pytest.raises(ConfigError, match="llm_base_url"):
        OpenAIChat("model.example/v1", model="m")
