"""A draft is a file that gets its name when it is whole, and takes nobody else's."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

from graphmem.errors import InvalidInputError
from graphmem.stores.sqlite.errors import Seam
from graphmem.stores.sqlite.place import sync_directory

_SIDE_FILES: Final = ("", "-journal", "-wal", "-shm")


@contextmanager
def draft_of(target: Path) -> Iterator[Path]:
    """An empty file beside the target, for this user alone, that becomes it in the end.

    On an error it is gone; a killed process may leave it, as `.NAME.*.partial`.

    Raises:
        InvalidInputError: there is a file of the target's name, or came meanwhile.
        StoreFullError: the disk is full.
        StoreUnavailableError: no file can be made there.
    """
    _refuse(target)
    with Seam(target.parent):
        descriptor, name = tempfile.mkstemp(
            dir=target.parent, prefix=f".{target.name}.", suffix=".partial"
        )
        os.close(descriptor)
    draft = Path(name)
    try:
        yield draft
        _sync(draft)
        _publish(draft, target)
    finally:
        for suffix in _SIDE_FILES:
            with suppress(OSError):
                draft.with_name(draft.name + suffix).unlink(missing_ok=True)
    sync_directory(target.parent)


@contextmanager
def new_file(target: Path) -> Iterator[BinaryIO]:
    """A file to write into that gets its name in the end; see `draft_of`."""
    target = target.absolute()
    with draft_of(target) as draft, Seam(target.parent), draft.open("wb") as file:
        yield file


def _refuse(target: Path) -> None:
    with Seam(target.parent):
        is_taken = os.path.lexists(target)
    if is_taken:
        raise InvalidInputError("path", f"{target} exists already; choose another name")


def _sync(draft: Path) -> None:
    with Seam(draft.parent):
        descriptor = os.open(draft, os.O_RDWR)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _publish(draft: Path, target: Path) -> None:
    """Give the draft its name, unless somebody took it meanwhile."""
    with Seam(target.parent):
        try:
            os.link(draft, target)
        except FileExistsError:
            _refuse(target)
        except OSError:  # a file system without links; a race could only cost the other file
            _refuse(target)
            draft.replace(target)
