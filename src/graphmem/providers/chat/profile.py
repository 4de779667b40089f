"""A profile is how a family of servers wants to be asked for JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

from graphmem.ports.chat import Schema

ProfileName = Literal["openai", "qwen"]
PROFILES: Final[tuple[ProfileName, ...]] = get_args(ProfileName)


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """One way to write a request; a server that refuses it may take a plainer one.

    Attributes:
        limit: the name of the field that limits the answer.
        has_schema: send the schema.
        fixed: fields that are always the same.
    """

    limit: str
    has_schema: bool
    fixed: Mapping[str, object]

    def fields(self, schema: Schema, max_tokens: int) -> dict[str, object]:
        """The request without model and messages."""
        fields: dict[str, object] = {**self.fixed, self.limit: max_tokens}
        if self.has_schema:
            described = {"name": schema.name, "strict": True, "schema": schema.body}
            fields["response_format"] = {"type": "json_schema", "json_schema": described}
        return fields


# `enable_thinking` is read by Alibaba's service, the template's argument by vLLM, SGLang, llama.cpp.
_NO_THINKING: Final = {
    "enable_thinking": False,
    "chat_template_kwargs": {"enable_thinking": False},
}
_JSON: Final = {"type": "json_object"}

FORMS: Final[Mapping[ProfileName, tuple[Form, ...]]] = {
    "openai": (
        Form(limit="max_completion_tokens", has_schema=True, fixed={"temperature": 0}),
        # Reasoning models take no temperature.
        Form(limit="max_completion_tokens", has_schema=True, fixed={}),
        # Older servers know neither schemas nor the field's new name.
        Form(limit="max_tokens", has_schema=False, fixed={"temperature": 0}),
    ),
    "qwen": (
        Form(limit="max_tokens", has_schema=True, fixed={"temperature": 0, **_NO_THINKING}),
        Form(
            limit="max_tokens",
            has_schema=False,
            fixed={"temperature": 0, "response_format": _JSON, **_NO_THINKING},
        ),
        Form(limit="max_tokens", has_schema=False, fixed={"temperature": 0}),
    ),
}
"""The forms of each profile, the one that asks for most first."""
