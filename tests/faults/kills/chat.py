"""The chat model of the lives with models: it quotes how a text begins, and may fail now and then."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Sequence

from graphmem.config import ServiceConfig
from graphmem.errors import ChatUnavailableError
from graphmem.ports.chat import ChatMessage, ChatModel
from graphmem.service import factory
from tests.providers.chat.scripted import ScriptedChat

_QUOTED = 60  # characters: the mark of a text, and some words


def quotations(messages: Sequence[ChatMessage]) -> str:
    """List how each turn begins that is shown in full."""
    turns = json.loads(messages[-1].content)
    atoms = [
        {
            "position": turn["position"],
            "quote": turn["text"][:_QUOTED].rsplit(" ", 1)[0],
            "type": "episodic",
            "subject": "I",
            "predicate": "say",
            "value": "",
        }
        for turn in turns
        if not turn["text"].endswith("…")
    ]
    return json.dumps({"atoms": atoms})


def install(*, fails: int | None = None) -> None:
    """Let services of this process ask it; it fails by this seed, never without one."""
    rng = random.Random(fails)  # noqa: S311 - it need not be unforeseeable

    def shaken(messages: Sequence[ChatMessage]) -> str:
        time.sleep(rng.uniform(0.0, 0.004))
        chance = rng.random()
        if chance < 0.02:
            raise ChatUnavailableError("the scripted model is down for once")
        return "no list" if chance < 0.04 else quotations(messages)

    def open_chat(config: ServiceConfig) -> ChatModel | None:
        script = quotations if fails is None else shaken
        return ScriptedChat(script) if config.llm_model else None

    factory.open_chat = open_chat
