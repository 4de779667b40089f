"""Embedding models behind the embedder port, and the pool of threads that they run in."""
