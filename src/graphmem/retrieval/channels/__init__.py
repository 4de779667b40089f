"""One file for each way in which a turn can earn a score."""
