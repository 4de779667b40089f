"""The calls about messages as messages: they are searched, listed, counted and deleted."""
