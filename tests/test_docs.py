"""The documentation names what there is."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from graphmem.config import SECRETS, AddSearchConfig, DenseConfig, ServiceConfig

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def _settings() -> set[str]:
    sections = {"dense": DenseConfig, "addsearch": AddSearchConfig}
    top = {f.name for f in fields(ServiceConfig) if f.name not in SECRETS | sections.keys()}
    inner = {f"{name}.{f.name}" for name, kind in sections.items() for f in fields(kind)}
    return top | inner


def test_the_configuration_page_names_every_setting_and_no_other() -> None:
    page = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    named = set(re.findall(r"^\| `([a-z_.]+)` \|", page, re.MULTILINE))
    assert named == _settings()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_within_the_repository_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)#\s]+)", text)
    local = [link for link in links if "://" not in link and not link.startswith("mailto:")]
    assert [link for link in local if not (page.parent / link).exists()] == []


def test_every_decision_is_numbered_once() -> None:
    numbers = [path.name[:4] for path in (ROOT / "docs" / "decisions").glob("*.md")]
    assert sorted(numbers) == [f"{number:04}" for number in range(1, len(numbers) + 1)]
