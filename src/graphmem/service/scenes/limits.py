"""Limits of the chat model in the build, as the settings' `build_overrides` state them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final

from graphmem.settings import check, override, unknown, whole

SECTION: Final = "models"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelLimits:
    """How a chat model is used.

    Attributes:
        scene_turns: so many turns of a session are asked about at once.
        max_output_tokens: the longest answer.
        token_budget: the most tokens that one memory may take, questions and answers; when it is
            spent, rules go on alone. 0 for no limit.
        max_attempts: after so many answers of no use about a scene, rules tell it.
    """

    scene_turns: Annotated[int, whole(1, 64)] = 8
    max_output_tokens: Annotated[int, whole(64, 131_072)] = 4096
    token_budget: Annotated[int, whole(0)] = 0
    max_attempts: Annotated[int, whole(1, 100)] = 3

    def __post_init__(self) -> None:
        check(self, f"build_overrides.{SECTION}.")


DEFAULT: Final = ModelLimits()


def limited(overrides: Mapping[str, Mapping[str, object]]) -> ModelLimits:
    """The default limits with what the settings' `build_overrides` state, key by key.

    Raises:
        ConfigError: a section or a key is unknown, or a value is wrong.
    """
    for section in overrides:
        if section != SECTION:
            raise unknown(f"build_overrides.{section}", section, [SECTION])
    return override(DEFAULT, overrides.get(SECTION, {}), f"build_overrides.{SECTION}.")
