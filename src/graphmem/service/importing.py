"""Import reads an exchange file memory by memory: each comes in whole, or not at all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import BinaryIO, Final

from graphmem.domain.exchange import ExchangeProgress
from graphmem.domain.scope import Scope, digest_parts
from graphmem.index.version import INDEX_VERSION
from graphmem.ports.store import Head, Store, WriteTransaction
from graphmem.service import exchange, exchange_atoms, exchange_scenes
from graphmem.service.atoms.maker import AtomMaker
from graphmem.service.build import Build
from graphmem.service.exchange import Digest, Opening
from graphmem.service.export import Selection
from graphmem.service.fields import Fields, wrong
from graphmem.service.sinks import Comparing, Sink, Writing

_ORDER: Final = (
    "session",
    "atom",
    "atom_source",
    "atom_state",
    "turn",
    "scene",
    "request",
    "tombstone",
    "vectors",
)
_TELL_TURNS: Final = 256
_CUT_OFF: Final = "the file ends before its footer; copy or export it again"


class _Source:
    """The lines of a file with their numbers and digests; the last one read is in no digest yet."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._last = b""
        self.number = 0
        self.whole = Digest()
        self.own = Digest()
        self.own_lines = 0

    def next(self) -> Fields:
        """The next line.

        Raises:
            InvalidInputError: there is none, or it is cut off or no JSON object.
        """
        self._fold()
        line = self._file.readline()
        self.number += 1
        if not line.endswith(b"\n"):
            raise wrong(self.number, "", _CUT_OFF)
        self._last = line
        return Fields(self.number, line)

    def begin_memory(self) -> None:
        """The last line opens a memory."""
        self.own = Digest()
        self.own_lines = 0

    def require_end(self) -> None:
        """Refuse what comes behind the footer."""
        if self._file.readline():
            raise wrong(self.number + 1, "", "comes behind the footer")

    def _fold(self) -> None:
        self.whole.update(self._last)
        self.own.update(self._last)
        self.own_lines += 1


@dataclass(slots=True)
class Came:
    """What an import did so far.

    Attributes:
        scopes: memories that came in, or were here, and are not deleted.
    """

    scopes: list[Scope] = field(default_factory=list)
    imported: int = 0
    unchanged: int = 0
    skipped: int = 0
    turns: int = 0


class Importer:
    """Reads one file. What an interrupted import brought in stays; the next one goes on behind it.

    Args:
        store: where the memories shall be.
        settle: publishes a memory whose rows are written.
        atoms: makes the atoms of what comes in.
        progress: told after each memory and within large ones.
    """

    def __init__(
        self,
        store: Store,
        settle: Callable[[Scope, WriteTransaction], None],
        atoms: AtomMaker,
        progress: Callable[[ExchangeProgress], None] | None,
    ) -> None:
        self._store = store
        self._settle = settle
        self._atoms = atoms
        self._progress = progress
        self._takes_vectors = False
        self._memories = 0
        self._turns = 0
        self.came = Came()

    def run(self, file: BinaryIO, selection: Selection) -> Came:
        """Bring in the memories that are meant.

        Raises:
            InvalidInputError: a line is wrong, or a memory is here with other contents; nothing of
                its memory was changed, and those before it are in.
            StoreError: the store failed; the memory at hand was undone.
        """
        source = _Source(file)
        header = source.next()
        self._takes_vectors = exchange.check_header(header) == INDEX_VERSION
        header.text("graphmem")
        header.flag("vectors")
        header.finish()
        while (line := source.next()).kind == "memory":
            source.begin_memory()
            self._memory(source, line, selection)
        self._footer(source, line)
        return self.came

    def _memory(self, source: _Source, line: Fields, selection: Selection) -> None:
        build = Build(index=INDEX_VERSION, atoms=self._atoms.version)
        opening = exchange.read_memory(line, build)
        line.finish()
        scope, head = opening.scope, opening.head
        if head.next_turn >= 2**31 or head.next_session >= 2**31:
            raise line.wrong("turns", "are more than a memory can number")
        if not selection.holds(scope):
            _Copying(source, head, Sink(), self._tell_turn).run()
            self.came.skipped += 1
        elif self._is_there(scope):
            with self._store.read(scope) as read:
                sink = Comparing(read, head, line, is_deleted=opening.is_deleted)
                _Copying(source, head, sink, self._tell_turn).run()
            self.came.unchanged += 1
            if not opening.is_deleted:
                self.came.scopes.append(scope)
        else:
            self._write(source, opening)
        self._memories += 1
        self._tell()

    def _write(self, source: _Source, opening: Opening) -> None:
        scope = opening.scope
        with self._store.write(scope) as tx:
            sink = Writing(
                tx,
                opening,
                takes_vectors=self._takes_vectors,
                settle=partial(self._settle, scope),
                make_atoms=partial(self._atoms.write, tx, scope),
            )
            _Copying(source, opening.head, sink, self._tell_turn).run()
        self.came.imported += 1
        if not opening.is_deleted:
            self.came.turns += opening.head.turns
            self.came.scopes.append(scope)

    def _is_there(self, scope: Scope) -> bool:
        with self._store.read(scope) as read:
            return read.head() is not None or read.grave() is not None

    def _footer(self, source: _Source, line: Fields) -> None:
        if line.kind != "footer":
            raise line.wrong("type", "must be memory or footer here")
        for name in ("memories", "deleted", "turns"):
            line.whole(name)
        if line.whole("lines") != source.number:
            raise line.wrong("lines", f"the file has {source.number}; copy or export it again")
        if line.text("digest") != source.whole.text():
            raise line.wrong("digest", "the file was changed; copy or export it again")
        line.finish()
        source.require_end()

    def _tell_turn(self) -> None:
        self._turns += 1
        if self._turns % _TELL_TURNS == 0:
            self._tell()

    def _tell(self) -> None:
        if self._progress:
            self._progress(ExchangeProgress(memories=self._memories, turns=self._turns))


class _Copying:
    """Takes the lines of one memory, behind its first, into a sink."""

    def __init__(
        self, source: _Source, head: Head, sink: Sink, tell_turn: Callable[[], None]
    ) -> None:
        self._source = source
        self._head = head
        self._sink = sink
        self._tell_turn = tell_turn
        self._sessions: dict[int, str] = {}
        self._session_ids: set[str] = set()
        self._last: tuple[int, object] = (-1, None)

    def run(self) -> None:
        """Copy up to and with the line `end`.

        Raises:
            InvalidInputError: a line is wrong.
        """
        while (line := self._source.next()).kind != "end":
            if line.kind not in _ORDER:
                raise line.wrong("type", "must be a row of the memory, or its end, here")
            self._take(line)
        if line.whole("lines") != self._source.own_lines:
            raise line.wrong("lines", f"the memory has {self._source.own_lines} of them")
        if line.text("digest") != self._source.own.text():
            raise line.wrong("digest", "the memory's lines were changed; copy or export it again")
        line.finish()
        self._sink.end(line)

    def _take(self, line: Fields) -> None:
        match line.kind:
            case "session":
                self._take_session(line)
            case "turn":
                turn = exchange.read_turn(line, self._sessions)
                self._check(line, turn.turn_no, turn.version)
                self._sink.turn(turn, line)
                self._tell_turn()
            case "scene":
                scene = exchange_scenes.read_scene(line, self._sessions)
                self._check(line, scene.row.place, 1)
                self._sink.scene(scene, line)
            case "request":
                request = exchange.read_request(line)
                key = (request.surface, digest_parts(request.request_id))
                self._check(line, key, request.version)
                self._sink.request(request, line)
            case "tombstone":
                tombstone = exchange.read_tombstone(line)
                self._check(line, tombstone.version, tombstone.version)
                self._sink.tombstone(tombstone, line)
            case "atom" | "atom_source" | "atom_state":
                self._take_atom(line)
            case _:
                row, model = exchange.read_vectors(line)
                self._check(line, (row.model, row.first_turn), row.version)
                self._sink.vectors(row, model, line)

    def _take_atom(self, line: Fields) -> None:
        match line.kind:
            case "atom":
                atom = exchange_atoms.read_atom(line)
                self._check(line, atom.atom_id, 1)
                self._sink.atom(atom, line)
            case "atom_source":
                found = exchange_atoms.read_source(line)
                at = found.source
                self._check(line, (found.atom_id, at.turn_no, at.start), 1)
                self._sink.atom_source(found, line)
            case _:
                state = exchange_atoms.read_state(line)
                self._check(line, (state.atom_id, state.revision), 1)
                self._sink.atom_state(state, line)

    def _take_session(self, line: Fields) -> None:
        session = exchange.read_session(line)
        self._check(line, session.session_no, 1)
        if session.session_id in self._session_ids:
            raise line.wrong("session_id", "is there twice")
        self._session_ids.add(session.session_id)
        self._sessions[session.session_no] = session.session_id
        self._sink.session(session, line)

    def _check(self, line: Fields, key: object, version: int) -> None:
        """Refuse unknown fields, rows out of order, and versions that the memory never had."""
        line.finish()
        place = (_ORDER.index(line.kind), key)
        if not _is_behind(place, self._last):
            raise line.wrong("type", "is out of order, or there twice")
        if version > self._head.version:
            raise line.wrong("version", "is above the memory's version")
        self._last = place


def _is_behind(place: tuple[int, object], last: tuple[int, object]) -> bool:
    """Whether a row comes behind another; keys of one kind can be compared."""
    if place[0] != last[0]:
        return place[0] > last[0]
    return bool(place[1] > last[1])  # type: ignore[operator]
