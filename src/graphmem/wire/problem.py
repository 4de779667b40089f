"""The error shape of contract 2, which also serves unknown routes and the operator's pages."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Problem(BaseModel):
    """What went wrong, for a program (`code`) and for a person (`message`)."""

    model_config = ConfigDict(strict=True, frozen=True)

    code: str
    message: str
    retryable: bool


class ProblemAnswer(BaseModel):
    """The body of an error answer."""

    model_config = ConfigDict(strict=True, frozen=True)

    error: Problem
    trace_id: str
