"""Measures the build of an evidence set: what atoms it gives, what they cover, and how long it takes.

The set is built twice, in large adds and in small ones; that both give the same atoms with the same
ids is part of the report. With a chat model it is built once, and then rebuilt from what is recorded
of its answers, since asked again it may answer otherwise.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from rich.table import Table

from graphmem._version import __version__
from graphmem.bench.batches import batched, policy_for
from graphmem.bench.evidence import EvidenceMemory, EvidenceSet
from graphmem.bench.retrieval import Step, no_step
from graphmem.config import ServiceConfig
from graphmem.domain.inspection import Inspection
from graphmem.domain.moment import Moment
from graphmem.domain.scope import DEFAULT_TENANT
from graphmem.errors import BuildFailedError, ChatUnavailableError
from graphmem.service.memory import MemoryService
from graphmem.service.scenes.teller import TellerCounts
from graphmem.text.speaker import attribute
from graphmem.text.timex.reader import read

_DIGITS: Final = 4
_WHOLE: Final = 256  # messages of an add, the first time
_SMALL: Final = 3  # and the second time


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildReport:
    """Everything that one run of `bench build` found, over all memories of a set.

    Attributes:
        evidence: the set.
        turns: how many messages it has.
        types: atoms by type.
        origins: atoms by how they were found.
        superseded: atoms of which a newer value took the place.
        facts: fragile facts of all turns, by a scan.
        in_claims: those in words that a typed atom stands on.
        verbatim: the others that are kept as they are.
        verbatim_turns: turns with words that are kept only as they are.
        times: expressions of time in the texts, by kind.
        resolved: those whose date could be told; many kinds have none.
        tokens: what the chat model took, questions and answers; 0 without one.
        model_calls: how often it was asked.
        seconds: how long the first build took, adds and all, without embedding.
        is_same: whether the second build gave the same atoms.
        digest: stands for ids, contents and sources of all atoms.
    """

    evidence: EvidenceSet
    turns: int
    types: Mapping[str, int]
    origins: Mapping[str, int]
    superseded: int
    facts: int
    in_claims: int
    verbatim: int
    verbatim_turns: int
    times: Mapping[str, int]
    resolved: Mapping[str, int]
    tokens: int
    model_calls: int
    seconds: float
    is_same: bool
    digest: str

    @property
    def atoms(self) -> int:
        """How many atoms there are."""
        return sum(self.types.values())

    def to_dict(self) -> dict[str, object]:
        """The report as JSON-ready values; shares are 0 to 1."""
        return {
            "set": self.evidence.name,
            "turns": self.turns,
            "atoms": self.atoms,
            "types": dict(self.types),
            "origins": dict(self.origins),
            "superseded": self.superseded,
            "facts": self.facts,
            "coverage": _share(self.in_claims + self.verbatim, self.facts),
            "in_claims": _share(self.in_claims, self.facts),
            "verbatim": _share(self.verbatim, self.facts),
            "verbatim_turns": _share(self.verbatim_turns, self.turns),
            "time_expressions": dict(self.times),
            "time_resolved": dict(self.resolved),
            "tokens": self.tokens,
            "model_calls": self.model_calls,
            "seconds": round(self.seconds, 3),
            "turns_per_second": round(self.turns / self.seconds, 1),
            "same_atoms_twice": self.is_same,
            "digest": self.digest,
            "version": __version__,
        }

    def table(self) -> Table:
        """The report for a terminal."""
        table = Table(title=f"{self.evidence.name}: {self.turns} turns, {self.atoms} atoms")
        table.add_column("what")
        table.add_column("value", justify="right")
        for name, value in self.to_dict().items():
            if isinstance(value, dict):
                for part, count in value.items():
                    table.add_row(f"{name}: {part}", str(count))
            elif name not in {"set", "turns", "atoms", "version"}:
                table.add_row(name.replace("_", " "), str(value))
        return table


def measure(
    evidence: EvidenceSet, step: Step = no_step, *, config: ServiceConfig | None = None
) -> BuildReport:
    """Build the set twice and look at what came of it.

    Args:
        evidence: the set.
        step: told of each session that was added.
        config: the chat model and its limits are taken from it.

    Raises:
        ChatUnavailableError: the chat model is out.
    """
    config = replace(config or ServiceConfig(), dense_retrieval=False)
    built = _built(evidence, _WHOLE, step, config)
    first, digest = built.found, _digest(built.found)
    again = built.rebuilt or _built(evidence, _SMALL, step, config).found
    types: Counter[str] = Counter()
    origins: Counter[str] = Counter()
    for found in first.values():
        types.update(found.types)
        origins.update(found.origins)
    covered = [found.coverage for found in first.values()]
    times = list(_times(evidence))
    return BuildReport(
        evidence=evidence,
        turns=sum(part.turns for part in covered),
        types=dict(sorted(types.items())),
        origins=dict(sorted(origins.items())),
        superseded=sum(found.superseded for found in first.values()),
        facts=sum(part.facts for part in covered),
        in_claims=sum(part.in_claims for part in covered),
        verbatim=sum(part.verbatim for part in covered),
        verbatim_turns=sum(part.verbatim_turns for part in covered),
        times=_counts(kind for kind, _ in times),
        resolved=_counts(kind for kind, is_resolved in times if is_resolved),
        tokens=built.chat.prompt_tokens + built.chat.reply_tokens,
        model_calls=built.chat.calls,
        seconds=built.seconds,
        is_same=digest == _digest(again),
        digest=digest,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Built:
    """One build: how long it took, and what there was then, by memory.

    Attributes:
        rebuilt: what there was after a rebuild; None without a chat model.
        chat: what the model was asked until then.
    """

    seconds: float
    found: Mapping[str, Inspection]
    rebuilt: Mapping[str, Inspection] | None
    chat: TellerCounts


def _built(evidence: EvidenceSet, most: int, step: Step, config: ServiceConfig) -> _Built:
    """Build the set with adds of so many messages at most."""
    with (
        tempfile.TemporaryDirectory(prefix="graphmem-bench-") as directory,
        MemoryService.open(data_dir=directory, config=config) as service,
    ):
        began = time.perf_counter()
        for memory in evidence.memories:
            _add(service, memory, most, step)
        _finish(service, config.model_timeout_seconds)
        seconds = time.perf_counter() - began
        chat = service.statistics().chat
        found, rebuilt = _inspected(service), None
        if chat is not None:
            for name in found:
                service.rebuild(DEFAULT_TENANT, name)
            rebuilt = _inspected(service)
        return _Built(seconds=seconds, found=found, rebuilt=rebuilt, chat=chat or TellerCounts())


def _finish(service: MemoryService, patience: float) -> None:
    """Wait for the chat model as long as it answers."""
    before = service.statistics().chat
    while not service.catch_up(patience):
        now = service.statistics().chat
        if now is None or before is None or now.reply_tokens == before.reply_tokens:
            raise ChatUnavailableError(
                "the chat model does not answer; `graphmem doctor` looks at it"
            )
        before = now


def _inspected(service: MemoryService) -> dict[str, Inspection]:
    names = [m.memory_id for m in service.list_memories(DEFAULT_TENANT, limit=1000).memories]
    return {name: service.inspect(DEFAULT_TENANT, name) for name in names}


def _add(service: MemoryService, memory: EvidenceMemory, most: int, step: Step) -> None:
    for session in memory.sessions:
        messages = [item.message for item in session.messages if item.message.content.strip()]
        for batch in batched(messages, lambda message: message):
            for start in range(0, len(batch), most):
                part = batch[start : start + most]
                # What a chat model fails at is stored, and told in the background.
                with suppress(BuildFailedError):
                    service.add(
                        DEFAULT_TENANT,
                        memory.memory_id,
                        session.session_id,
                        part,
                        policy=policy_for(part),
                    )
        step("add")


def _digest(found: Mapping[str, Inspection]) -> str:
    """What stands for all atoms, but for the times of undated ones, which are those of the run."""
    atoms = sorted(
        [name, one.atom.atom_id, one.atom.content, one.is_superseded]
        + [[source.turn_no, source.start, source.end] for source in one.atom.sources]
        for name, inspection in found.items()
        for one in inspection.atoms
    )
    return hashlib.blake2b(json.dumps(atoms).encode(), digest_size=16).hexdigest()


def _counts(names: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items()))


def _times(evidence: EvidenceSet) -> Iterator[tuple[str, bool]]:
    """The kind of each expression of time of the set, and whether its date could be told."""
    for memory in evidence.memories:
        for session in memory.sessions:
            for item in session.messages:
                message = item.message
                found = attribute(message.content, speaker=message.speaker)
                stamp = message.timestamp
                said = Moment.parse_iso(stamp) if isinstance(stamp, str) else stamp
                for expression in read(message.content[found.body_start :], said):
                    yield expression.kind, expression.interval is not None


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, _DIGITS) if whole else None
