"""For all tests."""

from __future__ import annotations

from hypothesis import settings

# How long a case takes is a figure, and those are measured in benchmarks/.
settings.register_profile("graphmem", deadline=None)
settings.load_profile("graphmem")
