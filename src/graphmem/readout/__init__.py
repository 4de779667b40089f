"""How evidence is written out for a model or a person."""
