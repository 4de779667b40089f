"""Retrieval metrics of one question, all derived from the first rank at which each gold item shows.

A gold item is a message, or a session where a set points at sessions only; a returned turn covers
its own message and its session. Turns are counted once, in the order they were returned, from 1.

* recall@k: share of the gold items among the first k turns.
* all@k: 1 when all of them are there, else 0.
* session_recall@k: share of the gold sessions among the sessions of the first k turns.
* mrr: 1 / rank of the first gold item, 0 when none was returned.
* ndcg@10: a turn gains 1 when it covers a gold item that no turn before it covered, discounted by
  log2(1 + rank), over the gain of the best possible order (Järvelin and Kekäläinen 2002).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

NDCG_DEPTH: Final = 10
DEFAULT_DEPTHS: Final = (1, 5, 10, 32, 100)

Scores = Mapping[str, float]


def first_ranks(gold: Sequence[str], returned: Sequence[str]) -> tuple[float, ...]:
    """The rank from 1 at which each distinct gold item is first returned, infinity for never."""
    ranks: dict[str, float] = {}
    for rank, item in enumerate(returned, start=1):
        ranks.setdefault(item, rank)
    return tuple(ranks.get(item, math.inf) for item in dict.fromkeys(gold))


def recall_at(ranks: Sequence[float], k: int) -> float:
    """Share of the gold items that show within the first k ranks."""
    return sum(rank <= k for rank in ranks) / len(ranks)


def all_at(ranks: Sequence[float], k: int) -> float:
    """1.0 when every gold item shows within the first k ranks, else 0.0."""
    return float(max(ranks) <= k)


def reciprocal_rank(ranks: Sequence[float]) -> float:
    """1 / rank of the first gold item, 0.0 when none shows."""
    return 1.0 / min(ranks)


def ndcg_at(ranks: Sequence[float], k: int) -> float:
    """Normalised discounted cumulative gain with binary gains within the first k ranks."""
    gained = sum(1.0 / math.log2(1 + rank) for rank in sorted(ranks)[:k] if rank <= k)
    best = sum(1.0 / math.log2(1 + rank) for rank in range(1, min(k, len(ranks)) + 1))
    return gained / best


def score(
    gold_turns: Sequence[str],
    gold_sessions: Sequence[str],
    turns: Sequence[str],
    sessions: Sequence[str],
    depths: Sequence[int] = DEFAULT_DEPTHS,
) -> Scores:
    """Score one question.

    Args:
        gold_turns: messages that hold the answer; empty where the set names sessions only.
        gold_sessions: sessions that hold the answer; at least one.
        turns: distinct messages as returned.
        sessions: the session of each of `turns`.
        depths: the k of recall@k, all@k and session_recall@k.
    """
    by_session = first_ranks(gold_sessions, sessions)
    ranks = first_ranks(gold_turns, turns) if gold_turns else by_session
    values = {"mrr": reciprocal_rank(ranks), f"ndcg@{NDCG_DEPTH}": ndcg_at(ranks, NDCG_DEPTH)}
    for k in depths:
        values[f"recall@{k}"] = recall_at(ranks, k)
        values[f"all@{k}"] = all_at(ranks, k)
        values[f"session_recall@{k}"] = recall_at(by_session, k)
    return values
