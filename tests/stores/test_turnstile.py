"""A turnstile lets one in at a time, first come, first served."""

from __future__ import annotations

import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from graphmem.stores.turnstile import Turnstile


def test_only_one_is_inside() -> None:
    turnstile = Turnstile()
    inside = 0

    def pass_through() -> None:
        nonlocal inside
        for _ in range(200):
            with turnstile:
                inside += 1
                assert inside == 1
                inside -= 1

    with ThreadPoolExecutor(8) as threads:
        for result in [threads.submit(pass_through) for _ in range(8)]:
            result.result(20)


def test_the_one_inside_may_not_enter_again_and_is_not_thrown_out() -> None:
    turnstile = Turnstile()
    with turnstile:
        with pytest.raises(RuntimeError, match="nest"), turnstile:
            pass
        with pytest.raises(RuntimeError, match="nest"), turnstile:
            pass
    with turnstile:
        pass


def test_it_is_free_after_an_exception() -> None:
    turnstile = Turnstile()
    with pytest.raises(KeyError), turnstile:
        raise KeyError
    with turnstile:
        pass


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals to a thread")
def test_an_interrupted_waiter_leaves_the_queue() -> None:
    turnstile = Turnstile()
    is_held, is_done = threading.Event(), threading.Event()

    def hold() -> None:
        with turnstile:
            is_held.set()
            is_done.wait(20)

    with ThreadPoolExecutor(1) as threads:
        holding = threads.submit(hold)
        is_held.wait(20)
        interrupt = (threading.get_ident(), signal.SIGINT)
        # What a process inherits that was started in the background ignores it.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            threading.Timer(0.05, signal.pthread_kill, interrupt).start()
            with pytest.raises(KeyboardInterrupt), turnstile:
                pass
        finally:
            signal.signal(signal.SIGINT, before)
        is_done.set()
        holding.result(20)
    with turnstile:
        pass
