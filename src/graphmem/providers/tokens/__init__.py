"""Token counters that need a model's files."""
