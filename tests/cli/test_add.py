from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run


def jsonl(directory: Path, *messages: dict[str, str]) -> Path:
    path = directory / "messages.jsonl"
    lines = (json.dumps(message, ensure_ascii=False) for message in messages)
    path.write_text("\n".join(lines) + "\n\n", encoding="utf-8")
    return path


def turns(run: Run, data_dir: Path, memory: str = "m") -> int:
    return int(run("status", memory, "--data-dir", data_dir, "--json").json()["turns"])


def test_one_message_is_stored(run: Run, data_dir: Path) -> None:
    done = run("add", "m", "s", "I planted basil.", "--data-dir", data_dir)
    assert (done.code, done.out) == (0, "stored 1 message\n")
    assert turns(run, data_dir) == 1


def test_the_receipt_as_json(run: Run, data_dir: Path) -> None:
    done = run("add", "m", "s", "I planted basil.", "--data-dir", data_dir, "--json").json()
    assert (done["stored"], done["already_stored"]) == (1, 0)
    assert done["receipts"][0]["state"] == "ready"


def test_the_same_request_id_stores_once(run: Run, data_dir: Path) -> None:
    arguments = ("add", "m", "s", "Once.", "--request-id", "r1", "--data-dir", data_dir)
    assert run(*arguments).out == "stored 1 message\n"
    assert run(*arguments).out == "stored 0 messages, 1 were there already\n"


def test_a_request_id_with_another_payload_is_refused(run: Run, data_dir: Path) -> None:
    run("add", "m", "s", "One.", "--request-id", "r1", "--data-dir", data_dir)
    done = run("add", "m", "s", "Two.", "--request-id", "r1", "--data-dir", data_dir, "--json")
    assert (done.code, done.json()["error"]["code"]) == (1, "RequestConflict")


def test_a_file_is_stored_once_however_often_it_is_added(
    run: Run, data_dir: Path, tmp_path: Path
) -> None:
    path = jsonl(tmp_path, *({"content": f"note {n}"} for n in range(600)))
    arguments = ("add", "m", "s", "--file", path, "--data-dir", data_dir, "--json")
    first, second = run(*arguments).json(), run(*arguments).json()
    assert (first["stored"], len(first["receipts"])) == (600, 6)
    assert (second["stored"], second["already_stored"]) == (0, 600)
    assert turns(run, data_dir) == 600


def grown(run: Run, data_dir: Path, directory: Path, count: int, **changed: str) -> Any:
    """Add a file of so many messages, some of them changed."""
    notes = [{"content": changed.get(f"note_{n}", f"note {n}")} for n in range(count)]
    path = jsonl(directory, *notes)
    return run("add", "m", "s", "--file", path, "--data-dir", data_dir, "--json").json()


@pytest.mark.parametrize("counts", [[1, 2], [5, 300, 301], [255, 256, 600], [3, 3, 40, 41, 99]])
def test_of_a_file_that_has_grown_only_the_new_end_is_stored(
    run: Run, data_dir: Path, tmp_path: Path, counts: list[int]
) -> None:
    before = 0
    for count in counts:
        done = grown(run, data_dir, tmp_path, count)
        assert (done["stored"], done["already_stored"]) == (count - before, before)
        assert turns(run, data_dir) == count
        before = count


@pytest.mark.parametrize("count", [20, 30, 10])
def test_a_file_that_was_changed_before_its_end_is_refused(
    run: Run, data_dir: Path, tmp_path: Path, count: int
) -> None:
    grown(run, data_dir, tmp_path, 20)
    done = grown(run, data_dir, tmp_path, count, note_7="another note")
    assert done["error"]["field"] == "file"
    assert "message 1" in done["error"]["message"]
    assert "another note" not in done["error"]["message"]
    assert turns(run, data_dir) == 20


def test_a_file_that_was_cut_off_is_refused(run: Run, data_dir: Path, tmp_path: Path) -> None:
    grown(run, data_dir, tmp_path, 20)
    assert grown(run, data_dir, tmp_path, 15)["error"]["field"] == "file"


def test_a_batch_of_a_file_stays_within_the_limits(
    run: Run, data_dir: Path, tmp_path: Path
) -> None:
    path = jsonl(tmp_path, *({"content": f"{n} " + "long " * 20_000} for n in range(30)))
    done = run("add", "m", "s", "--file", path, "--data-dir", data_dir, "--json").json()
    assert (done["stored"], {len(r["turn_ids"]) for r in done["receipts"]}) == (30, {4, 1})


def test_the_same_file_goes_into_another_session_again(
    run: Run, data_dir: Path, tmp_path: Path
) -> None:
    path = jsonl(tmp_path, {"content": "note"})
    for session in ("s1", "s2"):
        assert run("add", "m", session, "--file", path, "--data-dir", data_dir).code == 0
    assert turns(run, data_dir) == 2


def test_fields_of_a_line_win_over_the_options(run: Run, data_dir: Path, tmp_path: Path) -> None:
    path = jsonl(
        tmp_path,
        {"content": "I like tea.", "speaker": "Ben", "timestamp": "2020-02-02"},
        {"content": "I like coffee."},
    )
    options = ("--speaker", "Ada", "--timestamp", "2021-03-03", "--data-dir", data_dir)
    assert run("add", "m", "s", "--file", path, *options).code == 0
    hits = run("search", "m", "like", "--data-dir", data_dir, "--json").json()["hits"]
    assert {(hit["speaker"], hit["event_time"]) for hit in hits} == {
        ("Ben", "2020-02-02"),
        ("Ada", "2021-03-03"),
    }


def test_messages_come_from_stdin_too(
    run: Run, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = '{"content": "从标准输入来的。"}\r\n'.encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines), encoding="utf-8"))
    assert run("add", "m", "s", "--file", "-", "--data-dir", data_dir).code == 0


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ("{", "line 2"),
        ("[]", "line 2"),
        ('{"role": "user"}', "line 2.content"),
        ('{"content": 3}', "line 2.content"),
        ('{"content": "x", "when": "2020-02-02"}', "line 2.when"),
    ],
)
def test_a_wrong_line_is_named_and_nothing_is_stored(
    run: Run, data_dir: Path, tmp_path: Path, line: str, field: str
) -> None:
    path = tmp_path / "m.jsonl"
    path.write_text('{"content": "fine"}\n' + line, encoding="utf-8")
    done = run("add", "m", "s", "--file", path, "--data-dir", data_dir, "--json")
    assert (done.code, done.json()["error"]["field"]) == (1, field)
    assert not data_dir.exists()


def test_a_file_that_is_not_there_or_not_text(run: Run, data_dir: Path, tmp_path: Path) -> None:
    missing = run("add", "m", "s", "--file", tmp_path / "none", "--data-dir", data_dir)
    assert (missing.code, "No such file" in missing.err) == (1, True)
    binary = tmp_path / "binary"
    binary.write_bytes(b"ab\xff")
    done = run("add", "m", "s", "--file", binary, "--data-dir", data_dir)
    assert "not UTF-8 at byte 2" in done.err


def test_an_empty_file_stores_nothing(run: Run, data_dir: Path, tmp_path: Path) -> None:
    done = run("add", "m", "s", "--file", jsonl(tmp_path), "--data-dir", data_dir)
    assert (done.code, done.out) == (0, "stored 0 messages\n")


def test_a_wrong_value_is_named(run: Run, data_dir: Path) -> None:
    done = run("add", "m", "s", "x", "--role", "narrator", "--data-dir", data_dir)
    assert (done.code, done.out) == (1, "")
    assert "messages.0.role" in done.err


def test_a_line_that_is_nested_too_deeply_is_named(
    run: Run, data_dir: Path, tmp_path: Path
) -> None:
    file = tmp_path / "deep.jsonl"
    file.write_text("[" * 100_000, encoding="utf-8")
    done = run("add", "m", "s", "--file", file, "--data-dir", data_dir)
    assert (done.code, "line 1: is nested too deeply" in done.err) == (1, True)
