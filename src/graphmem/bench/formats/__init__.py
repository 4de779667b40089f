"""Readers of public evidence-set formats, one file per format."""

from __future__ import annotations
