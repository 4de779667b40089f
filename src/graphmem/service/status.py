"""Status says what a memory holds and how far it is built."""

from __future__ import annotations

from collections.abc import Sequence

from graphmem.domain.moment import Moment
from graphmem.domain.receipt import MemoryStatus
from graphmem.domain.scope import Scope
from graphmem.ports.store import Head, ReadTransaction, Span
from graphmem.service.build import Build
from graphmem.service.standing import standing_of


def status_of(scope: Scope, head: Head, snapshot: ReadTransaction, build: Build) -> MemoryStatus:
    """The status of one memory, measured by the build in force."""
    standing = standing_of(snapshot, head, build)
    return MemoryStatus(
        tenant_id=scope.tenant_id,
        memory_id=scope.memory_id,
        version=head.version,
        ready_version=head.ready_version,
        state=standing.state,
        needs_rebuild=standing.needs_rebuild,
        turns=head.turns,
        sessions=head.sessions,
        content_bytes=head.content_bytes,
        embedded_turns=_count(snapshot.vector_spans(build.vectors)) if build.vectors else 0,
        waiting_turns=_count(standing.waiting),
        created_at=Moment(us=head.created_us).iso_utc(),
        updated_at=Moment(us=head.updated_us).iso_utc(),
    )


def _count(spans: Sequence[Span]) -> int:
    return sum(span.turns for span in spans)
