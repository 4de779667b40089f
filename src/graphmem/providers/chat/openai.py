"""Models behind an OpenAI-compatible `POST /chat/completions`, remote or local."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, Literal

from graphmem.errors import ChatResponseError
from graphmem.ports.chat import FINISHES, PLAIN, ChatMessage, ChatReply, Finish, Sampling, Schema
from graphmem.providers.chat.profile import FORMS, ProfileName

if TYPE_CHECKING:
    import httpx2

# What servers say to a field that they do not know; a plainer request may be taken.
_UNKNOWN_FIELD: Final = frozenset({400, 422})
_BYTES_A_TOKEN: Final = 3  # English 4, Chinese 3 bytes a character and about one token

Purpose = Literal["llm", "answer"]
"""What a model is asked for, by the start of its settings' names."""


class OpenAIChat:
    """A model of an OpenAI-compatible server. Thread-safe."""

    def __init__(
        self,
        base_url: str,
        *,
        model: str,
        profile: ProfileName = "openai",
        purpose: Purpose = "llm",
        api_key: str | None = None,
        timeout_seconds: float = 180.0,
        transport: httpx2.BaseTransport | None = None,
    ) -> None:
        """Prepare; nothing is sent.

        Args:
            base_url: up to, not including, `/chat/completions`.
            model: its name at the server.
            profile: how the server wants to be asked.
            purpose: what it is asked for; errors name the settings of that.
            api_key: bearer token, if the server wants one.
            timeout_seconds: the most that one call takes, retries included.
            transport: in place of the network, for tests.

        Raises:
            ConfigError: the URL or key can't be used.
        """
        from graphmem.providers.poster import (  # noqa: PLC0415 - 60 ms to import
            ANSWER,
            CHAT,
            Poster,
        )

        url = base_url.rstrip("/")
        self._poster = Poster(
            f"{url}/chat/completions",
            kind=CHAT if purpose == "llm" else ANSWER,
            api_key=api_key,
            timeout_seconds=timeout_seconds,
            transport=transport,
        )
        self._model = model
        self._purpose = purpose
        self._forms = FORMS[profile]
        self._form = 0  # the first that the server took; a race costs one refused request
        # A digest, since a URL may hold credentials and the fingerprint is stored and shown.
        identity = json.dumps([url, model, profile]).encode()
        self.fingerprint = f"{model}:{hashlib.blake2b(identity, digest_size=8).hexdigest()}"

    def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        max_tokens: int,
        schema: Schema | None = None,
        sampling: Sampling = PLAIN,
        seconds: float | None = None,
    ) -> ChatReply:
        asked = {
            "model": self._model,
            "messages": [{"role": each.role, "content": each.content} for each in messages],
        }
        ways = self._ways(max_tokens, schema, sampling)
        for index, fields in ways.items():
            try:
                body = self._poster.post({**asked, **fields}, seconds=seconds)
            except ChatResponseError as error:
                if error.status not in _UNKNOWN_FIELD or index == max(ways):
                    raise
                continue
            self._form = index
            size = sum(len(message.content.encode()) for message in messages)
            return read_reply(body, asked_bytes=size, purpose=self._purpose)
        raise AssertionError("the last form returns or raises")

    def close(self) -> None:
        self._poster.close()

    def _ways(
        self, max_tokens: int, schema: Schema | None, sampling: Sampling
    ) -> dict[int, dict[str, object]]:
        """The fields of each form from the one that the server took; the same are sent once."""
        ways: dict[int, dict[str, object]] = {}
        for index in range(self._form, len(self._forms)):
            fields = self._forms[index].fields(
                max_tokens=max_tokens, schema=schema, sampling=sampling
            )
            if fields not in ways.values():  # what this form leaves out was not asked for
                ways[index] = fields
        return ways


def read_reply(body: bytes, *, asked_bytes: int, purpose: Purpose = "llm") -> ChatReply:
    """The answer that a body holds.

    Args:
        body: what the server sent.
        asked_bytes: the size of the question, for an estimate where the server counts nothing.
        purpose: what was asked for.

    Raises:
        ChatResponseError: it holds none.
    """
    # Raised from None throughout: the causes would hold the body, which repeats texts.
    try:
        answer = json.loads(body)
        choice = answer["choices"][0]
        text = _text(choice["message"]["content"])
        usage = answer.get("usage")
        finish = _finish(choice.get("finish_reason"))
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        raise _unreadable(purpose) from None
    if not text.strip():
        raise ChatResponseError("the chat model answered nothing, or refused to answer")
    return ChatReply(
        text=text,
        finish=finish,
        prompt_tokens=_count(usage, "prompt_tokens", asked_bytes),
        reply_tokens=_count(usage, "completion_tokens", len(text.encode(errors="replace"))),
    )


def _text(content: object) -> str:
    """The text of a message, also of one in parts; nothing of a refusal."""
    if isinstance(content, list):
        return "".join(part["text"] for part in content if part.get("type") == "text")
    if content is not None and not isinstance(content, str):
        raise TypeError
    return content or ""


def _finish(reason: object) -> Finish:
    """Why an answer ends; servers have more words for "it was all"."""
    return next((finish for finish in FINISHES if finish == reason), "stop")


def _count(usage: object, name: str, size: int) -> int:
    found = usage.get(name) if isinstance(usage, Mapping) else None
    if isinstance(found, int) and not isinstance(found, bool) and found >= 0:
        return found
    return -(-size // _BYTES_A_TOKEN)


def _unreadable(purpose: Purpose) -> ChatResponseError:
    return ChatResponseError(
        "the chat server's answer holds no message; "
        f"check that {purpose}_base_url is an OpenAI-compatible API"
    )
