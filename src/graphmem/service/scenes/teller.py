"""Teller asks a chat model about a scene, and makes sure that the answer is of use before it is kept."""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from graphmem.build.scenes.instructions import PROMPT_VERSION
from graphmem.build.scenes.prompt import ask, is_readable, key_of, schema_for
from graphmem.build.scenes.reply import read_reply
from graphmem.build.scenes.telling import tell
from graphmem.domain.turn import Turn
from graphmem.errors import ChatResponseError, ChatUnavailableError
from graphmem.ports.chat import ChatMessage, ChatModel
from graphmem.ports.scenes import ScenePlace, SceneRow
from graphmem.service.scenes.limits import ModelLimits
from graphmem.text.normalize import storable

# The settings are wrong, not the answer: nothing is given up for it.
_SETTINGS: Final = frozenset({401, 403, 404})
_ASKED: Final = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True, kw_only=True)
class Question:
    """A scene to be told.

    Attributes:
        row: the scene as it is.
        turns: its turns.
        model: the fingerprint of who is asked.
        max_tokens: the longest answer.
    """

    row: SceneRow
    turns: Sequence[Turn]
    model: str
    max_tokens: int

    @cached_property
    def messages(self) -> list[ChatMessage]:
        """What is asked."""
        return ask(self.turns)

    @cached_property
    def key(self) -> str:
        """Names the answer; scenes that are alike have one each, since each may be deleted."""
        asked = key_of(self.messages, self.model, self.max_tokens)
        return asked + _suffix(self.row.place)


def is_key_of(key: str, place: ScenePlace) -> bool:
    """Whether this may be the key of an answer about the scene at this place."""
    suffix = _suffix(place)
    return key.endswith(suffix) and bool(_ASKED.fullmatch(key.removesuffix(suffix)))


def _suffix(place: ScenePlace) -> str:
    session_no, scene_no = place
    return f".{session_no}.{scene_no}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of a question.

    Attributes:
        answer: the model's, of use; None when rules are to tell the scene, or the model failed.
        tokens: what it took.
        error: the failure, None when there is none.
    """

    answer: str | None
    tokens: int = 0
    error: ChatResponseError | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TellerCounts:
    """What a model was asked since the service was opened.

    Attributes:
        calls: calls of the model, those that failed included.
        unavailable: calls that got no answer.
        unusable: answers of no use.
        recorded: scenes whose answer was on record.
        atoms: atoms that were taken from answers.
        refused: atoms that were not: malformed, or not said.
        prompt_tokens: tokens of the questions.
        reply_tokens: tokens of the answers.
    """

    calls: int = 0
    unavailable: int = 0
    unusable: int = 0
    recorded: int = 0
    atoms: int = 0
    refused: int = 0
    prompt_tokens: int = 0
    reply_tokens: int = 0


class Teller:
    """Asks one model. Thread-safe.

    Args:
        model: the model.
        limits: how it is used.

    Attributes:
        is_well: False from a failure of the model on until it answered again.
    """

    def __init__(self, model: ChatModel, limits: ModelLimits) -> None:
        self._model = model
        self.limits = limits
        self.fingerprint = f"{model.fingerprint}/{PROMPT_VERSION}"
        self.is_well = True
        self._counts = TellerCounts()
        self._lock = threading.Lock()

    @property
    def counts(self) -> TellerCounts:
        """What it did so far."""
        with self._lock:
            return self._counts

    def question(self, row: SceneRow, turns: Sequence[Turn]) -> Question:
        """What is to be asked about a scene."""
        return Question(
            row=row,
            turns=turns,
            model=self.fingerprint,
            max_tokens=self.limits.max_output_tokens,
        )

    def tell(
        self, question: Question, *, recorded: bytes | None, spent: int, seconds: float | None
    ) -> Outcome:
        """Have a scene told.

        Args:
            question: the scene.
            recorded: the answer that is on record.
            spent: what the memory has taken of its budget.
            seconds: how long at most; None as long as the model's own limit.

        Raises:
            ChatUnavailableError: the model is out, or too slow; try again.
        """
        if recorded is not None:
            self._count(recorded=1)
            return self._judge(question, recorded.decode(), 0)
        budget = self.limits.token_budget
        if (budget and spent >= budget) or not any(map(is_readable, question.turns)):
            return Outcome(answer=None)
        try:
            return self._ask(question, seconds)
        except ChatUnavailableError:
            self.is_well = False
            self._count(unavailable=1)
            raise

    def close(self) -> None:
        """End what is under way."""
        self._model.close()

    def _ask(self, question: Question, seconds: float | None) -> Outcome:
        self._count(calls=1)
        if seconds is not None and seconds <= 0.0:
            raise ChatUnavailableError("the chat model took longer than a build may take")
        try:
            reply = self._model.complete(
                question.messages,
                schema=schema_for(len(question.turns)),
                max_tokens=question.max_tokens,
                seconds=seconds,
            )
        except ChatResponseError as error:
            if error.status in _SETTINGS:
                raise ChatUnavailableError(str(error)) from error
            self._count(unusable=1)
            return Outcome(answer=None, error=error)
        self.is_well = True
        self._count(prompt_tokens=reply.prompt_tokens, reply_tokens=reply.reply_tokens)
        return self._judge(question, storable(reply.text), reply.tokens)

    def _judge(self, question: Question, text: str, tokens: int) -> Outcome:
        """Read the answer as it will be read again; one of no use is not kept."""
        try:
            told = tell(question.turns, read_reply(text))
        except ChatResponseError as error:
            self._count(unusable=1)
            return Outcome(answer=None, tokens=tokens, error=error)
        self._count(atoms=told.accepted, refused=told.refused)
        return Outcome(answer=text, tokens=tokens)

    def _count(self, **more: int) -> None:
        with self._lock:
            now = self._counts
            sums = {name: getattr(now, name) + count for name, count in more.items()}
            self._counts = replace(now, **sums)
