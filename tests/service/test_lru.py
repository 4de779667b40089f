from __future__ import annotations

from hypothesis import given, strategies as st

from graphmem.service.lru import BytesLRU


def test_the_least_recently_used_goes_first() -> None:
    lru: BytesLRU[str, int] = BytesLRU(20)
    lru.put("a", 1, 10)
    lru.put("b", 2, 10)
    assert lru.get("a") == 1
    lru.put("c", 3, 10)
    assert (lru.get("a"), lru.get("b"), lru.get("c")) == (1, None, 3)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 30))), st.integers(0, 50))
def test_what_is_held_never_exceeds_the_limit(puts: list[tuple[str, int]], limit: int) -> None:
    lru: BytesLRU[str, int] = BytesLRU(limit)
    sizes = {}
    for key, nbytes in puts:
        lru.put(key, nbytes, nbytes)
        sizes[key] = nbytes
    held = [sizes[key] for key in sizes if lru.get(key) is not None]
    assert sum(held) <= limit
