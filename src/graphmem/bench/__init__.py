"""Measures retrieval quality and speed on public evidence sets."""
