"""A standing says how far a memory is built: published, complete, and by the build in force."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from graphmem.domain.receipt import State
from graphmem.ports.store import Head, ReadTransaction, Span
from graphmem.service.atoms.listing import untold
from graphmem.service.build import Build
from graphmem.service.landing import uncovered


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How far a memory is built.

    Attributes:
        is_begun: some version of it is published.
        is_published: readers see its last version.
        waiting: turns of which the models in force have not done their share.
        has_index: its index and its atoms are of the versions in force; else the background makes
            them anew.
        has_vectors: no turn lacks vectors of the model in force that nobody has asked for yet.
        has_scenes: its scenes are those of the chat model in force, if there is one.
        is_whole: nothing is outstanding of what readers see.
    """

    is_begun: bool
    is_published: bool
    waiting: tuple[Span, ...]
    has_index: bool
    has_vectors: bool
    has_scenes: bool
    is_whole: bool

    @property
    def needs_rebuild(self) -> bool:
        """Whether it waits for somebody to have another model asked about all of it."""
        return not (self.has_vectors and self.has_scenes)

    @property
    def state(self) -> State:
        """`ready` when nothing is outstanding."""
        return "ready" if self.is_published and self.is_whole else "pending"

    def is_readable(self, *, is_building: bool) -> bool:
        """Whether a contract may read it that wants its memories whole.

        While a call is under way that builds the next version, the last one is read; once that
        version was given up, none is.
        """
        return self.is_whole and (self.is_published or (is_building and self.is_begun))


def standing_of(read: ReadTransaction, head: Head, build: Build) -> Standing:
    """How far a memory is built, measured by the build in force."""
    known = Build.from_text(head.build)
    waiting = waiting_spans(read, build)
    has_index = known.index == build.index and known.atoms == build.atoms
    has_index = has_index and (bool(build.chat) or not known.chat)
    has_scenes = known.telling == build.telling or not build.chat
    is_same_model = not build.vectors or known.vectors == build.vectors
    has_vectors = is_same_model or not lacks_vectors(read, head, build)
    return Standing(
        is_begun=head.ready_version > 0,
        is_published=head.ready_version == head.version,
        waiting=waiting,
        has_index=has_index,
        has_vectors=has_vectors,
        has_scenes=has_scenes,
        is_whole=(
            has_index
            and has_vectors
            and has_scenes
            and all(span.first_turn >= head.ready_turns for span in waiting)
        ),
    )


def waiting_spans(read: ReadTransaction, build: Build) -> tuple[Span, ...]:
    """Turns of which the models in force have not done their share."""
    return (*vector_spans(read, build), *untold(read, build))


def vector_spans(read: ReadTransaction, build: Build) -> tuple[Span, ...]:
    """Turns whose vectors of the model in force are outstanding."""
    return tuple(read.pending(build.vectors)) if build.vectors else ()


def lacks_vectors(read: ReadTransaction, head: Head, build: Build) -> bool:
    """Whether `missing` finds any turn."""
    return any(present(read, span) for span in _uncovered(read, head, build))


def missing(read: ReadTransaction, head: Head, build: Build) -> list[Span]:
    """Turns that have no vectors of the model in force and don't wait for any."""
    return [run for span in _uncovered(read, head, build) for run in present(read, span)]


def _uncovered(read: ReadTransaction, head: Head, build: Build) -> list[Span]:
    model = build.vectors
    return uncovered(head.next_turn, read.vector_spans(model), read.pending(model))


def present(read: ReadTransaction, span: Span) -> list[Span]:
    """The runs of turns of a span that the memory holds."""
    numbers = [t.turn_no for t in read.turns(range(span.first_turn, span.first_turn + span.turns))]
    return [
        Span(first_turn=run[0], turns=len(run))
        for _, members in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0])
        if (run := [number for _, number in members])
    ]


def awaits(read: ReadTransaction, standing: Standing, version: int) -> bool:
    """Whether turns that came with this version are unpublished or wait for their vectors."""
    head = read.head()
    if head is not None and head.ready_version < version:
        return True
    ends = [(span.first_turn, span.first_turn + span.turns - 1) for span in standing.waiting]
    return any(_brackets(read, pair, version) for pair in ends)


def _brackets(read: ReadTransaction, ends: Sequence[int], version: int) -> bool:
    versions = [turn.version for turn in read.turns(list(ends))]
    return not versions or versions[0] <= version <= versions[-1]


def built_with(head: Head, build: Build) -> str:
    """The build of a memory that grows under this one: of two models' vectors neither is whole."""
    known = Build.from_text(head.build)
    whole = known.vectors if known.vectors == build.vectors else ""
    return replace(known, vectors=whole).to_text()
