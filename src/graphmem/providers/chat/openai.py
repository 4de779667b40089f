"""Models behind an OpenAI-compatible `POST /chat/completions`, remote or local."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from graphmem.errors import ChatResponseError
from graphmem.ports.chat import ChatMessage, ChatReply, Schema
from graphmem.providers.chat.profile import FORMS, ProfileName

if TYPE_CHECKING:
    import httpx2

# What servers say to a field that they do not know; a plainer request may be taken.
_UNKNOWN_FIELD: Final = frozenset({400, 422})
_BYTES_A_TOKEN: Final = 3  # English 4, Chinese 3 bytes a character and about one token


class OpenAIChat:
    """A model of an OpenAI-compatible server. Thread-safe."""

    def __init__(
        self,
        base_url: str,
        *,
        model: str,
        profile: ProfileName = "openai",
        api_key: str | None = None,
        timeout_seconds: float = 180.0,
        transport: httpx2.BaseTransport | None = None,
    ) -> None:
        """Prepare; nothing is sent.

        Args:
            base_url: up to, not including, `/chat/completions`.
            model: its name at the server.
            profile: how the server wants to be asked.
            api_key: bearer token, if the server wants one.
            timeout_seconds: the most that one call takes, retries included.
            transport: in place of the network, for tests.

        Raises:
            ConfigError: the URL or key can't be used.
        """
        from graphmem.providers.poster import CHAT, Poster  # noqa: PLC0415 - 60 ms to import

        url = base_url.rstrip("/")
        self._poster = Poster(
            f"{url}/chat/completions",
            kind=CHAT,
            api_key=api_key,
            timeout_seconds=timeout_seconds,
            transport=transport,
        )
        self._model = model
        self._forms = FORMS[profile]
        self._form = 0  # the first that the server took; a race costs one refused request
        # A digest, since a URL may hold credentials and the fingerprint is stored and shown.
        identity = json.dumps([url, model, profile]).encode()
        self.fingerprint = f"{model}:{hashlib.blake2b(identity, digest_size=8).hexdigest()}"

    def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        schema: Schema,
        max_tokens: int,
        seconds: float | None = None,
    ) -> ChatReply:
        asked = {
            "model": self._model,
            "messages": [{"role": each.role, "content": each.content} for each in messages],
        }
        for index in range(self._form, len(self._forms)):
            fields = self._forms[index].fields(schema, max_tokens)
            try:
                body = self._poster.post({**asked, **fields}, seconds=seconds)
            except ChatResponseError as error:
                if error.status not in _UNKNOWN_FIELD or index + 1 == len(self._forms):
                    raise
                continue
            self._form = index
            return read_reply(body, asked_bytes=sum(len(m.content.encode()) for m in messages))
        raise AssertionError("the last form returns or raises")

    def close(self) -> None:
        self._poster.close()


def read_reply(body: bytes, *, asked_bytes: int) -> ChatReply:
    """The answer that a body holds.

    Args:
        body: what the server sent.
        asked_bytes: the size of the question, for an estimate where the server counts nothing.

    Raises:
        ChatResponseError: it holds none.
    """
    # Raised from None throughout: the causes would hold the body, which repeats texts.
    try:
        answer = json.loads(body)
        choice = answer["choices"][0]
        text = _text(choice["message"]["content"])
        usage = answer.get("usage")
        is_finished = choice.get("finish_reason") != "length"
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        raise _unreadable() from None
    if not text.strip():
        raise ChatResponseError("the chat model answered nothing, or refused to answer")
    return ChatReply(
        text=text,
        is_finished=is_finished,
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


def _count(usage: object, name: str, size: int) -> int:
    found = usage.get(name) if isinstance(usage, Mapping) else None
    if isinstance(found, int) and not isinstance(found, bool) and found >= 0:
        return found
    return -(-size // _BYTES_A_TOKEN)


def _unreadable() -> ChatResponseError:
    return ChatResponseError(
        "the chat server's answer holds no message; "
        "check that llm_base_url is an OpenAI-compatible API"
    )
