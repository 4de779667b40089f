"""The compiled view of a memory: immutable posting segments and columns."""
