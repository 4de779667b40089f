"""The documentation names what there is."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

from graphmem.config import ServiceConfig
from graphmem.retrieval.recipe import DEFAULT
from graphmem.settings import describe

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def test_what_follows_from_the_settings_is_current() -> None:
    script = runpy.run_path(str(ROOT / "scripts" / "configuration.py"))
    for path, text in script["generated"]().items():
        assert path.read_text(encoding="utf-8") == text, "run scripts/configuration.py"


def test_the_configuration_page_says_what_every_field_means() -> None:
    fields = [*describe(ServiceConfig()), *describe(DEFAULT)]
    assert [field.path for field in fields if not field.meaning] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_within_the_repository_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)#\s]+)", text)
    local = [link for link in links if "://" not in link and not link.startswith("mailto:")]
    assert [link for link in local if not (page.parent / link).exists()] == []


def test_every_decision_is_numbered_once() -> None:
    numbers = [path.name[:4] for path in (ROOT / "docs" / "decisions").glob("*.md")]
    assert sorted(numbers) == [f"{number:04}" for number in range(1, len(numbers) + 1)]
