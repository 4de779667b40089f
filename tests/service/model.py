"""The simplest model of a service: lists of what was said, and which request said it."""

from __future__ import annotations

from dataclasses import dataclass, field

from graphmem.domain.scope import Scope

Payload = tuple[str, tuple[tuple[str, str | None], ...]]  # session, and texts with their times


@dataclass(frozen=True)
class Turn:
    turn_id: str
    session: str
    text: str
    said_us: int
    recorded_us: int


@dataclass
class Model:
    """What every memory holds, and the requests that were applied, whatever became of them."""

    turns: dict[Scope, list[Turn]] = field(default_factory=dict)
    requests: dict[tuple[Scope, str, str], tuple[Payload, tuple[str, ...]]] = field(
        default_factory=dict
    )

    def copy(self) -> Model:
        return Model(
            {scope: list(turns) for scope, turns in self.turns.items()}, dict(self.requests)
        )

    def of(self, scope: Scope) -> list[Turn]:
        return self.turns.get(scope, [])

    def delete(self, scope: Scope, gone: list[Turn]) -> tuple[int, int]:
        """Take turns out: how many, and how many sessions were left without any."""
        before = {turn.session for turn in self.of(scope)}
        if scope in self.turns:
            self.turns[scope] = [turn for turn in self.turns[scope] if turn not in gone]
        return len(gone), len(before - {turn.session for turn in self.of(scope)})

    def tenants_scopes(self, tenant_id: str) -> list[Scope]:
        return sorted(
            (scope for scope in self.turns if scope.tenant_id == tenant_id),
            key=lambda scope: scope.memory_id,
        )
