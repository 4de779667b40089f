"""Every error of PostgreSQL has one of graphmem's, which shows neither a row nor a password."""

from __future__ import annotations

import traceback
from contextlib import suppress

import pytest

from graphmem.errors import (
    ConfigError,
    StoreError,
    StoreFormatError,
    StoreFullError,
    StoreUnavailableError,
)
from graphmem.stores.postgres import PostgresStore
from tests.stores.rows import SCOPE, add, contents, make_request, make_turn
from tests.stores.server import Server

psycopg = pytest.importorskip("psycopg", reason="the PostgreSQL store needs psycopg")

from graphmem.stores.postgres.errors import (  # noqa: E402 - needs psycopg
    CLASS_ERRORS,
    CODE_ERRORS,
    Seam,
    translate,
)
from graphmem.stores.postgres.place import Place  # noqa: E402 - needs psycopg

NAME = "postgresql://host/db"
SECRET = "pa55word"  # noqa: S105 - of nobody
WHO, WHAT = "of-a-person", "said-in-private"


def _known_codes() -> set[str]:
    """All codes that psycopg has a class for."""
    found = [getattr(psycopg.errors, name) for name in dir(psycopg.errors)]
    states = [getattr(kind, "sqlstate", None) for kind in found if isinstance(kind, type)]
    return {state for state in states if isinstance(state, str)}


def test_the_map_is_complete() -> None:
    codes = _known_codes()
    assert len(codes) > 200
    assert {code[:2] for code in codes} == set(CLASS_ERRORS)
    assert set(CODE_ERRORS) <= codes


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("53100", StoreFullError),
        ("53300", StoreUnavailableError),
        ("53200", StoreUnavailableError),
        ("08006", StoreUnavailableError),
        ("57P01", StoreUnavailableError),
        ("57P03", StoreUnavailableError),
        ("57014", StoreUnavailableError),
        ("25P03", StoreUnavailableError),
        ("25006", StoreUnavailableError),
        ("28P01", StoreUnavailableError),
        ("40001", StoreUnavailableError),
        ("40P01", StoreUnavailableError),
        ("42501", StoreUnavailableError),
        ("58030", StoreUnavailableError),
        ("42P01", StoreFormatError),
        ("3F000", StoreFormatError),
        ("XX001", StoreFormatError),
        ("23505", StoreError),
        ("23503", StoreError),
        ("22P02", StoreError),
    ],
)
def test_codes_of_postgresql(code: str, expected: type[StoreError]) -> None:
    translated = translate(psycopg.errors.lookup(code)("told by the server"), NAME)
    assert type(translated) is expected
    assert NAME in str(translated)
    assert code in str(translated)
    assert "told" not in str(translated)


def test_a_connection_that_can_not_be_made_is_told_in_its_own_words() -> None:
    translated = translate(psycopg.OperationalError("connection\nrefused"), NAME)
    assert type(translated) is StoreUnavailableError
    assert "connection refused" in str(translated)


def test_misuse_of_the_driver_is_a_store_error_without_its_words() -> None:
    translated = translate(psycopg.ProgrammingError("with a value"), NAME)
    assert type(translated) is StoreError
    assert "value" not in str(translated)


def test_every_error_names_a_remedy() -> None:
    for code in _known_codes():
        assert len(str(translate(psycopg.errors.lookup(code)(), NAME))) > len(NAME) + 40


def test_the_seam_passes_what_is_not_its_own() -> None:
    with pytest.raises(KeyError), Seam(NAME):
        raise KeyError
    with Seam(NAME):
        pass


def test_no_row_is_in_an_error_or_its_traceback(postgres: PostgresStore) -> None:
    add(postgres)

    def repeat() -> None:
        with postgres.write(SCOPE) as transaction:
            transaction.put_request(make_request(WHO))
            with suppress(StoreError):
                transaction.put_turns([make_turn(0, WHAT)])

    with pytest.raises(StoreError, match="23505") as caught:
        repeat()
    told = "".join(traceback.format_exception(caught.value))
    for quoted in (WHO, WHAT, WHAT.encode().hex(), "already exists", "DETAIL", "t_0"):
        assert quoted not in told


def test_a_missing_table_is_a_format_error(postgres: PostgresStore) -> None:
    add(postgres)
    with postgres._writers.lend() as connection:
        connection.run("DROP TABLE graphmem.segments")
    with pytest.raises(StoreFormatError, match="backup"), postgres.read(SCOPE) as snapshot:
        snapshot.segments(since=0)
    assert contents(postgres) == ["hello"]


UNUSABLE = [
    f"postgresql://user:{SECRET}@localhost:port/db",
    f"postgresql://user:{SECRET}@host/db?nonsense=1",
    f"postgresql://user:a/{SECRET}@host/db",
    f"postgresql://user:a@{SECRET}@host/db",
    f"postgresql://user:a#{SECRET}@host/db",
    f"postgresql://user:%zz{SECRET}@host/db",
    f"mysql://user:{SECRET}@host/db",
    f"host=localhost password={SECRET}",
    SECRET,
    "",
]


@pytest.mark.parametrize("url", UNUSABLE)
def test_a_url_that_can_not_be_used_is_not_shown(url: str) -> None:
    with pytest.raises(ConfigError, match="postgresql://") as caught:
        PostgresStore.open(url)
    assert SECRET not in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql://user:{SECRET}@localhost:1/db",
        f"postgresql://user:{SECRET}@127.0.0.1:1,127.0.0.1:2/db",
        f"postgresql://localhost:1/db?user=u&password={SECRET}",
        f"postgres://user:{SECRET}@no-such-host.invalid/db",
        f"postgresql://user:{SECRET}@localhost:1/db?sslmode=sometimes",
        f"postgresql://user:{SECRET}@/db?host=/nowhere",
    ],
)
def test_a_server_that_is_not_there_is_named_without_the_password(url: str) -> None:
    with pytest.raises(StoreUnavailableError, match="/db: ") as caught:
        PostgresStore.open(url)
    assert SECRET not in "".join(traceback.format_exception(caught.value))


def test_a_database_that_is_not_there_is_named(server: Server) -> None:
    with pytest.raises(StoreUnavailableError, match="nowhere"):
        PostgresStore.open(server.url("nowhere"))


def test_a_place_does_not_show_its_password() -> None:
    place = Place.parse(f"postgresql://user:{SECRET}%40@host:5432/db")
    assert place.name == "postgresql://host:5432/db"
    assert place.parameters["password"] == f"{SECRET}@"
    assert SECRET not in repr(place)
