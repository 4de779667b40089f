"""Protocols through which the engine reaches the world; the law of each is in its docstring."""
