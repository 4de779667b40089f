"""A gate closes when all is out."""

from __future__ import annotations

import threading

import pytest

from graphmem.errors import ServiceClosedError
from graphmem.stores.gate import Gate


def test_only_the_first_close_closes() -> None:
    gate = Gate()
    assert gate.close()
    assert not gate.close()


def test_a_closed_gate_lets_nothing_in() -> None:
    gate = Gate()
    gate.close()
    with pytest.raises(ServiceClosedError), gate:
        pass


def test_closing_waits_for_all_that_is_in() -> None:
    gate = Gate()
    closing = threading.Thread(target=gate.close)
    with gate:
        with gate:
            closing.start()
        closing.join(0.05)
        assert closing.is_alive()
    closing.join(20)
    assert not closing.is_alive()


def test_an_exception_goes_out_through_the_gate() -> None:
    gate = Gate()
    with pytest.raises(KeyError), gate:
        raise KeyError
    assert gate.close()
