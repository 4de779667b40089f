from __future__ import annotations

import re

from hypothesis import given, strategies as st

from graphmem.domain.scope import Scope, digest_parts
from graphmem.domain.turn import make_turn_id

parts = st.lists(st.text(max_size=4), max_size=4)


@given(parts, parts)
def test_different_lists_of_strings_have_different_digests(
    left: list[str], right: list[str]
) -> None:
    assert (digest_parts(*left) == digest_parts(*right)) == (left == right)


@given(st.text(), st.text(), st.text(), st.integers(0, 10**6))
def test_a_turn_id_is_a_function_of_its_request_and_place(
    memory: str, surface: str, request: str, position: int
) -> None:
    scope = Scope(tenant_id="t", memory_id=memory)
    turn_id = make_turn_id(scope, surface, request, position)
    assert re.fullmatch(r"t_[0-9a-f]{24}", turn_id)
    assert turn_id == make_turn_id(scope, surface, request, position)
    assert turn_id != make_turn_id(scope, surface, request, position + 1)
    assert turn_id != make_turn_id(
        Scope(tenant_id="t2", memory_id=memory), surface, request, position
    )
