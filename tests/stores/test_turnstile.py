"""A turnstile lets one in at a time, first come, first served."""

from __future__ import annotations

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


class _Interrupted:
    """A ticket whose holder is interrupted while it waits."""

    def acquire(self) -> bool:
        raise KeyboardInterrupt


@pytest.mark.parametrize("is_called_up", [False, True])
def test_an_interrupted_waiter_neither_blocks_nor_loses_its_turn(
    monkeypatch: pytest.MonkeyPatch, *, is_called_up: bool
) -> None:
    turnstile = Turnstile()
    entry = (threading.get_ident(), threading.Lock())
    monkeypatch.setattr(threading, "Lock", _Interrupted)
    with turnstile:
        if not is_called_up:
            turnstile._waiting.append(entry)
        else:
            turnstile._owner = entry[0]
        with pytest.raises(KeyboardInterrupt):
            turnstile._wait(entry[0], entry[1])
