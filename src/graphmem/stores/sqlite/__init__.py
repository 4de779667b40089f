"""The embedded store: one SQLite file in one directory."""
