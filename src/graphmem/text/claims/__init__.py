"""Claims: what the sentences of a message say of whom, and of which type (docs/atoms.md)."""
