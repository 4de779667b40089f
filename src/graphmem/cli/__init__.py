"""The command line: `graphmem`, one file per command."""

from __future__ import annotations

from graphmem.cli.main import main

__all__ = ["main"]
