from __future__ import annotations

import time

import pytest
from hypothesis import given, strategies as st

from graphmem.domain.setting import Setting, holding

values = st.sampled_from(
    ["", "rome", "the rome", "rome with bo", "oslo", "new york", "new york mills", "上海"]
)
attributes = st.sampled_from(["residence", "residence/end", "attitude:tea", "rule:emoji"])


def setting(value: str, attribute: str = "residence", predicate: str = "live in") -> Setting:
    return Setting.of(attribute=attribute, predicate=predicate, polarity="affirmed", value=value)


settings = st.builds(setting, values, attributes, st.sampled_from(["love", "hate"]))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("rome", "rome", True),
        ("a nurse", "nurse", True),
        ("rome", "rome with bo", True),
        ("34", "34 years old", True),
        ("rome", "oslo", False),
        ("new york", "new york mills", False),
        ("a nurse at rome hospital", "a nurse at oslo hospital", False),
        ("3", "34", False),
        ("上海", "上海大学", False),
        ("", "", False),
    ],
)
def test_a_value_is_the_same_if_the_other_adds_to_it(one: str, other: str, same: bool) -> None:
    assert setting(one).agrees_with(setting(other)) is same
    assert setting(other).agrees_with(setting(one)) is same


def test_a_verb_tells_attitudes_and_rules_apart_and_no_places() -> None:
    assert setting("rome", predicate="move to").agrees_with(setting("rome"))
    for attribute in ("attitude:tea", "rule:emoji"):
        love, hate = setting("tea", attribute, "love"), setting("tea", attribute, "hate")
        assert not love.agrees_with(hate)


@given(st.lists(settings, max_size=8))
def test_the_last_value_holds_unless_it_was_ended_later_and_ends_always_do(
    said: list[Setting],
) -> None:
    held = holding(list(enumerate(said)))
    assert {at for at, one in enumerate(said) if one.is_end} <= held
    sets = [at for at, one in enumerate(said) if not one.is_end]
    if sets:
        last = sets[-1]
        is_ended = any(one.ends(said[last]) for one in said[last + 1 :])
        assert (last in held) is not is_ended
    assert all(said[at].agrees_with(said[sets[-1]]) or at == sets[-1] for at in held & set(sets))


def test_time_grows_with_how_often_a_value_is_said() -> None:
    def seconds(times: int) -> float:
        said = [(at, setting("rome")) for at in range(times)]
        best = []
        for _ in range(3):
            start = time.perf_counter()
            holding(said)
            best.append(time.perf_counter() - start)
        return min(best)

    assert seconds(20_000) < 30 * seconds(2_000)
