"""Editing makes, changes and deletes atoms by hand; a rebuild keeps what it did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from graphmem.build.restate import restated
from graphmem.domain.atom import Atom, make_hand_atom_id
from graphmem.domain.atom_query import AtomChange, EditReason
from graphmem.domain.erasure import Tombstone
from graphmem.domain.scope import Scope
from graphmem.errors import (
    AtomConflictError,
    AtomNotFoundError,
    InvalidInputError,
)
from graphmem.index.atom_codec import StoredAtom, changed, decode_atom, encode_atom
from graphmem.ports.atoms import AtomEditRow, AtomRow, AtomSourceRow
from graphmem.ports.store import Head, ReadTransaction, RequestRow, Store, WriteTransaction
from graphmem.service.atomic.intake import MadeAtom, digest, digest_of_atoms
from graphmem.service.atomic.twins import find_twin, made_id
from graphmem.service.atoms.remaking import removed
from graphmem.service.build import Build
from graphmem.service.ledger import find_request
from graphmem.service.opening import open_memory
from graphmem.service.policy import ATOMIC


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What a request to make atoms led to.

    Attributes:
        version: the version that it made.
        atom_ids: the atoms, in the order of the request.
        replayed: it had been applied before.
    """

    version: int
    atom_ids: tuple[str, ...]
    replayed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AtomEditor:
    """Writes atoms by hand. Thread-safe."""

    store: Store
    build: Build

    def create(
        self,
        scope: Scope,
        items: Sequence[MadeAtom],
        *,
        session: str,
        request_id: str,
        now_us: int,
    ) -> Made:
        """Make atoms once, however often the request arrives.

        What was found already, to the letter and on the same turns, is kept instead of made again.

        Raises:
            RequestConflictError: the request id was used with another payload.
            InvalidInputError: the memory has no turn with an id that was named as a source.
            StoreError: the store failed; nothing was stored.
        """
        payload = digest_of_atoms(items, session)
        ids = tuple(make_hand_atom_id(scope, request_id, place) for place in range(len(items)))
        with self.store.write(scope) as tx:
            known = find_request(tx, ATOMIC.surface, request_id, payload)
            if known is not None:
                found = (made_id(tx, i, item) for i, item in zip(ids, items, strict=True))
                return Made(version=known.version, atom_ids=tuple(found), replayed=True)
            head = open_memory(tx, now_us, self.build)
            sources = [_sources(tx, place, item) for place, item in enumerate(items)]
            after = next_version(head, now_us)
            made: list[str] = []
            for atom_id, item, stands_on in zip(ids, items, sources, strict=True):
                twin = find_twin(tx, item, {source.turn_no for source in stands_on})
                if twin is not None:
                    _keep(tx, *twin, item, now_us, after.version)
                    made.append(twin[0].atom_id)
                    continue
                number = tx.next_atom()
                _put(tx, _made(atom_id, item, session, now_us), number, after.version)
                tx.put_atom_sources([replace(source, atom_no=number) for source in stands_on])
                made.append(atom_id)
            tx.put_request(_request(request_id, payload, after.version, len(items)))
            tx.set_head(after)
        return Made(version=after.version, atom_ids=tuple(made), replayed=False)

    def update(
        self,
        scope: Scope,
        atom_id: str,
        content: str,
        background: str | None,
        *,
        expected: int | None,
        request_id: str,
        now_us: int,
    ) -> AtomChange:
        """Change an atom once, however often the request arrives.

        Raises:
            AtomNotFoundError: the memory has no such atom.
            AtomConflictError: its revision is not the expected one.
            RequestConflictError: the request id was used with another payload.
            StoreError: the store failed; nothing was stored.
        """
        payload = digest("update", atom_id, content, background, expected)
        with self.store.write(scope) as tx:
            known = find_request(tx, ATOMIC.surface, request_id, payload)
            if known is not None:
                return _replayed(tx, atom_id, known)
            head, row = tx.head(), _live(tx, atom_id)
            if head is None or row is None:
                raise AtomNotFoundError
            stored = decode_atom(atom_id, row.data)
            atom = stored.atom
            if expected is not None and expected != atom.revision:
                raise AtomConflictError(atom.revision)
            new = restated(
                replace(
                    atom,
                    content=content,
                    background=atom.background if background is None else background,
                    revision=atom.revision + 1,
                    updated_us=now_us,
                )
            )
            after = next_version(head, now_us)
            _change(tx, row, stored, new, "updated", after.version)
            tx.put_request(_request(request_id, payload, after.version, new.revision))
            tx.set_head(after)
        return AtomChange(atom_id=atom_id, revision=new.revision, updated_us=now_us, replayed=False)

    def delete(
        self, scope: Scope, atom_ids: Sequence[str], *, request_id: str | None, now_us: int
    ) -> int:
        """Delete atoms once, however often a request with an id arrives: how many there were.

        What turns say that are there by now does not bring them back; what is said later does.

        Raises:
            RequestConflictError: the request id was used with another payload.
            StoreError: the store failed; nothing was deleted.
        """
        payload = digest("delete", sorted(atom_ids))
        with self.store.read(scope) as snapshot:
            is_there = any(row.is_live for row in snapshot.find_atoms(atom_ids))
            if not is_there and (request_id is None or snapshot.head() is None):
                return 0
        with self.store.write(scope) as tx:
            known = (
                None
                if request_id is None
                else find_request(tx, ATOMIC.surface, request_id, payload)
            )
            if known is not None:
                return known.turns
            rows = [row for row in tx.find_atoms(atom_ids) if row.is_live]
            head = tx.head()
            if head is None:
                return 0
            after = next_version(head, now_us) if rows else head
            if request_id is not None:
                tx.put_request(_request(request_id, payload, after.version, len(rows)))
            if not rows:
                return 0
            tx.delete_atom_sources(tx.atom_sources([row.atom_no for row in rows]))
            tx.delete_atom_edits([row.atom_id for row in rows])
            tx.put_atoms([removed(row, head.next_turn, after.version) for row in rows])
            tx.put_tombstone(_tombstone(after.version, now_us))
            tx.set_head(after)
        return len(rows)


def next_version(head: Head, now_us: int) -> Head:
    """The head after a write that publishes no turns."""
    version = head.version + 1
    is_published = head.ready_version == head.version
    return replace(
        head,
        version=version,
        ready_version=version if is_published else head.ready_version,
        updated_us=now_us,
    )


def _tombstone(version: int, now_us: int) -> Tombstone:
    return Tombstone(
        version=version,
        kind="atoms",
        session_id=None,
        turn_ids=None,
        turns=0,
        sessions=0,
        deleted_us=now_us,
        erased_us=None,
    )


def _request(request_id: str, payload: bytes, version: int, count: int) -> RequestRow:
    return RequestRow(
        surface=ATOMIC.surface,
        request_id=request_id,
        payload_digest=payload,
        version=version,
        turns=count,
    )


def _replayed(read: ReadTransaction, atom_id: str, known: RequestRow) -> AtomChange:
    """The answer to an update that was applied before, of which the ledger keeps the revision."""
    revision = known.turns
    states = [edit for edit in read.atom_edits([atom_id]) if edit.revision == revision]
    if not states:
        raise AtomNotFoundError
    return AtomChange(
        atom_id=atom_id, revision=revision, updated_us=states[0].changed_us, replayed=True
    )


def _live(read: ReadTransaction, atom_id: str) -> AtomRow | None:
    return next((row for row in read.find_atoms([atom_id]) if row.is_live), None)


def _sources(read: ReadTransaction, place: int, item: MadeAtom) -> list[AtomSourceRow]:
    """The whole turns that an atom was said to stand on; the atom has no number yet."""
    turns = read.turns(read.find_turns(item.source_turn_ids))
    if len(turns) != len(item.source_turn_ids):
        raise InvalidInputError(
            f"items.{place}.source_turn_ids", "names a turn that the memory does not hold"
        )
    return [
        AtomSourceRow(
            atom_no=0, turn_no=turn.turn_no, start=0, end=len(turn.content), origin="hand"
        )
        for turn in turns
    ]


def _made(atom_id: str, item: MadeAtom, session: str, now_us: int) -> Atom:
    return restated(
        Atom(
            atom_id=atom_id,
            type=item.type,
            content=item.content,
            background=item.background,
            subject="",
            predicate="",
            value="",
            polarity="affirmed",
            modality="asserted",
            event=item.event,
            attribute="",
            origin="hand",
            revision=1,
            created_us=now_us,
            updated_us=now_us,
            session=session,
        )
    )


def _keep(
    tx: WriteTransaction,
    row: AtomRow,
    stored: StoredAtom,
    item: MadeAtom,
    now_us: int,
    version: int,
) -> None:
    """Keep a found atom as a hand has made it, too; a note that it brings takes the place of the old."""
    atom = stored.atom
    new = replace(
        atom,
        background=item.background or atom.background,
        revision=atom.revision + 1,
        updated_us=now_us,
    )
    _change(tx, row, stored, new, "created", version)


def _change(
    tx: WriteTransaction,
    row: AtomRow,
    stored: StoredAtom,
    new: Atom,
    reason: EditReason,
    version: int,
) -> None:
    """Put a new state of an atom, behind the one that it was found with."""
    if stored.atom.revision == 1 and stored.atom.origin != "hand":
        tx.put_atom_edits([_edit(stored, stored.atom.updated_us, "found")])
    kept = changed(stored, new)
    tx.put_atom_edits([_edit(kept, new.updated_us, reason)])
    tx.put_atoms([replace(row, version=version, data=encode_atom(kept))])


def _put(tx: WriteTransaction, atom: Atom, atom_no: int, version: int) -> None:
    stored = StoredAtom(atom=atom)
    tx.put_atoms(
        [
            AtomRow(
                atom_no=atom_no,
                atom_id=atom.atom_id,
                version=version,
                is_live=True,
                data=encode_atom(stored),
            )
        ]
    )
    tx.put_atom_edits([_edit(stored, atom.updated_us, "created")])


def _edit(stored: StoredAtom, changed_us: int, reason: EditReason) -> AtomEditRow:
    return AtomEditRow(
        atom_id=stored.atom.atom_id,
        revision=stored.atom.revision,
        changed_us=changed_us,
        reason=reason,
        data=encode_atom(stored),
    )
