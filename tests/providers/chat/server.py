"""A chat server on the loopback that misbehaves as scripted."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeAlias

from typing_extensions import override

from tests.providers.server import Answer, ScriptedServer

ChatStep: TypeAlias = Callable[[dict[str, Any]], Answer]


def said(text: object, *, finish: str = "stop", usage: object = None) -> ChatStep:
    """A well-formed answer with this text."""
    choice = {"index": 0, "finish_reason": finish, "message": {"content": text}}
    body: dict[str, object] = {"object": "chat.completion", "choices": [choice]}
    if usage is not None:
        body["usage"] = usage
    return lambda request: Answer(body=json.dumps(body).encode())


def status(code: int, **headers: str) -> ChatStep:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    # Real servers repeat what they refuse.
    return lambda request: Answer(status=code, headers=named, body=json.dumps(request).encode())


class ChatServer(ScriptedServer):
    """Plays one step of the script per request, then what `usual` is."""

    path = "/v1/chat/completions"

    def __init__(self, port: int = 0) -> None:
        self.script: list[ChatStep] = []
        self.usual: ChatStep = said('{"atoms": []}')
        super().__init__(port)

    @override
    def step(self, request: dict[str, Any]) -> Answer:
        with self.lock:
            step = self.script.pop(0) if self.script else self.usual
        return step(request)
