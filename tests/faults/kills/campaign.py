"""Kills drivers at random moments and at failpoints, and looks each time at what is left.

    python -m tests.faults.kills.campaign --kills 135 [--seed N] [--json]

A full campaign is 100 random moments and 5 kills at each failpoint; a smaller one has the same
proportions. It ends with an error at the first law that does not hold.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from graphmem.domain.message import Message
from graphmem.domain.scope import Scope
from graphmem.domain.turn import make_turn_id
from tests.faults.kills.examine import examine
from tests.faults.kills.expected import Expected, Request, Said
from tests.faults.kills.failpoints import FAILPOINTS
from tests.faults.kills.journal import read_journal
from tests.upgrade.conversation import ADDS

ROOT: Final = Path(__file__).parents[3]
UPGRADE: Final = ROOT / "tests" / "upgrade"
FULL: Final = 100 + 5 * len(FAILPOINTS)
_MOST_KILLS: Final = 8  # in one directory, so that looking at it stays quick
_LONGEST_SECONDS: Final = 1.5  # that a driver works before a random moment
_LONGEST_LIFE: Final = 240.0  # seconds until a driver has done what it is to be killed at
_STARTUP_SHARE: Final = 0.15  # of the random moments lie in the opening


@dataclass(frozen=True, slots=True)
class Kill:
    """One kill to make: at a site of a failpoint, or at a random moment."""

    failpoint: tuple[str, int] | None = None

    @property
    def name(self) -> str:
        return self.failpoint[0] if self.failpoint else "random"


@dataclass
class Life:
    """One directory, whose drivers are killed one after the other."""

    directory: Path
    model: bool
    http: bool
    expected: Expected = field(default_factory=Expected)
    kills: int = 0


def plan(kills: int, rng: random.Random) -> list[Kill]:
    """So many kills, in random order."""
    each = max(1, round(kills * 5 / FULL)) if kills >= len(FAILPOINTS) else 0
    sites = [Kill((name, number % 5)) for name in FAILPOINTS for number in range(each)]
    planned = sites + [Kill()] * (kills - len(sites))
    rng.shuffle(planned)
    return planned


class Campaign:
    """All kills of one run."""

    def __init__(self, place: Path, seed: int) -> None:
        self._place = place
        self._rng = random.Random(seed)  # noqa: S311 - the moments need not be unforeseeable
        self._lives: dict[tuple[bool, bool], Life] = {}
        self._number = 0
        self.kills: Counter[str] = Counter()
        self.counts: Counter[str] = Counter()

    def run(self, kills: int) -> None:
        for kill in plan(kills, self._rng):
            self._number += 1
            life = self._life_for(kill)
            self._one(life, kill)
            if life.kills >= _MOST_KILLS or kill.name == "migration":
                self._close(life)
        for life in list(self._lives.values()):
            self._close(life)

    def _one(self, life: Life, kill: Kill) -> None:
        """Run a driver until it is dead, and look."""
        journal = life.directory / "journal.jsonl"
        journal.unlink(missing_ok=True)
        with self._driver(life, kill) as driver:
            if kill.failpoint is None:
                self._wait_for_a_moment(driver)
                driver.kill()
            try:
                status = driver.wait(_LONGEST_LIFE)
            except subprocess.TimeoutExpired:
                status = None
        life.expected.read(read_journal(journal))
        said = (life.directory / "stderr").read_text(encoding="utf-8")
        if status is None:
            raise AssertionError(f"a driver did not come to {kill} in {_LONGEST_LIFE} s: {said}")
        assert status == -9, f"a driver ended by itself before {kill}: {status}: {said}"
        seed = self._rng.getrandbits(32)
        self.counts += examine(life.directory, life.expected, model=life.model, seed=seed)
        life.kills += 1
        self.kills[kill.name] += 1

    def _wait_for_a_moment(self, driver: subprocess.Popen[str]) -> None:
        assert driver.stdout is not None
        if self._rng.random() < _STARTUP_SHARE:
            time.sleep(self._rng.uniform(0.0, _LONGEST_SECONDS))
        else:
            assert driver.stdout.readline() == "ready\n"
            time.sleep(self._rng.uniform(0.0, _LONGEST_SECONDS))

    @contextmanager
    def _driver(self, life: Life, kill: Kill) -> Iterator[subprocess.Popen[str]]:
        options = {"model": life.model, "http": life.http, "failpoint": kill.failpoint}
        first = str(self._number * 1_000_000)
        command = [sys.executable, "-m", "tests.faults.kills.driver", str(life.directory), first]
        with (
            (life.directory / "stderr").open("w", encoding="utf-8") as errors,
            subprocess.Popen(
                [*command, json.dumps(options)],
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                cwd=ROOT,
            ) as driver,
        ):
            try:
                yield driver
            finally:
                driver.kill()

    def _life_for(self, kill: Kill) -> Life:
        if kill.name == "migration":
            return self._former_life()
        # Building is with a model; all else goes its way with and without one.
        model = kill.name in {"build", "publish", "telling"} or self._rng.random() < 0.5
        key = (model, self._rng.random() < 0.5)
        if key not in self._lives:
            self._lives[key] = Life(self._directory(), model=key[0], http=key[1])
        return self._lives[key]

    def _former_life(self) -> Life:
        """A directory with a database that a former release wrote."""
        life = Life(self._directory(), model=False, http=False)
        (life.directory / "data").mkdir()
        former = self._rng.choice(["vectors", "words"])
        shutil.copy(UPGRADE / f"{former}.sqlite", life.directory / "data" / "memory.sqlite")
        for number, (tenant, memory, session, request_id, surface, said) in enumerate(ADDS):
            scope = Scope(tenant_id=tenant, memory_id=memory)
            life.expected.add(
                Request(
                    scope=scope,
                    session=session,
                    request_id=request_id,
                    strict=surface == "v1",
                    number=-number,
                    messages=[
                        Message(role="user", speaker=speaker, content=text, timestamp=timestamp)
                        for speaker, text, timestamp in said
                    ],
                    said=[
                        Said(make_turn_id(scope, surface, request_id, position), text, kept=0)
                        for position, (_, text, _) in enumerate(said)
                    ],
                )
            )
        return life

    def _directory(self) -> Path:
        directory = self._place / f"life-{self._number}"
        directory.mkdir()
        return directory

    def _close(self, life: Life) -> None:
        self.counts += life.expected.counts()
        shutil.rmtree(life.directory)
        self._lives = {key: other for key, other in self._lives.items() if other is not life}


def main() -> None:
    """Run a campaign and print what was counted."""
    parser = argparse.ArgumentParser(description="Kill graphmem and look at what is left.")
    parser.add_argument("--kills", type=int, default=FULL, help=f"how many (default {FULL})")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as place:
        campaign = Campaign(Path(place), options.seed)
        campaign.run(options.kills)
    report = {
        "kills": sum(campaign.kills.values()),
        "by_place": dict(sorted(campaign.kills.items())),
        "counts": dict(sorted(campaign.counts.items())),
        "seconds": round(time.monotonic() - began, 1),
    }
    if options.json:
        print(json.dumps(report))
        return
    for name, value in report.items():
        print(f"{name}: {value}")
    print("kills: every law held")


if __name__ == "__main__":
    main()
