"""The checks of `graphmem doctor` that look at the chat models and the tokenizer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Final

from graphmem.cli.findings import Finding, State
from graphmem.config import ServiceConfig
from graphmem.errors import ChatError, ConfigError
from graphmem.ports.chat import ChatMessage
from graphmem.service.factory import open_answerer, open_chat, open_counter

_PATIENCE_SECONDS: Final = 15.0
_MOST_TOKENS: Final = 64
_PROBE: Final = ChatMessage(role="user", content="Are you there? Answer with one word.")


def check_chat(config: ServiceConfig) -> Iterator[Finding]:
    """Whether the chat model of the build answers; it is asked one short question."""
    try:
        model = open_chat(config)
    except ConfigError as error:
        yield _chat("fail", str(error), "correct the settings file")
        return
    if model is None:
        yield _chat("ok", "off (llm_model or semantic_build): rules find the atoms")
        return
    with closing(model):
        try:
            model.complete([_PROBE], max_tokens=_MOST_TOKENS, seconds=_PATIENCE_SECONDS)
        except ChatError as error:
            remedy = (
                "check llm_model, llm_base_url, its key and that server; nothing is lost meanwhile"
            )
            yield _chat("warn", f"{error}; rules find the atoms until it answers", remedy)
        else:
            yield _chat("ok", f"{config.llm_model} answers")


def check_answers(config: ServiceConfig) -> Iterator[Finding]:
    """Whether the chat model that answers questions does; it is asked one short question."""
    if not config.generate_answers:
        yield _answers("ok", "off (generate_answers): prepare makes the messages for a model")
        return
    try:
        answerer = open_answerer(config)
    except ConfigError as error:
        yield _answers("fail", str(error), "correct the settings file")
        return
    if answerer is None:
        return
    with closing(answerer.model) as model:
        try:
            model.complete(
                [_PROBE],
                max_tokens=_MOST_TOKENS,
                sampling=answerer.sampling,
                seconds=_PATIENCE_SECONDS,
            )
        except ChatError as error:
            remedy = "check answer_model, answer_base_url, its key and that server"
            yield _answers("warn", f"{error}; answer fails until it does", remedy)
        else:
            yield _answers("ok", f"{config.answer_model or config.llm_model} answers")


def check_tokenizer(config: ServiceConfig) -> Iterator[Finding]:
    """Whether tokens are counted as the settings want."""
    try:
        counter = open_counter(config)
    except ConfigError as error:
        remedy = "name the model's tokenizer.json, or set require_exact_tokenizer to false"
        yield Finding(check="tokenizer", state="fail", detail=str(error), remedy=remedy)
        return
    if counter.is_approximate:
        remedy = "set tokenizer_path to the model's tokenizer.json"
        detail = "tokens are counted approximately"
        yield Finding(check="tokenizer", state="warn", detail=detail, remedy=remedy)
    else:
        yield Finding(check="tokenizer", state="ok", detail=f"tokens are counted by {counter.name}")


def _answers(state: State, detail: str, remedy: str = "") -> Finding:
    return Finding(check="answers", state=state, detail=detail, remedy=remedy)


def _chat(state: State, detail: str, remedy: str = "") -> Finding:
    return Finding(check="chat model", state=state, detail=detail, remedy=remedy)
