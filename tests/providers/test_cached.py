from __future__ import annotations

import logging
import sqlite3
import stat
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np
import pytest

from graphmem.errors import EmbeddingResponseError, EmbeddingUnavailableError
from graphmem.ports.embedder import Embedder
from graphmem.providers.embedding import cached as module
from graphmem.providers.embedding.cached import CachedEmbedder
from graphmem.providers.embedding.fake import Failure, FakeEmbedder
from graphmem.providers.embedding.registry import EmbedderSpec, open_pool

Open = Callable[[Callable[[], Embedder]], CachedEmbedder]
TEXTS = ["tea", "茶", "", "half a pair \ud800"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "new" / "embeddings.sqlite"


@pytest.fixture
def open_cache(path: Path) -> Iterator[Open]:
    opened: list[CachedEmbedder] = []

    def open_one(make: Callable[[], Embedder]) -> CachedEmbedder:
        opened.append(CachedEmbedder(make, path, fingerprint="f"))
        return opened[-1]

    yield open_one
    for one in opened:
        one.close()


def never() -> Embedder:
    raise AssertionError("the model was loaded")


def test_vectors_are_the_model_s_own_bits_from_the_file_too(open_cache: Open) -> None:
    plain = FakeEmbedder().embed_passages(TEXTS)
    first = open_cache(FakeEmbedder).embed_passages(TEXTS)
    second = open_cache(never).embed_passages(TEXTS)
    assert first.tobytes() == second.tobytes() == plain.tobytes()
    assert second.dtype == np.float32


def test_the_model_is_not_loaded_while_the_file_knows_everything(open_cache: Open) -> None:
    open_cache(FakeEmbedder).embed_queries(TEXTS)
    known = open_cache(never)
    assert (known.model.name, known.model.dimension) == ("fake", 64)
    assert known.embed_queries(list(reversed(TEXTS))).shape == (4, 64)
    assert known.embed_passages([]).shape == (0, 64)


def test_only_new_texts_are_asked_for_and_each_once(open_cache: Open) -> None:
    open_cache(FakeEmbedder).embed_passages(["tea"])
    inner = FakeEmbedder()
    cached = open_cache(lambda: inner)
    vectors = cached.embed_passages(["milk", "tea", "milk"])
    assert inner.texts == 1
    assert vectors.tobytes() == FakeEmbedder().embed_passages(["milk", "tea", "milk"]).tobytes()


def test_queries_and_passages_are_apart(open_cache: Open) -> None:
    inner = FakeEmbedder()
    cached = open_cache(lambda: inner)
    cached.embed_passages(["tea"])
    cached.embed_queries(["tea"])
    assert inner.texts == 2


def test_models_are_apart(open_cache: Open, path: Path) -> None:
    open_cache(FakeEmbedder).embed_passages(["tea"])
    other = CachedEmbedder(lambda: FakeEmbedder(8), path, fingerprint="g")
    assert other.embed_passages(["tea"]).shape == (1, 8)
    other.close()


def test_a_failure_of_the_model_passes_and_leaves_nothing(open_cache: Open) -> None:
    inner = FakeEmbedder(fail=Failure.DOWN)
    cached = open_cache(lambda: inner)
    with pytest.raises(EmbeddingUnavailableError):
        cached.embed_passages(["tea"])
    inner.recover()
    assert cached.embed_passages(["tea"]).shape == (1, 64)


@pytest.mark.parametrize("failure", [Failure.NAN, Failure.WRONG_DIMENSION, Failure.WRONG_COUNT])
def test_what_is_no_vector_is_never_kept(open_cache: Open, failure: Failure) -> None:
    with pytest.raises(EmbeddingResponseError):
        open_cache(lambda: FakeEmbedder(fail=failure)).embed_passages(["tea"])
    inner = FakeEmbedder()
    open_cache(lambda: inner).embed_passages(["tea"])
    assert inner.texts == 1


@pytest.mark.parametrize("data", [b"", b"\0" * 256, b"\xff" * 256, b"x" * 255, "text"])
def test_a_spoiled_row_is_embedded_again(open_cache: Open, path: Path, data: object) -> None:
    good = open_cache(FakeEmbedder).embed_passages(["tea"])
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE vector SET data = ?", (data,))
    assert open_cache(FakeEmbedder).embed_passages(["tea"]).tobytes() == good.tobytes()
    assert open_cache(never).embed_passages(["tea"]).tobytes() == good.tobytes()


def test_a_damaged_file_is_a_warning(
    open_cache: Open, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path.parent.mkdir()
    path.write_bytes(b"no database at all" * 100)
    cached = open_cache(FakeEmbedder)
    assert cached.embed_passages(["tea"]).shape == (1, 64)
    assert cached.embed_queries(["tea"]).shape == (1, 64)
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert str(path) in record.getMessage()
    assert path.read_bytes().startswith(b"no database")


def test_a_place_that_cannot_be_written_is_a_warning(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    cached = CachedEmbedder(FakeEmbedder, tmp_path / "file" / "cache", fingerprint="f")
    assert cached.embed_passages(["tea"]).shape == (1, 64)
    assert len(caplog.records) == 1


def test_many_threads_share_a_file(path: Path) -> None:
    def embed(start: int) -> bytes:
        cached = CachedEmbedder(FakeEmbedder, path, fingerprint="f")
        rows = [cached.embed_passages([f"text {n}"]) for n in range(start, start + 40)]
        cached.close()
        return np.concatenate(rows).tobytes()

    starts = [0, 20, 0, 20, 40, 0]
    with ThreadPoolExecutor(len(starts)) as pool:
        found = list(pool.map(embed, starts))
    expected = [
        FakeEmbedder().embed_passages([f"text {n}" for n in range(s, s + 40)]) for s in starts
    ]
    assert found == [rows.tobytes() for rows in expected]


def test_a_file_that_another_process_is_just_making_is_waited_for(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path.parent.mkdir()
    with ThreadPoolExecutor(1) as pool:
        with locked(path):
            late = pool.submit(embed_apart, path, "tea")
            with pytest.raises(TimeoutError):
                late.result(0.2)
        late.result(20)
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT count(*) FROM vector").fetchone() == (1,)
    assert caplog.messages == []


@contextmanager
def locked(path: Path) -> Iterator[None]:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("BEGIN IMMEDIATE")
        yield
        db.execute("ROLLBACK")


def test_a_lock_that_passes_is_waited_for(
    open_cache: Open, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    open_cache(FakeEmbedder).embed_passages(["tea"])
    with ThreadPoolExecutor(1) as pool:
        with locked(path):
            late = pool.submit(embed_apart, path, "milk")
            with pytest.raises(TimeoutError):
                late.result(0.2)
        late.result(20)
    assert open_cache(never).embed_passages(["milk"]).shape == (1, 64)
    assert caplog.messages == []


def embed_apart(path: Path, text: str) -> None:
    with closing(CachedEmbedder(FakeEmbedder, path, fingerprint="f")) as apart:
        apart.embed_passages([text])


def test_a_lock_that_stays_is_a_warning_and_the_file_is_used_again_later(
    open_cache: Open,
    path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(module, "BUSY_SECONDS", 0.05)
    held = open_cache(FakeEmbedder)
    held.embed_passages(["tea"])
    with locked(path):
        assert held.embed_passages(["milk"]).shape == (1, 64)
        assert held.embed_passages(["bread"]).shape == (1, 64)
    (message,) = caplog.messages
    assert "locked" in message
    now = time.monotonic() + module.REST_SECONDS
    monkeypatch.setattr(time, "monotonic", lambda: now)
    held.embed_passages(["honey"])
    assert open_cache(never).embed_passages(["honey"]).shape == (1, 64)


def test_the_file_is_for_its_user_alone(open_cache: Open, path: Path) -> None:
    open_cache(FakeEmbedder).embed_passages(["tea"])
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_no_text_is_in_the_file(open_cache: Open, path: Path) -> None:
    cached = open_cache(FakeEmbedder)
    cached.embed_passages(["my-diary-entry"])
    cached.close()
    assert all(b"my-diary-entry" not in file.read_bytes() for file in path.parent.iterdir())


def test_a_spec_with_a_file_uses_it(path: Path) -> None:
    for _ in range(2):
        pool = open_pool(EmbedderSpec(name="fake", disk_cache=path))
        assert pool is not None
        assert pool.submit_passages(["tea"], background=False).result(20).shape == (1, 64)
        pool.close()
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("SELECT count(*), kind FROM vector").fetchall() == [(1, "passage")]
