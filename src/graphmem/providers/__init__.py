"""Adapters behind the ports other than stores."""
