"""Portable is the part of MemoryService that carries memories elsewhere and back."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import BinaryIO

from graphmem.domain.exchange import ExchangeProgress, ExportReport, ImportReport
from graphmem.domain.scope import Scope
from graphmem.errors import GraphmemError, InvalidInputError, MemoryNotFoundError, ModelError
from graphmem.service.background import Background
from graphmem.service.builder import Builder
from graphmem.service.export import Exporter, Selection, known_scopes
from graphmem.service.factory import Parts, new_file
from graphmem.service.importing import Came, Importer
from graphmem.service.intake import check_id
from graphmem.service.standing import standing_of

Place = str | os.PathLike[str] | BinaryIO
TellExchange = Callable[[ExchangeProgress], None]


class Portable:
    """The calls that export and import; a service inherits them."""

    _parts: Parts
    _builder: Builder
    _background: Background

    def export(
        self,
        place: Place,
        *,
        tenant_id: str | None = None,
        memory_id: str | None = None,
        vectors: bool = True,
        progress: TellExchange | None = None,
    ) -> ExportReport:
        """Write memories as JSON Lines (docs/export-format.md) while others go on.

        Each memory is written as it was at one moment; keys are not in the file. The same memories
        give the same bytes.

        Args:
            place: a new file, which has its name only when it is whole; or an open binary file.
            tenant_id: only this tenant's memories.
            memory_id: only the memory with this id, of this tenant or of each.
            vectors: write vectors too; without them they are made anew after the import.
            progress: told of each page.

        Raises:
            InvalidInputError: a value is wrong, or there is a file of this name.
            MemoryNotFoundError: a tenant or a memory was named, and there is none; no file is made.
            StoreError: the store failed, or the file can't be written.
        """
        selection = _selection(tenant_id, memory_id)
        if selection != Selection() and not any(
            map(selection.holds, known_scopes(self._parts.store))
        ):
            raise MemoryNotFoundError
        with _created(place) as file:
            exporter = Exporter(self._parts.store, file, vectors=vectors, progress=progress)
            return exporter.run(selection)

    def import_(
        self,
        place: Place,
        *,
        tenant_id: str | None = None,
        memory_id: str | None = None,
        progress: TellExchange | None = None,
    ) -> ImportReport:
        """Bring in memories from an export, each in one transaction, with ids, order and times.

        A memory that is here already with all that the file holds of it stays as it is, but that
        vectors which it lacks are made; so an interrupted import can be repeated. One that is here with other contents is refused.

        Args:
            place: the file, or an open binary file.
            tenant_id: only this tenant's memories.
            memory_id: only the memory with this id, of this tenant or of each.
            progress: told of each page.

        Raises:
            InvalidInputError: a line is wrong (its number and field are named), the file has no
                memory that is asked for, or a memory is here with other contents; nothing of that
                memory was changed, those before it are in.
            StoreError: the store failed; the memory at hand was undone.
        """
        selection = _selection(tenant_id, memory_id)
        importer = Importer(self._parts.store, self._builder.settle, self._builder.atoms, progress)
        try:
            with _opened(place) as file:
                importer.run(file, selection)
        except GraphmemError:
            self._bring_up(importer.came)
            raise
        came = importer.came
        if selection != Selection() and came.imported == came.unchanged == 0:
            field = "tenant_id" if memory_id is None else "memory_id"
            raise InvalidInputError(field, "names no memory of the file; nothing was imported")
        pending = self._bring_up(came)
        return ImportReport(
            imported=came.imported,
            unchanged=came.unchanged,
            skipped=came.skipped,
            turns=came.turns,
            pending=pending,
        )

    def _bring_up(self, came: Came) -> int:
        """Have the models do what is missing; how many memories still wait for them."""
        waiting = [scope for scope in came.scopes if not self._is_ready(scope)]
        for scope in waiting:
            self._builder.telling.relist(scope)  # durable, whatever becomes of the first of them
        try:
            for scope in waiting:
                self._builder.bring_up(scope, seconds=None, is_urgent=False)
        except ModelError:
            self._background.wake()  # it brings them in when the model is back
        return sum(not self._is_ready(scope) for scope in waiting)

    def _is_ready(self, scope: Scope) -> bool:
        with self._parts.store.read(scope) as read:
            head = read.head()
            return head is None or standing_of(read, head, self._builder.build).state == "ready"


def _selection(tenant_id: str | None, memory_id: str | None) -> Selection:
    return Selection(
        tenant_id=None if tenant_id is None else check_id("tenant_id", tenant_id),
        memory_id=None if memory_id is None else check_id("memory_id", memory_id),
    )


def _created(place: Place) -> AbstractContextManager[BinaryIO]:
    return new_file(Path(place)) if isinstance(place, str | os.PathLike) else nullcontext(place)


def _opened(place: Place) -> AbstractContextManager[BinaryIO]:
    if not isinstance(place, str | os.PathLike):
        return nullcontext(place)
    try:
        return Path(place).open("rb")
    except OSError as error:
        raise InvalidInputError("path", f"can't read {place}: {error.strerror}") from error
