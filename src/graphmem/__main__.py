"""`python -m graphmem` is the command line."""

from __future__ import annotations

from graphmem.cli import main

if __name__ == "__main__":
    main()
