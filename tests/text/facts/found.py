"""What the scanner finds, as pairs that a test can read."""

from __future__ import annotations

from graphmem.text.facts.scanner import scan


def found(text: str, kind: str) -> list[str]:
    """The places of one kind, in order."""
    return [text[fact.start : fact.end] for fact in scan(text) if fact.kind == kind]


def marks(text: str, kind: str, surface: str) -> bool:
    """Whether a fact of the kind overlaps the surface."""
    start = text.index(surface)
    end = start + len(surface)
    return any(f.kind == kind and f.start < end and f.end > start for f in scan(text))
