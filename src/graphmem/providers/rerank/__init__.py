"""Models that read a query and a text together."""
