from __future__ import annotations

import pytest

from tests.text.facts.found import found


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("see https://example.org/a_(b)?q=1#c.", "https://example.org/a_(b)?q=1#c"),
        ("(see https://example.org/a)", "https://example.org/a"),
        ("网址是https://example.org/a，快看", "https://example.org/a"),
        ("go to www.example.org now", "www.example.org"),
        ("it's on example.com/page", "example.com/page"),
        ("mail me@example.org.", "me@example.org"),
        ("邮箱xiao.yu@example.org谢谢", "xiao.yu@example.org"),
        ("in ~/notes.txt", "~/notes.txt"),
        ("under /opt or so", "/opt"),
        ("open ./src/main.py first", "./src/main.py"),
        ("at C:\\Users\\me\\a.txt", "C:\\Users\\me\\a.txt"),
        ("see report.pdf", "report.pdf"),
        ("edit src/app/main.py", "src/app/main.py"),
        ("http://localhost:8080/x", "http://localhost:8080/x"),
    ],
)
def test_addresses_are_found_without_the_punctuation_behind(text: str, address: str) -> None:
    assert found(text, "url") == [address]


@pytest.mark.parametrize(
    "text",
    ["yes and/or no", "he/she", "24/7", "done.It was ok.me too", "e.g. this", "Node.js", "3.5"],
)
def test_slashes_and_dots_of_prose_are_none(text: str) -> None:
    assert found(text, "url") == []
