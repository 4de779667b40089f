"""Size ceilings, so that no file grows into `memory/main.py`."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1] / "src" / "graphmem"
FILES = sorted(ROOT.rglob("*.py"))
MAX_FILE, MAX_CLASS, MAX_FUNCTION = 500, 300, 60


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_sizes(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    assert source.count("\n") <= MAX_FILE
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            limit = MAX_CLASS if isinstance(node, ast.ClassDef) else MAX_FUNCTION
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            assert lines <= limit, f"{node.name} has {lines} lines, limit {limit}"
