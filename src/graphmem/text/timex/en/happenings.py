"""Happenings: English verbs of a change or a completed act, with what must follow them to be one.

They are the achievements and accomplishments of Vendler's classes. States, feelings, thoughts, talk and
activities without an end are left out: beside these "just" means "only" as often as "a short while ago".
"""

from __future__ import annotations

import re
from typing import Final

from graphmem.text.timex.en.verbs import IRREGULAR_PAST, PARTICIPLES
from graphmem.text.words import word_set

_ED: Final = re.compile(r"[a-z]{2,}ed")
DETERMINERS: Final = word_set(
    "a an the my our his her their your this these some another one two three four five six seven eight nine "
    "ten several few new"
)
"""What begins an object that an act is done to; a name, with its capital, does too."""

# Each line: what must follow (`*` anything, `+` an object, else one of the words), and the verbs, with the
# participle behind a slash where it is another word.
_FORMS: Final = """
*: finished completed bought purchased adopted arrived returned landed joined enrolled registered graduated won
*: received hired retired resigned submitted published released launched uploaded posted delivered celebrated
*: renewed installed downloaded booked ordered attended visited hosted relocated inherited accepted applied
*: signed ended sold earned achieved switched transferred harvested welcomed cancelled canceled secured
*: discovered learned learnt upgraded became/become unpacked proposed died reopened swapped competed rescued
*: spilled crashed aced finalized finalised confirmed qualified scored debuted premiered deployed shipped fainted
*: collapsed exploded sprained fractured hatched bloomed sprouted donated voted refinanced merged retook/retaken
*: rang/rung froze/frozen arose/arisen awoke/awoken expired emigrated immigrated divorced surpassed
*: met moved started began/begun
+: burned burnt tore/torn stole/stolen cracked scratched chipped injured traded ended cut swapped framed mailed
+: quit raised lowered opened closed lost saw/seen watched wrote/written built painted baked cooked planted fixed repaired cleaned
+: replaced updated created designed recorded filmed sent rented reached climbed hiked crossed caught passed broke/broken
+: got/gotten made took/taken had found experienced assembled renovated decorated performed played presented redid/redone
+: added tried did/done ran/run paid gave/given ate/eaten packed set left bought picked dropped changed drew/drawn knitted
+: read threw/thrown organized organised
back home here in out off into onto away up married engaged promoted hired accepted fired divorced approved: got
invited offered elected selected certified licensed admitted diagnosed vaccinated evicted laid robbed hit: got/gotten
tickets news word confirmation approval permission results: got/gotten
back home from out across over: came/come
to on through back for: went/gone
back from about that word: heard
out: found
home work school for town: left
birth notice: gave/given
dinner lunch breakfast supper surgery: had ate/eaten made cooked
up: broke/broken woke/woken wrapped picked split caught
off out: dropped paid
in out: checked signed
away: passed
in back home out to from: flew/flown
back home: drove/driven
up: hung gave/given showed/shown backed signed closed
on into: bumped
off down over: fell/fallen
part: took/taken
jobs careers schools majors: changed
into: ran/run moved
out up: tried
"""
_NOT_NEXT: Final[dict[str, frozenset[str]]] = {
    "moved": word_set("on by past around"),
    "met": word_set("up"),
    "started": word_set(
        "crying laughing screaming shouting yelling sobbing shaking talking dancing singing smiling giggling "
        "thinking wondering feeling to off out with from because"
    ),
    "went": word_set("with along"),
    "died": word_set("laughing inside of"),
    "learned": word_set("to"),
    "came": word_set("up"),
}
_NOT_NEXT["began"] = _NOT_NEXT["begun"] = _NOT_NEXT["started"]
_NOT_NEXT["learnt"] = _NOT_NEXT["learned"]

IDEAS: Final = word_set(
    "feeling feelings sense bit little lot lots kick idea thought thoughts impression hang vibe vibes urge hunch "
    "chance question while moment point look way need doubt desire belief best part sake case shot guess "
    "mistake deal fact hope opinion reason"
)
"""Nouns beside which a verb of an act says what one felt or thought: "I just had a feeling"."""

PASSIVE: Final = word_set(
    "promoted hired accepted fired diagnosed released announced approved invited awarded elected nominated "
    "selected published admitted discharged delivered installed completed renovated launched cancelled "
    "canceled born adopted rejected certified robbed evicted chosen picked offered given named appointed sold "
    "repaired fixed vaccinated reopened rebuilt restored extended replaced upgraded stolen towed rescued printed signed demolished raised"
)
"""Participles of what is done to somebody once; with "was" or "been" they tell of one event."""
STATES: Final = word_set(
    "been had wanted loved liked hated felt thought known needed hoped wished seemed believed said told talked spoken "
    "lived worked kept stayed waited assumed ignored sat stood slept wondered considered looked enjoyed preferred "
    "cared feared trusted doubted supposed meant mentioned asked answered called understood remembered forgotten "
    "walked run sung danced played laughed cried stared helped used struggled tried continued relied gotten got "
    "lost found made taken come gone left given done seen caught passed broken paid set turned grown always "
    "never not been learned learnt accepted noticed realized realised decided chosen hung held leaned hidden"
)
"""Participles that tell of no event by themselves: states, feelings, thoughts, talk, activities; or that
need what `happens` asks for."""
AS_BASE: Final = word_set("split read run become come set hit cut quit")
"""Forms that may be of the present, too: the perfect tells them apart, and he, she and it."""
OF_THINGS: Final = word_set("broke")
"""What happens to a thing; of a person it is a feeling: "the kettle just broke"."""
RESULTING: Final = word_set("finished closed broken sold built done gone lost left opened ended")
"""Participles that tell a state behind "it's"."""


def _table(*, participles: bool) -> dict[str, frozenset[str]]:
    table: dict[str, frozenset[str]] = {}
    for line in _FORMS.strip().splitlines():
        needed, _, verbs = line.partition(":")
        for verb in verbs.split():
            preterite, _, participle = verb.partition("/")
            form = participle or preterite if participles else preterite
            follows = table.get(form, frozenset()) | frozenset(needed.split())
            table[form] = follows
    return table


_PRETERITES: Final = _table(participles=False)
_PARTICIPLES: Final = _table(participles=True)


def may_happen(word: str) -> bool:
    """Whether a word may be a form that `happens` knows, or a participle of the passive."""
    return word in _PRETERITES or word in PASSIVE or _is_participle(word)


def _is_participle(word: str) -> bool:
    return word in PARTICIPLES or word in IRREGULAR_PAST or bool(_ED.fullmatch(word))


def happens(verb: str, following: list[str], *, perfect: bool, names_thing: bool) -> bool:
    """Whether a verb, with the words behind it, says that something happened once.

    Args:
        verb: the form.
        following: the words behind it in its clause, in lower case.
        perfect: whether it is a participle, with "have" before it.
        names_thing: whether the next word has a capital.
    """
    follows = (_PARTICIPLES if perfect else _PRETERITES).get(verb)
    if follows is None:
        return perfect and verb not in STATES and _is_participle(verb)
    first = following[0] if following else ""
    if first in _NOT_NEXT.get(verb, ()) or not IDEAS.isdisjoint(following[:4]):
        return False
    if verb in {"got", "gotten"} and first == "to":
        return following[1:2] != [] and following[1] in DETERMINERS  # to the station, not "to go"
    if "*" in follows or first in follows:
        return True
    return "+" in follows and (first in DETERMINERS or names_thing)
