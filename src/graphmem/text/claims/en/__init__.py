"""Claims of English sentences."""
