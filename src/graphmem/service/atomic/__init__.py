"""The calls about atoms: they are searched, listed, made, changed and deleted."""
