"""Measures channels that have no weight: what atoms and their graph would add to the ranking.

    python benchmarks/channels.py SET.json [SET.json ...]     writes benchmarks/reports/channels.json

Every question is asked as usual (built-in model), and its turns are ranked again with what each
channel would give: a share of the score of the best other turn of a group (turns that tell of the
same collection, value or name), or a share for the rank of a turn's atoms in a search of atoms.
Figures are changes of recall with the paired 95% bootstrap interval over questions.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from graphmem.bench import datasets
from graphmem.bench.embedders import BUILT_IN, Embedding, default_cache
from graphmem.bench.evidence import EvidenceMemory, Question
from graphmem.bench.intervals import estimate_difference
from graphmem.bench.machine import machine_facts
from graphmem.bench.metrics import DEFAULT_DEPTHS, Scores, score
from graphmem.bench.retrieval import Loaded, is_scored, loaded
from graphmem.domain.atom import fold_claim
from graphmem.domain.scope import DEFAULT_TENANT
from graphmem.service.memory import MemoryService
from graphmem.text.facts.scanner import scan

REPORT = Path(__file__).resolve().parent / "reports" / "channels.json"
SHARES = (0.1, 0.25, 0.4)
SHOWN = ("recall@10", "recall@32", "recall@100")
ALL_TURNS = 1000
MOST_HOLDERS = 12  # a name that more turns hold tells none of them apart
LARGE_GROUP = 6  # a turn earns less from a larger one
CHANNELS = ("collections", "collections of the named", "equal values", "names", "atoms")

Group = tuple[str, frozenset[str]]
"""A subject, folded or empty, and turn ids."""


@dataclass(frozen=True)
class Asked:
    """A question with its ranking as it is, and what its memory holds beside."""

    question: Question
    sessions: Mapping[str, str]
    sources: Mapping[str, str]
    scores: Mapping[str, float]
    groups: Mapping[str, Sequence[Group]]
    atoms: Mapping[str, float]


def main(paths: Sequence[str]) -> int:
    if not paths:
        print(__doc__)
        return 2
    found = {}
    for path in paths:
        evidence = datasets.load(path)
        with loaded(evidence, Embedding(name=BUILT_IN, cache=default_cache())) as bench:
            asked = [one for memory in evidence.memories for one in ask(bench, memory)]
        found[evidence.name] = {name: changes(asked, name) for name in CHANNELS}
        print(evidence.name, json.dumps(found[evidence.name], indent=1), flush=True)
    report = {"machine": machine_facts(), "sets": found}
    REPORT.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return 0


def changes(asked: Sequence[Asked], channel: str) -> dict[str, dict[str, list[float]]]:
    """By share: the change of each figure and its interval."""
    before = [scored(one, one.scores) for one in asked]
    table = {}
    for share in SHARES:
        after = [scored(one, with_channel(one, channel, share)) for one in asked]
        differences = estimate_difference(before, after)
        table[str(share)] = {
            name: [round(x, 4) for x in (by.mean, by.low, by.high)]
            for name in SHOWN
            for by in (differences[name],)
        }
    return table


def with_channel(asked: Asked, channel: str, share: float) -> dict[str, float]:
    """The scores of an asked question with a channel added."""
    if channel == "atoms":
        gains: Mapping[str, float] = asked.atoms
    else:
        groups = asked.groups[channel.split(" of ")[0]]
        if channel.endswith("named"):
            text = fold_claim(asked.question.text)
            groups = [group for group in groups if len(group[0]) > 1 and group[0] in text]
        gains = spread(asked.scores, (turns for _, turns in groups))
    return {turn: score + share * gains.get(turn, 0.0) for turn, score in asked.scores.items()}


def spread(scores: Mapping[str, float], groups: Iterable[frozenset[str]]) -> dict[str, float]:
    """What each turn gets from the best other one of its groups."""
    gains: dict[str, float] = defaultdict(float)
    for turns in groups:
        if len(turns) < 2:
            continue
        best, second = sorted((scores.get(turn, 0.0) for turn in turns), reverse=True)[:2]
        first = max(turns, key=lambda turn: (scores.get(turn, 0.0), turn))
        damping = max(1.0, len(turns) / LARGE_GROUP) ** 0.5
        for turn in turns:
            gains[turn] = max(gains[turn], (second if turn == first else best) / damping)
    return gains


def scored(asked: Asked, scores: Mapping[str, float]) -> Scores:
    """Recall and the like of these scores; equal ones in the order that they came in."""
    order = sorted(scores, key=lambda turn: -scores[turn])
    messages = [asked.sources[turn] for turn in order]
    gold = asked.question.evidence
    gold_sessions = asked.question.evidence_sessions or [asked.sessions[id_] for id_ in gold]
    held = [asked.sessions[message] for message in messages]
    return score(gold, gold_sessions, messages, held, DEFAULT_DEPTHS)


def ask(bench: Loaded, memory: EvidenceMemory) -> list[Asked]:
    """Ask the questions of a memory that can be scored."""
    sources = {turn: at.message_id for turn, at in bench.sources[memory.memory_id].items()}
    texts = {m.id: m.message.content for s in memory.sessions for m in s.messages}
    sessions = {m.id: s.session_id for s in memory.sessions for m in s.messages}
    groups = grouped(bench.service, memory.memory_id, {t: texts[m] for t, m in sources.items()})
    return [
        Asked(
            question=question,
            sessions=sessions,
            sources=sources,
            scores=ranking(bench.service, memory.memory_id, question.text),
            groups=groups,
            atoms=by_atoms(bench.service, memory.memory_id, question.text),
        )
        for question in memory.questions
        if is_scored(question)
    ]


def ranking(service: MemoryService, memory_id: str, text: str) -> dict[str, float]:
    """Every turn that has a score, best first."""
    found = service.retrieve(DEFAULT_TENANT, memory_id, text, limit=ALL_TURNS)
    return {hit.id: hit.score for hit in found.hits}


def by_atoms(service: MemoryService, memory_id: str, text: str) -> dict[str, float]:
    """The score of each turn's best atom, as a share of the best."""
    found: dict[str, float] = {}
    for item in service.search_atoms(DEFAULT_TENANT, memory_id, text, limit=100).items:
        for turn in item.turn_ids:
            found[turn] = max(found.get(turn, 0.0), item.score or 0.0)
    best = max(found.values(), default=1.0)
    return {turn: score / best for turn, score in found.items()}


def grouped(
    service: MemoryService, memory_id: str, texts: Mapping[str, str]
) -> dict[str, list[Group]]:
    """Turns that the graph relates, by sort of relation."""
    shown = service.inspect(DEFAULT_TENANT, memory_id)
    turns = {one.atom.atom_id: one.turn_ids for one in shown.atoms}
    values: dict[str, set[str]] = defaultdict(set)
    for one in shown.atoms:
        if value := fold_claim(one.atom.value):
            values[value].update(one.turn_ids)
    names: dict[str, set[str]] = defaultdict(set)
    for turn, text in texts.items():
        for fact in scan(text):
            if fact.kind == "name":
                names[fold_claim(text[fact.start : fact.end])].add(turn)
    return {
        "collections": [
            (one.subject, frozenset(turn for id_ in one.atom_ids for turn in turns[id_]))
            for one in shown.collections
        ],
        "equal values": [("", frozenset(held)) for held in values.values() if len(held) > 1],
        "names": [
            ("", frozenset(held)) for held in names.values() if 1 < len(held) <= MOST_HOLDERS
        ],
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
