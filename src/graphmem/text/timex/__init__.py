"""Time expressions: what dates a text means, seen from an anchor (docs/time.md is the definition)."""
