from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Run


def test_the_evidence_is_shown_with_date_speaker_text_and_score(run: Run, filled: Path) -> None:
    done = run("search", "harbour", "When does the ferry leave?", "--data-dir", filled)
    first = done.out.splitlines()[1]
    assert all(part in first for part in ("2024-05-01 10:00", "Ada", "The ferry leaves at noon."))


def test_chinese_is_found_and_shown(run: Run, filled: Path) -> None:
    done = run("search", "harbour", "灯塔门票多少钱？", "--data-dir", filled)
    assert "灯塔的门票是二十元。" in done.out.splitlines()[1]


def test_json_is_the_retrieval(run: Run, filled: Path) -> None:
    found = run("search", "harbour", "ferry", "--limit", "1", "--data-dir", filled, "--json").json()
    assert [hit["content"] for hit in found["hits"]] == ["The ferry leaves at noon."]
    assert "shares" not in found["hits"][0]
    assert found["trace"]["version"] == 2


def test_explain_shows_the_shares(run: Run, filled: Path) -> None:
    arguments = ("search", "harbour", "ferry", "--explain", "--data-dir", filled)
    shares = run(*arguments, "--json").json()["hits"][0]["shares"]
    assert shares
    assert all(name in run(*arguments).out for name in shares)


def test_nothing_found_is_said(run: Run, filled: Path) -> None:
    done = run("search", "harbour", "zebra", "--data-dir", filled)
    assert (done.code, done.out) == (0, "nothing found\n")


def test_an_unknown_memory_is_an_error(run: Run, filled: Path) -> None:
    done = run("search", "nobody", "ferry", "--data-dir", filled, "--json")
    assert (done.code, done.json()["error"]["code"]) == (1, "MemoryNotFound")


def test_tenants_are_apart(run: Run, filled: Path) -> None:
    done = run("search", "harbour", "ferry", "--tenant", "other", "--data-dir", filled)
    assert done.code == 1


def test_no_database_is_an_error_and_makes_none(run: Run, data_dir: Path) -> None:
    done = run("search", "harbour", "ferry", "--data-dir", data_dir)
    assert done.code == 1
    assert str(data_dir) in done.err
    assert not data_dir.exists()


def test_stored_text_cannot_drive_the_terminal(run: Run, data_dir: Path) -> None:
    run("add", "m", "s", "red \x1b[31malert\x07 [bold]plain[/bold]", "--data-dir", data_dir)
    done = run("search", "m", "plain", "--data-dir", data_dir)
    assert "\x1b" not in done.out
    assert r"red \x1b[31malert\x07 [bold]plain[/bold]" in done.out
