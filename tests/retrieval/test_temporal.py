from __future__ import annotations

import numpy as np
from hypothesis import given, strategies as st

from graphmem.domain.interval import Interval
from graphmem.domain.mention import Mention
from graphmem.index.view import CompiledView
from graphmem.retrieval.channels.temporal import of_the_time
from tests.index.conftest import Spec, cut

intervals = st.builds(
    lambda start, length: Interval(start_us=start, end_us=start + length, grain="minute"),
    st.integers(0, 900),
    st.integers(1, 400),
)


def _view(mentions: list[Interval | None]) -> CompiledView:
    """Turns said at 0, 100, 200, ... that speak of these times."""
    turns = [
        Spec(
            0,
            None,
            [["x"]],
            () if one is None else (Mention(start=0, end=1, interval=one, is_complete=False),),
        )
        for one in mentions
    ]
    return CompiledView.empty().extended(cut(turns, []), (), 1)


@given(st.lists(st.none() | intervals, min_size=1, max_size=8), st.lists(intervals, max_size=3))
def test_turns_of_the_time_gain_a_share_of_what_they_have(
    mentions: list[Interval | None], dates: list[Interval]
) -> None:
    scores = np.arange(1.0, len(mentions) + 1)
    gained = of_the_time(_view(mentions), dates, scores, 0.5)
    for turn, mention in enumerate(mentions):
        said = Interval(start_us=100 * turn, end_us=100 * turn + 1, grain="minute")
        times = [said] if mention is None else [said, mention]
        is_of = any(
            (a.start_us or 0) < (b.end_us or 0) and (b.start_us or 0) < (a.end_us or 0)
            for a in times
            for b in dates
        )
        assert gained[turn] == (0.5 * scores[turn] if is_of else 0.0)


def test_a_query_without_dates_gives_nothing() -> None:
    assert not of_the_time(_view([None]), [], np.ones(1), 1.0).any()
