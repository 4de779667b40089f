"""Grants are sets: what one covers, it could do itself."""

from __future__ import annotations

from hypothesis import given, strategies as st

from graphmem.domain.access import EVERYTHING, RIGHTS, Grant, Right

IDS = ("a", "b", "c")
BOUNDS = st.none() | st.frozensets(st.sampled_from(IDS))
GRANTS = st.builds(
    Grant, tenants=BOUNDS, memories=BOUNDS, rights=st.frozensets(st.sampled_from(RIGHTS))
)


def deeds(grant: Grant) -> set[tuple[Right, str, str]]:
    """All that a grant allows, in a world that has one more tenant and memory than it may name."""
    world = (*IDS, "unnamed")
    return {
        (right, tenant, memory)
        for right in RIGHTS
        for tenant in world
        for memory in world
        if grant.may(right) and grant.reaches_tenant(tenant) and grant.reaches_memory(memory)
    }


@given(GRANTS, GRANTS)
def test_a_grant_covers_only_what_it_could_do(one: Grant, other: Grant) -> None:
    if one.covers(other):
        assert deeds(other) <= deeds(one)


@given(GRANTS)
def test_everything_covers_all_and_each_grant_itself(grant: Grant) -> None:
    assert EVERYTHING.covers(grant)
    assert grant.covers(grant)


@given(GRANTS)
def test_only_a_grant_of_everything_covers_everything(grant: Grant) -> None:
    assert grant.covers(EVERYTHING) == (grant == EVERYTHING)
