"""The reranker port: how well each of some texts answers a query, by a model that reads both together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Reranker(Protocol):
    """Scores pairs of a query and a text.

    Laws: the score of a pair does not depend on the pairs beside it, on the calls before, or on
    the thread; every score is finite; on any failure a `RerankError` is raised and nothing is
    returned. Thread-safe. The model is loaded by the first call that needs it.
    """

    @property
    def name(self) -> str:
        """For people; known without loading the model."""
        ...

    @property
    def fingerprint(self) -> str:
        """Changes whenever the same pair could get another score.

        Raises:
            RerankUnavailableError: the model's files can't be read.
        """
        ...

    def score(self, query: str, texts: Sequence[str]) -> tuple[float, ...]:
        """One score a text, the better the higher; of any scale, the same for all pairs.

        Raises:
            RerankUnavailableError: the model can't be loaded, or is closed.
            RerankRefusedError: the query leaves no room for a text.
            RerankResponseError: the model failed, or gave what are no scores.
        """
        ...

    def close(self) -> None:
        """Give back what it holds. May be called twice."""
        ...
