"""Long-term memory for AI agents: lossless, dated, attributed evidence, in English and Chinese."""

from __future__ import annotations

from graphmem._version import __version__

__all__ = ["__version__"]
