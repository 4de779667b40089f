"""The shapes of `/ready`."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict

from graphmem.wire.problem import ProblemAnswer


class ReadinessReason(BaseModel):
    """Something that is not as it should be: of `store`, `disk`, `model`, `chat`, `answers`, `rerank` or `rebuild`."""

    model_config = ConfigDict(strict=True, frozen=True)

    part: str
    reason: str


class ReadyAnswer(BaseModel):
    """Calls can be served; what is worse than usual is `degraded`."""

    model_config = ConfigDict(strict=True, frozen=True)

    status: Literal["ready"]
    reasons: list[ReadinessReason]
    degraded: list[ReadinessReason]


class ReadinessProblem(ProblemAnswer):
    """Calls can't be served now."""

    reasons: list[ReadinessReason]
