"""Export writes memories as lines of the exchange format, each memory from one snapshot."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, Final

from graphmem._version import __version__
from graphmem.domain.exchange import ExchangeProgress, ExportReport
from graphmem.domain.scope import Scope
from graphmem.index.version import INDEX_VERSION
from graphmem.ports.store import Head, ReadTransaction, Store, VectorRow
from graphmem.service import exchange
from graphmem.service.exchange import Digest, LineKind, Opening, Values
from graphmem.service.exchange_atoms import atom_lines
from graphmem.service.exchange_scenes import scene_lines
from graphmem.service.rebuild import all_scopes
from graphmem.service.sessions import sessions_of

_PAGE: Final = 256  # rows that are held at once

Line = tuple[LineKind, Values]


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Which memories are meant: all, those of a tenant, or one; None stands for all."""

    tenant_id: str | None = None
    memory_id: str | None = None

    def holds(self, scope: Scope) -> bool:
        """Whether a memory is meant."""
        return self.tenant_id in {None, scope.tenant_id} and self.memory_id in {
            None,
            scope.memory_id,
        }


class Exporter:
    """Writes one file. The same memories give the same bytes.

    Args:
        store: the memories.
        file: where to write.
        vectors: whether to write vectors, too.
        progress: told after each page.
    """

    def __init__(
        self,
        store: Store,
        file: BinaryIO,
        *,
        vectors: bool,
        progress: Callable[[ExchangeProgress], None] | None,
    ) -> None:
        self._store = store
        self._file = file
        self._vectors = vectors
        self._progress = progress
        self._whole = Digest()
        self._lines = 0
        self._memories = 0
        self._deleted = 0
        self._turns = 0

    def run(self, selection: Selection) -> ExportReport:
        """Write the memories that are meant, ordered by tenant and id; then the deleted ones.

        Raises:
            OSError: the file can't be written.
            StoreError: the store failed.
        """
        self._write(
            "header",
            {
                "format": exchange.FORMAT,
                "version": exchange.VERSION,
                "graphmem": __version__,
                "index": INDEX_VERSION,
                "vectors": self._vectors,
            },
        )
        for scope in all_scopes(self._store):
            if selection.holds(scope):
                self._memories += self._export(scope, is_deleted=False)
        for scope in _all_graves(self._store):
            if selection.holds(scope):
                self._deleted += self._export(scope, is_deleted=True)
        digest = self._whole.text()
        counts = {"memories": self._memories, "deleted": self._deleted, "turns": self._turns}
        self._write("footer", {**counts, "lines": self._lines + 1, "digest": digest})
        return ExportReport(
            memories=self._memories,
            deleted=self._deleted,
            turns=self._turns,
            lines=self._lines,
            digest=digest,
        )

    def _export(self, scope: Scope, *, is_deleted: bool) -> bool:
        """Write one memory; False if it was deleted, or made anew, meanwhile."""
        with self._store.read(scope) as snapshot:
            head = snapshot.grave() if is_deleted else snapshot.head()
            if head is None:
                return False
            own = Digest()
            lines = 0
            for kind, values in self._lines_of(scope, head, snapshot, is_deleted=is_deleted):
                own.update(self._write(kind, values))
                lines += 1
            self._write("end", {"lines": lines, "digest": own.text()})
        self._tell(1)
        return True

    def _lines_of(
        self, scope: Scope, head: Head, read: ReadTransaction, *, is_deleted: bool
    ) -> Iterator[Line]:
        spent = read.chat_tokens()
        opening = Opening(scope=scope, head=head, is_deleted=is_deleted, chat_tokens=spent)
        yield "memory", exchange.memory_values(opening)
        if not is_deleted:
            for session in sessions_of(read):
                yield "session", exchange.session_values(session)
            yield from atom_lines(read)
            yield from self._turn_lines(head, read)
            yield from scene_lines(read)
        yield from _requests(read)
        for tombstone in read.tombstones():
            yield "tombstone", exchange.tombstone_values(tombstone)
        if self._vectors and not is_deleted:
            yield from self._vector_lines(read)

    def _turn_lines(self, head: Head, read: ReadTransaction) -> Iterator[Line]:
        for start in range(0, head.next_turn, _PAGE):
            turns = read.turns(range(start, min(start + _PAGE, head.next_turn)))
            for turn in turns:
                yield "turn", exchange.turn_values(turn)
            self._turns += len(turns)
            self._tell(0)

    def _vector_lines(self, read: ReadTransaction) -> Iterator[Line]:
        known = {model.fingerprint: model for model in self._store.models()}
        for fingerprint in read.vector_models():
            for span in read.vector_spans(fingerprint):
                for row in _rows_at(read, fingerprint, span.first_turn):
                    yield "vectors", exchange.vector_values(row, known[fingerprint])

    def _write(self, kind: LineKind, values: Values) -> bytes:
        line = exchange.to_line(kind, values)
        self._file.write(line)
        self._whole.update(line)
        self._lines += 1
        return line

    def _tell(self, finished: int) -> None:
        if self._progress:
            done = self._memories + self._deleted + finished
            self._progress(ExchangeProgress(memories=done, turns=self._turns))


def known_scopes(store: Store) -> Iterator[Scope]:
    """The memories that there are, and those that were deleted."""
    yield from all_scopes(store)
    yield from _all_graves(store)


def _requests(read: ReadTransaction) -> Iterator[Line]:
    behind: tuple[str, str] | None = None
    while page := read.requests(behind=behind, limit=_PAGE):
        for request in page:
            yield "request", exchange.request_values(request)
        behind = (page[-1].surface, page[-1].request_id)


def _rows_at(read: ReadTransaction, model: str, first_turn: int) -> list[VectorRow]:
    return read.vectors_around(model, [first_turn])


def _all_graves(store: Store) -> Iterator[Scope]:
    after: Scope | None = None
    while page := store.graves(after=after, limit=_PAGE):
        yield from page
        after = page[-1]
