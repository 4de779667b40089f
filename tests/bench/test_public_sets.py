from __future__ import annotations

from pathlib import Path

import pytest

from graphmem.bench.datasets import load
from graphmem.bench.retrieval import count_scored

DATA = Path(__file__).parents[3] / "shared" / "data"


@pytest.mark.evidence
@pytest.mark.parametrize(
    ("name", "turns", "questions", "scored"),
    [
        ("locomo-dev", 2760, 997, 760),
        ("locomo-zh-dev", 419, 197, 150),
        ("beam-dev", 1032, 100, 90),
        ("longmemeval-dev", 612, 16, 16),
    ],
)
def test_the_public_sets_are_read_whole(name: str, turns: int, questions: int, scored: int) -> None:
    path = DATA / f"{name}.json"
    if not path.is_file():
        pytest.skip(f"{path} is not here")
    evidence = load(path)
    assert (evidence.turns, evidence.questions) == (turns, questions)
    assert count_scored(evidence) == scored
