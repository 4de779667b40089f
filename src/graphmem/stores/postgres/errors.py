"""The one seam at which errors of PostgreSQL become graphmem's own, without a row's values."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import Final

import psycopg

from graphmem.errors import (
    StoreError,
    StoreFormatError,
    StoreFullError,
    StoreUnavailableError,
)

# By class of SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html): all of
# them, held by a test.
CLASS_ERRORS: Final[Mapping[str, type[StoreError]]] = {
    "02": StoreError,  # no data
    "03": StoreError,  # statement not yet complete
    "08": StoreUnavailableError,  # connection
    "09": StoreError,  # triggered action
    "0A": StoreError,  # feature not supported
    "0B": StoreError,  # transaction initiation
    "0F": StoreError,  # locator
    "0L": StoreUnavailableError,  # grantor
    "0P": StoreUnavailableError,  # role
    "0Z": StoreError,  # diagnostics
    "10": StoreError,  # XQuery
    "20": StoreError,  # case not found
    "21": StoreError,  # cardinality
    "22": StoreError,  # data
    "23": StoreError,  # integrity constraint
    "24": StoreError,  # cursor state
    "25": StoreError,  # transaction state
    # Prepared statements are gone: a proxy between gave us another server connection.
    "26": StoreUnavailableError,
    "27": StoreError,  # triggered data change
    "28": StoreUnavailableError,  # authorization
    "2B": StoreError,  # dependent privileges
    "2D": StoreError,  # transaction termination
    "2F": StoreError,  # SQL routine
    "34": StoreError,  # cursor name
    "38": StoreError,  # external routine
    "39": StoreError,  # external routine invocation
    "3B": StoreError,  # savepoint
    "3D": StoreUnavailableError,  # no such database
    # The statements are fixed: what they don't find means that the schema is not the one we made.
    "3F": StoreFormatError,  # no such schema
    "40": StoreUnavailableError,  # transaction rolled back: deadlock, serialization
    "42": StoreFormatError,  # no such table or column
    "44": StoreError,  # WITH CHECK OPTION
    "53": StoreUnavailableError,  # resources, such as too many connections
    "54": StoreError,  # program limits
    "55": StoreUnavailableError,  # not in the state that is needed, such as a lock
    "57": StoreUnavailableError,  # operator intervention: shutdown, time-out
    "58": StoreUnavailableError,  # system, such as input and output
    "72": StoreUnavailableError,  # snapshot too old
    "F0": StoreUnavailableError,  # configuration file
    "HV": StoreError,  # foreign data
    "P0": StoreError,  # PL/pgSQL
    "XX": StoreError,  # internal
}
# Those that differ from their class.
CODE_ERRORS: Final[Mapping[str, type[StoreError]]] = {
    "25006": StoreUnavailableError,  # a standby, or a server set to read only
    "25P03": StoreUnavailableError,  # idle in a transaction for too long
    "25P04": StoreUnavailableError,  # a transaction for too long
    "42501": StoreUnavailableError,  # no privilege
    "53100": StoreFullError,  # disk full
    "XX001": StoreFormatError,  # data corrupted
    "XX002": StoreFormatError,  # index corrupted
}

_REMEDIES: Final[Mapping[type[StoreError], str]] = {
    StoreError: "the write was undone",
    StoreFormatError: (
        "the schema graphmem is damaged or not graphmem's; restore it from a backup "
        "or choose another database"
    ),
    StoreFullError: ("the server's disk is full; free some space and send the same request again"),
    StoreUnavailableError: (
        "it can't be reached, read or written, or takes too long; check that the server runs, "
        "the URL and the role's rights, and send the same request again"
    ),
}


def translate(error: psycopg.Error, name: str) -> StoreError:
    """Give the graphmem error that stands for a foreign one, with its remedy.

    The server's words are left out, since they may quote rows; its code tells enough.
    """
    kind = _kind(error)
    return kind(f"{name}: {_REMEDIES[kind]} ({_cause(error)})")


class Seam:
    """Translates what leaves a `with` block; may be entered again and again."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> None:
        """Nothing is needed on the way in."""

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if isinstance(error, psycopg.Error):
            # Not as the cause: a log of it would show the rows that the server quotes.
            raise translate(error, self._name) from None


def _kind(error: psycopg.Error) -> type[StoreError]:
    if error.sqlstate is None:
        # The connection could not be made, or broke.
        is_lost = isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)
        return StoreUnavailableError if is_lost else StoreError
    by_class = CLASS_ERRORS.get(error.sqlstate[:2], StoreError)
    return CODE_ERRORS.get(error.sqlstate, by_class)


def _cause(error: psycopg.Error) -> str:
    name = type(error).__name__
    if error.sqlstate is not None:
        return f"SQLSTATE {error.sqlstate}, {name}"
    # libpq's own words about a connection, which name no row and no password.
    return " ".join(str(error).split()) if _kind(error) is StoreUnavailableError else name
