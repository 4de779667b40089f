"""What must be in a store after a kill, from what its driver asked for and what was answered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from graphmem.domain.message import Message
from graphmem.domain.scope import Scope
from graphmem.domain.turn import make_turn_id
from tests.faults.kills.callers import TENANT
from tests.faults.kills.journal import Line

NEVER = 1 << 60


@dataclass(eq=False)
class Said:
    """One message: when, by lines of the journal, it was asked for, kept, and deleted.

    Attributes:
        kept: since when it must be there; `NEVER` as long as nobody said that it is.
        dying: since when it may be gone, by a deletion that was asked for.
        gone: since when it must be gone, by one that was acknowledged.
    """

    turn_id: str
    text: str
    kept: int = NEVER
    dying: int = NEVER
    gone: int = NEVER


@dataclass(eq=False)
class Request:
    scope: Scope
    session: str
    request_id: str
    strict: bool
    said: list[Said]
    number: int
    messages: list[Message]

    @property
    def is_acknowledged(self) -> bool:
        return all(said.kept < NEVER for said in self.said)


@dataclass(eq=False)
class Deletion:
    """One that was asked for and not acknowledged: it happened whole, or not at all."""

    targets: list[Said]


@dataclass
class Copy:
    path: Path
    begun: int
    ended: int = NEVER


@dataclass
class Expected:
    """Everything that was asked for in one directory; it grows with every journal."""

    requests: dict[tuple[Scope, int], Request] = field(default_factory=dict)
    copies: list[Copy] = field(default_factory=list)
    undecided: list[Deletion] = field(default_factory=list)
    now: int = 0

    def add(self, request: Request) -> None:
        self.requests[request.scope, request.number] = request

    def of(self, scope: Scope) -> list[Request]:
        return [request for request in self.requests.values() if request.scope == scope]

    def scopes(self) -> list[Scope]:
        return list(dict.fromkeys(scope for scope, _ in self.requests))

    def counts(self) -> Counter[str]:
        """What there was in all."""
        said = [said for request in self.requests.values() for said in request.said]
        return Counter(
            {
                "requests acknowledged": sum(r.is_acknowledged for r in self.requests.values()),
                "turns kept": sum(s.kept < NEVER and s.gone == NEVER for s in said),
                "turns deleted": sum(s.gone < NEVER for s in said),
            }
        )

    def read(self, lines: list[Line]) -> None:
        """Take in what a process wrote until it was killed."""
        begun: dict[int, Line] = {}
        self.copies = []
        dying: dict[int, list[Said]] = {}
        for line in lines:
            self.now += 1
            assert "broken" not in line, line["broken"]
            if "begin" in line:
                begun[line["begin"]] = line
                self._begin(line, dying)
            elif "end" in line:
                self._end(begun.pop(line["end"]), dying)
            else:
                self._keep(begun[line["kept"]])
        self.undecided = [Deletion(targets=targets) for targets in dying.values()]

    def _begin(self, line: Line, dying: dict[int, list[Said]]) -> None:
        match line["do"]:
            case "add":
                self.add(request_of(line))
            case "delete":
                targets = [said for said in self._targets(line) if said.gone == NEVER]
                for said in targets:
                    said.dying = min(said.dying, self.now)
                dying[line["begin"]] = targets
            case "backup":
                self.copies.append(Copy(path=Path(line["path"]), begun=self.now))

    def _end(self, line: Line, dying: dict[int, list[Said]]) -> None:
        match line["do"]:
            case "add":
                self._keep(line)
            case "delete":
                for said in dying.pop(line["begin"]):
                    said.gone = self.now
            case "backup":
                next(c for c in self.copies if str(c.path) == line["path"]).ended = self.now

    def _keep(self, line: Line) -> None:
        for said in self.requests[_scope(line), line["number"]].said:
            said.kept = min(said.kept, self.now)

    def _targets(self, line: Line) -> Iterator[Said]:
        scope = _scope(line)
        if "targets" in line:
            for number, position in line["targets"]:
                yield self.requests[scope, number].said[position]
            return
        for request in self.of(scope):
            if request.session == line.get("session", request.session):
                yield from request.said


def request_of(line: Line) -> Request:
    scope, surface = _scope(line), "v1" if line["strict"] else "addsearch"
    request_id = f"r-{line['number']}"
    return Request(
        scope=scope,
        session=line["session"],
        request_id=request_id,
        strict=line["strict"],
        number=line["number"],
        messages=[Message(role="user", content=text) for text in line["texts"]],
        said=[
            Said(turn_id=make_turn_id(scope, surface, request_id, position), text=text)
            for position, text in enumerate(line["texts"])
        ],
    )


def check_request(request: Request, there: dict[str, str], begun: int, ended: int) -> None:
    """Hold what a snapshot has of a request against what may be there.

    Args:
        request: what was asked for.
        there: the texts in the snapshot, by turn id.
        begun: the snapshot is not older than this line of the journal,
        ended: and not younger than this one.
    """
    found = [said.turn_id in there for said in request.said]
    for said, is_there in zip(request.said, found, strict=True):
        if is_there:
            assert there[said.turn_id] == said.text, "a text was changed"
            assert said.gone >= begun, "a deleted text is there"
        elif said.kept <= begun:
            assert said.dying <= ended, "an acknowledged turn is lost"
    untouched = {
        is_there for said, is_there in zip(request.said, found, strict=True) if said.dying > ended
    }
    assert len(untouched) <= 1, "half of a request is there"


def decide(deletion: Deletion, there: dict[str, str], now: int) -> None:
    """See whether a deletion happened that nobody acknowledged; it must have been whole."""
    known = [said for said in deletion.targets if said.kept < NEVER]
    left = {said.turn_id in there for said in known}
    assert len(left) <= 1, "a deletion was done by half"
    for said in deletion.targets:
        is_gone = said.kept < NEVER and said.turn_id not in there
        said.gone, said.dying = (now, said.dying) if is_gone else (NEVER, NEVER)


def _scope(line: Line) -> Scope:
    return Scope(tenant_id=TENANT, memory_id=line["memory"])
