"""After a kill: the store is opened again, and everything that was acknowledged holds."""

from __future__ import annotations

import random
import re
import shutil
import tempfile
from collections import Counter
from contextlib import closing
from pathlib import Path

from graphmem.domain.receipt import AddReceipt
from graphmem.domain.scope import Scope
from graphmem.domain.turn import Turn
from graphmem.errors import MemoryNotFoundError
from graphmem.ports.store import Head, Store
from graphmem.service.factory import restore
from graphmem.service.memory import MemoryService
from graphmem.service.policy import ADD_SEARCH, PRODUCT
from graphmem.stores.sqlite.store import SqliteStore
from tests.faults.kills.chat import install
from tests.faults.kills.driver import config_of
from tests.faults.kills.expected import NEVER, Copy, Expected, Request, check_request, decide

PATIENCE = 60.0
_MARK = re.compile(rb"Zq\d+p\d+q")
_SAMPLES = 6


def examine(directory: Path, expected: Expected, *, model: bool, seed: int) -> Counter[str]:
    """Check a directory whose driver was killed; what was counted."""
    rng = random.Random(seed)  # noqa: S311
    counts: Counter[str] = Counter()
    install()
    with MemoryService.open(config=config_of(directory, model=model)) as service:
        store = service._parts.store
        for scope in expected.scopes():
            _check_rows(store, scope, expected)
        _decide(store, expected)
        for scope in expected.scopes():
            _check_lenient_search(service, scope, expected)
            counts += _replay(service, scope, expected, rng)
        assert service.catch_up(PATIENCE), "what was pending is not completed"
        for scope in expected.scopes():
            counts["atoms of the chat model"] += _check_whole(
                service, scope, expected, rng, model=model
            )
        counts += _check_copies(directory, expected)
        assert service.erase(PATIENCE), "deleted texts are not erased"
    _check_bytes(directory, expected)
    return counts


def _rows(store: Store, scope: Scope) -> tuple[Head | None, list[Turn]]:
    with store.read(scope) as snapshot:
        return snapshot.head(), snapshot.turns(snapshot.turn_nos())


def _check_rows(store: Store, scope: Scope, expected: Expected) -> None:
    """Nothing lost, halved, doubled, changed or unheard of; and the head counts what is there."""
    head, turns = _rows(store, scope)
    there = {turn.turn_id: turn.content for turn in turns}
    assert len(there) == len(turns), "a turn is there twice"
    requests = expected.of(scope)
    for request in requests:
        check_request(request, there, expected.now, expected.now)
        versions = {turn.version for turn in turns if turn.turn_id in _ids(request)}
        assert len(versions) <= 1, "a request was stored by several versions"
    assert there.keys() <= {said.turn_id for r in requests for said in r.said}
    assert head is not None or not turns
    if head is not None:
        assert head.turns == len(turns)
        assert head.sessions == len({turn.session_id for turn in turns})
        assert head.content_bytes == sum(len(turn.content.encode()) for turn in turns)
        assert head.ready_version <= head.version


def _ids(request: Request) -> set[str]:
    return {said.turn_id for said in request.said}


def _decide(store: Store, expected: Expected) -> None:
    there = {t.turn_id: t.content for scope in expected.scopes() for t in _rows(store, scope)[1]}
    for deletion in expected.undecided:
        decide(deletion, there, expected.now)
    expected.undecided = []
    expected.now += 1


def _check_lenient_search(service: MemoryService, scope: Scope, expected: Expected) -> None:
    """Searches of Add / Search answer at once, whatever is pending."""
    try:
        found = service.retrieve(*_pair(scope), "choir Zq1p0q", limit=50, policy=ADD_SEARCH)
    except MemoryNotFoundError:
        return
    known = {
        said.text for request in expected.of(scope) for said in request.said if said.gone == NEVER
    }
    assert {hit.content for hit in found.hits} <= known


def _pair(scope: Scope) -> tuple[str, str]:
    return scope.tenant_id, scope.memory_id


def _replay(
    service: MemoryService, scope: Scope, expected: Expected, rng: random.Random
) -> Counter[str]:
    """What was not acknowledged is completed by the same request; what was, is not done again."""
    store, requests = service._parts.store, expected.of(scope)
    counts: Counter[str] = Counter()
    open_ones = [request for request in requests if not request.is_acknowledged]
    before = {turn.turn_id for turn in _rows(store, scope)[1]}
    for request in open_ones:
        was_there = _ids(request) <= before
        receipt = _send(service, request)
        assert receipt.replayed == was_there
        counts["completed by a replay" if was_there else "done anew by a replay"] += 1
        for said in request.said:
            said.kept = expected.now
    after = {turn.turn_id for turn in _rows(store, scope)[1]}
    done = [request for request in requests if request not in open_ones]
    for request in rng.sample(done, min(_SAMPLES, len(done))):
        assert _send(service, request).replayed
    assert {turn.turn_id for turn in _rows(store, scope)[1]} == after
    assert after == before | {said.turn_id for request in open_ones for said in request.said}
    return counts


def _send(service: MemoryService, request: Request) -> AddReceipt:
    receipt = service.add(
        *_pair(request.scope),
        request.session,
        request.messages,
        request_id=request.request_id,
        policy=PRODUCT if request.strict else ADD_SEARCH,
    )
    assert receipt.turn_ids == tuple(said.turn_id for said in request.said)
    return receipt


def _check_whole(
    service: MemoryService, scope: Scope, expected: Expected, rng: random.Random, *, model: bool
) -> int:
    """The memory is ready, finds its turns, and is what a rebuild makes of it; its model's atoms."""
    _check_rows(service._parts.store, scope, expected)
    try:
        status = service.status(*_pair(scope))
    except MemoryNotFoundError:
        return 0
    assert (status.state, status.ready_version) == ("ready", status.version)
    assert status.waiting_turns == 0
    assert status.embedded_turns == (status.turns if model else 0)
    alive = [s for request in expected.of(scope) for s in request.said if s.gone == NEVER]
    assert status.turns == len(alive)
    asked = [said.text for said in rng.sample(alive, min(_SAMPLES, len(alive)))]
    questions = [_question_for(text) for text in asked]
    found = [service.retrieve(*_pair(scope), question, limit=20) for question in questions]
    for text, retrieval in zip(asked, found, strict=True):
        assert text in {hit.content for hit in retrieval.hits}, f"not found: {text[:40]}"
    atoms = service.inspect(*_pair(scope)).atoms
    service.rebuild(*_pair(scope))
    assert service.inspect(*_pair(scope)).atoms == atoms, "a rebuild makes other atoms"
    again = [service.retrieve(*_pair(scope), question, limit=20) for question in questions]
    assert [r.hits for r in again] == [r.hits for r in found], "a rebuild makes something else"
    return sum(found.atom.origin == "llm" for found in atoms)


def _question_for(text: str) -> str:
    """A driver's text by its mark: its other words are in dozens of texts; a former one by its words."""
    mark = _MARK.match(text.encode())
    return mark[0].decode() if mark else text


def _check_copies(directory: Path, expected: Expected) -> Counter[str]:
    """A backup is whole under its name, or not there."""
    counts: Counter[str] = Counter()
    for copy in expected.copies:
        if copy.path.exists():
            _check_copy(copy, expected)
            counts["backups whole"] += 1
        else:
            assert copy.ended == NEVER, "a backup is lost"
            counts["backups absent"] += 1
    shutil.rmtree(directory / "backups", ignore_errors=True)
    return counts


def _check_copy(copy: Copy, expected: Expected) -> None:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "restored"
        restore(copy.path, place, lambda _: None)
        with closing(SqliteStore.open(place)) as store:
            for scope in expected.scopes():
                there = {turn.turn_id: turn.content for turn in _rows(store, scope)[1]}
                for request in expected.of(scope):
                    check_request(request, there, copy.begun, min(copy.ended, expected.now))


def _check_bytes(directory: Path, expected: Expected) -> None:
    """No file holds a mark of a text that was deleted."""
    gone = {
        said.text.split()[0].encode()
        for request in expected.requests.values()
        for said in request.said
        if said.gone < NEVER
    }
    for path in (directory / "data").rglob("*"):
        if path.is_file():
            left = set(_MARK.findall(path.read_bytes())) & gone
            assert not left, f"{path.name} holds {len(left)} deleted texts"
