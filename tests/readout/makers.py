"""Candidates, counters and a reader of frames for the tests of the read-out."""

from __future__ import annotations

import re
from dataclasses import dataclass

from graphmem.domain.hit import Hit, Trace
from graphmem.domain.moment import Moment
from graphmem.domain.prepared import Prepared
from graphmem.ports.tokens import TokenCounter
from graphmem.readout.assemble import Asked, Rules, assemble
from graphmem.readout.budget import QueryBudget
from graphmem.readout.frame import CLOSE, OPEN
from graphmem.readout.select import Candidate
from graphmem.text.analyse import terms
from graphmem.text.questions.reader import analyse_question
from graphmem.text.timex.reader import read
from graphmem.text.tokens import BuiltInTokenCounter

DAY = 86_400_000_000
FIRST = Moment.parse_iso("2023-05-08T13:56:00Z")
_LINE = re.compile(r"\[(m\d+)\] (.*)")
_HEADER = re.compile(r"## (?:\d{4}-\d\d-\d\d|undated), session \d+")


@dataclass(frozen=True)
class OddCounter:
    """A counter that no text would expect.

    Attributes:
        how: `seams` (the whole costs more than its parts), `flat` (any text costs the same), `dear`,
            `cheap`, `noisy` (a longer text may cost less).
    """

    how: str
    name: str = "odd"
    is_approximate: bool = False

    def count(self, text: str) -> int:
        if not text:
            return 0
        size = len(text)
        prices = {
            "seams": size * size // 40 + 1,
            "flat": 50,
            "dear": size * 7,
            "cheap": size // 50 + 1,
            "noisy": size // 4 + (sum(map(ord, text[:50])) % 97),
        }
        return prices[self.how]


COUNTERS: list[TokenCounter] = [
    BuiltInTokenCounter(),
    *(OddCounter(how) for how in ("seams", "flat", "dear", "cheap", "noisy")),
]


def candidate(
    number: int,
    text: str,
    *,
    session: int = 0,
    day: int | None = 0,
    speaker: str | None = "Ann",
    score: float | None = None,
) -> Candidate:
    occurred = None if day is None else Moment(us=FIRST.us + day * DAY)
    found = [expression.mention() for expression in read(text, occurred)]
    hit = Hit(
        id=f"t_{number}",
        kind="turn",
        content=text,
        score=1.0 / (1 + number) if score is None else score,
        role="user",
        speaker=speaker,
        body_start=0,
        session_id=f"s{session}",
        turn_ids=(f"t_{number}",),
        occurred=occurred,
        recorded=FIRST,
        dates=tuple(mention for mention in found if mention is not None),
    )
    return Candidate(hit=hit, number=number, session_no=session)


def rules(counter: TokenCounter | None = None, readout: str = "v5_81", **budget: float) -> Rules:
    return Rules(
        readout=readout,  # type: ignore[arg-type]
        budget=QueryBudget(**budget),  # type: ignore[arg-type]
        counter=counter or BuiltInTokenCounter(),
    )


def prepared(
    candidates: list[Candidate],
    query: str = "What does Ann do?",
    by: Rules | None = None,
    *,
    options: tuple[str, ...] = (),
    asked_at: Moment | None = None,
) -> Prepared:
    asked = Asked(
        text=query,
        question=analyse_question(query, asked_at),
        options=options,
        asked_at=asked_at,
        newest=FIRST,
    )
    trace = Trace(
        version=1,
        terms=tuple(terms(query)),
        named_speakers=(),
        dates=(),
        candidates=len(candidates),
        dense=False,
        vectors=0,
        passages=len(candidates),
    )
    return assemble(asked, candidates, trace, by or rules())


def lines_of(user: str) -> list[tuple[str, str]]:
    """The (id, rest) of each line between the frame's tags, read as strictly as the frame promises."""
    assert user.count(OPEN) == user.count(CLOSE) == 1
    before, _, rest = user.partition(OPEN + "\n")
    inside = rest.partition("\n" + CLOSE)[0]
    assert not before
    assert "<" not in inside
    found = []
    for line in inside.split("\n"):
        match = _LINE.fullmatch(line)
        if match:
            found.append((match[1], match[2]))
        else:
            assert not line or _HEADER.fullmatch(line), line
    assert len(re.findall(r"\[m\d", inside)) == len(found)
    return found
