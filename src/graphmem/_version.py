"""The one place that states the package's version."""

from __future__ import annotations

__version__ = "0.1.0"
