"""The build: from turns to atoms and their relations, without I/O, clock or randomness."""
