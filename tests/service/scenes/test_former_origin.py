"""Earlier builds wrote `model` for what a chat model found: their stores and files mean `llm`."""

from __future__ import annotations

import io
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.providers.chat.scripted import ScriptedChat
from tests.service.atoms.makers import atoms, only, say
from tests.service.scenes.makers import SCOPE, is_out, lister, origins, told_service
from tests.service.scenes.test_exchange import TOLD, exported, of_file
from tests.service.test_exchange import sealed

from graphmem.service.memory import MemoryService
from graphmem.stores import rows
from graphmem.stores.memory.store import MemoryStore
from graphmem.stores.sqlite.store import SqliteStore

CHANGED = {"I adore sushi.": "llm", "I live in Oslo.": "llm"}


def fill(service: MemoryService) -> None:
    """Two atoms of a model, one of which a hand changed."""
    say(service, *TOLD)
    service.update_atom("t", "m", only(service, "I love sushi.").atom.atom_id, "I adore sushi.")


@pytest.fixture
def former(tmp_path: Path) -> Path:
    """A data directory as an earlier build left it."""
    with (
        closing(SqliteStore.open(tmp_path)) as store,
        told_service(store, ScriptedChat(lister)) as service,
    ):
        fill(service)
    with closing(sqlite3.connect(tmp_path / "memory.sqlite")) as database, database:
        database.execute("UPDATE atom_sources SET origin = 'model' WHERE origin = 'llm'")
        for table in ("atoms", "atom_history"):
            database.execute(
                f"UPDATE {table} SET data = "  # noqa: S608 - a name of the two above
                """CAST(replace(CAST(data AS TEXT), '"llm"', '"model"') AS BLOB)"""
            )
            assert database.execute(
                f"SELECT count(*) FROM {table} WHERE CAST(data AS TEXT) LIKE '%model%'"  # noqa: S608
            ).fetchone() == (2,)
    return tmp_path


def test_a_database_of_an_earlier_build_is_read(former: Path) -> None:
    with (
        closing(SqliteStore.open(former)) as store,
        told_service(store, ScriptedChat(is_out)) as service,
    ):
        assert origins(service) == CHANGED
        before = atoms(service)
        with store.read(SCOPE) as snapshot:
            assert {source.origin for source in snapshot.atom_sources([0, 1])} == {"llm"}
        assert service.inspect("t", "m").origins == {"llm": 2}
        assert b'"origin":"model"' not in exported(service)
        service.rebuild("t", "m")
        assert atoms(service) == before


def test_a_file_of_an_earlier_build_is_read() -> None:
    with told_service(MemoryStore(), ScriptedChat(lister)) as service:
        fill(service)
        file = exported(service)
    lines = of_file(file)
    named = [line for line in lines if line.get("origin") == "llm"]
    assert {line["type"] for line in named} == {"atom", "atom_source", "atom_state"}
    for line in named:
        line["origin"] = "model"
    with told_service(MemoryStore(), ScriptedChat(is_out)) as service:
        service.import_(io.BytesIO(sealed(lines)))
        assert origins(service) == CHANGED
        assert exported(service) == file


def test_every_sql_store_reads_the_former_name() -> None:
    assert rows.to_atom_source((0, 1, 2, 3, b"model")).origin == "llm"
