"""Forgetting deletes what a request names; from then on no search finds it, and nothing brings it back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from graphmem.domain.address import Part, names_of_session
from graphmem.domain.erasure import ErasureReceipt, Forgotten, Tombstone
from graphmem.domain.moment import Moment
from graphmem.domain.scope import Scope
from graphmem.domain.turn import Turn
from graphmem.index.draft import passage_texts
from graphmem.ports.store import Head, ReadTransaction, RequestRow, Store, WriteTransaction
from graphmem.service.atoms.forgetting import forget_sources
from graphmem.service.atoms.retelling import forget_scenes
from graphmem.service.landing import redraft
from graphmem.service.ledger import find_request
from graphmem.service.rewriting import take_out
from graphmem.service.sessions import sessions_of

_CHUNK: Final = 1000  # turns whose texts are held at once


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is to be deleted from a memory.

    Attributes:
        kind: what was asked for.
        session_id: the session, for the kind `session`.
        turn_ids: the turns, for the kind `turns`, none twice.
        parts: sessions with all their turns, beside those, for the kind `turns`.
        asked: the ledger's line for it, without version and count; None if it has no request id.
        unknown: how many more were asked for by what can be no turn's id.
        before_us: for the kind `age`, turns that arrived before it.
    """

    scope: Scope
    kind: Forgotten
    session_id: str | None = None
    turn_ids: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    asked: RequestRow | None = None
    unknown: int = 0
    before_us: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgetting:
    """What a deletion needs of a service.

    Attributes:
        settle: publishes a memory if what was deleted was all that it waited for.
        forget_texts: takes texts out of caches on disk, None where there is none.
    """

    store: Store
    now_us: int
    settle: Callable[[Scope, WriteTransaction], None]
    forget_texts: Callable[[Sequence[str]], None] | None


def forget(forgetting: Forgetting, request: Request) -> ErasureReceipt:
    """Delete what a request names.

    Raises:
        StoreError: the store failed; nothing was deleted.
    """
    with forgetting.store.read(request.scope) as snapshot:
        done = _replayed(snapshot, request, forgetting.now_us)
        if done is not None:
            return done
        if not _is_there(snapshot, request) and not _is_noted(snapshot, request):
            return _nothing(snapshot, request, forgetting.now_us)
        # Before the deletion, after which nobody would know the texts any more.
        if forgetting.forget_texts:
            for turns in _chunks(snapshot, _named(snapshot, request)):
                forgetting.forget_texts([t for turn in redraft(turns) for t in passage_texts(turn)])
    with forgetting.store.write(request.scope) as tx:
        done = _replayed(tx, request, forgetting.now_us)
        if done is not None:
            return done
        head = tx.head()
        named = [] if request.kind == "memory" else _named(tx, request)
        if head is None or not (named or request.kind == "memory"):
            _note(tx, request, head.version if head else None, turns=0)
            return _nothing(tx, request, forgetting.now_us)
        tombstone = _delete(tx, head, request, named, forgetting.now_us)
        tx.put_tombstone(tombstone)
        _note(tx, request, tombstone.version, turns=tombstone.turns)
        if head.ready_version < head.version:
            forgetting.settle(request.scope, tx)
    unknown = 0
    if request.turn_ids and not request.parts:
        unknown = request.unknown + len(request.turn_ids) - len(named)
    return receipt_of(request.scope, tombstone, unknown=unknown)


def _is_there(read: ReadTransaction, request: Request) -> bool:
    """Whether the memory holds anything of what is to be deleted."""
    is_memory = read.head() is not None
    return is_memory and (request.kind == "memory" or bool(_named(read, request)))


def receipt_of(
    scope: Scope, tombstone: Tombstone, *, unknown: int = 0, found: bool = True
) -> ErasureReceipt:
    """The receipt of a deletion that left a tombstone."""
    at = tombstone.erased_us
    return ErasureReceipt(
        tenant_id=scope.tenant_id,
        memory_id=scope.memory_id,
        kind=tombstone.kind,
        session_id=tombstone.session_id,
        version=tombstone.version,
        turns=tombstone.turns,
        sessions=tombstone.sessions,
        found=found,
        unknown=unknown,
        deleted_at=Moment(us=tombstone.deleted_us).iso_utc(),
        erased_at=None if at is None else Moment(us=at).iso_utc(),
    )


def _named(read: ReadTransaction, request: Request) -> list[int]:
    """The numbers of the turns that a request names."""
    match request.kind:
        case "turns":
            return _turns_and_sessions(read, request)
        case "session":
            session = read.session(request.session_id or "")
            return read.session_turns(session.session_no) if session else []
        case "age":
            return read.turns_recorded_before(request.before_us)
        case "memory":
            return read.turn_nos()


def _turns_and_sessions(read: ReadTransaction, request: Request) -> list[int]:
    found = set(read.find_turns(request.turn_ids))
    if request.parts:
        for session in sessions_of(read):
            names = names_of_session(session.session_id)
            if any(part.admits(*names) for part in request.parts):
                found.update(read.session_turns(session.session_no))
    return sorted(found)


def _replayed(read: ReadTransaction, request: Request, now_us: int) -> ErasureReceipt | None:
    """The receipt of a request that was applied before, None for a new one.

    Raises:
        RequestConflictError: it was another one, of the same id.
    """
    asked = request.asked
    known = asked and find_request(read, asked.surface, asked.request_id, asked.payload_digest)
    if known is None:
        return None
    return replace(_nothing(read, request, now_us), turns=known.turns, found=bool(known.turns))


def _is_noted(read: ReadTransaction, request: Request) -> bool:
    """Whether it goes down in the ledger even if there is nothing to delete."""
    return request.asked is not None and read.head() is not None


def _note(tx: WriteTransaction, request: Request, version: int | None, *, turns: int) -> None:
    """Put a request with an id into the ledger; a memory that is not there has none."""
    if request.asked is not None and version is not None:
        tx.put_request(replace(request.asked, version=version, turns=turns))


def _nothing(read: ReadTransaction, request: Request, now_us: int) -> ErasureReceipt:
    """The receipt for a request whose turns are not there, perhaps since it came before."""
    head = read.head() or read.grave()
    left = read.tombstones()
    is_erased = all(tombstone.erased_us is not None for tombstone in left)
    nothing = Tombstone(
        version=head.version if head else 0,
        kind=request.kind,
        session_id=request.session_id,
        turn_ids=None,
        turns=0,
        sessions=0,
        deleted_us=now_us,
        erased_us=now_us if is_erased else None,
    )
    unknown = request.unknown + len(request.turn_ids)
    return receipt_of(request.scope, nothing, unknown=unknown, found=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Taken:
    """What a deletion takes out of a memory."""

    turns: int
    sessions: int
    content_bytes: int
    turn_ids: tuple[str, ...] | None = None


def _delete(
    tx: WriteTransaction, head: Head, request: Request, named: list[int], now_us: int
) -> Tombstone:
    is_whole = request.kind == "memory"
    taken = _all_of(head) if is_whole else _take(tx, head, request, named)
    after = replace(
        _next_version(head),
        turns=head.turns - taken.turns,
        sessions=head.sessions - taken.sessions,
        erased_turns=head.erased_turns + taken.turns,
        erased_sessions=head.erased_sessions + taken.sessions,
        content_bytes=head.content_bytes - taken.content_bytes,
        updated_us=now_us,
    )
    if is_whole:
        tx.bury(replace(after, ready_version=after.version, ready_turns=after.next_turn))
    else:
        tx.set_head(after)
    return Tombstone(
        version=after.version,
        kind=request.kind,
        session_id=request.session_id,
        turn_ids=taken.turn_ids,
        turns=taken.turns,
        sessions=taken.sessions,
        deleted_us=now_us,
        erased_us=None,
    )


def _all_of(head: Head) -> _Taken:
    return _Taken(turns=head.turns, sessions=head.sessions, content_bytes=head.content_bytes)


def _take(tx: WriteTransaction, head: Head, request: Request, named: list[int]) -> _Taken:
    """Take turns out of the rows."""
    turn_ids: list[str] = []
    session_nos: set[int] = set()
    content_bytes = 0
    for turns in _chunks(tx, named):
        turn_ids += [turn.turn_id for turn in turns]
        session_nos |= {turn.session_no for turn in turns}
        content_bytes += sum(len(turn.content.encode()) for turn in turns)
        forget_scenes(tx, request.scope, turns, head.version + 1)
    forget_sources(tx, request.scope, named, head.version + 1)
    return _Taken(
        turns=len(named),
        sessions=take_out(tx, named, sorted(session_nos)),
        content_bytes=content_bytes,
        # Those of a session or an age nobody named; they may be many.
        turn_ids=tuple(turn_ids) if request.kind == "turns" and not request.parts else None,
    )


def _next_version(head: Head) -> Head:
    """The head of a deletion; what readers may see of it is what they could see before, or less."""
    version = head.version + 1
    is_published = head.ready_version == head.version
    ready_version = version if is_published else head.ready_version
    return replace(
        head, version=version, ready_version=ready_version, generation=head.generation + 1
    )


def _chunks(read: ReadTransaction, turn_nos: Sequence[int]) -> Iterator[list[Turn]]:
    for start in range(0, len(turn_nos), _CHUNK):
        yield read.turns(turn_nos[start : start + _CHUNK])
