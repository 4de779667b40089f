"""Atoms in the build: written with every add, made anew by a rebuild, forgotten with their turns."""
