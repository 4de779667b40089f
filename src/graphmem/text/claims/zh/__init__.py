"""Claims of Chinese sentences."""
