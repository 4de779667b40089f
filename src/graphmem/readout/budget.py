"""How much evidence a question may have, by its family: the settings' section `query_budget`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final, NamedTuple

from graphmem.domain.question import Family
from graphmem.settings import override, whole

SECTION: Final = "query_budget"


class Stage(NamedTuple):
    """The most turns, and the most tokens of evidence."""

    turns: int
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryBudget:
    """Budgets. The measurements behind them are in docs/benchmarks.md.

    Attributes:
        lookup_turns: the most turns for a lookup.
        lookup_tokens: the most evidence tokens for a lookup.
        temporal_turns: the most turns for a question of time.
        temporal_tokens: the most evidence tokens for a question of time.
        wide_turns: the most turns for a list or an inference.
        wide_tokens: the most evidence tokens for a list or an inference.
        focus_turns: how many turns the source-focus adds behind these.
        focus_tokens: the most evidence tokens of them.
        excerpt_tokens: a longer turn is shown by its sentences that are nearest to the question, up
            to so many tokens.
        aid_tokens: the most tokens of lines that are computed from the evidence; 0 for none.
        max_answer_tokens_hard: the ceiling of the whole prompt.
    """

    lookup_turns: Annotated[int, whole(1, 400)] = 32
    lookup_tokens: Annotated[int, whole(1)] = 2200
    temporal_turns: Annotated[int, whole(1, 400)] = 64
    temporal_tokens: Annotated[int, whole(1)] = 3800
    wide_turns: Annotated[int, whole(1, 400)] = 80
    wide_tokens: Annotated[int, whole(1)] = 4500
    focus_turns: Annotated[int, whole(0, 400)] = 24
    focus_tokens: Annotated[int, whole(0)] = 1600
    excerpt_tokens: Annotated[int, whole(1)] = 160
    aid_tokens: Annotated[int, whole(0)] = 300
    max_answer_tokens_hard: Annotated[int, whole(1)] = 13_000

    def stage(self, family: Family) -> Stage:
        """What a family of questions may have."""
        match family:
            case "lookup":
                return Stage(self.lookup_turns, self.lookup_tokens)
            case "temporal":
                return Stage(self.temporal_turns, self.temporal_tokens)
            case "list" | "inference":
                return Stage(self.wide_turns, self.wide_tokens)

    @property
    def widest(self) -> int:
        """How many turns must be ranked so that no budget wants for any."""
        stages = max(self.lookup_turns, self.temporal_turns, self.wide_turns)
        return stages + self.focus_turns


def budget_of(overrides: Mapping[str, Mapping[str, object]]) -> QueryBudget:
    """The default budget with what the settings' `runtime_overrides` state, key by key.

    Raises:
        ConfigError: a key is unknown or a value is wrong.
    """
    return override(QueryBudget(), overrides.get(SECTION, {}), f"runtime_overrides.{SECTION}.")
