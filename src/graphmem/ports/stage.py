"""The stage port: how a call tells whoever measures it what it spends its time on.

A recorder belongs to one exchange and is found through the context, so that nothing between it and
the work has to carry it; without one, a stage costs a look-up.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from typing import Final, Literal, Protocol, get_args

Stage = Literal["wait", "embed", "extract", "store", "rank", "rerank", "render", "answer"]
STAGES: Final[tuple[Stage, ...]] = get_args(Stage)


class Recorder(Protocol):
    """Measures the stages of one exchange; called from the threads that work for it."""

    def stage(self, name: Stage) -> AbstractContextManager[None]:
        """Measure what happens within the block. Blocks of one exchange may lie in one another."""
        ...


_recorder: ContextVar[Recorder | None] = ContextVar("graphmem_recorder", default=None)


def stage(name: Stage) -> AbstractContextManager[None]:
    """Say that the block is a stage of the exchange at hand.

    `wait`: in a queue; `embed`: for the embedding model; `extract`: for the chat model of the build;
    `store`: reads and writes, the making of views included; `rank`; `rerank`: for the reranking model;
    `render`: results into their form; `answer`: for the chat model that answers.
    """
    recorder = _recorder.get()
    return nullcontext() if recorder is None else recorder.stage(name)


@contextmanager
def recorded_by(recorder: Recorder) -> Iterator[None]:
    """Let a recorder measure the stages within the block."""
    token = _recorder.set(recorder)
    try:
        yield
    finally:
        _recorder.reset(token)
