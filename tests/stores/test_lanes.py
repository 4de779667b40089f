"""Lanes keep the writers of one memory apart and let those of others go on."""

from __future__ import annotations

import threading

import pytest

from graphmem.stores.lanes import Lanes
from tests.stores.rows import OTHER, SCOPE

WAIT = 20.0


def _enter(lanes: Lanes, entered: threading.Event) -> None:
    with lanes.enter(SCOPE):
        entered.set()


def test_one_memory_lets_one_in_and_another_goes_on() -> None:
    lanes, entered = Lanes(), threading.Event()
    with lanes.enter(OTHER):
        thread = threading.Thread(target=_enter, args=(lanes, entered))
        thread.start()
        assert entered.wait(WAIT)
        thread.join(WAIT)
    entered.clear()
    with lanes.enter(SCOPE):
        thread = threading.Thread(target=_enter, args=(lanes, entered))
        thread.start()
        assert not entered.wait(0.05)
    assert entered.wait(WAIT)
    thread.join(WAIT)


def test_a_thread_enters_one_lane_at_a_time() -> None:
    lanes = Lanes()
    for second in (SCOPE, OTHER):
        with lanes.enter(SCOPE), pytest.raises(RuntimeError, match="nest"), lanes.enter(second):
            pass
    with lanes.enter(OTHER):
        pass


def test_an_exception_leaves_the_lane() -> None:
    lanes = Lanes()
    with pytest.raises(KeyError), lanes.enter(SCOPE):
        raise KeyError
    with lanes.enter(SCOPE):
        pass


def test_no_lane_is_kept_for_a_memory_that_nobody_writes() -> None:
    lanes = Lanes()
    with lanes.enter(SCOPE):
        assert len(lanes._turnstiles) == 1
    assert len(lanes._turnstiles) == 0
