"""What each channel of the ranking is worth: the same questions without it, compared in pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from graphmem.bench.intervals import Estimate, estimate_difference
from graphmem.bench.metrics import DEFAULT_DEPTHS
from graphmem.bench.retrieval import Loaded, Outcome, Step, ask, no_step
from graphmem.retrieval.recipe import ABLATIONS, Recipe

ABLATION_METRICS: Final = ("recall@10", "recall@32", "recall@100", "ndcg@10")

Ablation = dict[str, dict[str, Estimate]]
"""For each recipe's name, the change of each metric against the whole recipe."""


WITHOUT_RERANK: Final = "without rerank"  # compared where the settings name a reranking model


def ablate(
    bench: Loaded,
    whole: Sequence[Outcome],
    *,
    recipes: Mapping[str, Recipe] = ABLATIONS,
    depths: Sequence[int] = DEFAULT_DEPTHS,
    step: Step = no_step,
) -> Ablation:
    """Ask everything again without each channel; a negative change means that the channel pays."""
    before = [outcome.scores for outcome in whole]
    changes: Ablation = {}
    for name, recipe in recipes.items():
        reduced = ask(bench, recipe=recipe, depths=depths, step=step)
        differences = estimate_difference(before, [outcome.scores for outcome in reduced])
        changes[name] = {m: differences[m] for m in ABLATION_METRICS if m in differences}
    return changes
