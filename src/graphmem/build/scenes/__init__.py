"""Scenes: what a chat model finds in a stretch of a conversation, and how much of that is taken."""
