"""Finds the two events of which a question asks how far apart they are, or which came first.

An event is a claim that the memory dates. It is found for a part of the question only if nothing else in sight
could be meant: every turn that holds the part's words must stand behind that one claim.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from graphmem.domain.atom import Atom, fold_claim
from graphmem.domain.interval import Interval
from graphmem.domain.question import Question
from graphmem.readout.facts import Facts
from graphmem.readout.select import Candidate
from graphmem.text import script
from graphmem.text.analyse import terms

_DAY_US: Final = 86_400_000_000
# Each finds two parts of a question, in the order in which it names them.
_PAIRS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\bbetween (?P<a>.{3,80}?) and (?P<b>.{3,80}?)[?.!]*$",
        r"\bfrom (?P<a>.{3,80}?) (?:to|until|till) (?P<b>.{3,80}?)[?.!]*$",
        r"\b(?:first|earlier|later|last)\b[^,:]{0,20}[,:] ?(?P<a>.{3,80}?),? or (?P<b>.{3,80}?)[?.!]*$",
        r"\bhow (?:long|many \w+) (?:after|before) (?P<a>.{3,80}?),? did (?P<b>.{3,80}?)[?.!]*$",
        r"^did (?P<a>.{3,80}?) (?:before|after) (?P<b>.{3,80}?)[?.!]*$",
        r"(?:从|自)?(?P<a>[^，。？]{2,40}?)(?:和|与|跟|到)(?P<b>[^，。？]{2,40}?)之?间?(?:相隔|隔了|相差|过了|用了|间隔)",
        r"(?P<a>[^，。？]{2,40}?)(?:之后|以后|后)(?:过了)?(?:多久|多少天|几天|几个月|几年)(?:才|就)?(?P<b>[^，。？]{2,40})",
        r"(?:是)?先(?P<a>[^，。？]{2,40}?)，?还是(?:先)?(?P<b>[^，。？]{2,40})",
        r"(?P<a>[^，。？]{2,40}?)(?:和|与|跟)(?P<b>[^，。？]{2,40}?)(?:哪个|哪件|谁|何者)[^，。？]{0,4}(?:先|早|在前)",
    )
)
_SINCE: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\bhow long ago did (?P<a>.{3,80}?)[?.!]*$",
        r"\bhow (?:long|many \w+) (?:is it |has it been |have passed )?(?:since|ago did) (?P<a>.{3,80}?)[?.!]*$",
        r"(?:距离|离)(?P<a>[^，。？]{2,40}?)(?:已经)?(?:过去|有|过了)?(?:多久|多少天|几天)",
        r"(?P<a>[^，。？]{2,40}?)(?:是)?(?:多久|多少天|几天)(?:以|之)?前",
    )
)
_LONGEST: Final = (
    400  # characters; longer is a document, and the patterns are quadratic within a line
)
_PARTICLES: Final = re.compile(r"[了过的地得着是在，。！？、；：“”\s]|现在|今天")
_ENGLISH_FILLERS: Final = frozenset({"time", "day", "happen", "event", "start", "get", "go"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """A dated claim.

    Attributes:
        atom: the claim.
        when: when it happened.
    """

    atom: Atom
    when: Interval


class Finder:
    """Finds the events of parts of one question.

    Args:
        question: what it was read as.
        candidates: everything in sight, shown or not.
        facts: what is known of it.
    """

    def __init__(self, question: Question, candidates: Sequence[Candidate], facts: Facts) -> None:
        self._people = {fold_claim(name) for name in question.people}
        self._names = {term for name in question.people for term in terms(name)}
        self._name_texts = [fold_claim(name) for name in question.people]
        self._candidates = candidates
        self._facts = facts
        self.terms = {one.number: frozenset(terms(one.hit.content)) for one in candidates}

    def find(self, part: str) -> Event | None:
        """The one event that a part can mean; None where that is not certain."""
        if len(self._people) > 1:  # who did which?
            return None
        holders = [one for one in self._candidates if self._holds(one, part)]
        dated = {
            atom.atom_id: atom
            for one in holders
            for atom in self._facts.atoms.get(one.number, ())
            if self._is_meant(atom, part)
        }
        if len(dated) != 1:
            return None
        (atom,) = dated.values()
        stands_on = {source.turn_no for source in atom.sources}
        if atom.event is None or any(one.number not in stands_on for one in holders):
            return None
        return Event(atom=atom, when=atom.event)

    def _holds(self, one: Candidate, part: str) -> bool:
        return self._covers(one.hit.content, self.terms[one.number], part)

    def _is_meant(self, atom: Atom, part: str) -> bool:
        is_firm = atom.modality == "asserted" and atom.polarity == "affirmed"
        is_theirs = not self._people or fold_claim(atom.subject) in self._people
        said = atom.origin != "verbatim" and is_firm and is_theirs
        return said and self._covers(atom.content, frozenset(terms(atom.content)), part)

    def _covers(self, text: str, found: frozenset[str], part: str) -> bool:
        """Whether a text holds all that a part says; nothing covers a part that says too little."""
        if script.has_han(part):
            wanted = _bare(fold_claim(part))
            for name in self._name_texts:
                wanted = wanted.replace(name, "")
            return len(wanted) > 1 and wanted in _bare(fold_claim(text))
        words = {*terms(part)} - self._names - _ENGLISH_FILLERS
        return bool(words) and words <= found


def pair_of(text: str) -> tuple[str, str] | None:
    """The two events that a question names, as it names them."""
    for pattern in _PAIRS if len(text) <= _LONGEST else ():
        match = pattern.search(text.strip())
        if match:
            return match["a"].strip(), match["b"].strip()
    return None


def past_of(text: str) -> str | None:
    """The one event of which a question asks how long ago it was."""
    for pattern in _SINCE if len(text) <= _LONGEST else ():
        match = pattern.search(text.strip())
        if match:
            return match["a"].strip()
    return None


def day_of(when: Interval) -> int | None:
    """The day on which something happened, in days since 1970; None unless it is one day."""
    if when.grain in {"month", "year"} or when.start_us is None or when.end_us is None:
        return None
    offset = when.offset_minutes * 60_000_000
    first, last = ((us + offset) // _DAY_US for us in (when.start_us, when.end_us - 1))
    return first if first == last else None


def ordered(first: Event, second: Event) -> tuple[Event, Event] | None:
    """The two in order of time; None where they may have come at the same time."""
    for a, b in ((first, second), (second, first)):
        ends, begins = a.when.end_us, b.when.start_us
        if ends is not None and begins is not None and ends <= begins:
            return a, b
    return None


def _bare(text: str) -> str:
    return _PARTICLES.sub("", text)
