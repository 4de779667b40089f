"""The calls of contract 3, from a checked request to the data of the answer; no HTTP in it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from graphmem.domain.address import DEFAULT
from graphmem.domain.atom_query import FoundAtom
from graphmem.domain.moment import Moment
from graphmem.domain.scope import Scope
from graphmem.errors import AtomNotFoundError, InvalidInputError, MemoryNotFoundError
from graphmem.server.owner import Owner
from graphmem.service.memory import MemoryService
from graphmem.wire.atomic import (
    AtomicCount,
    AtomicCreate,
    AtomicDelete,
    AtomicHistory,
    AtomicQuery,
    AtomicSearch,
    AtomicUpdate,
)

Data = dict[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One request.

    Attributes:
        service: what answers it.
        scope: the memory.
        owner: the names in it.
        waited_seconds: how long it waits already.
        count_turns: told how many turns were stored.
    """

    service: MemoryService
    scope: Scope
    owner: Owner
    waited_seconds: float
    count_turns: Callable[[int], None]

    @property
    def place(self) -> tuple[str, str]:
        """Tenant and memory."""
        return self.scope.tenant_id, self.scope.memory_id


def search(asked: Asked, body: AtomicSearch) -> Data:
    """Search atoms, best first."""
    found = asked.service.search_atoms(
        *asked.place,
        body.query,
        limit=body.limit,
        type=body.type,
        time_start=body.time_start,
        time_end=body.time_end,
        session_id=asked.owner.session_id,
        task_id=asked.owner.task_id,
        waited_seconds=asked.waited_seconds,
    )
    return {"items": [_shown(item) for item in found.items]}


def query(asked: Asked, body: AtomicQuery) -> Data:
    """List atoms, the last changed first."""
    page = asked.service.query_atoms(
        *asked.place,
        limit=body.limit,
        offset=body.offset,
        type=body.type,
        time_start=body.time_start,
        time_end=body.time_end,
        session_id=asked.owner.session_id,
        task_id=asked.owner.task_id,
    )
    return {"items": [_shown(item) for item in page.items], "total": page.total}


def count(asked: Asked, body: AtomicCount) -> Data:
    """Count atoms."""
    total = asked.service.count_atoms(
        *asked.place,
        type=body.type,
        time_start=body.time_start,
        time_end=body.time_end,
        session_id=asked.owner.session_id,
        task_id=asked.owner.task_id,
    )
    return {"total": total}


def create(asked: Asked, body: AtomicCreate) -> Data:
    """Make atoms by hand."""
    items = [item.to_domain() for item in body.items]
    try:
        made = asked.service.create_atoms(
            *asked.place,
            items,
            session_id=asked.owner.session_id or DEFAULT,
            task_id=asked.owner.task_id or DEFAULT,
            request_id=body.request_id,
        )
    except InvalidInputError as error:
        # The service speaks of turns where this contract speaks of messages.
        field = error.field.replace("source_turn_ids", "source_message_ids")
        raise InvalidInputError(field, error.reason.replace("turn", "message")) from None
    return {"items": [_shown(item) for item in made.items]}


def update(asked: Asked, body: AtomicUpdate) -> Data:
    """Change what an atom says."""
    change = asked.service.update_atom(
        *asked.place,
        body.id,
        body.content,
        background=body.background,
        expected_version=body.expected_version,
        request_id=body.request_id,
    )
    return {
        "id": change.atom_id,
        "version": change.revision,
        "updated_at": Moment(us=change.updated_us).iso_utc(),
    }


def delete(asked: Asked, body: AtomicDelete) -> Data:
    """Delete atoms."""
    gone = asked.service.delete_atoms(*asked.place, body.ids, request_id=body.request_id)
    return {"deleted_count": gone}


def history(asked: Asked, body: AtomicHistory) -> Data:
    """List the versions of an atom, oldest first."""
    try:
        states = asked.service.atom_history(*asked.place, body.id)
    except AtomNotFoundError:
        if _is_there(asked):
            raise
        states = ()
    return {"items": [state.to_dict() for state in states]}


def _is_there(asked: Asked) -> bool:
    """Whether there is such a memory; a read of one that is not there is empty."""
    try:
        asked.service.status(*asked.place)
    except MemoryNotFoundError:
        return False
    return True


def _shown(found: FoundAtom) -> Data:
    atom = found.atom
    values: Data = {
        "id": atom.atom_id,
        "type": atom.type,
        "content": atom.content,
        "background": atom.background,
        "version": atom.revision,
        "created_at": Moment(us=atom.created_us).iso_utc(),
        "updated_at": Moment(us=atom.updated_us).iso_utc(),
        "source_message_ids": list(found.turn_ids),
        "superseded": found.is_superseded,
    }
    if atom.event is not None:
        values["event_time"] = atom.event.text()
    return values if found.score is None else values | {"score": found.score}
