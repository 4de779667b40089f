"""Strict models of the HTTP contracts; used by the server and clients only."""
