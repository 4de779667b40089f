"""The Chinese pages say what the English ones say, as far as a machine can hold them to it."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1] / "docs"
NAMES = (
    "answers",
    "atoms",
    "concepts",
    "configuration",
    "operations",
    "questions",
    "quickstart",
    "time",
)
READMES = ("README.md", "README.zh.md")
_FENCED = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_HAN = re.compile(r"[\u3400-\u9fff\u3000-\u303f\uff00-\uffef]")
_COMMENT = re.compile(r" {2,}# .*$", re.MULTILINE)
_EXAMPLE = re.compile(r"(?<=--speaker )\S+|(?<=--timestamp )\S+")
_QUOTED = re.compile(r'"[^"\n]*"')


def page(name: str, language: str) -> str:
    return ((DOCS / "zh" if language == "zh" else DOCS) / f"{name}.md").read_text("utf-8")


def sections(text: str) -> list[str]:
    """The level of each heading."""
    return re.findall(r"^#+(?= )", _FENCED.sub("", text), re.MULTILINE)


def blocks(text: str) -> list[tuple[str, str]]:
    """Language and code of each block; of an output only that there is one."""
    return [(of, "" if of == "text" else _unsaid(code)) for of, code in _FENCED.findall(text)]


def _unsaid(code: str) -> str:
    """Code without what it says to people: comments, examples, strings of several words."""
    return _EXAMPLE.sub("", _QUOTED.sub(_name, _COMMENT.sub("", code)))


def _name(quoted: re.Match[str]) -> str:
    return '""' if " " in quoted[0] or _HAN.search(quoted[0]) else quoted[0]


def names(text: str) -> set[str]:
    """What stands in backticks: names, values, commands; not what is said in Chinese."""
    spans = re.findall(r"`([^`\n]+)`", _FENCED.sub("", text))
    return {span for span in spans if not _HAN.search(span) and '"question"' not in span}


def figures(text: str) -> set[str]:
    """The numbers of a page's prose."""
    prose = re.sub(r"`[^`\n]+`|\]\([^)]*\)", "", _FENCED.sub("", text))
    return {f.rstrip(".,") for f in re.findall(r"(?<![\w.])\.?\d[\d,.]*", prose)}


def links(text: str, directory: Path) -> list[str]:
    """Where a page's links lead, a Chinese page's to the English one that it stands for."""
    targets = re.findall(r"\]\(([^)\s]+)\)", "\n".join(text.splitlines()[3:]))
    local = {t.partition("#")[0] for t in targets if "://" not in t} - {""}
    paths = {os.path.relpath(directory / target, DOCS) for target in local}
    return sorted({path.removeprefix("zh/").replace(".zh.md", ".md") for path in paths})


@pytest.mark.parametrize("name", NAMES)
class TestPage:
    def test_it_is_linked_with_the_other_language_at_its_head(self, name: str) -> None:
        assert page(name, "en").splitlines()[2] == f"[中文](zh/{name}.md)"
        assert page(name, "zh").splitlines()[2] == f"[English](../{name}.md)"

    def test_it_has_the_same_sections(self, name: str) -> None:
        assert sections(page(name, "zh")) == sections(page(name, "en"))

    def test_it_has_as_many_paragraphs(self, name: str) -> None:
        english, chinese = ([*re.split(r"\n{2,}", page(name, of))] for of in ("en", "zh"))
        assert len(chinese) == len(english)

    def test_it_has_the_same_blocks(self, name: str) -> None:
        assert blocks(page(name, "zh")) == blocks(page(name, "en"))

    def test_it_has_the_same_rows_and_items(self, name: str) -> None:
        begun = [
            re.findall(r"^(?:\||- |\d\. )", page(name, of), re.MULTILINE) for of in ("en", "zh")
        ]
        assert begun[0] == begun[1]

    def test_it_names_the_same_things(self, name: str) -> None:
        assert names(page(name, "zh")) == names(page(name, "en"))

    def test_it_has_the_same_figures(self, name: str) -> None:
        assert figures(page(name, "zh")) == figures(page(name, "en"))

    def test_it_leads_to_the_same_places(self, name: str) -> None:
        assert links(page(name, "zh"), DOCS / "zh") == links(page(name, "en"), DOCS)


def test_the_readmes_say_the_same() -> None:
    english, chinese = ((DOCS.parent / name).read_text("utf-8") for name in READMES)
    for found in (sections, names, figures):
        assert found(chinese) == found(english)


def test_every_chinese_page_is_held_to_its_english_one() -> None:
    assert sorted(path.stem for path in (DOCS / "zh").glob("*.md")) == sorted(NAMES)


def test_the_chinese_readme_leads_to_every_chinese_page() -> None:
    text = (DOCS.parent / READMES[1]).read_text("utf-8")
    assert [name for name in NAMES if f"](docs/zh/{name}.md)" not in text] == []
