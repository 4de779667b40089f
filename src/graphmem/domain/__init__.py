"""Frozen values that every layer shares: no I/O, no clock, no randomness."""
