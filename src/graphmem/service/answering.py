"""Answering takes prepared messages to a chat model, and holds what it says against the evidence."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace

from graphmem.config import ServiceConfig
from graphmem.domain.answer import Answer, AnswerTrace, AnswerUsage, Ending
from graphmem.domain.prepared import ChatMessage as PreparedMessage, Prepared
from graphmem.errors import ChatError, ChatResponseError
from graphmem.ports.chat import ChatMessage, ChatModel, ChatReply, Sampling
from graphmem.ports.stage import stage
from graphmem.readout.citations import checked
from graphmem.readout.prompt import abstains, wording_of
from graphmem.text.normalize import storable
from graphmem.text.thoughts import without_thoughts


@dataclass(frozen=True, slots=True, kw_only=True)
class Answerer:
    """A chat model, and how it is asked for answers.

    Attributes:
        model: the model.
        sampling: how it is to choose its words.
    """

    model: ChatModel
    sampling: Sampling


@dataclass(slots=True, kw_only=True)
class AnswerCounts:
    """What became of the questions since the service was opened.

    Attributes:
        answered: the model answered.
        abstained: it answered that it does not know, or was not asked for want of evidence.
        failed: it gave no usable answer.
        invented: citations that were taken out.
        prompt_tokens: what its server counted for the messages.
        answer_tokens: what it counted for the answers.
        is_well: False from a failure on until it answers again.
    """

    answered: int = 0
    abstained: int = 0
    failed: int = 0
    invented: int = 0
    prompt_tokens: int = 0
    answer_tokens: int = 0
    is_well: bool = True


class Answering:
    """Asks one model. Thread-safe.

    Args:
        answerer: the model.
        config: the settings, for its name and the longest answer.
    """

    def __init__(self, answerer: Answerer, config: ServiceConfig) -> None:
        self._answerer = answerer
        self._name = config.answer_model or config.llm_model
        self._max_tokens = config.max_output_tokens
        self._counts = AnswerCounts()
        self._lock = threading.Lock()

    def answer(self, question: str, ready: Prepared) -> Answer:
        """The model's answer to a question, checked.

        Args:
            question: as it was asked; an abstention is in its language.
            ready: the messages and the evidence in them; without evidence the model is not asked.

        Raises:
            ChatUnavailableError: no answer in time; the same call may be made again.
            ChatResponseError: the model refused, or answered nothing.
        """
        if not ready.evidence:
            unknown = wording_of(question).unknown
            return self._counted(self._answer(ready, unknown, "not_asked", reply=None))
        try:
            with stage("answer"):
                reply = self._ask(ready.messages)
            text = storable(without_thoughts(reply.text)).strip()
            if not text:
                raise ChatResponseError(
                    "the chat model thought and did not answer; raise max_output_tokens, "
                    "or set answer_reasoning_effort lower"
                )
            answer = self._answer(ready, text, reply.finish, reply=reply)
            if not answer.text:
                raise ChatResponseError("the chat model answered with citations of nothing alone")
        except ChatError:
            with self._lock:
                self._counts.failed += 1
                self._counts.is_well = False
            raise
        return self._counted(answer)

    def counts(self) -> AnswerCounts:
        """What became of the questions so far."""
        with self._lock:
            return replace(self._counts)

    def close(self) -> None:
        """End the calls that are under way. May be called twice."""
        self._answerer.model.close()

    def _ask(self, messages: Sequence[PreparedMessage]) -> ChatReply:
        return self._answerer.model.complete(
            [ChatMessage(role=one.role, content=one.content) for one in messages],
            max_tokens=self._max_tokens,
            sampling=self._answerer.sampling,
        )

    def _answer(
        self, ready: Prepared, text: str, finish: Ending, *, reply: ChatReply | None
    ) -> Answer:
        evidence = {one.id: one for one in ready.evidence}
        found = checked(text, evidence, is_whole=finish != "length")
        return Answer(
            text=found.text,
            abstained=reply is None or (not found.cited and abstains(found.text)),
            citations=tuple(evidence[one] for one in found.cited),
            evidence=ready.evidence,
            usage=AnswerUsage(
                prompt=ready.usage,
                model_calls=0 if reply is None else 1,
                prompt_tokens=reply.prompt_tokens if reply else 0,
                answer_tokens=reply.reply_tokens if reply else 0,
            ),
            trace=AnswerTrace(
                prepare=ready.trace, model=self._name, finish=finish, invented=found.invented
            ),
        )

    def _counted(self, answer: Answer) -> Answer:
        with self._lock:
            counts = self._counts
            counts.abstained += answer.abstained
            counts.answered += not answer.abstained
            counts.invented += len(answer.trace.invented)
            counts.prompt_tokens += answer.usage.prompt_tokens
            counts.answer_tokens += answer.usage.answer_tokens
            counts.is_well = counts.is_well or answer.usage.model_calls > 0
        return answer
