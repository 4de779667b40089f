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


def test_nothing_is_said_in_chinese_that_no_setting_says() -> None:
    script = runpy.run_path(str(ROOT / "scripts" / "configuration.py"))
    chinese = script["Chinese"]()
    script["filled"](script["CHINESE_PAGE"], chinese)
    assert chinese.unused == set()


def test_the_benchmarks_page_says_what_the_reports_hold() -> None:
    directory = ROOT / "benchmarks"
    script = runpy.run_path(str(directory / "page.py"))
    text = script["page"](script["read"](directory / "reports"))
    page = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    assert page == text, "run benchmarks/report.py page"


def test_the_configuration_page_says_what_every_field_means() -> None:
    fields = [*describe(ServiceConfig()), *describe(DEFAULT)]
    assert [field.path for field in fields if not field.meaning] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_within_the_repository_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)#\s]+)", text)
    local = [link for link in links if "://" not in link and not link.startswith("mailto:")]
    assert [link for link in local if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_to_a_section_find_it(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)#\s]*)#([^)\s]+)\)", text)
    local = [(page.parent / to if to else page, at) for to, at in links if "://" not in to]
    assert [at for to, at in local if to.suffix == ".md" and at not in sections(to)] == []


def sections(page: Path) -> set[str]:
    """The anchors that a page's headings have where Markdown is shown."""
    heads = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}


def test_every_decision_is_numbered_once() -> None:
    numbers = [path.name[:4] for path in (ROOT / "docs" / "decisions").glob("*.md")]
    assert sorted(numbers) == [f"{number:04}" for number in range(1, len(numbers) + 1)]
