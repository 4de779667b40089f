"""A backup is taken while others write, and serves elsewhere with the same bytes."""

from __future__ import annotations

import json
import sqlite3
import stat
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from graphmem.config import ServiceConfig
from graphmem.domain.backup import CopyProgress
from graphmem.errors import (
    InvalidInputError,
    MemoryNotFoundError,
    StoreError,
    StoreFormatError,
    StoreLockedError,
    StoreUnavailableError,
)
from graphmem.service.factory import back_up, restore
from graphmem.service.memory import MemoryService
from tests.service.conftest import make_service, make_store, says
from tests.stores.children import child

QUESTIONS = ("choir", "Where is the ferry?", "灯塔在哪里？")


def quiet(_: CopyProgress) -> None:
    """Nobody looks."""


def opened(data_dir: Path, *, read_only: bool = False) -> MemoryService:
    return MemoryService.open(
        config=ServiceConfig(data_dir=data_dir, embedding_model="fake"), read_only=read_only
    )


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def service(data_dir: Path) -> Iterator[MemoryService]:
    with opened(data_dir) as service:
        for tenant in ("acme", "other"):
            service.add(
                tenant, "m", "s1", says("I joined a choir", "码头旁有灯塔"), request_id="r1"
            )
            service.add(tenant, "m", "s2", says("The ferry leaves at noon"), request_id="r2")
        yield service


def answers(service: MemoryService) -> bytes:
    found = [
        service.retrieve(tenant, "m", question, explain=True).to_dict()
        for tenant in ("acme", "other")
        for question in QUESTIONS
    ]
    return json.dumps(found).encode()


def restored(backup: Path, data_dir: Path) -> None:
    restore(backup, data_dir, quiet)


def leftovers(directory: Path) -> list[str]:
    return [path.name for path in directory.iterdir() if "partial" in path.name]


def test_a_restored_backup_gives_the_same_bytes_without_a_rebuild(
    service: MemoryService, tmp_path: Path
) -> None:
    report = service.backup(tmp_path / "b.sqlite")
    expected, status = answers(service), service.status("acme", "m")
    restored(tmp_path / "b.sqlite", tmp_path / "elsewhere" / "data")
    with opened(tmp_path / "elsewhere" / "data") as other:
        assert answers(other) == expected
        assert other.status("acme", "m") == status
        again = other.add(
            "acme", "m", "s1", says("I joined a choir", "码头旁有灯塔"), request_id="r1"
        )
        assert again.replayed
    assert (report.memories, report.turns) == (2, 6)
    assert report.size_bytes == (tmp_path / "b.sqlite").stat().st_size


def test_what_was_forgotten_stays_forgotten(service: MemoryService, tmp_path: Path) -> None:
    service.delete_session("acme", "m", "s1")
    service.delete_memory("other", "m")
    service.add("other", "m2", "s", says("new"))
    service.delete_memory("other", "m2")
    service.add("other", "m2", "s", says("newer"), request_id="r9")
    report = service.backup(tmp_path / "b.sqlite")
    assert (report.memories, report.turns) == (2, 2)
    restored(tmp_path / "b.sqlite", tmp_path / "new")
    with opened(tmp_path / "new") as other:
        again = other.add("other", "m", "s2", says("The ferry leaves at noon"), request_id="r2")
        assert again.replayed
        assert other.retrieve("acme", "m", "choir ferry").to_dict() == (
            service.retrieve("acme", "m", "choir ferry").to_dict()
        )
        assert [r.kind for r in other.erasures("acme", "m")] == ["session"]
        with pytest.raises(MemoryNotFoundError):
            other.status("other", "m")


def test_a_backup_beside_the_holder_is_the_same(
    service: MemoryService, data_dir: Path, tmp_path: Path
) -> None:
    service.backup(tmp_path / "inside.sqlite")
    with opened(data_dir, read_only=True) as reader:
        reader.backup(tmp_path / "beside.sqlite")
    back_up(ServiceConfig(data_dir=data_dir), tmp_path / "without.sqlite", quiet)
    inside = (tmp_path / "inside.sqlite").read_bytes()
    assert (tmp_path / "beside.sqlite").read_bytes() == inside
    assert (tmp_path / "without.sqlite").read_bytes() == inside


def test_it_is_one_file_for_this_user_alone(service: MemoryService, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    target = tmp_path / "out" / "b.sqlite"
    service.backup(target)
    assert [path.name for path in target.parent.iterdir()] == ["b.sqlite"]
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    with closing(sqlite3.connect(f"{target.as_uri()}?mode=ro", uri=True)) as raw:
        assert raw.execute("PRAGMA journal_mode").fetchone() == ("delete",)


def test_progress_goes_up_to_the_end(service: MemoryService, tmp_path: Path) -> None:
    service.add("acme", "big", "s", says(*(f"note {n} " + "x" * 3000 for n in range(250))))
    told: list[CopyProgress] = []
    service.backup(tmp_path / "b.sqlite", progress=told.append)
    done = [now.pages_done for now in told]
    assert len(done) > 1
    assert done == sorted(done)
    assert told[-1].pages_done == told[-1].pages


def test_what_is_acknowledged_before_it_is_in_it_and_no_batch_is_half_in_it(
    service: MemoryService, tmp_path: Path
) -> None:
    stop = threading.Event()
    acknowledged: list[str] = []

    def write() -> None:
        while not stop.is_set():
            number = len(acknowledged)
            batch = says(*(f"batch {number} {part} " + "y" * 2000 for part in range(5)))
            acknowledged.extend(
                service.add("acme", "busy", "s", batch, request_id=f"w{number}").turn_ids
            )

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for number in range(5):
            before = len(acknowledged)
            service.backup(tmp_path / f"b{number}.sqlite")
            restored(tmp_path / f"b{number}.sqlite", tmp_path / f"d{number}")
            with opened(tmp_path / f"d{number}") as copy:
                turns = copy.status("acme", "busy").turns if before else 0
            assert turns >= before
            assert turns % 5 == 0
    finally:
        stop.set()
        writer.join()


def test_a_file_that_is_there_is_not_overwritten(service: MemoryService, tmp_path: Path) -> None:
    target = tmp_path / "mine"
    target.write_text("precious", encoding="utf-8")
    with pytest.raises(InvalidInputError, match="exists already"):
        service.backup(target)
    assert target.read_text(encoding="utf-8") == "precious"
    assert leftovers(tmp_path) == []


def test_a_name_that_is_taken_meanwhile_is_not_overwritten(
    service: MemoryService, tmp_path: Path
) -> None:
    target = tmp_path / "b.sqlite"

    def take(_: CopyProgress) -> None:
        target.write_bytes(b"precious")

    with pytest.raises(InvalidInputError, match="exists already"):
        service.backup(target, progress=take)
    assert target.read_bytes() == b"precious"
    assert leftovers(tmp_path) == []


def test_a_directory_that_is_not_there_is_named(service: MemoryService, tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailableError, match="nowhere"):
        service.backup(tmp_path / "nowhere" / "b.sqlite")


def test_an_interrupted_backup_leaves_nothing(service: MemoryService, tmp_path: Path) -> None:
    def interrupt(_: CopyProgress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        service.backup(tmp_path / "b.sqlite", progress=interrupt)
    assert [path.name for path in tmp_path.iterdir()] == ["data"]
    service.backup(tmp_path / "b.sqlite")


def test_a_store_without_a_file_says_so(tmp_path: Path) -> None:
    with (
        make_service(make_store("memory", tmp_path)) as service,
        pytest.raises(StoreError, match="export"),
    ):
        service.backup(tmp_path / "b")


def test_there_must_be_something_to_back_up(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailableError, match="no memory database"):
        back_up(ServiceConfig(data_dir=tmp_path), tmp_path / "b.sqlite", quiet)


KILLED = """
import sys, time
from pathlib import Path
from graphmem.config import ServiceConfig
from graphmem.service import factory

def tell(now):
    print("copying", flush=True)
    time.sleep(60)

place = Path(sys.argv[2])
source = ServiceConfig(data_dir=place) if sys.argv[1] == "back_up" else place
getattr(factory, sys.argv[1])(source, Path(sys.argv[3]), tell)
"""


def test_a_killed_backup_has_no_name(
    service: MemoryService, data_dir: Path, tmp_path: Path
) -> None:
    with child(KILLED, "back_up", data_dir, tmp_path / "b.sqlite"):
        pass
    assert not (tmp_path / "b.sqlite").exists()
    service.backup(tmp_path / "b.sqlite")


@pytest.fixture
def backup(service: MemoryService, tmp_path: Path) -> Path:
    service.backup(tmp_path / "b.sqlite")
    return tmp_path / "b.sqlite"


def test_a_killed_restore_left_no_database_and_is_done_again(backup: Path, tmp_path: Path) -> None:
    target = tmp_path / "new"
    with child(KILLED, "restore", backup, target):
        pass
    assert not (target / "memory.sqlite").exists()
    restored(backup, target)
    assert {path.name for path in target.iterdir()} <= {"memory.sqlite", "memory.lock"}


@pytest.mark.parametrize("name", ["memory.sqlite", "something"])
def test_a_directory_that_is_in_use_is_left_as_it_is(
    backup: Path, tmp_path: Path, name: str
) -> None:
    target = tmp_path / "used"
    target.mkdir()
    (target / name).write_bytes(b"mine")
    with pytest.raises(InvalidInputError, match="not empty"):
        restored(backup, target)
    assert (target / name).read_bytes() == b"mine"


def test_a_directory_that_is_held_is_refused(backup: Path, data_dir: Path) -> None:
    with pytest.raises(StoreLockedError):
        restored(backup, data_dir)


def test_an_empty_directory_is_taken(backup: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    restored(backup, tmp_path / "empty")
    opened(tmp_path / "empty").close()


def _fails(backup: Path, target: Path, match: str) -> None:
    with pytest.raises(StoreFormatError, match=match):
        restored(backup, target)
    assert not target.exists()
    target.mkdir()
    with pytest.raises(StoreFormatError, match=match):
        restored(backup, target)
    assert {path.name for path in target.iterdir()} <= {"memory.lock"}


def test_a_request_that_found_nothing_to_delete_is_no_damage(
    service: MemoryService, data_dir: Path, tmp_path: Path
) -> None:
    service.delete_conversation("acme", "m", session_id="none", request_id="d1")
    service.delete_atoms("acme", "m", ["a_" + "0" * 24], request_id="d2")
    assert service.status("acme", "m").version == 2
    service.backup(tmp_path / "x")
    restore(tmp_path / "x", tmp_path / "new", quiet)
    with opened(tmp_path / "new") as copy:
        assert answers(copy) == answers(service)


@pytest.mark.parametrize(
    ("statement", "match"),
    [
        ("INSERT INTO migrations VALUES (999, '0999_future.sql')", "newer graphmem"),
        ("PRAGMA application_id = 7", "another program"),
        ("UPDATE memories SET turns = turns + 1", "what it counts"),
        ("UPDATE memories SET content_bytes = 1", "what it counts"),
        ("DELETE FROM requests", "no request"),
        ("UPDATE requests SET request_id = CAST('other' AS BLOB)", "turn's id"),
        ("UPDATE turns SET turn_id = 't_' || turn_no", "turn's id"),
        ("UPDATE turns SET content = 'I left the choir ' WHERE turn_no = 0", "what it counts"),
        ("UPDATE turns SET content = replace(content, 'joined', 'hated!')", "that it brought"),
        ("UPDATE turns SET content = replace(content, 'ferry', 'kayak')", "that it brought"),
        ("UPDATE turns SET content = CAST(x'ff' || substr(content, 2) AS TEXT)", "damaged"),
        ("UPDATE turns SET speaker = 'Ann'", "that it brought"),
        ("UPDATE turns SET role = 'system' WHERE turn_no = 2", "that it brought"),
        (
            "UPDATE turns SET occurred_us = 0, occurred_offset = 0, occurred_precision = 'day'",
            "that it brought",
        ),
        (
            "UPDATE turns SET occurred_us = 0, occurred_offset = 99999, occurred_precision = 'day'",
            "damaged",
        ),
        ("UPDATE turns SET session_no = 1 WHERE turn_no < 2", "that it brought"),
        ("UPDATE requests SET payload_digest = zeroblob(32)", "that it brought"),
        ("UPDATE segments SET data = x'00'", "segment"),
        ("UPDATE segments SET data = substr(data, 1, 60)", "segment"),
        ("DELETE FROM sessions WHERE session_no = 1", "refer"),
    ],
)
def test_a_backup_that_does_not_fit_together_is_refused_and_leaves_nothing(
    backup: Path, tmp_path: Path, statement: str, match: str
) -> None:
    with closing(sqlite3.connect(backup, isolation_level=None)) as raw:
        raw.execute(statement)
    _fails(backup, tmp_path / "new", match)


def test_a_backup_with_a_damaged_page_is_refused(backup: Path, tmp_path: Path) -> None:
    data = bytearray(backup.read_bytes())
    for page in range(2, len(data) // 4096):
        data[page * 4096 : page * 4096 + 100] = bytes(100)
    backup.write_bytes(data)
    _fails(backup, tmp_path / "new", "damaged")


def test_a_backup_that_was_cut_off_is_named_itself(backup: Path, tmp_path: Path) -> None:
    data = backup.read_bytes()
    for share in (0.1, 0.5, 0.9):
        backup.write_bytes(data[: int(len(data) * share)])
        _fails(backup, tmp_path / f"new-{share}", f"{backup.name} is damaged")


def test_a_file_that_is_no_backup_is_refused(tmp_path: Path) -> None:
    (tmp_path / "junk").write_bytes(b"no database, whatever its name says" * 300)
    _fails(tmp_path / "junk", tmp_path / "new", "junk is damaged, or no backup of graphmem's")
    (tmp_path / "empty").write_bytes(b"")
    _fails(tmp_path / "empty", tmp_path / "new1", "empty holds no memory database")
    with pytest.raises(InvalidInputError, match="not a file"):
        restored(tmp_path / "absent", tmp_path / "new2")
    assert not (tmp_path / "new2").exists()


def test_a_damaged_database_is_told_when_it_is_backed_up(
    service: MemoryService, data_dir: Path, tmp_path: Path
) -> None:
    service.close()
    path = data_dir / "memory.sqlite"
    data = bytearray(path.read_bytes())
    for page in range(2, len(data) // 4096):
        data[page * 4096 : page * 4096 + 100] = bytes(100)
    path.write_bytes(data)
    with pytest.raises(StoreFormatError, match="damaged"):
        back_up(ServiceConfig(data_dir=data_dir), tmp_path / "b.sqlite", quiet)
    assert [path.name for path in tmp_path.iterdir()] == ["data"]
