"""A profile is how a family of servers wants to be asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, get_args

from graphmem.ports.chat import Sampling, Schema

ProfileName = Literal["openai", "qwen", "omit"]
PROFILES: Final[tuple[ProfileName, ...]] = get_args(ProfileName)

# Some models of the family go round in circles without it.
QWEN_ANSWER_PENALTY: Final = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """One way to write a request; a server that refuses it may take a plainer one.

    Attributes:
        limit: the name of the field that limits the answer.
        has_schema: send the schema.
        sampled: the fields of `Sampling` that are sent, where they are set.
        fixed: fields that are always the same.
        fixed_for_json: fields that stand for the schema where one was asked for.
    """

    limit: str
    has_schema: bool = False
    sampled: tuple[str, ...] = ("temperature",)
    fixed: Mapping[str, object] = field(default_factory=dict)
    fixed_for_json: Mapping[str, object] = field(default_factory=dict)

    def fields(
        self, *, max_tokens: int, schema: Schema | None, sampling: Sampling
    ) -> dict[str, object]:
        """The request without model and messages."""
        wished = {name: getattr(sampling, name) for name in self.sampled}
        fields: dict[str, object] = {**self.fixed, self.limit: max_tokens}
        fields |= {name: value for name, value in wished.items() if value is not None}
        if schema is not None:
            fields |= self.fixed_for_json
        if schema is not None and self.has_schema:
            described = {"name": schema.name, "strict": True, "schema": schema.body}
            fields["response_format"] = {"type": "json_schema", "json_schema": described}
        return fields


# `enable_thinking` is read by Alibaba's service, the template's argument by vLLM, SGLang, llama.cpp.
_NO_THINKING: Final = {
    "enable_thinking": False,
    "chat_template_kwargs": {"enable_thinking": False},
}
_JSON: Final = {"response_format": {"type": "json_object"}}
_ALL: Final = ("temperature", "frequency_penalty", "reasoning_effort")
_WORDS: Final = ("temperature", "frequency_penalty")

FORMS: Final[Mapping[ProfileName, tuple[Form, ...]]] = {
    "openai": (
        Form(limit="max_completion_tokens", has_schema=True, sampled=_ALL),
        # Reasoning models take no temperature and no penalty, others no effort.
        Form(limit="max_completion_tokens", has_schema=True, sampled=("reasoning_effort",)),
        Form(limit="max_completion_tokens", has_schema=True, sampled=_WORDS),
        Form(limit="max_completion_tokens", has_schema=True, sampled=()),
        # Older servers know neither schemas nor the field's new name.
        Form(limit="max_tokens"),
    ),
    "qwen": (
        Form(limit="max_tokens", has_schema=True, sampled=_WORDS, fixed=_NO_THINKING),
        Form(limit="max_tokens", sampled=_WORDS, fixed=_NO_THINKING, fixed_for_json=_JSON),
        Form(limit="max_tokens"),
    ),
    "omit": (
        Form(limit="max_tokens", has_schema=True),
        Form(limit="max_tokens"),
        Form(limit="max_completion_tokens", has_schema=True, sampled=()),
    ),
}
"""The forms of each profile, the one that asks for most first."""


def answer_sampling(
    profile: ProfileName, *, frequency_penalty: float | None, reasoning_effort: str
) -> Sampling:
    """How an answer in words is asked for.

    Args:
        profile: how the server wants to be asked.
        frequency_penalty: what was set; None is the profile's own.
        reasoning_effort: what was set.
    """
    match profile:
        case "openai":
            return Sampling(frequency_penalty=frequency_penalty, reasoning_effort=reasoning_effort)
        case "qwen":
            penalty = QWEN_ANSWER_PENALTY if frequency_penalty is None else frequency_penalty
            return Sampling(frequency_penalty=penalty)
        case "omit":
            return Sampling()
