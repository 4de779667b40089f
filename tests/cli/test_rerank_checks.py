"""`graphmem doctor` on a reranking model that scores, is broken, is not there or is not wanted."""

from __future__ import annotations

import json
from pathlib import Path

from graphmem.cli.findings import Finding
from graphmem.cli.rerank_checks import check_reranker
from graphmem.config import ServiceConfig
from tests.cli.conftest import Run
from tests.providers.pairs import build_cross_encoder


def _found(name: str) -> Finding:
    (finding,) = check_reranker(ServiceConfig(rerank_model=name))
    return finding


def test_a_model_that_scores_is_well(tmp_path: Path) -> None:
    finding = _found(f"onnx:{build_cross_encoder(tmp_path / 'tiny')}")
    assert finding.state == "ok"
    assert finding.detail.startswith("tiny scores (onnx:")


def test_none_is_no_fault() -> None:
    assert _found("").state == "ok"


def test_one_that_is_not_there_fails(tmp_path: Path) -> None:
    finding = _found(f"onnx:{tmp_path}")
    assert (finding.state, finding.remedy) == ("fail", "correct the settings file")
    assert "rerank_model: the directory" in finding.detail


def test_one_that_is_no_cross_encoder_fails_with_the_remedy(tmp_path: Path) -> None:
    finding = _found(f"onnx:{build_cross_encoder(tmp_path, shape='tokens')}")
    assert finding.state == "fail"
    assert "no cross-encoder" in finding.detail
    assert "rerank_model" in finding.remedy


def test_other_checks_go_on_beside_a_model_that_is_not_there(
    run: Run, data_dir: Path, tmp_path: Path
) -> None:
    assert run("add", "m", "s", "hello", "--data-dir", data_dir).code == 0
    file = tmp_path / "settings.json"
    values = {"rerank_model": f"onnx:{tmp_path / 'nowhere'}", "dense_retrieval": False}
    file.write_text(json.dumps(values), encoding="utf-8")
    done = run("doctor", "--data-dir", data_dir, "--config", file, "--port", "0", "--json")
    assert done.code == 1
    states = {check["check"]: check["state"] for check in done.json()["checks"]}
    assert states["reranking model"] == "fail"
    assert states["database"] == "ok"
