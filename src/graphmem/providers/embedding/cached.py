"""Remembers on disk what a model made of a text, so that the same texts are never embedded twice."""

from __future__ import annotations

import hashlib
import logging
import math
import os
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final, Literal, TypeVar

import numpy as np

from graphmem.errors import EmbeddingResponseError
from graphmem.ports.embedder import Embedder, EmbeddingModel, Vectors
from graphmem.providers.embedding.checked import CheckedEmbedder, check_vectors

Kind = Literal["query", "passage"]
T = TypeVar("T")

BUSY_SECONDS: Final = 10.0  # a lock of another process or thread is waited for
FORGET_SECONDS: Final = 30.0  # a deletion waits longer, since it leaves nothing behind
REST_SECONDS: Final = 60.0  # after one that stayed, the file is left alone for so long
_PAUSE_SECONDS: Final = 0.01

_SCHEMA: Final = """
    CREATE TABLE IF NOT EXISTS model (
        fingerprint TEXT PRIMARY KEY, name TEXT NOT NULL, dimension INTEGER NOT NULL
    );
    CREATE TABLE IF NOT EXISTS vector (
        fingerprint TEXT NOT NULL, kind TEXT NOT NULL, digest BLOB NOT NULL, data BLOB NOT NULL,
        PRIMARY KEY (fingerprint, kind, digest)
    );
"""
_FIND_MODEL: Final = "SELECT name, dimension FROM model WHERE fingerprint = ?"
_FIND_VECTOR: Final = "SELECT data FROM vector WHERE fingerprint = ? AND kind = ? AND digest = ?"
_KEEP_MODEL: Final = "INSERT OR IGNORE INTO model VALUES (?, ?, ?)"
_KEEP_VECTOR: Final = "INSERT OR REPLACE INTO vector VALUES (?, ?, ?, ?)"
_FORGET_PASSAGE: Final = """
    DELETE FROM vector WHERE kind = 'passage' AND digest = ?
    AND fingerprint IN (SELECT fingerprint FROM model)
"""
_FLOATS: Final = np.dtype("<f4")

_log = logging.getLogger(__name__)


class CachedEmbedder:
    """Asks another embedder only for texts that are not in a file yet.

    That embedder is made when it is first needed, which is never while the file knows everything.
    Not thread-safe, but any number of threads and processes may use one file, each with an embedder
    of its own. A file that can't be used is given up with one warning; embedding goes on without.
    One that others have locked for long is left alone for a while only.
    Texts are kept as digests only; their vectors are as private as they are.
    """

    def __init__(self, make: Callable[[], Embedder], path: Path, *, fingerprint: str) -> None:
        """Prepare; nothing is opened yet.

        Args:
            make: makes the embedder behind the file.
            path: the file; it and its directory are made when absent.
            fingerprint: of the model behind it.
        """
        self._make = make
        self._file = _CacheFile(path, fingerprint)
        self._made: Embedder | None = None
        self._known: EmbeddingModel | None = None

    @property
    def model(self) -> EmbeddingModel:
        if self._known is None:
            self._known = self._file.model()
        if self._known is None:
            self._known = self._inner.model
            self._file.keep_model(self._known)
        return self._known

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return self._embed(texts, "passage")

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self._embed(texts, "query")

    def close(self) -> None:
        self._file.close()
        if self._made is not None:
            self._made.close()

    @property
    def _inner(self) -> Embedder:
        if self._made is None:
            self._made = CheckedEmbedder(self._make())
        return self._made

    def _embed(self, texts: Sequence[str], kind: Kind) -> Vectors:
        dimension = self.model.dimension
        found = {text: self._file.find(kind, text, dimension) for text in dict.fromkeys(texts)}
        missing = [text for text, vector in found.items() if vector is None]
        if missing:
            made = self._ask(missing, kind)
            self._file.keep(kind, missing, made)
            found |= dict(zip(missing, made, strict=True))
        rows = [vector for text in texts if (vector := found[text]) is not None]
        return np.array(rows, dtype=np.float32).reshape(len(rows), dimension)

    def _ask(self, texts: Sequence[str], kind: Kind) -> Vectors:
        ask = self._inner.embed_queries if kind == "query" else self._inner.embed_passages
        return ask(texts)


def forget_passages(path: Path, texts: Sequence[str]) -> None:
    """Take the vectors of texts out of a file, so that they die with what they were made of.

    A file that can't be used is left alone with a warning, as embedding does.
    """
    if not path.exists():
        return
    try:
        with closing(_open(path, FORGET_SECONDS)) as connection:
            connection.execute("PRAGMA secure_delete = ON")
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(_FORGET_PASSAGE, [(_digest(text),) for text in texts])
            connection.execute("COMMIT")
    except (sqlite3.Error, OSError) as error:
        _log.warning(
            "deleted texts' vectors could not be taken out of the embedding cache %s (%s); "
            "delete the file",
            path,
            type(error).__name__,
        )


class _CacheFile:
    """The vectors of one model in a SQLite file that others may use too; it never raises."""

    def __init__(self, path: Path, fingerprint: str) -> None:
        self._path = path
        self._fingerprint = fingerprint
        self._connection: sqlite3.Connection | None = None
        self._rests_until = 0.0

    def model(self) -> EmbeddingModel | None:
        """The model, if an embedder of it was ever asked."""
        row = self._try(lambda db: db.execute(_FIND_MODEL, (self._fingerprint,)).fetchone())
        match row:
            case (str(name), int(dimension)) if dimension > 0:
                return EmbeddingModel(name=name, dimension=dimension, fingerprint=self._fingerprint)
        return None

    def keep_model(self, model: EmbeddingModel) -> None:
        """Remember the model."""
        row = (self._fingerprint, model.name, model.dimension)
        self._try(lambda db: db.execute(_KEEP_MODEL, row))

    def find(self, kind: Kind, text: str, dimension: int) -> Vectors | None:
        """The vector of a text, float32 [dimension]; None where there is none, or no good one."""
        key = (self._fingerprint, kind, _digest(text))
        row = self._try(lambda db: db.execute(_FIND_VECTOR, key).fetchone())
        return _read(row[0], dimension) if row else None

    def keep(self, kind: Kind, texts: Sequence[str], vectors: Vectors) -> None:
        """Remember the vectors of texts, all or none."""
        rows = [
            (self._fingerprint, kind, _digest(text), vector.astype(_FLOATS).tobytes())
            for text, vector in zip(texts, vectors, strict=True)
        ]
        self._try(lambda db: _write(db, rows))

    def close(self) -> None:
        """Close the file."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def _try(self, use: Callable[[sqlite3.Connection], T]) -> T | None:
        """What `use` gives; None while the file is left alone."""
        if time.monotonic() < self._rests_until:
            return None
        try:
            if self._connection is None:
                self._connection = _open(self._path, BUSY_SECONDS)
            return use(self._connection)
        except (sqlite3.Error, OSError) as error:
            self.close()
            self._leave_alone(error)
            return None

    def _leave_alone(self, error: sqlite3.Error | OSError) -> None:
        name = type(error).__name__
        if _is_busy(error):
            self._rests_until = time.monotonic() + REST_SECONDS
            _log.warning(
                "the embedding cache %s is locked by others (%s); going on without it for %d s",
                self._path, name, REST_SECONDS,
            )  # fmt: skip
        else:
            self._rests_until = math.inf
            _log.warning(
                "the embedding cache %s can't be used (%s); going on without it; delete the file "
                "if it is damaged, or choose another place",
                self._path, name,
            )  # fmt: skip


def _open(path: Path, busy_seconds: float) -> sqlite3.Connection:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Vectors tell about their texts, so the file is for this user alone, as memories are.
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    connection = sqlite3.connect(path, timeout=busy_seconds, isolation_level=None)
    try:
        _use_wal(connection, busy_seconds)
        connection.execute("PRAGMA synchronous=NORMAL")  # a power cut may cost the newest vectors
        connection.executescript(_SCHEMA)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _use_wal(connection: sqlite3.Connection, busy_seconds: float) -> None:
    """Have the file write ahead; of those who open a new one, SQLite lets all but one fail.

    To change the mode it asks for the only lock, for which it does not wait.
    """
    until = time.monotonic() + busy_seconds
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if not _is_busy(error) or time.monotonic() > until:
                raise
        time.sleep(_PAUSE_SECONDS)


def _is_busy(error: Exception) -> bool:
    # The low byte is the code, the others tell what of.
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
    }


def _write(connection: sqlite3.Connection, rows: Sequence[tuple[str, str, bytes, bytes]]) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.executemany(_KEEP_VECTOR, rows)
        connection.execute("COMMIT")
    except sqlite3.Error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _read(data: object, dimension: int) -> Vectors | None:
    if not isinstance(data, bytes) or len(data) != dimension * _FLOATS.itemsize:
        return None
    vector = np.frombuffer(data, dtype=_FLOATS).astype(np.float32)
    try:
        check_vectors(vector[np.newaxis], count=1, dimension=dimension)
    except EmbeddingResponseError:
        return None
    return vector


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
