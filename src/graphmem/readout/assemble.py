"""From ranked turns to messages under every budget, retreating where the ceiling leaves no room."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from graphmem.domain.aid import Aid
from graphmem.domain.hit import Trace
from graphmem.domain.moment import Moment
from graphmem.domain.prepared import (
    ChatMessage,
    Evidence,
    LeftOut,
    OptimizedReadout,
    Prepared,
    PrepareTrace,
    Readout,
    Usage,
)
from graphmem.domain.question import Question
from graphmem.errors import InvalidInputError
from graphmem.ports.tokens import TokenCounter
from graphmem.readout.aid_words import words_of
from graphmem.readout.aids import Sight, aids_of
from graphmem.readout.block import short_id
from graphmem.readout.budget import QueryBudget, Stage
from graphmem.readout.excerpt import term_weights
from graphmem.readout.facts import NO_FACTS, Facts
from graphmem.readout.layout import Layout, capsules, cards, date_table, in_order
from graphmem.readout.prompt import time_line, user_message, wording_of
from graphmem.readout.select import Candidate, Chosen, Selection, Selector
from graphmem.readout.witness import with_witnesses


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is asked of a memory.

    Attributes:
        text: the question as the caller wrote it.
        question: what it was read as.
        options: answer options.
        asked_at: when it was asked, None where nobody said.
        newest: when the memory's newest turn was said, None of an empty memory.
        facts: what the memory's graph knows of the turns in sight.
    """

    text: str
    question: Question
    options: Sequence[str] = ()
    asked_at: Moment | None = None
    newest: Moment | None = None
    facts: Facts = NO_FACTS


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """How evidence is chosen, counted and laid out."""

    readout: Readout
    budget: QueryBudget
    counter: TokenCounter


@dataclass(frozen=True, slots=True, kw_only=True)
class _Draft:
    """Messages on the way to their final size.

    Attributes:
        stage: the turns of the stage, best first.
        focus: those of the source-focus, best first.
        aids: what was computed from these.
    """

    messages: tuple[ChatMessage, ...]
    tokens: int
    evidence: str
    stage: tuple[Chosen, ...]
    focus: tuple[Chosen, ...]
    readout: Readout
    aids: tuple[Aid, ...]


def assemble(asked: Asked, candidates: Sequence[Candidate], trace: Trace, rules: Rules) -> Prepared:
    """Choose evidence for a question and write the messages.

    Args:
        asked: the question.
        candidates: the ranked turns, best first; more than any budget takes.
        trace: how they were found.
        rules: the read-out, its budgets and what a token is.

    Raises:
        InvalidInputError: question and options alone are over the ceiling.
    """
    question = asked.question
    stage = rules.budget.stage(question.family)
    weights = term_weights(trace.terms, [candidate.hit for candidate in candidates])
    selector = Selector(rules.counter, weights, rules.budget.excerpt_tokens)
    first = selector.select(candidates, stage, "stage")
    sight = Sight(
        text=asked.text,
        question=question,
        asked_at=asked.asked_at,
        candidates=candidates,
        facts=asked.facts,
    )
    focus = _focus(candidates, first.chosen, selector, rules, sight)
    draft = _fit(asked, sight, first.chosen, focus.chosen, rules)
    wanted = (len(first.chosen), len(focus.chosen))
    left_out = tuple(dict.fromkeys((*first.left_out, *focus.left_out)))
    return _prepared(asked, draft, left_out, wanted, trace, rules)


def stage_of(
    question: Question, candidates: Sequence[Candidate], trace: Trace, rules: Rules
) -> tuple[Chosen, ...]:
    """The turns of a question's stage alone, best first."""
    weights = term_weights(trace.terms, [candidate.hit for candidate in candidates])
    selector = Selector(rules.counter, weights, rules.budget.excerpt_tokens)
    return selector.select(candidates, rules.budget.stage(question.family), "stage").chosen


def _focus(
    candidates: Sequence[Candidate],
    shown: Sequence[Chosen],
    selector: Selector,
    rules: Rules,
    sight: Sight,
) -> Selection:
    """What `v5_81` adds to the stage: what replaced its values, and the turns behind it.

    What is computed from the stage is paid for by the focus, so that prompts stay as long as they were.
    """
    budget = rules.budget
    if rules.readout != "v5_81":
        return Selection(chosen=(), left_out=())
    taken = {one.candidate.number for one in shown}
    rest = [candidate for candidate in candidates if candidate.number not in taken]
    ranked = with_witnesses(taken, rest, sight.facts)
    computed = _aids(sight, shown, rules)
    spent = sum(rules.counter.count(aid.text + "\n") for aid in computed)
    focus = selector.select(ranked, Stage(budget.focus_turns, budget.focus_tokens), "focus")
    if not spent:
        return focus
    room = max(0, focus.tokens - spent)
    return selector.select(ranked, Stage(budget.focus_turns, room), "focus")


def _fit(
    asked: Asked,
    sight: Sight,
    stage: tuple[Chosen, ...],
    focus: tuple[Chosen, ...],
    rules: Rules,
) -> _Draft:
    """The messages under the ceiling: first the source-focus gives way, then the `v5_73` prompt serves."""
    ceiling = rules.budget.max_answer_tokens_hard

    def with_focus(kept: int) -> _Draft:
        return _draft(asked, sight, stage, focus[:kept], rules.readout, rules)

    def bounded(kept: int) -> _Draft:
        return _draft(asked, sight, stage[:kept], (), "v5_73", rules)

    draft = _shrunk(with_focus, len(focus), ceiling)
    if draft.tokens > ceiling:
        draft = _shrunk(bounded, len(stage), ceiling)
    if draft.tokens > ceiling:
        raise InvalidInputError(
            "query",
            f"takes, with its options and the instructions, {draft.tokens} tokens of at most {ceiling}; "
            "shorten it, or raise runtime_overrides.query_budget.max_answer_tokens_hard",
        )
    return draft


def _shrunk(draft_of: Callable[[int], _Draft], most: int, ceiling: int) -> _Draft:
    """The draft with as many turns as fit; with none at all if nothing does.

    Every size is counted as a whole, since no counter promises that fewer turns have fewer tokens.
    """
    kept = most
    draft = draft_of(kept)
    while draft.tokens > ceiling and kept:
        kept = min(kept - 1, kept * ceiling // draft.tokens)
        draft = draft_of(kept)
    return draft


def _draft(
    asked: Asked,
    sight: Sight,
    stage: tuple[Chosen, ...],
    focus: tuple[Chosen, ...],
    readout: Readout,
    rules: Rules,
) -> _Draft:
    wording = wording_of(asked.text)
    shown = (*stage, *focus)
    layout: Layout = capsules if readout == "v5_81" else cards
    evidence = layout(shown)
    if readout == "v5_73" and asked.question.family == "temporal":
        table = date_table(shown, wording.table)
        evidence = "\n\n".join(part for part in (evidence, table) if part)
    aids = _aids(sight, shown, rules)
    if aids:
        computed = "\n".join([words_of(asked.text).title, *(aid.text for aid in aids)])
        evidence = f"{evidence}\n\n{computed}"
    user = user_message(
        wording,
        evidence,
        now=time_line(wording, asked.asked_at, asked.newest),
        question=asked.text,
        options=asked.options,
        labels=asked.question.labels,
    )
    messages = (
        ChatMessage(role="system", content=wording.system),
        ChatMessage(role="user", content=user),
    )
    return _Draft(
        messages=messages,
        tokens=sum(rules.counter.count(message.content) for message in messages),
        evidence=evidence,
        stage=stage,
        focus=focus,
        readout=readout,
        aids=aids,
    )


def _aids(sight: Sight, shown: Sequence[Chosen], rules: Rules) -> tuple[Aid, ...]:
    return aids_of(
        sight,
        {one.candidate.number for one in shown},
        cost=rules.counter.count,
        budget=rules.budget.aid_tokens,
    )


def _prepared(
    asked: Asked,
    draft: _Draft,
    left_out: tuple[LeftOut, ...],
    wanted: tuple[int, int],
    trace: Trace,
    rules: Rules,
) -> Prepared:
    shown = in_order((*draft.stage, *draft.focus))
    stage = rules.budget.stage(asked.question.family)
    return Prepared(
        messages=draft.messages,
        evidence=tuple(map(_evidence, shown)),
        usage=Usage(
            prompt_tokens=draft.tokens,
            evidence_tokens=rules.counter.count(draft.evidence),
            max_prompt_tokens=rules.budget.max_answer_tokens_hard,
            turns=len(shown),
            tokenizer=rules.counter.name,
            is_approximate=rules.counter.is_approximate,
        ),
        trace=PrepareTrace(
            retrieval=trace,
            question=asked.question,
            stage_turns=stage.turns,
            stage_tokens=stage.tokens,
            optimized_readout=OptimizedReadout(
                asked=rules.readout,
                used=draft.readout,
                fallback=draft.readout != rules.readout,
                stage_wanted=wanted[0],
                stage_kept=len(draft.stage),
                focus_wanted=wanted[1],
                focus_kept=len(draft.focus),
            ),
            left_out=left_out,
            aids=draft.aids,
        ),
    )


def _evidence(one: Chosen) -> Evidence:
    hit = one.candidate.hit
    return Evidence(
        id=short_id(one.candidate.number),
        turn_id=hit.id,
        session_id=hit.session_id,
        role=hit.role,
        speaker=hit.speaker,
        event_time=hit.event_time,
        text=one.text,
        is_whole=one.is_whole,
        lane=one.lane,
        score=hit.score,
        shares=hit.shares,
    )
