"""Preparing takes what a search found through the read-out to messages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import cast

from graphmem.config import ServiceConfig
from graphmem.domain.hit import Retrieval
from graphmem.domain.prepared import Prepared, Readout
from graphmem.domain.query import Query
from graphmem.domain.question import Question
from graphmem.ports.stage import stage
from graphmem.ports.tokens import TokenCounter
from graphmem.readout.assemble import Asked, Rules, assemble, stage_of
from graphmem.readout.budget import budget_of
from graphmem.readout.facts import NO_FACTS, Facts
from graphmem.readout.select import Candidate
from graphmem.service.search import Found
from graphmem.text.questions.reader import analyse_question


def rules_of(config: ServiceConfig, counter: TokenCounter) -> Rules:
    """How evidence is chosen under these settings.

    Raises:
        ConfigError: an override of the budgets is wrong.
    """
    return Rules(
        readout=cast("Readout", config.readout),
        budget=budget_of(config.runtime_overrides),
        counter=counter,
    )


KnowsFacts = Callable[[Question], Facts]
"""Reads what the graph knows of the turns that were found."""


def prepare(found: Found, query: Query, rules: Rules, known: KnowsFacts) -> Prepared:
    """The messages for a question, from the turns that were found for it.

    Args:
        found: the turns.
        query: the question.
        rules: how evidence is chosen and laid out.
        known: what is known of the turns; asked only if the rules have room for it.

    Raises:
        InvalidInputError: question and options alone are over the prompt's ceiling.
    """
    question = _question(found, query)
    with stage("store"):
        facts = known(question) if rules.budget.aid_tokens else NO_FACTS
    with stage("render"):
        asked = Asked(
            text=query.text,
            question=question,
            options=query.options,
            asked_at=query.asked_at,
            newest=found.newest,
            facts=facts,
        )
        return assemble(asked, _candidates(found), found.retrieval.trace, rules)


def stage_hits(found: Found, query: Query, rules: Rules) -> Retrieval:
    """The hits of the question's stage, in the order in which they were ranked."""
    with stage("render"):
        chosen = stage_of(_question(found, query), _candidates(found), found.retrieval.trace, rules)
        kept = {one.candidate.hit.id for one in chosen}
    hits = tuple(hit for hit in found.retrieval.hits if hit.id in kept)
    return replace(found.retrieval, hits=hits)


def _question(found: Found, query: Query) -> Question:
    anchor = query.asked_at or found.newest
    return analyse_question(query.text, anchor, known=found.speakers)


def _candidates(found: Found) -> list[Candidate]:
    return [
        Candidate(hit=hit, number=turn.turn_no, session_no=turn.session_no)
        for hit, turn in zip(found.retrieval.hits, found.turns, strict=True)
    ]
