"""Long-term memory for AI agents: lossless, dated, attributed evidence, in English and Chinese."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from graphmem._version import __version__
from graphmem.config import ServiceConfig
from graphmem.domain.message import Message
from graphmem.errors import GraphmemError

if TYPE_CHECKING:
    from graphmem.service.aio import AsyncMemoryService
    from graphmem.service.memory import MemoryService

__all__ = [
    "AsyncMemoryService",
    "GraphmemError",
    "MemoryService",
    "Message",
    "ServiceConfig",
    "__version__",
]

_LAZY = {  # the engine needs NumPy; importing the names above does not
    "AsyncMemoryService": "graphmem.service.aio",
    "MemoryService": "graphmem.service.memory",
}


def __getattr__(name: str) -> object:
    if name in _LAZY:
        return getattr(import_module(_LAZY[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
