"""Whatever is done to a service, it does what a simple model says, and what its twin does.

The model is lists of turns; the twin is the same code on the memory store, so that what SQLite
keeps through restarts, backups and outages of the model is held to the byte.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, settings, strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from typing_extensions import override

from graphmem.domain.erasure import ErasureReceipt
from graphmem.domain.hit import Retrieval
from graphmem.domain.message import Message
from graphmem.domain.moment import Moment
from graphmem.domain.receipt import AddReceipt, MemoryPage, MemoryStatus
from graphmem.domain.scope import Scope
from graphmem.domain.turn import make_turn_id
from graphmem.errors import (
    BuildFailedError,
    MemoryNotFoundError,
    MemoryPendingError,
    ModelError,
    RequestConflictError,
)
from graphmem.service.memory import MemoryService
from graphmem.service.policy import ADD_SEARCH, PRODUCT, Policy
from graphmem.stores.memory.store import MemoryStore
from tests.service.model import Model, Payload, Turn
from tests.service.twins import OUTAGES, POISON, Outage, Twins

SCOPES: Final = tuple(
    Scope(tenant_id=tenant, memory_id=memory) for tenant, memory in ("ab", "ac", "bb")
)
WORDS: Final = ("choir", "ferry", "kitten", "灯塔", POISON)
HOUR: Final = 3_600_000_000
MUCH: Final = 8

# Few different values, so that operations meet each other's rows.
scopes = st.sampled_from((SCOPES[0],) * 4 + SCOPES[1:])
sessions = st.sampled_from(("s1", "s2", "会话"))
requests = st.sampled_from([f"r{number}" for number in range(12)])
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
times = st.none() | st.sampled_from([f"2023-05-{day:02}T12:00:00Z" for day in range(1, 6)])
payloads = st.tuples(sessions, st.lists(st.tuples(texts, times), min_size=1, max_size=4).map(tuple))
policies = st.sampled_from((PRODUCT, ADD_SEARCH))
hours = st.integers(0, 5)


def ids_of(scope: Scope) -> tuple[str, str]:
    return scope.tenant_id, scope.memory_id


def us_of(time: str) -> int:
    return Moment.parse_iso(time).us


def _status(scope: Scope, service: MemoryService) -> MemoryStatus:
    return service.status(*ids_of(scope))


def _erasures(scope: Scope, service: MemoryService) -> list[ErasureReceipt]:
    return service.erasures(*ids_of(scope))


def _memories(tenant_id: str, service: MemoryService) -> MemoryPage:
    return service.list_memories(tenant_id)


def _export(service: MemoryService) -> bytes:
    file = io.BytesIO()
    service.export(file)
    return file.getvalue()


class ServiceMachine(RuleBasedStateMachine):
    """One service, its twin, and the model."""

    @initialize(
        models=st.sampled_from(("dense", "dense", "chat", "chat", "")),
        first=st.lists(st.tuples(scopes, payloads, policies), min_size=1, max_size=5),
    )
    def open(self, models: str, first: list[tuple[Scope, Payload, Policy]]) -> None:
        # Not both: two threads in the background make versions in any order.
        self.dense, self.chat = models == "dense", models == "chat"
        self.twins = Twins(dense=self.dense, chat=self.chat)
        self.model = Model()
        self.is_well = True
        self.backups: list[tuple[tuple[Path, MemoryStore], Model]] = []
        self.added = 0
        for scope, payload, policy in first:
            self.grow(scope, [(payload, policy)])

    @rule(scope=scopes, said=st.lists(st.tuples(payloads, policies), min_size=1, max_size=3))
    def grow(self, scope: Scope, said: list[tuple[Payload, Policy]]) -> None:
        """New requests; most of what happens is this."""
        for payload, policy in said:
            self.added += 1
            self._add(scope, f"new-{self.added}", payload, policy)

    @rule(scope=scopes, payload=payloads, policy=policies, word=st.sampled_from(WORDS))
    def add_and_read(self, scope: Scope, payload: Payload, policy: Policy, word: str) -> None:
        """A write, and what either contract reads directly afterwards."""
        self.grow(scope, [(payload, policy)])
        for reader in (PRODUCT, ADD_SEARCH):
            self.retrieve(scope, word, reader, 1000, None, None, None, None)

    @rule(scope=scopes, payload=payloads, outage=st.sampled_from(OUTAGES), policy=policies)
    def add_in_an_outage(
        self, scope: Scope, payload: Payload, outage: Outage, policy: Policy
    ) -> None:
        self.lose_the_model(outage)
        self.add_and_read(scope, payload, policy, WORDS[0])

    @rule(scope=scopes, request_id=requests, payload=payloads, policy=policies)
    def add(self, scope: Scope, request_id: str, payload: Payload, policy: Policy) -> None:
        """Mostly new requests, sometimes known ones: the same again, or another payload."""
        self._add(scope, request_id, payload, policy)

    @precondition(lambda self: self.model.requests)
    @rule(data=st.data())
    def replay(self, data: st.DataObject) -> None:
        known = sorted(self.model.requests, key=repr)
        scope, surface, request_id = data.draw(st.sampled_from(known))
        payload, _ = self.model.requests[scope, surface, request_id]
        self._add(scope, request_id, payload, PRODUCT if surface == "v1" else ADD_SEARCH)

    def _add(self, scope: Scope, request_id: str, payload: Payload, policy: Policy) -> None:
        session, said = payload
        messages = [Message(role="user", content=text, timestamp=time) for text, time in said]
        is_sure = self._will_be_ready(scope, policy)
        answer = self.twins.ask(
            lambda service: service.add(
                *ids_of(scope), session, messages, request_id=request_id, policy=policy
            )
        )
        known = self.model.requests.get((scope, policy.surface, request_id))
        if known and known[0] != payload and policy is PRODUCT:
            assert isinstance(answer, RequestConflictError)
            return
        if isinstance(answer, BuildFailedError):
            assert policy is PRODUCT
            assert not self.is_well
        else:
            assert isinstance(answer, AddReceipt)
            assert answer.replayed == (known is not None)
            assert answer.state == "ready" or not is_sure
        turn_ids = [
            make_turn_id(scope, policy.surface, request_id, position)
            for position in range(len(known[1] if known else said))
        ]
        assert isinstance(answer, BuildFailedError) or list(answer.turn_ids) == turn_ids
        if not known:
            self._note(scope, request_id, payload, policy, turn_ids)

    def _will_be_ready(self, scope: Scope, policy: Policy) -> bool:
        """Whether an add can't be acknowledged before its memory is whole.

        After an outage a service defers what may wait, until a try in the background succeeded.
        """
        if policy is PRODUCT or not (self.dense or self.chat):
            return True
        if self.chat:  # rules serve until it has told
            return False
        knows = self.twins.ask(lambda service: service.statistics().model_is_well)
        return self.is_well and knows and self._state(scope) in {None, "ready"}

    def _note(
        self,
        scope: Scope,
        request_id: str,
        payload: Payload,
        policy: Policy,
        turn_ids: Sequence[str],
    ) -> None:
        session, said = payload
        now = self.twins.clock.us
        assert len(turn_ids) == len(said)
        self.model.requests[scope, policy.surface, request_id] = payload, tuple(turn_ids)
        self.model.turns.setdefault(scope, []).extend(
            Turn(turn_id, session, text, us_of(time) if time else now, now)
            for turn_id, (text, time) in zip(turn_ids, said, strict=True)
        )

    @rule(
        scope=scopes,
        word=st.sampled_from(WORDS),
        policy=policies,
        limit=st.sampled_from([1, 3, 1000]),
        session=st.none() | sessions,
        start=times,
        end=times,
        as_of=times,
    )
    def retrieve(
        self,
        scope: Scope,
        word: str,
        policy: Policy,
        limit: int,
        session: str | None,
        start: str | None,
        end: str | None,
        as_of: str | None,
    ) -> None:
        if start and end and start > end:
            start, end = end, start
        state = self._state(scope)
        answer = self.twins.ask(
            lambda service: service.retrieve(
                *ids_of(scope),
                word,
                limit=limit,
                session_id=session,
                time_start=start,
                time_end=end,
                as_of=as_of,
                explain=True,
                policy=policy,
            )
        )
        if state is None:
            assert isinstance(answer, MemoryNotFoundError)
        elif policy is PRODUCT and state == "pending":
            assert isinstance(answer, MemoryPendingError)
        else:
            assert isinstance(answer, Retrieval)
            wanted = {
                turn.turn_id: turn.text
                for turn in self.model.of(scope)
                if (session is None or turn.session == session)
                and (start is None or turn.said_us >= us_of(start))
                and all(turn.said_us <= us_of(last) for last in (end, as_of) if last)
            }
            self._check_hits(answer, wanted, word, limit, whole=state == "ready")
            self._check_atoms(scope)

    def _check_hits(
        self, answer: Retrieval, wanted: dict[str, str], word: str, limit: int, *, whole: bool
    ) -> None:
        found = [hit for hit in answer.hits if hit.id in wanted]  # the turns among them
        assert len(answer.hits) <= limit
        assert all(wanted.keys() >= set(hit.turn_ids) for hit in answer.hits)
        assert all(hit.content == wanted[hit.id] for hit in found)
        scores = [hit.score for hit in answer.hits]
        assert scores == sorted(scores, reverse=True)
        matching = {turn_id for turn_id, text in wanted.items() if word in text.split()}
        if whole and limit >= len(wanted):
            assert matching <= {hit.id for hit in found}

    def _check_atoms(self, scope: Scope) -> None:
        """Both have the same, and each stands on turns that are there."""
        answer = self.twins.ask(lambda service: service.query_atoms(*ids_of(scope), limit=100))
        held = {turn.turn_id for turn in self.model.of(scope)}
        assert all(held.issuperset(found.turn_ids) for found in answer.items)
        assert self.chat or all(found.atom.origin != "llm" for found in answer.items)

    def _state(self, scope: Scope) -> str | None:
        answer = self.twins.ask(partial(_status, scope))
        return answer.state if isinstance(answer, MemoryStatus) else None

    @rule(scope=scopes)
    def rebuild(self, scope: Scope) -> None:
        state = self._state(scope)
        answer = self.twins.ask(lambda service: service.rebuild(*ids_of(scope)))
        if state is None:
            assert isinstance(answer, MemoryNotFoundError)
        elif self.is_well:
            assert answer.refused == 0
            assert self._state(scope) == "ready"
        else:
            assert isinstance(answer, ModelError) or answer.memories == 1

    @rule(outage=st.sampled_from(OUTAGES))
    def lose_the_model(self, outage: Outage) -> None:
        self.twins.fail(outage)
        self.is_well = not (self.dense or self.chat)

    def get_the_model_back(self) -> None:
        self.twins.fail(None)
        self.is_well = True

    @rule(scope=scopes, data=st.data(), unknown=st.integers(0, 2))
    def delete_messages(self, scope: Scope, data: st.DataObject, unknown: int) -> None:
        held = self.model.of(scope)
        gone = data.draw(st.lists(st.sampled_from(held), unique=True)) if held else []
        asked = [turn.turn_id for turn in gone] + ["t_" + f"{n:024x}" for n in range(unknown)]
        answer = self.twins.ask(lambda service: service.delete_messages(*ids_of(scope), asked))
        assert (answer.turns, answer.sessions) == self.model.delete(scope, gone)
        assert answer.unknown == unknown

    @rule(scope=scopes, session=sessions)
    def delete_session(self, scope: Scope, session: str) -> None:
        gone = [turn for turn in self.model.of(scope) if turn.session == session]
        answer = self.twins.ask(lambda service: service.delete_session(*ids_of(scope), session))
        assert (answer.turns, answer.sessions) == self.model.delete(scope, gone)

    @rule(scope=scopes, data=st.data())
    def delete_by_request(self, scope: Scope, data: st.DataObject) -> None:
        """The other contract's deletion, which stands in the ledger even when it found nothing."""
        held = self.model.of(scope)
        gone = data.draw(st.lists(st.sampled_from(held), unique=True)) if held else []
        asked = [turn.turn_id for turn in gone] or ["t_" + "0" * 24]
        self.added += 1
        for answered in (len(gone), len(gone)):
            assert answered == self.twins.ask(
                lambda service: service.delete_conversation(
                    *ids_of(scope), message_ids=asked, request_id=f"gone-{self.added}"
                )
            )
        self.model.delete(scope, gone)

    def delete_memory(self, scope: Scope) -> None:
        answer = self.twins.ask(lambda service: service.delete_memory(*ids_of(scope)))
        assert (answer.turns, answer.sessions) == self.model.delete(scope, self.model.of(scope))
        self.model.turns.pop(scope, None)

    def delete_tenant(self, tenant: str) -> None:
        answer = self.twins.ask(lambda service: service.delete_tenant(tenant))
        assert answer.memories == len(self.model.tenants_scopes(tenant))
        for scope in self.model.tenants_scopes(tenant):
            del self.model.turns[scope]

    def purge(self, older_than: int, tenant: str | None) -> None:
        age = timedelta(hours=older_than)
        before = self.twins.clock.us - older_than * HOUR
        answer = self.twins.ask(lambda service: service.purge(age, tenant_id=tenant))
        purged = 0
        for scope in SCOPES:
            if tenant in {None, scope.tenant_id}:
                gone = [turn for turn in self.model.of(scope) if turn.recorded_us < before]
                purged += self.model.delete(scope, gone)[0]
        assert answer.turns == purged

    def erase(self) -> None:
        assert self.twins.ask(lambda service: service.erase(60.0))
        for scope in SCOPES:
            receipts = self.twins.ask(partial(_erasures, scope))
            assert all(receipt.erased_at for receipt in receipts)

    def wait(self, passed: int) -> None:
        self.twins.clock.us += passed * HOUR + 1

    def restart(self) -> None:
        self.twins.restart()

    def catch_up(self) -> None:
        self.twins.catch_up(is_well=self.is_well)
        if self.is_well:
            assert {self._state(scope) for scope in SCOPES} <= {None, "ready"}

    def back_up(self) -> None:
        self.backups.append((self.twins.back_up(), self.model.copy()))

    def restore(self, number: int) -> None:
        if not self.backups:
            self.back_up()
        backup, model = self.backups[number % len(self.backups)]
        self.twins.restore(backup)
        self.model = model.copy()

    def move(self) -> None:
        """Go on from an export, in a new place."""
        was_ready = {self._state(scope) for scope in SCOPES} <= {None, "ready"}
        exported = self.twins.ask(_export)
        self.twins.start_anew()
        answer = self.twins.ask(lambda service: service.import_(io.BytesIO(exported)))
        assert answer.turns == sum(len(turns) for turns in self.model.turns.values())
        assert answer.pending == 0 or not self.is_well
        if was_ready:
            assert self.twins.ask(_export) == exported
            assert not any(side.asked for side in self.twins.sides)

    @rule(
        passed=hours,
        what=st.sampled_from(["back up", "catch up", "erase", "model", "restart", "wait"]),
    )
    def tend(self, passed: int, what: str) -> None:
        """What loses nothing; one rule, so that it does not crowd out the writes."""
        match what:
            case "back up":
                self.back_up()
            case "catch up":
                self.catch_up()
            case "erase":
                self.erase()
            case "model":
                self.get_the_model_back()
            case "restart":
                self.restart()
            case "wait":
                self.wait(passed)

    @precondition(lambda self: self.holds_much())
    @rule(
        scope=scopes,
        number=hours,
        is_bound=st.booleans(),
        what=st.sampled_from(["memory", "tenant", "purge", "purge", "restore", "move", "move"]),
    )
    def take_away(self, scope: Scope, number: int, is_bound: bool, what: str) -> None:
        """What takes much away, or all to another place."""
        match what:
            case "memory":
                self.delete_memory(scope)
            case "tenant":
                self.delete_tenant(scope.tenant_id)
            case "purge":
                self.purge(number, scope.tenant_id if is_bound else None)
            case "restore":
                self.restore(number)
            case "move":
                self.move()

    def holds_much(self) -> bool:
        """Whether something is there to be taken away; else most runs were about nothing."""
        return sum(map(len, self.model.turns.values())) >= MUCH

    @invariant()
    def counts_what_the_model_holds(self) -> None:
        for scope in SCOPES:
            answer = self.twins.ask(partial(_status, scope))
            held = self.model.turns.get(scope)
            if held is None:
                assert isinstance(answer, MemoryNotFoundError)
                continue
            assert answer.turns == len(held)
            assert answer.sessions == len({turn.session for turn in held})
            assert answer.content_bytes == sum(len(turn.text.encode()) for turn in held)
            assert answer.ready_version <= answer.version
            assert not (answer.waiting_turns and answer.state == "ready")
        self._check_lists()

    def _check_lists(self) -> None:
        for tenant in "ab":
            page = self.twins.ask(partial(_memories, tenant))
            assert [m.memory_id for m in page.memories] == [
                scope.memory_id for scope in self.model.tenants_scopes(tenant)
            ]

    @override
    def teardown(self) -> None:
        """When the model is back, a rebuild makes everything whole, and all of it is found."""
        if not hasattr(self, "twins"):
            return
        try:
            self.get_the_model_back()
            assert self.twins.ask(lambda service: service.rebuild_all()).refused == 0
            for scope in SCOPES:
                for word in WORDS:
                    self.retrieve(scope, word, PRODUCT, 1000, None, None, None, None)
        finally:
            self.twins.close()


QUICK: Final = settings(
    max_examples=12,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def test_a_service_does_what_the_model_says() -> None:
    run_state_machine_as_test(ServiceMachine, settings=QUICK)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_service_does_what_the_model_says_100_times_50_steps() -> None:
    long = settings(QUICK, max_examples=100, stateful_step_count=50)
    run_state_machine_as_test(ServiceMachine, settings=long)


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.timeout(3600)
def test_a_service_does_what_the_model_says_500_times_50_steps() -> None:
    longest = settings(QUICK, max_examples=500, stateful_step_count=50)
    run_state_machine_as_test(ServiceMachine, settings=longest)
