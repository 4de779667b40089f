from __future__ import annotations

import pytest

from graphmem.bench.embedders import check_embedder
from graphmem.errors import InvalidInputError


def test_none_is_known() -> None:
    assert check_embedder("none") == "none"


def test_an_unknown_name_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InvalidInputError, match="known are: none"):
        check_embedder("word2vec")
