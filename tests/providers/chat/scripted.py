"""A chat model that plays a script."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from typing import TypeAlias

from graphmem.errors import ChatUnavailableError
from graphmem.ports.chat import PLAIN, ChatMessage, ChatReply, Sampling, Schema

_QUOTED = 60  # characters: the mark of a text, and some words

Script: TypeAlias = Callable[[Sequence[ChatMessage]], str]


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


class ScriptedChat:
    """Answers what a function makes of the messages, and keeps them. Thread-safe.

    Args:
        script: gives the answer's text, or raises a `ChatError`.
        fingerprint: of the model that it stands for.
    """

    def __init__(self, script: Script, fingerprint: str = "scripted") -> None:
        self.script = script
        self.fingerprint = fingerprint
        self.asked: list[Sequence[ChatMessage]] = []
        self.is_closed = False
        self._lock = threading.Lock()

    def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        max_tokens: int,
        schema: Schema | None = None,
        sampling: Sampling = PLAIN,
        seconds: float | None = None,
    ) -> ChatReply:
        del schema, sampling, seconds
        with self._lock:
            self.asked.append(messages)
        if self.is_closed:
            raise ChatUnavailableError("the chat server's client is closed; open another one")
        text = self.script(messages)
        return ChatReply(
            text=text[: 4 * max_tokens],
            finish="stop" if len(text) <= 4 * max_tokens else "length",
            prompt_tokens=sum(len(message.content) for message in messages) // 4,
            reply_tokens=min(max_tokens, -(-len(text) // 4)),
        )

    def close(self) -> None:
        self.is_closed = True
