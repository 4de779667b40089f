"""Places where memories are kept; each passes the conformance suite."""
