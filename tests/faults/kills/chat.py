"""The chat model of the lives with models: it may fail now and then."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence

from graphmem.config import ServiceConfig
from graphmem.errors import ChatUnavailableError
from graphmem.ports.chat import ChatMessage, ChatModel
from graphmem.service import factory
from tests.providers.chat.scripted import ScriptedChat, quotations


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
