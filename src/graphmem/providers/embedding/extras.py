"""Packages that only some embedders need, so that installing graphmem does not pull them in."""

from __future__ import annotations

import importlib
from types import ModuleType

from graphmem.errors import ConfigError


def require(module: str, *, extra: str) -> ModuleType:
    """The module, imported now.

    Raises:
        ConfigError: it is not installed; the error names the extra that brings it.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        reason = f"this model needs {module}; install it with: pip install 'graphmem[{extra}]'"
        raise ConfigError("embedding_model", reason) from error
