"""The in-memory store: the oracle that other stores are tested against."""
