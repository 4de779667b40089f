"""The lock by which one process holds a data directory, and the note that says who it is."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path

from filelock import FileLock, Timeout

from graphmem.domain.holder import Holder
from graphmem.errors import StoreFullError, StoreLockedError
from graphmem.stores.sqlite.errors import Seam
from graphmem.stores.sqlite.place import Place


def read_note(path: Path) -> Holder:
    """Read the holder's note; unknown where there is none, or none that makes sense."""
    try:
        note = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return Holder()
    match note:
        case {"pid": int(pid), "address": str() | None as address}:
            return Holder(pid=pid, address=address)
    return Holder()


def find_holder(place: Place) -> Holder | None:
    """Who holds the directory, None when nobody does. Opens no database and makes no file."""
    if not _exists(place.lock):
        return None
    try:
        with FileLock(str(place.lock), timeout=0, mode=0o600):
            return None
    except Timeout:
        return read_note(place.holder)
    except OSError:  # a directory of another user: the note is all there is to go by
        return read_note(place.holder) if _exists(place.holder) else None


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return False


class DirectoryLock:
    """Holds a directory until it is released or the process ends, by whatever death.

    The operating system's lock is the truth. The note beside it only tells others whom to ask.
    """

    def __init__(self, place: Place) -> None:
        self._place = place
        self._seam = Seam(place.directory)
        # Any thread may close the store, so the lock can't belong to the one that opened it.
        self._lock = FileLock(str(place.lock), timeout=0, mode=0o600, thread_local=False)

    def acquire(self) -> None:
        """Take the lock.

        Raises:
            StoreLockedError: someone holds it, be it another store in this process.
        """
        with self._seam:
            try:
                self._lock.acquire()
            except Timeout:
                holder = read_note(self._place.holder)
                raise StoreLockedError(
                    str(self._place.directory), pid=holder.pid, address=holder.address
                ) from None

    def announce(self, address: str | None) -> None:
        """Leave the note with this process's id and the address at which it serves."""
        note = json.dumps({"pid": os.getpid(), "address": address})
        draft = self._place.holder.with_suffix(".tmp")
        # On a full disk the memories can still be read, so a note that finds no room is no error.
        with suppress(StoreFullError), self._seam:
            draft.write_text(note, encoding="utf-8")
            draft.replace(self._place.holder)

    def release(self) -> None:
        """Take the note away and give the lock back."""
        with self._seam:
            try:
                self._place.holder.unlink(missing_ok=True)
            finally:
                self._lock.release()
