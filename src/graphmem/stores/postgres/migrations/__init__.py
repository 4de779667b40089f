"""Numbered steps from an empty database to the present schema, each applied once."""
