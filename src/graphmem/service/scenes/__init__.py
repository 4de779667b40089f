"""Scenes in service: what a chat model is asked about, and how its answers become atoms."""
