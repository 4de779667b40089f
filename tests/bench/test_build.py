"""`bench build` counts what the build of a set gives, and builds it twice alike."""

from __future__ import annotations

from pathlib import Path

from graphmem.bench.build import measure
from graphmem.bench.datasets import load
from tests.bench.samples import native, write


def test_a_build_covers_every_fact_and_is_the_same_twice(tmp_path: Path) -> None:
    report = measure(load(write(tmp_path, native())))
    assert report.is_same
    assert report.turns == 4
    assert report.atoms == sum(report.origins.values()) > 0
    assert report.facts == report.in_claims + report.verbatim > 0
    told = report.to_dict()
    assert told["coverage"] == 1.0
    assert isinstance(told["in_claims"], float)
    assert told["time_expressions"] == {"duration": 1}  # "all day"
    assert told["time_resolved"] == {}
    assert report.seconds > 0


def test_the_same_set_has_the_same_digest_in_every_run(tmp_path: Path) -> None:
    evidence = load(write(tmp_path, native()))
    assert measure(evidence).digest == measure(evidence).digest
