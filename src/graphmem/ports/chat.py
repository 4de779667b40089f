"""The chat port: messages to a text, by a model that may be slow, remote, wrong, or down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, Protocol, get_args

ChatRole = Literal["system", "user", "assistant"]
Finish = Literal["stop", "length", "content_filter"]
FINISHES: Final[tuple[Finish, ...]] = get_args(Finish)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMessage:
    """One message of what a model is asked."""

    role: ChatRole
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """The JSON schema that an answer should keep to; a model may break it.

    Attributes:
        name: letters, digits and underscores.
        body: the schema.
    """

    name: str
    body: Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """How a model chooses its words; None leaves that to its server.

    A server that knows none of it is asked without: an answer is worth more than a wish.

    Attributes:
        temperature: 0 is the same answer to the same question, as far as the server can.
        frequency_penalty: -2 to 2, against words in proportion to how often they came already.
        reasoning_effort: how long it thinks first, in its server's words, such as "none" or "low".
    """

    temperature: float | None = 0.0
    frequency_penalty: float | None = None
    reasoning_effort: str | None = None


PLAIN: Final = Sampling()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatReply:
    """What a model answered.

    Attributes:
        text: as it came; nobody has checked it.
        finish: why it ends: it was all, the limit of tokens cut it off, or the server's filter did.
        prompt_tokens: tokens of the question, as the server counts; estimated if it does not.
        reply_tokens: tokens of the answer.
    """

    text: str
    finish: Finish = "stop"
    prompt_tokens: int
    reply_tokens: int

    @property
    def tokens(self) -> int:
        """All that it cost."""
        return self.prompt_tokens + self.reply_tokens


class ChatModel(Protocol):
    """Answers messages. Thread-safe.

    Laws: a call ends within its time limit, repeated tries and waits included, or when the model
    is closed; on any failure a `ChatError` is raised, whose text holds nothing of the messages, of
    the answer or of a key. An empty answer, or one that was refused, is a failure. Whether the same
    messages get the same answer is the model's affair: who needs that keeps the answer.
    """

    @property
    def fingerprint(self) -> str:
        """Changes with the model, its server, and how it is asked; known without reaching it."""
        ...

    def complete(
        self,
        messages: Sequence[ChatMessage],
        *,
        max_tokens: int,
        schema: Schema | None = None,
        sampling: Sampling = PLAIN,
        seconds: float | None = None,
    ) -> ChatReply:
        """Ask.

        Args:
            messages: the system's first.
            max_tokens: the longest answer.
            schema: what the answer should look like; None asks for a text.
            sampling: how the words are to be chosen.
            seconds: the most that this call may take, if less than the model's own limit.

        Raises:
            ChatUnavailableError: no answer in time; the same call may be made again.
            ChatResponseError: it refused, or answered nothing.
        """
        ...

    def close(self) -> None:
        """End the calls that are under way, and give back what it holds. May be called twice."""
        ...
