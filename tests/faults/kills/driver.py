"""The process that is killed: threads that add, replay, search, delete, back up, erase and rebuild.

python -m tests.faults.kills.driver DIRECTORY FIRST_NUMBER JSON_OPTIONS
"""

from __future__ import annotations

import json
import random
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphmem.config import DenseConfig, ServiceConfig
from graphmem.domain.scope import Scope
from graphmem.domain.turn import make_turn_id
from graphmem.errors import EmbeddingUnavailableError, MemoryNotFoundError, ModelError
from graphmem.providers.embedding.fake import FakeEmbedder
from graphmem.service.memory import MemoryService
from tests.faults.kills.callers import TENANT, Caller, HttpCaller, PendingError, SdkCaller
from tests.faults.kills.chat import install
from tests.faults.kills.failpoints import set_failpoint
from tests.faults.kills.journal import Journal
from tests.server.live import running

OWNED = ("own-0", "own-1", "own-2")
SHARED = "shared"
_WORDS = ["choir", "ferry", "harbour", "kitten", "lighthouse", "petrel", "shanty", "合唱团", "灯塔"]


def config_of(directory: Path, *, model: bool) -> ServiceConfig:
    """The settings of a life, for the driver and for who looks at it afterwards.

    With a model there are both: one for vectors and one for atoms.
    """
    return ServiceConfig(
        data_dir=directory / "data",
        port=0,
        embedding_model="fake",
        dense_retrieval=model,
        dense=DenseConfig(in_call_seconds=2.0, timeout_seconds=2.0),
        model_timeout_seconds=5.0,
        llm_model="scripted" if model else "",
        llm_base_url="http://127.0.0.1:9/v1" if model else "",
        require_exact_tokenizer=False,
    )


def text_of(number: int, position: int, rng: random.Random) -> str:
    """A text with a mark of its own; now and then one that fills many pages."""
    words = " ".join(rng.choices(_WORDS, k=rng.choice([3, 9, 9, 27, 2000])))
    return f"Zq{number}p{position}q {words}"


@dataclass
class Sent:
    """A request of this process."""

    number: int
    session: str
    texts: list[str]
    strict: bool


class Writer:
    """One thread that writes to a memory; what it deletes is of its own memory."""

    def __init__(
        self, caller: Caller, journal: Journal, memory: str, numbers: Iterator[int]
    ) -> None:
        self._caller = caller
        self._journal = journal
        self._memory = memory
        self._numbers = numbers
        self._rng = random.Random(next(numbers))  # noqa: S311 - it need not be unforeseeable
        self._sent: list[Sent] = []

    def step(self) -> None:
        steps: list[Callable[[], None]] = [self._add, self._search, self._replay]
        weights = [70, 8, 6]
        if self._memory != SHARED:
            steps += [self._delete_turns, self._delete_session, self._delete_memory]
            weights += [10, 4, 1]
        self._rng.choices(steps, weights)[0]()

    def _add(self) -> None:
        number = next(self._numbers)
        size = self._rng.choice([1, 1, 2, 3, 5])
        sent = Sent(
            number=number,
            session=f"s-{self._memory}-{number // 10}",
            texts=[text_of(number, position, self._rng) for position in range(size)],
            strict=self._rng.random() < 0.5,
        )
        begun = self._journal.begin(
            do="add", memory=self._memory, number=number, session=sent.session,
            texts=sent.texts, strict=sent.strict,
        )  # fmt: skip
        self._send(sent, begun)
        self._sent.append(sent)

    def _send(self, sent: Sent, begun: int) -> None:
        for _ in range(20):
            with suppress(PendingError):
                self._caller.add(
                    self._memory, sent.session, f"r-{sent.number}", sent.texts, strict=sent.strict
                )
                self._journal.end(begun)
                return
            self._journal.note(kept=begun)

    def _replay(self) -> None:
        if self._sent:
            sent = self._rng.choice(self._sent)
            with suppress(PendingError):
                self._caller.add(
                    self._memory, sent.session, f"r-{sent.number}", sent.texts, strict=sent.strict
                )

    def _search(self) -> None:
        if self._sent:
            sent = self._rng.choice(self._sent)
            with suppress(PendingError):
                self._caller.search(self._memory, sent.texts[0][:200], strict=sent.strict)

    def _delete_turns(self) -> None:
        if not self._sent:
            return
        sent = self._rng.choice(self._sent)
        taken = self._rng.sample(range(len(sent.texts)), k=self._rng.randint(1, len(sent.texts)))
        scope = Scope(tenant_id=TENANT, memory_id=self._memory)
        surface = "v1" if sent.strict else "addsearch"
        ids = [make_turn_id(scope, surface, f"r-{sent.number}", position) for position in taken]
        targets = [[sent.number, position] for position in taken]
        begun = self._journal.begin(do="delete", memory=self._memory, targets=targets)
        self._caller.delete(self._memory, turn_ids=ids)
        self._journal.end(begun)

    def _delete_session(self) -> None:
        if not self._sent:
            return
        session = self._rng.choice(self._sent).session
        begun = self._journal.begin(do="delete", memory=self._memory, session=session)
        self._caller.delete(self._memory, session=session)
        self._journal.end(begun)

    def _delete_memory(self) -> None:
        begun = self._journal.begin(do="delete", memory=self._memory)
        self._caller.delete(self._memory)
        self._journal.end(begun)


class Keeper:
    """One thread that does what whoever runs a service does."""

    def __init__(self, service: MemoryService, journal: Journal, directory: Path, first: int):
        self._service = service
        self._journal = journal
        self._backups = directory / "backups"
        self._first = first
        self._rng = random.Random(first)  # noqa: S311
        self._taken = 0

    def step(self) -> None:
        self._rng.choices([self._backup, self._erase, self._rebuild], [3, 3, 2])[0]()
        time.sleep(self._rng.uniform(0.0, 0.15))

    def _backup(self) -> None:
        self._backups.mkdir(exist_ok=True)
        self._taken += 1
        path = self._backups / f"{self._first}-{self._taken}.sqlite"
        begun = self._journal.begin(do="backup", path=str(path))
        self._service.backup(path)
        self._journal.end(begun)

    def _erase(self) -> None:
        self._service.erase(10.0)

    def _rebuild(self) -> None:
        with suppress(MemoryNotFoundError, ModelError):
            self._service.rebuild(TENANT, self._rng.choice([*OWNED, SHARED]))


class Numbers:
    """Numbers for all threads, none twice."""

    def __init__(self, first: int) -> None:
        self._next = first
        self._lock = threading.Lock()

    def __iter__(self) -> Iterator[int]:
        return self

    def __next__(self) -> int:
        with self._lock:
            self._next += 1
            return self._next


def shake(model: type[FakeEmbedder], seed: int) -> None:
    """Let the model fail now and then, and take its time."""
    begin, rng = model._begin, random.Random(seed)  # noqa: S311

    def shaken(self: FakeEmbedder) -> Any:
        time.sleep(rng.uniform(0.0, 0.004))
        if rng.random() < 0.02:
            raise EmbeddingUnavailableError("the fake model is down for once")
        return begin(self)

    model._begin = shaken  # type: ignore[method-assign]


@contextmanager
def _caller(config: ServiceConfig, *, http: bool) -> Iterator[tuple[MemoryService, Caller]]:
    if http:
        with running(config) as live:
            yield live.service, HttpCaller(live.port)
    else:
        with MemoryService.open(config=config) as service:
            yield service, SdkCaller(service)


def _forever(step: Callable[[], None], journal: Journal, pause: float) -> None:
    try:
        while True:
            step()
            time.sleep(pause)
    except BaseException as error:
        journal.note(broken=repr(error))
        raise


def main() -> None:
    """Work until killed."""
    directory, first = Path(sys.argv[1]), int(sys.argv[2])
    options = json.loads(sys.argv[3])
    journal = Journal(directory / "journal.jsonl")
    shake(FakeEmbedder, first)
    install(fails=first)
    if options["failpoint"]:
        set_failpoint(*options["failpoint"])
    config = config_of(directory, model=options["model"])
    with _caller(config, http=options["http"]) as (service, caller):
        numbers = Numbers(first)
        writers = [Writer(caller, journal, memory, numbers) for memory in (*OWNED, SHARED, SHARED)]
        keeper = Keeper(service, journal, directory, first)
        threads = [
            threading.Thread(target=_forever, args=(step, journal, 0.01))
            for step in (*(writer.step for writer in writers), keeper.step)
        ]
        print("ready", flush=True)
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


if __name__ == "__main__":
    main()
