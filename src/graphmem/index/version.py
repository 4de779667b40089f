"""The version of the index, so that what an earlier release built is known and made again."""

from __future__ import annotations

from typing import Final

# Raise it whenever the same turns would get other columns, terms or postings. 2: times. 3: approximate ones.
# 4: Chinese characters. 5: what was arranged lies ahead. 6: topics and requests before a colon are no speakers.
INDEX_VERSION: Final = "6"
