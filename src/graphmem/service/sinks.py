"""Sinks take the rows of one memory from an exchange file: to write them, or to compare them."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
from typing_extensions import override

from graphmem.domain.erasure import Tombstone
from graphmem.domain.payload import payload_digest
from graphmem.domain.turn import Turn, make_turn_id
from graphmem.errors import InvalidInputError, StoreFormatError
from graphmem.index.merge import SEALED_TURNS
from graphmem.index.vectors import from_bytes
from graphmem.ports.atoms import AtomEditRow
from graphmem.ports.embedder import EmbeddingModel
from graphmem.ports.store import (
    Head,
    ReadTransaction,
    RequestRow,
    SessionRow,
    VectorRow,
    WriteTransaction,
)
from graphmem.service.atomic.intake import is_atom_id
from graphmem.service.atoms.listing import place_of
from graphmem.service.exchange import Opening
from graphmem.service.exchange_atoms import AtomLine, SourceLine
from graphmem.service.exchange_scenes import SceneLine
from graphmem.service.fields import Fields
from graphmem.service.indexing import row_of, segment_of

_PAGE: Final = 256
_TURN_ID: Final = re.compile(r"t_[0-9a-f]{24}")


class Sink:
    """Takes rows in the order of the file, each with its line, for errors; this one lets them pass."""

    def session(self, row: SessionRow, line: Fields) -> None:
        """Take a session."""

    def turn(self, row: Turn, line: Fields) -> None:
        """Take a turn."""

    def scene(self, row: SceneLine, line: Fields) -> None:
        """Take a scene, with what was told of it."""

    def request(self, row: RequestRow, line: Fields) -> None:
        """Take a line of the ledger."""

    def tombstone(self, row: Tombstone, line: Fields) -> None:
        """Take a deletion."""

    def atom(self, row: AtomLine, line: Fields) -> None:
        """Take an atom that hands had to do with."""

    def atom_source(self, row: SourceLine, line: Fields) -> None:
        """Take a source of such an atom."""

    def atom_state(self, row: AtomEditRow, line: Fields) -> None:
        """Take a state of such an atom."""

    def vectors(self, row: VectorRow, model: EmbeddingModel, line: Fields) -> None:
        """Take vectors."""

    def end(self, line: Fields) -> None:
        """Take notice that all is there and that its digest is right."""


class Writing(Sink):
    """Writes a memory that is not there, with its index, in one transaction.

    Args:
        tx: the transaction.
        opening: what the file announces of it.
        takes_vectors: whether vectors of the file fit to this release's passages.
        settle: publishes the memory as what it is by then.
        make_atoms: writes the atoms of turns, for a version.
    """

    def __init__(
        self,
        tx: WriteTransaction,
        opening: Opening,
        *,
        takes_vectors: bool,
        settle: Callable[[WriteTransaction], None],
        make_atoms: Callable[[Sequence[Turn], int], None],
    ) -> None:
        self._tx = tx
        self._scope = opening.scope
        self._head = head = opening.head
        self._is_deleted = opening.is_deleted
        self._scene_turns = opening.scene_turns
        self._takes_vectors = takes_vectors
        self._settle = settle
        self._make_atoms = make_atoms
        self._turns: list[Turn] = []
        self._numbers = array("q")  # of all turns so far,
        self._passages = array("q")  # with the passages of each
        self._content_bytes = 0
        self._sessions = 0
        self._awaited: set[int] = set()  # turns on which atoms stand that hands had to do with
        self._atoms: dict[str, int | None] = {}  # the numbers of those that are not removed
        tx.create(replace(head, turns=0, sessions=0, content_bytes=0))
        if opening.chat_tokens:
            tx.add_chat_tokens(opening.chat_tokens)

    @override
    def session(self, row: SessionRow, line: Fields) -> None:
        """Write a session."""
        if row.session_no >= self._head.next_session:
            raise line.wrong("session_no", "is beyond the memory's sessions")
        self._sessions += 1
        self._tx.put_session(row)

    @override
    def turn(self, row: Turn, line: Fields) -> None:
        """Write a turn, and a segment when one is full."""
        if row.turn_no >= self._head.next_turn:
            raise line.wrong("turn_no", "is beyond the memory's turns")
        if not _TURN_ID.fullmatch(row.turn_id):
            raise line.wrong("turn_id", "must be t_ and 24 hexadecimal digits")
        if self._turns and row.turn_no // SEALED_TURNS != self._turns[0].turn_no // SEALED_TURNS:
            self._put_turns()
        self._turns.append(row)

    @override
    def scene(self, row: SceneLine, line: Fields) -> None:
        """Write a scene, with its answer; its turns came before it."""
        self._put_turns()
        scene, size = row.row, self._scene_turns
        if not size:
            raise line.wrong("type", "must not be there: the memory names no chat model")
        if scene.turn_nos[-1] >= self._head.next_turn:
            raise line.wrong("turn_nos", "are beyond the memory's turns")
        places = [place_of(turn, size) for turn in self._tx.turns(scene.turn_nos)]
        if places != [scene.place] * len(scene.turn_nos):
            raise line.wrong("turn_nos", "must be turns of this scene")
        self._tx.put_scenes([scene])
        if row.answer is not None:
            self._tx.put_answer(row.answer)

    @override
    def request(self, row: RequestRow, line: Fields) -> None:
        """Write a line of the ledger; the turns that it brought came before it."""
        self._put_turns()
        turns = self._brought(row)
        if turns and payload_digest(turns[0].session_id, turns) != row.payload_digest:
            raise line.wrong("payload_digest", "does not stand for the turns of this request")
        self._tx.put_request(row)

    @override
    def tombstone(self, row: Tombstone, line: Fields) -> None:
        """Write a deletion."""
        self._tx.put_tombstone(row)

    @override
    def atom(self, row: AtomLine, line: Fields) -> None:
        """Write an atom; those that follow from the turns are made with them."""
        if not is_atom_id(row.atom_id):
            raise line.wrong("atom_id", "must be a_ and 24 hexadecimal digits")
        number = len(self._atoms)
        self._atoms[row.atom_id] = None if row.atom is None else number
        self._tx.put_atoms([row.row(number, self._head.version)])

    @override
    def atom_source(self, row: SourceLine, line: Fields) -> None:
        """Write a source of an atom that came before it; its turn comes later."""
        number = self._atoms.get(row.atom_id)
        if number is None:
            raise line.wrong("atom_id", "stands for no atom of the memory's lines")
        if row.source.turn_no >= self._head.next_turn:
            raise line.wrong("turn_no", "is beyond the memory's turns")
        self._awaited.add(row.source.turn_no)
        self._tx.put_atom_sources([replace(row.source, atom_no=number)])

    @override
    def atom_state(self, row: AtomEditRow, line: Fields) -> None:
        """Write a state of an atom that came before it."""
        if self._atoms.get(row.atom_id) is None:
            raise line.wrong("atom_id", "stands for no atom of the memory's lines")
        self._tx.put_atom_edits([row])

    @override
    def vectors(self, row: VectorRow, model: EmbeddingModel, line: Fields) -> None:
        """Write vectors; of another release's passages they are left out and made anew."""
        self._put_turns()
        if not self._takes_vectors:
            return
        try:
            shape = from_bytes(row.data).shape
        except StoreFormatError:
            raise line.wrong("data", "does not hold whole vectors") from None
        if shape != (self._passages_of(row, line), model.dimension):
            raise line.wrong("data", "does not hold one vector for each passage of these turns")
        self._tx.put_model(model)
        self._tx.put_vectors([row])

    @override
    def end(self, line: Fields) -> None:
        """Publish, or bury, what came; it must be what the line `memory` announced."""
        self._put_turns()
        head = self._head
        came = (len(self._numbers), self._sessions, self._content_bytes)
        if not self._is_deleted and came != (head.turns, head.sessions, head.content_bytes):
            raise line.wrong("lines", "turns, sessions or bytes are not as many as announced")
        if self._awaited:
            raise line.wrong("lines", "an atom stands on a turn that is not among them")
        if self._is_deleted:
            self._tx.bury(head)
        else:
            self._make_told_atoms()
            self._tx.set_head(head)
            self._settle(self._tx)

    def _put_turns(self) -> None:
        if not self._turns:
            return
        for start in range(0, len(self._turns), _PAGE):
            self._tx.put_turns(self._turns[start : start + _PAGE])
        if not self._scene_turns:
            self._make_atoms(self._turns, self._head.version)
        self._awaited.difference_update(turn.turn_no for turn in self._turns)
        segment = segment_of(self._turns)
        self._tx.put_segment(row_of(segment, self._head.version))
        counts = np.bincount(segment.passage_turn, minlength=len(self._turns))
        self._numbers.extend(turn.turn_no for turn in self._turns)
        self._passages.extend(counts.tolist())
        self._content_bytes += sum(len(turn.content.encode()) for turn in self._turns)
        self._turns = []

    def _brought(self, row: RequestRow) -> list[Turn]:
        """The turns that a request brought, if they are all there."""
        numbers: list[int] = []
        while len(numbers) < row.turns:
            positions = range(len(numbers), min(len(numbers) + _PAGE, row.turns))
            found = self._tx.find_turns(
                [make_turn_id(self._scope, row.surface, row.request_id, at) for at in positions]
            )
            numbers += found
            if len(found) < len(positions):
                return []
        return self._tx.turns(numbers)

    def _make_told_atoms(self) -> None:
        """Make the atoms of a memory that has scenes, all of which have come by now."""
        for start in range(0, len(self._numbers) if self._scene_turns else 0, SEALED_TURNS):
            turns = self._tx.turns(self._numbers[start : start + SEALED_TURNS])
            self._make_atoms(turns, self._head.version)

    def _passages_of(self, row: VectorRow, line: Fields) -> int:
        """How many passages the turns of vectors have, all of which must be there."""
        first = bisect_left(self._numbers, row.first_turn)
        numbers = self._numbers[first : first + row.turns]
        if list(numbers) != list(range(row.first_turn, row.first_turn + len(numbers))) or (
            len(numbers) != row.turns
        ):
            raise line.wrong("first_turn", "stands for turns that the memory does not hold")
        return sum(self._passages[first : first + row.turns])


class Comparing(Sink):
    """Makes sure that a memory which is there already holds all that the file holds of it.

    It may have grown since. Vectors are not compared, since they follow from the turns; nor are
    scenes, which another model may have told since.
    """

    def __init__(
        self, read: ReadTransaction, head: Head, opening: Fields, *, is_deleted: bool
    ) -> None:
        self._read = read
        self._opening = opening
        self._turns: list[Turn] = []
        there = read.grave() if is_deleted else read.head()
        if there is None or there.version < head.version or there.created_us != head.created_us:
            raise self._conflict()
        self._tombstones = {row.version: row for row in read.tombstones()}

    @override
    def session(self, row: SessionRow, line: Fields) -> None:
        """Compare a session."""
        there = self._read.session(row.session_id)
        if there is None or there.session_no != row.session_no or there.turns < row.turns:
            raise self._conflict()

    @override
    def turn(self, row: Turn, line: Fields) -> None:
        """Compare a turn."""
        self._turns.append(row)
        if len(self._turns) == _PAGE:
            self._compare_turns()

    @override
    def request(self, row: RequestRow, line: Fields) -> None:
        """Compare a line of the ledger."""
        if self._read.request(row.surface, row.request_id) != row:
            raise self._conflict()

    @override
    def tombstone(self, row: Tombstone, line: Fields) -> None:
        """Compare a deletion; its bytes may have been erased since."""
        there = self._tombstones.get(row.version)
        if there is None or replace(there, erased_us=None) != replace(row, erased_us=None):
            raise self._conflict()

    @override
    def atom(self, row: AtomLine, line: Fields) -> None:
        """Compare an atom; it may have been changed, or deleted, since."""
        if not self._read.find_atoms([row.atom_id]):
            raise self._conflict()

    @override
    def end(self, line: Fields) -> None:
        """Compare the rest."""
        self._compare_turns()

    def _compare_turns(self) -> None:
        if self._read.turns([turn.turn_no for turn in self._turns]) != self._turns:
            raise self._conflict()
        self._turns = []

    def _conflict(self) -> InvalidInputError:
        return self._opening.wrong(
            "memory_id",
            "such a memory is here already, or was deleted here, and is not what the file holds; "
            "nothing of it was changed; import it into another data directory",
        )
