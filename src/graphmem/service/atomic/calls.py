"""AtomCalls is the part of MemoryService that has to do with atoms."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.domain.atom_query import (
    AtomChange,
    AtomPage,
    AtomReceipt,
    AtomSearch,
    AtomState,
    FoundAtom,
    NewAtom,
)
from graphmem.domain.inspection import Explanation, Inspection
from graphmem.domain.moment import Moment
from graphmem.retrieval.recipe import Recipe
from graphmem.service.atomic.editing import AtomEditor
from graphmem.service.atomic.inspecting import explain, inspect
from graphmem.service.atomic.intake import (
    check_atom_ids,
    check_expected,
    check_limit,
    check_offset,
    check_query,
    take_atom_id,
    take_atoms,
    take_background,
    take_content,
    take_filter,
    take_part,
    take_session,
)
from graphmem.service.atomic.reading import AtomReader
from graphmem.service.erasing import Erasing
from graphmem.service.factory import Parts
from graphmem.service.intake import check_id, check_scope
from graphmem.service.policy import ATOMIC, Policy


class AtomCalls:
    """The calls about atoms; a service inherits them and makes what they use."""

    _parts: Parts
    _recipe: Recipe
    _atom_reader: AtomReader
    _atom_editor: AtomEditor
    _erasing: Erasing

    def search_atoms(  # noqa: PLR0913 - the options are keywords
        self,
        tenant_id: str,
        memory_id: str,
        query: str,
        *,
        limit: int = 5,
        type: str | None = None,  # noqa: A002 - the contract's name
        time_start: str | Moment | None = None,
        time_end: str | Moment | None = None,
        subject: str | None = None,
        session_id: str | None = None,
        task_id: str | None = None,
        as_of: str | Moment | None = None,
        superseded: bool = False,
        recipe: Recipe | None = None,
        policy: Policy = ATOMIC,
        waited_seconds: float = 0.0,
    ) -> AtomSearch:
        """Rank the atoms of a memory for a query, best first; ties by id.

        Conditions are applied before ranking: what fulfils them is found however rare it is. Scores
        (0 to 1) depend on neither conditions nor limit, and are not comparable across queries.

        Args:
            tenant_id: whose memory it is.
            memory_id: the memory; one that is not there has no atoms.
            query: 1 to 2,048 characters.
            limit: the most atoms to return, 1 to 100.
            type: `persona`, `instruction` or `episodic`; None for all.
            time_start: only what was changed (`updated_at`) at or after this time.
            time_end: only what was changed at or before this time.
            subject: only what speaks of this person or thing.
            session_id: only what was said in this session, in whatever task.
            task_id: only what was said in this task.
            as_of: answer as the memory would have at this time.
            superseded: also what a newer value took the place of and says nothing besides.
            recipe: the channels' weights; None for those of the settings.
            policy: the contract under which is read.
            waited_seconds: how long the caller waits already.

        Raises:
            InvalidInputError: a value is wrong.
            MemoryPendingError: the memory is not built, and the policy does not go on without.
        """
        scope = check_scope(tenant_id, memory_id)
        text = check_query(query, limit)
        where = take_filter(
            type=type,
            time_start=time_start,
            time_end=time_end,
            subject=subject,
            part=take_part(session_id, task_id),
            as_of=as_of,
            superseded=superseded,
        )
        ways = recipe or self._recipe
        return self._atom_reader.search(
            scope, text, where, ways, policy, limit=limit, waited_seconds=waited_seconds
        )

    def query_atoms(  # noqa: PLR0913 - the options are keywords
        self,
        tenant_id: str,
        memory_id: str,
        *,
        limit: int = 20,
        offset: int = 0,
        type: str | None = None,  # noqa: A002 - the contract's name
        time_start: str | Moment | None = None,
        time_end: str | Moment | None = None,
        subject: str | None = None,
        session_id: str | None = None,
        task_id: str | None = None,
        as_of: str | Moment | None = None,
        superseded: bool = True,
        policy: Policy = ATOMIC,
    ) -> AtomPage:
        """List the atoms of a memory, the last changed first; ties by id.

        The conditions are those of `search_atoms`; a memory that is not there has no atoms. `limit`
        is 1 to 100, `offset` is how many to leave out.

        Raises:
            InvalidInputError: a value is wrong.
            MemoryPendingError: the memory is not built, and the policy does not go on without.
            StoreError: the store failed.
        """
        scope = check_scope(tenant_id, memory_id)
        check_limit(limit)
        check_offset(offset)
        where = take_filter(
            type=type,
            time_start=time_start,
            time_end=time_end,
            subject=subject,
            part=take_part(session_id, task_id),
            as_of=as_of,
            superseded=superseded,
        )
        return self._atom_reader.query(scope, where, policy, offset=offset, limit=limit)

    def count_atoms(  # noqa: PLR0913 - the options are keywords
        self,
        tenant_id: str,
        memory_id: str,
        *,
        type: str | None = None,  # noqa: A002 - the contract's name
        time_start: str | Moment | None = None,
        time_end: str | Moment | None = None,
        subject: str | None = None,
        session_id: str | None = None,
        task_id: str | None = None,
        as_of: str | Moment | None = None,
        superseded: bool = True,
        policy: Policy = ATOMIC,
    ) -> int:
        """How many atoms `query_atoms` would list in all; the conditions are the same."""
        return self.query_atoms(
            tenant_id,
            memory_id,
            limit=1,
            type=type,
            time_start=time_start,
            time_end=time_end,
            subject=subject,
            session_id=session_id,
            task_id=task_id,
            as_of=as_of,
            superseded=superseded,
            policy=policy,
        ).total

    def get_atom(
        self, tenant_id: str, memory_id: str, atom_id: str, *, policy: Policy = ATOMIC
    ) -> FoundAtom:
        """One atom.

        Raises:
            AtomNotFoundError: the memory has none with this id.
        """
        scope = check_scope(tenant_id, memory_id)
        return self._atom_reader.get(scope, take_atom_id(atom_id), policy)

    def atom_history(self, tenant_id: str, memory_id: str, atom_id: str) -> tuple[AtomState, ...]:
        """All states of an atom, oldest first: as it was found or made, and after each update.

        Raises:
            AtomNotFoundError: the memory has none with this id.
        """
        scope = check_scope(tenant_id, memory_id)
        return self._atom_reader.history(scope, take_atom_id(atom_id))

    def create_atoms(
        self,
        tenant_id: str,
        memory_id: str,
        items: Sequence[NewAtom],
        *,
        session_id: str | None = None,
        task_id: str | None = None,
        request_id: str | None = None,
    ) -> AtomReceipt:
        """Make atoms by hand; a rebuild keeps them. What was found so, on the same turns, is that atom.

        Args:
            tenant_id: whose memory it is.
            memory_id: the memory, made by its first write.
            items: 1 to 100 atoms.
            session_id: where they are to be found, None for no session.
            task_id: see there.
            request_id: makes a retry safe: the same request is applied once. None: a new one.

        Raises:
            InvalidInputError: a value is wrong; nothing was stored.
            RequestConflictError: the request id was used with another payload.
            StoreError: the store failed; nothing was stored.
        """
        scope = check_scope(tenant_id, memory_id)
        made = self._atom_editor.create(
            scope,
            take_atoms(items),
            session=take_session(session_id, task_id),
            request_id=self._request_id(request_id),
            now_us=self._parts.clock.now_us(),
        )
        return AtomReceipt(
            version=made.version,
            atom_ids=made.atom_ids,
            items=self._atom_reader.find(scope, made.atom_ids, ATOMIC),
            replayed=made.replayed,
        )

    def update_atom(
        self,
        tenant_id: str,
        memory_id: str,
        atom_id: str,
        content: str,
        *,
        background: str | None = None,
        expected_version: int | None = None,
        request_id: str | None = None,
    ) -> AtomChange:
        """Change by hand what an atom says; it keeps its id, and a rebuild keeps the change.

        Args:
            tenant_id: whose memory it is.
            memory_id: the memory.
            atom_id: the atom.
            content: what it is to say, 1 to 8,192 characters.
            background: the note beside it; None keeps the one it has, empty clears it.
            expected_version: the version that the atom must have, None for any.
            request_id: makes a retry safe, see `create_atoms`.

        Raises:
            InvalidInputError: a value is wrong; nothing was changed.
            AtomNotFoundError: the memory has no such atom.
            AtomConflictError: its version is not the expected one.
            RequestConflictError: the request id was used with another payload.
            StoreError: the store failed; nothing was changed.
        """
        scope = check_scope(tenant_id, memory_id)
        check_expected(expected_version)
        said, note = take_content(content), take_background(background)
        return self._atom_editor.update(
            scope,
            take_atom_id(atom_id),
            said,
            note,
            expected=expected_version,
            request_id=self._request_id(request_id),
            now_us=self._parts.clock.now_us(),
        )

    def delete_atoms(
        self,
        tenant_id: str,
        memory_id: str,
        atom_ids: Sequence[str],
        *,
        request_id: str | None = None,
    ) -> int:
        """Delete atoms with their history: how many there were.

        A rebuild brings none of them back, only the same said again, later. The turns that they
        stand on stay. Their bytes are erased in the background, as those of turns are.

        Args:
            tenant_id: whose memory it is.
            memory_id: the memory.
            atom_ids: 1 to 5,000 ids; those that the memory does not hold are left out.
            request_id: makes a retry safe: the same request is applied once.

        Raises:
            InvalidInputError: a value is wrong; nothing was deleted.
            RequestConflictError: the request id was used with another payload.
            StoreError: the store failed; nothing was deleted.
        """
        scope = check_scope(tenant_id, memory_id)
        ids, now_us = check_atom_ids(atom_ids), self._parts.clock.now_us()
        request = None if request_id is None else check_id("request_id", request_id)
        gone = self._atom_editor.delete(scope, ids, request_id=request, now_us=now_us)
        if gone:
            self._erasing.wake()
        return gone

    def inspect(self, tenant_id: str, memory_id: str) -> Inspection:
        """All atoms of a memory and what follows from them, with a scan of all its turns.

        Raises:
            MemoryNotFoundError: there is no such memory under this tenant.
        """
        return inspect(self._atom_reader, check_scope(tenant_id, memory_id))

    def explain_atom(self, tenant_id: str, memory_id: str, atom_id: str) -> Explanation:
        """What an atom stands on, its history, and what it replaced or was replaced by.

        Raises:
            MemoryNotFoundError: there is no such memory under this tenant.
            AtomNotFoundError: it has no such atom.
        """
        scope = check_scope(tenant_id, memory_id)
        return explain(self._atom_reader, scope, take_atom_id(atom_id))

    def _request_id(self, given: str | None) -> str:
        if given is None:
            return self._parts.identity.new_request_id()
        return check_id("request_id", given)
