"""Aids: what can be computed with certainty from what is shown, so that a model need not.

Each names the records that it follows from, and these are in the prompt. Whatever is not certain makes no aid: a
model without one is where it was before, a model with a wrong one is worse off.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection as Names, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Final

from graphmem.build.graph import Chain, Collection, State
from graphmem.domain.aid import Aid
from graphmem.domain.atom import Atom, fold_claim
from graphmem.domain.moment import Moment
from graphmem.domain.question import Question
from graphmem.readout.aid_words import AidWords, words_of
from graphmem.readout.asked import asks_for
from graphmem.readout.block import short_id
from graphmem.readout.events import Event, Finder, day_of, ordered, pair_of, past_of
from graphmem.readout.facts import NO_FACTS, Facts
from graphmem.readout.frame import framed
from graphmem.readout.lasting import holds, is_plain, verb_of, watch
from graphmem.readout.select import Candidate
from graphmem.text import script
from graphmem.text.analyse import terms

MOST_STATES: Final = 4
MOST_IDS: Final = 3  # of one claim, however often it was said
MOST_RELATIONS: Final = 6
NEAR: Final = 8
"""A chain is told if one of the first so many turns is in it: further down, most are about something else."""

_LONGEST_CLAIM: Final = 160
_EPOCH: Final = date(1970, 1, 1)
_COUNTING: Final = frozenset({"mani", "much", "number", "total", "different"})
_ZH_COUNTING: Final = re.compile(r"[几多少个位次种部本家座过了的有？?、，。]|一共|总共")
# What may be several things, or none that could be told apart from others.
_VAGUE: Final = re.compile(
    r"\b(?:and|or|many|much|more|most|several|some|few|lots?|loads?|all|every|each|both|other|others|another"
    r"|any\w*|some\w+|every\w+|no\w*thing|one|ones|two|three|four|five|six|seven|eight|nine|ten|dozens?|it|them"
    r"|they|that|this|these|those|there|here|again|too|which|who|what|where)\b"
    r"|\d|[,;、，；]|^[a-z ]*[a-rt-z]s$"
    r"|[很许好]多|多少|一些|有些|几|其他|其它|别的|所有|全部|各种|到处|[这那它他她们哪]|和|与|跟|以及|[一二两三四五六七八九十百]",
)
_TIMES: Final = re.compile(r"\btimes\b|\bhow often\b|次|回", re.IGNORECASE)


@dataclass(frozen=True, eq=False, kw_only=True)
class Sight:
    """What aids are computed from.

    Attributes:
        text: the question as it was asked.
        question: what it was read as.
        asked_at: when, if somebody said.
        candidates: everything in sight, best first.
        facts: what is known of it.
    """

    text: str
    question: Question
    asked_at: Moment | None
    candidates: Sequence[Candidate]
    facts: Facts

    @cached_property
    def finder(self) -> Finder:
        """Finds events in what is in sight, which it has read; several drafts of a prompt ask it."""
        return Finder(self.question, self.candidates, self.facts)

    def speaks_of(self, one: Candidate, words: str) -> bool:
        """Whether a turn in sight holds these words."""
        return holds(one.hit.content, self.finder.terms[one.number], words)


def aids_of(
    sight: Sight, shown: Names[int], *, cost: Callable[[str], int], budget: int
) -> tuple[Aid, ...]:
    """The aids for a question, as many as their budget takes.

    Args:
        sight: what there is.
        shown: the numbers of the turns that the prompt shows.
        cost: what a text costs.
        budget: the most tokens of all aids.
    """
    if budget < 1 or sight.facts == NO_FACTS:
        return ()
    words = words_of(sight.text)
    taken: dict[str, Aid] = {}
    room = budget
    for aid in _found(sight, _Shown(shown), words):
        price = cost(aid.text + "\n")
        if aid.text not in taken and price <= room:
            taken[aid.text] = aid
            room -= price
    return tuple(taken.values())


def takes_atoms(question: Question, text: str) -> bool:
    """Whether a question has a use for all atoms in sight; chains and collections aside."""
    names_events = pair_of(text) is not None or past_of(text) is not None
    return question.family == "inference" or (question.family == "temporal" and names_events)


class _Shown:
    """The turns that may be cited."""

    def __init__(self, numbers: Names[int]) -> None:
        self._numbers = frozenset(numbers)

    def of(self, atom: Atom) -> tuple[str, ...]:
        """The ids of the shown turns that an atom stands on."""
        numbers = sorted({source.turn_no for source in atom.sources} & self._numbers)
        return tuple(map(short_id, numbers[:MOST_IDS]))


def _found(sight: Sight, shown: _Shown, words: AidWords) -> Iterator[Aid]:
    family, kind = sight.question.family, sight.question.kind
    if family == "temporal":
        yield from _times(sight, shown, words)
    if kind == "count":
        yield from _counts(sight, shown, words)
    yield from _states(sight, shown, words)
    if family == "inference":
        yield from _relations(sight, shown, words)


def _times(sight: Sight, shown: _Shown, words: AidWords) -> Iterator[Aid]:
    pair, past = pair_of(sight.text), past_of(sight.text)
    if pair is None and past is None:
        return
    finder = sight.finder
    if pair is not None:
        first, second = map(finder.find, pair)
        if first and second and first.atom.atom_id != second.atom.atom_id:
            yield from _between(first, second, shown, words)
        return
    event = finder.find(past) if past else None
    if event and sight.asked_at:
        yield from _since(event, sight.asked_at, shown, words)


def _between(first: Event, second: Event, shown: _Shown, words: AidWords) -> Iterator[Aid]:
    told = ordered(first, second)
    ids = [shown.of(event.atom) for event in (first, second)]
    if told is None or not all(ids):
        return
    before, after = (_event(event, shown) for event in told)
    cited = tuple(dict.fromkeys([*shown.of(told[0].atom), *shown.of(told[1].atom)]))
    days = [day_of(event.when) for event in told]
    if days[0] is not None and days[1] is not None:
        text = words.span.format(before, after, days[1] - days[0])
        yield Aid(kind="span", text=text, ids=cited)
    else:
        yield Aid(kind="order", text=words.order.format(before, after), ids=cited)


def _since(event: Event, asked_at: Moment, shown: _Shown, words: AidWords) -> Iterator[Aid]:
    ids, day = shown.of(event.atom), day_of(event.when)
    today = asked_at.local().date()
    if not ids or day is None:
        return
    days = (today - _EPOCH).days - day
    if days >= 0:
        told = words.since.format(_event(event, shown), today.isoformat(), days)
        yield Aid(kind="span", text=told, ids=ids)


def _states(sight: Sight, shown: _Shown, words: AidWords) -> Iterator[Aid]:
    told = 0
    for chain in sight.facts.chains:
        before = chain.replaced
        if told == MOST_STATES or before is None or not _is_wanted(chain, sight):
            continue
        ids = (shown.of(chain.head.atom), shown.of(before.atom))
        if all(ids) and _is_sure(chain.head, before):
            text = words.state.format(_state(chain.head, shown), _state(before, shown))
            told += 1
            yield Aid(kind="state", text=text, ids=tuple(dict.fromkeys([*ids[0], *ids[1]])))


def _is_wanted(chain: Chain, sight: Sight) -> bool:
    """Whether the question asks for what a chain tells, and nothing in sight may have changed it since."""
    near = {one.number for one in sight.candidates[:NEAR]}
    people = {fold_claim(name) for name in sight.question.people}
    known = {state.turn_no for state in chain.states if state.turn_no is not None}
    later = _later_near(sight, max(known, default=0), known)
    return (
        (not people or chain.subject in people)
        and not near.isdisjoint(known)
        and asks_for(sight.text, chain)
        and not (_is_bare(chain.attribute) and any(later))
    )


def _is_sure(head: State, before: State) -> bool:
    """Whether it is without doubt which value is the latest, and which came before it."""
    firm = all(
        state.atom.modality == "asserted"
        and state.atom.origin != "verbatim"
        and len(state.atom.content) <= _LONGEST_CLAIM
        and not state.atom.setting.is_end
        for state in (head, before)
    )
    now, then = fold_claim(head.atom.value), fold_claim(before.atom.value)
    differ = (
        bool(now and then) and now not in then and then not in now
    )  # else the same in other words
    return firm and differ and before.valid_us < head.valid_us


def _is_bare(attribute: str) -> bool:
    """Whether it is changed in words that name nothing of it (a residence), unlike an attitude to something."""
    return bool(attribute) and ":" not in attribute


def _later_near(sight: Sight, turn_no: int, known: Names[int]) -> Iterator[Candidate]:
    """The best turns that were said later: a rule that did not read them may miss what changed there."""
    for one in sight.candidates[:NEAR]:
        if one.number > turn_no and one.number not in known:
            yield one


def _counts(sight: Sight, shown: _Shown, words: AidWords) -> Iterator[Aid]:
    if sight.question.dates or _TIMES.search(sight.text):  # a part of it, or how often
        return
    for collection in sight.facts.collections:
        ids = [shown.of(atom) for atom in collection.members]
        if all(ids) and _is_counted(collection, sight):
            values = {
                fold_claim(a.value): (a, i) for a, i in zip(collection.members, ids, strict=True)
            }
            listed = words.comma.join(
                f"{framed(atom.value)} {_cited(cited)}" for atom, cited in values.values()
            )
            owner = framed(collection.members[0].subject)
            text = words.count.format(owner, framed(collection.predicate), len(values), listed)
            yield Aid(
                kind="count", text=text, ids=tuple(dict.fromkeys(i for one in ids for i in one))
            )


def _is_counted(collection: Collection, sight: Sight) -> bool:
    """Whether a question counts this collection, and nothing in sight may belong to it besides."""
    if not collection.closed or (collection.polarity, collection.modality) != (
        "affirmed",
        "asserted",
    ):
        return False
    if any(_VAGUE.search(atom.value) for atom in collection.members):
        return False
    values = sorted({fold_claim(atom.value) for atom in collection.members}, key=len)
    if any(a in b for n, a in enumerate(values) for b in values[n + 1 :]):  # perhaps the same twice
        return False
    if not _asks_for(collection, sight):
        return False
    known = {source.turn_no for atom in collection.members for source in atom.sources}
    return not any(
        sight.speaks_of(one, collection.predicate)
        for one in sight.candidates
        if one.number not in known
    )


def _asks_for(collection: Collection, sight: Sight) -> bool:
    """Whether the question asks for what somebody has of this sort, and for little else."""
    people = {fold_claim(name) for name in sight.question.people}
    if people != {collection.subject} or not _speaks_of(sight.text, collection.predicate):
        return False
    if script.has_han(sight.text):
        rest = fold_claim(sight.text).replace(collection.subject, "")
        return len(_ZH_COUNTING.sub("", rest.replace(fold_claim(collection.predicate), ""))) <= 3
    rest_terms = {*terms(sight.text)} - {*terms(collection.subject)} - _COUNTING
    return len(rest_terms - {*terms(collection.predicate)}) <= 1


def _speaks_of(text: str, words: str) -> bool:
    return holds(text, frozenset(terms(text)), words)


def _relations(sight: Sight, shown: _Shown, words: AidWords) -> Iterator[Aid]:
    """What the graph knows of the persons in the question, by the best turns that say it."""
    people = {fold_claim(name) for name in sight.question.people}
    gone = {atom_id for chain in sight.facts.chains for atom_id in chain.gone}
    told = (atom for one in sight.candidates for atom in sight.facts.atoms.get(one.number, ()))
    theirs = (atom for atom in told if _is_relation(atom, people, words))
    best: dict[str, Atom] = {}
    for atom in theirs:
        if len(best) == MOST_RELATIONS:
            break
        is_new = atom.atom_id not in best and atom.atom_id not in gone
        if is_new and shown.of(atom) and not _is_in_doubt(atom, sight):
            best[atom.atom_id] = atom
    for atom in sorted(
        best.values(), key=lambda atom: (atom.sources[0].turn_no, atom.sources[0].start)
    ):
        ids = shown.of(atom)
        verb = verb_of(atom, words.negated)
        text = f"{framed(atom.subject)} \u2192 {framed(verb)} \u2192 {framed(atom.value)} {_cited(ids)}"
        yield Aid(kind="relation", text=text, ids=ids)


def _is_in_doubt(atom: Atom, sight: Sight) -> bool:
    """Whether something in sight was said later that may have ended it.

    An attitude ends by another one to the same, which its chain holds, or in words that say so.
    """
    known = {source.turn_no for source in atom.sources}
    last = max(known, default=0)
    if _is_bare(atom.attribute) and any(_later_near(sight, last, known)):
        return True
    is_open = ":" not in atom.attribute
    speakers = {one.hit.speaker or one.hit.role for one in sight.candidates if one.number in known}
    watched = watch(atom, next(iter(speakers)) if len(speakers) == 1 else "")
    return any(
        (is_open and sight.speaks_of(one, atom.value))
        or watched.is_told(one.hit.content, sight.finder.terms[one.number])
        for one in sight.candidates
        if one.number > last and one.number not in known
    )


def _is_relation(atom: Atom, people: Names[str], words: AidWords) -> bool:
    is_whole = bool(atom.subject and atom.predicate and atom.value) and atom.origin != "verbatim"
    is_lasting = atom.type == "persona" and atom.modality == "asserted"
    is_theirs = not people or fold_claim(atom.subject) in people
    if not (is_whole and is_lasting and is_theirs and len(atom.value) <= _LONGEST_CLAIM):
        return False
    return is_plain(atom.value) and bool(verb_of(atom, words.negated))


def _event(event: Event, shown: _Shown) -> str:
    said, when = framed(event.atom.content), event.when.text()
    date = "" if when in said else f"{when} "
    return f"{date}\u201c{said}\u201d {_cited(shown.of(event.atom))}"


def _state(state: State, shown: _Shown) -> str:
    event = state.atom.event
    when = f" ({event.text()})" if event else ""
    return f"\u201c{framed(state.atom.content)}\u201d{when} {_cited(shown.of(state.atom))}"


def _cited(ids: Iterable[str]) -> str:
    return "".join(f"[{one}]" for one in ids)
