"""Opening a memory for a write: the state it has, or the one that a new one begins with."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from graphmem.ports.store import Head, WriteTransaction
from graphmem.service.build import Build

_NO_HEAD: Final = Head(
    version=0,
    ready_version=0,
    turns=0,
    sessions=0,
    content_bytes=0,
    created_us=0,
    updated_us=0,
)


def open_memory(tx: WriteTransaction, now_us: int, build: Build) -> Head:
    """The memory's state, made if there is no memory."""
    head = tx.head()
    if head is None:
        # One that was deleted begins anew, but its versions and numbers go on.
        before = tx.grave() or _NO_HEAD
        head = replace(before, created_us=now_us, updated_us=now_us, build=build.to_text())
        tx.create(head)
    return head
