"""The speaker channel: turns of a speaker whom the query names count more."""

from __future__ import annotations

import numpy as np

from graphmem.index.view import CompiledView
from graphmem.retrieval.channels.lexical import Scores
from graphmem.retrieval.plan import Plan


def named_speaker(view: CompiledView, plan: Plan, scores: Scores, share: float) -> Scores:
    """What each turn gets for its speaker: `share` of what it earned otherwise; float64 [turns]."""
    spoken = np.isin(view.turn_speaker.values, plan.speakers)
    return np.where(spoken, share * scores, 0.0)
