"""One file for each HTTP contract."""
