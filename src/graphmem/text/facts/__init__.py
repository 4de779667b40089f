"""Fragile facts: the details of a text that a summary would lose (docs/atoms.md is the definition)."""
