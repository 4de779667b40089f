"""A background thread loses no work, rests without any, and ends when told."""

from __future__ import annotations

import threading

from graphmem.service.shift import Shift


class Counting:
    """Works off a number; what is added while it looks is seen by the next look."""

    def __init__(self) -> None:
        self.shift = Shift(self._run, name="counting")
        self.todo = self.done = 0
        self.looked = threading.Event()
        self.may_go_on = threading.Event()
        self.may_go_on.set()

    def _run(self) -> None:
        while not self.shift.is_over:
            self.shift.look()
            seen = self.todo
            self.looked.set()
            self.may_go_on.wait(10)
            self.done = seen
            self.shift.rest()


def test_work_that_comes_while_it_looks_is_not_lost() -> None:
    counting = Counting()
    counting.may_go_on.clear()
    counting.shift.start()
    assert counting.looked.wait(10)
    counting.todo = 1
    counting.shift.wake()
    counting.may_go_on.set()
    assert counting.shift.wait(10)
    assert counting.done == 1
    counting.shift.end()
    counting.shift.join()


def test_it_is_idle_only_when_all_that_came_is_done() -> None:
    counting = Counting()
    assert not counting.shift.wait(0.0)
    counting.shift.start()
    assert counting.shift.wait(10)
    counting.may_go_on.clear()
    counting.shift.wake()
    assert not counting.shift.wait(0.0)
    counting.may_go_on.set()
    assert counting.shift.wait(10)
    counting.shift.end()
    counting.shift.join()


def test_the_end_ends_a_pause_and_a_rest() -> None:
    paused = threading.Event()

    def work() -> None:
        paused.set()
        shift.pause(60)
        shift.rest()

    shift = Shift(work, name="pausing")
    shift.start()
    assert paused.wait(10)
    shift.end()
    shift.join()
    assert shift.is_over


def test_one_that_never_started_ends_at_once() -> None:
    shift = Shift(lambda: None, name="idle", is_idle=True)
    assert shift.wait(0.0)
    shift.end()
    shift.join()
