"""Small rows for the tests of all stores."""

from __future__ import annotations

from dataclasses import replace

from graphmem.domain.moment import Moment
from graphmem.domain.scope import Scope
from graphmem.domain.turn import Turn
from graphmem.ports.atoms import AtomEditRow, AtomRow, AtomSourceRow
from graphmem.ports.embedder import EmbeddingModel
from graphmem.ports.scenes import AnswerRow, SceneRow
from graphmem.ports.store import (
    Head,
    RequestRow,
    SegmentRow,
    SessionRow,
    Store,
    VectorRow,
    WriteTransaction,
)

SCOPE = Scope(tenant_id="acme", memory_id="ann")
OTHER = Scope(tenant_id="acme", memory_id="bob")
MODEL = EmbeddingModel(name="model", dimension=4, fingerprint="f-model")


def make_head(version: int = 1, *, turns: int = 0, sessions: int = 0) -> Head:
    return Head(
        version=version,
        ready_version=version,
        turns=turns,
        sessions=sessions,
        content_bytes=10 * turns,
        created_us=1_700_000_000_000_000,
        updated_us=1_700_000_000_000_000 + version,
    )


def make_session(number: int = 0, session_id: str = "s0", *, turns: int = 0) -> SessionRow:
    return SessionRow(session_no=number, session_id=session_id, turns=turns)


def make_turn(number: int = 0, content: str = "hello", *, version: int = 1) -> Turn:
    return Turn(
        turn_no=number,
        turn_id=f"t_{number}",
        session_no=0,
        session_id="s0",
        position=number,
        role="user",
        content=content,
        speaker=None,
        listener=None,
        parts=None,
        occurred=None,
        recorded_us=1_700_000_000_000_000,
        version=version,
    )


def full_turn() -> Turn:
    """A turn with every field set, none to its default."""
    return replace(
        make_turn(0, "Ann: 我周五去里斯本。\n\n\t🙂 \x00 '\"; --", version=7),
        role="用户",
        speaker="Ann\x00é",
        listener="小明",
        parts='[{"type": "text"}]',
        occurred=Moment(us=1_683_554_160_000_001, offset_minutes=-570, precision="day"),
        recorded_us=2**53 + 1,
    )


def make_segment(
    first_turn: int = 0, turns: int = 1, *, version: int = 1, data: bytes = b"\x00\xff data"
) -> SegmentRow:
    return SegmentRow(first_turn=first_turn, turns=turns, version=version, data=data)


def make_vectors(
    first_turn: int = 0, *, model: EmbeddingModel = MODEL, version: int = 1
) -> VectorRow:
    return VectorRow(
        model=model.fingerprint,
        first_turn=first_turn,
        turns=1,
        version=version,
        data=b"\xff\x00 vectors",
    )


def make_request(
    request_id: str = "r1", surface: str = "addsearch", *, version: int = 1
) -> RequestRow:
    return RequestRow(
        surface=surface,
        request_id=request_id,
        payload_digest=bytes(range(32)),
        version=version,
        turns=1,
    )


def make_atom(
    number: int = 0, *, version: int = 1, is_live: bool = True, data: bytes = b"\xff\x00 atom"
) -> AtomRow:
    return AtomRow(
        atom_no=number, atom_id=f"a_{number}", version=version, is_live=is_live, data=data
    )


def make_source(number: int = 0, turn_no: int = 0, start: int = 0) -> AtomSourceRow:
    return AtomSourceRow(
        atom_no=number, turn_no=turn_no, start=start, end=start + 5, origin="rules"
    )


def make_edit(number: int = 0, revision: int = 1, *, data: bytes = b"\xff\x00 edit") -> AtomEditRow:
    return AtomEditRow(
        atom_id=f"a_{number}", revision=revision, changed_us=7, reason="updated", data=data
    )


def make_scene(
    session_no: int = 0, scene_no: int = 0, *, turns: int = 3, told: int = 0, key: str = ""
) -> SceneRow:
    return SceneRow(
        session_no=session_no,
        scene_no=scene_no,
        turn_nos=tuple(range(turns)),
        told=told,
        key=key,
        attempts=2,
    )


def make_answer(
    key: str = "k", session_no: int = 0, scene_no: int = 0, *, data: bytes = b"\xff\x00 answer"
) -> AnswerRow:
    return AnswerRow(key=key, session_no=session_no, scene_no=scene_no, data=data)


def open_head(transaction: WriteTransaction) -> Head:
    """The head, after creating the memory if need be."""
    head = transaction.head()
    if head is None:
        head = make_head(0)
        transaction.create(head)
    return head


def add_turn(transaction: WriteTransaction, content: str = "hello") -> int:
    """Add one turn with its segment as a service would; give the new version."""
    head = open_head(transaction)
    version = head.version + 1
    transaction.put_session(make_session(turns=head.turns + 1))
    transaction.put_turns([make_turn(head.turns, content, version=version)])
    transaction.put_segment(make_segment(head.turns, version=version))
    transaction.set_head(make_head(version, turns=head.turns + 1, sessions=1))
    return version


def add(store: Store, scope: Scope = SCOPE, content: str = "hello") -> int:
    """Add one turn in a transaction of its own."""
    with store.write(scope) as transaction:
        return add_turn(transaction, content)


def put_whole(store: Store, turn: Turn, scope: Scope = SCOPE) -> None:
    """Store one turn in a new memory."""
    with store.write(scope) as transaction:
        transaction.create(make_head())
        transaction.put_session(make_session(turn.session_no, turn.session_id))
        transaction.put_turns([turn])


def contents(store: Store, scope: Scope = SCOPE) -> list[str]:
    """The text of all turns of a memory."""
    with store.read(scope) as snapshot:
        head = snapshot.head()
        return [turn.content for turn in snapshot.turns(range(head.turns if head else 0))]
