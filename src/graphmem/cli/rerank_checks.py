"""The check of `graphmem doctor` that looks at the reranking model."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Final

from graphmem.cli.findings import Finding, State
from graphmem.config import ServiceConfig
from graphmem.errors import ConfigError, RerankError
from graphmem.service.factory import open_reranker

_PROBE_QUERY: Final = "Is the model there?"
_PROBE_TEXT: Final = "The model is there."


def check_reranker(config: ServiceConfig) -> Iterator[Finding]:
    """Whether the reranking model loads and scores a pair."""
    try:
        reranker = open_reranker(config)
    except ConfigError as error:
        yield _reranker("fail", str(error), "correct the settings file")
        return
    if reranker is None:
        yield _reranker("ok", "off (rerank_model is empty): the channels order what is found")
        return
    with closing(reranker):
        try:
            reranker.score(_PROBE_QUERY, [_PROBE_TEXT])
        except RerankError as error:
            remedy = "name a cross-encoder in rerank_model, or empty it; searches go on without it"
            yield _reranker("fail", str(error), remedy)
        else:
            yield _reranker("ok", f"{reranker.name} scores ({reranker.fingerprint})")


def _reranker(state: State, detail: str, remedy: str = "") -> Finding:
    return Finding(check="reranking model", state=state, detail=detail, remedy=remedy)
