"""Arranging in the past what lies ahead: "I've booked a flight for October 1" says nothing of a day before today.

What tells the date of the occasion from that of the arranging is how it hangs on the verb: behind "for",
"until" or "effective" it is of the occasion; behind one that takes place ("registered for the marathon on
November 3") it may be of either; behind the bare verb or a pronoun ("I booked it on May 3") of the arranging.
"""

from __future__ import annotations

from typing import Final

from graphmem.text.timex.calendar import Outlook
from graphmem.text.timex.en.verbs import HAVE, PUTTING_OFF
from graphmem.text.words import word_set

_BOOKING: Final = word_set("booked reserved prebooked")
_GETTING: Final = word_set(
    "bought purchased ordered got gotten secured won hired rented chartered paid given received"
)
_SCHEDULING: Final = word_set(
    "scheduled rescheduled planned arranged promised pencilled penciled slated guaranteed"
)
_ENTERING: Final = word_set(
    "registered enrolled entered invited asked selected chosen picked nominated paid"
)
_PLEDGING: Final = word_set("agreed promised asked invited scheduled arranged offered planned")
_APPOINTING: Final = word_set(
    "applied promoted appointed hired transferred elected offered named confirmed approved granted "
    "organized organised accepted admitted set fixed lined signed cleared summoned"
)
_RENEWING: Final = word_set("renewed extended prolonged subscribed") | PUTTING_OFF
_ARRANGING: Final = (
    _BOOKING | _GETTING | _SCHEDULING | _ENTERING | _PLEDGING | _APPOINTING | _RENEWING
)

_UNTIL: Final = word_set("for until till effective")
_FROM: Final = word_set("from starting beginning")
_BESIDE: Final = word_set("on in at this the early late mid around about effect with")
"""What stands between a verb with its object and a date, and is no link to an occasion by itself."""
_TOWARDS: Final = word_set("for to in into")
_DETERMINERS: Final = word_set("a an the my our his her their your some two three another")
_THINGS: Final = word_set("it this that everything them him one")
_ADMISSIONS: Final = word_set(
    "ticket tickets seat seats spot spots place places slot pass passes invitation invite"
)
_OCCASIONS: Final = word_set(
    "wedding marathon race triathlon course class workshop seminar webinar lesson lessons training camp "
    "retreat trip tour cruise concert show gig festival conference convention congress meeting appointment "
    "exam test interview surgery operation procedure checkup ceremony party dinner lunch shower "
    "reunion game match tournament competition contest hackathon event session screening audition recital "
    "performance play opera exhibition expo trial hearing viewing inspection delivery raise promotion bonus "
    "transfer semester program programme internship residency getaway launch duty gala ball parade baptism "
    "christening anniversary birthday barbecue bbq"
)
"""What takes place on some day, unlike a gym, a car or a hotel."""
_STAYING: Final = word_set(
    "went gone been came come stayed flew flown drove driven travelled traveled visited returned was were "
    "wasn't weren't had lived left worked kept waited looked did celebrated met saw seen joined hosted"
)
"""Being or going somewhere "for" a day is not done ahead of it."""
_TIMED: Final = _BOOKING | word_set("scheduled rescheduled planned arranged slated set")
"""Of what was so for a day, nobody can tell whether it has come: "the exam was scheduled for June 12"."""
_PASSIVE: Final = word_set("was were wasn't weren't")
_BACK: Final = 3
"""So many words before a participle its "have" may stand."""


def outlook(words: list[str], at: int, governed: list[str]) -> Outlook | None:
    """On which sides of today the date may lie; None where it is of the past, as its verb.

    Args:
        words: the words of the clause.
        at: the index of the verb in the past.
        governed: the words from it to the date.
    """
    lead = words[max(0, at - _BACK) : at + 1]
    is_perfect = _is_perfect(lead, governed)
    is_story = "had" in lead or not (_PASSIVE.isdisjoint(lead) or _TIMED.isdisjoint(governed))
    last = len(governed)
    while last and governed[last - 1] in _BESIDE and "effect" not in governed[last - 2 : last]:
        last -= 1
    link = governed[last - 1] if last > 1 else ""
    if link == "effect" or link in _UNTIL | _FROM or (link == "to" and last == len(governed)):
        told = _linked(governed, link, is_perfect=is_perfect)
        return "either" if is_story and link == "for" and told else told
    return _placed(governed[:last], is_perfect=is_perfect)


def _linked(governed: list[str], link: str, *, is_perfect: bool) -> Outlook | None:
    """Behind a preposition that names an occasion, or from when to when a thing holds."""
    verbs = _ARRANGING.intersection(governed)
    if link in {"effective", "effect"}:
        return "ahead"
    if link == "to":
        return "ahead" if PUTTING_OFF.intersection(verbs) else None
    if verbs:
        if is_perfect and link in _UNTIL:
            return "future"
        return "ahead"
    if link != "for" or _STAYING.intersection(governed):
        return None
    return "ahead" if is_perfect else "either"


def _placed(governed: list[str], *, is_perfect: bool) -> Outlook | None:
    """Behind what is arranged: of an occasion that has a day, or of the day when that was done."""
    at = next((at for at, word in enumerate(governed) if word in _ARRANGING or word == "signed"), 0)
    verb, behind = governed[at] if governed else "", governed[at + 1 :]
    if _is_occasion(verb, behind):
        return "ahead" if is_perfect else "either"
    if is_perfect and "for" in governed and _is_for_occasion(governed):
        return "ahead"
    if verb in _PLEDGING and "to" in behind:
        return "ahead" if is_perfect else "either"
    is_thing = bool(_DETERMINERS.intersection(behind[:2])) and behind[0] not in _THINGS
    if verb in _BOOKING and is_thing:
        return "ahead" if is_perfect else "unsure"
    if verb in _ENTERING | {"signed"} and "for" in behind and not is_perfect:
        return "unsure"
    return None


def _is_occasion(verb: str, behind: list[str]) -> bool:
    """Whether an occasion is what was arranged, or what somebody was invited or let in to."""
    first = next((at for at, word in enumerate(behind) if word in _OCCASIONS), None)
    if first is None:
        return False
    before = behind[:first]
    if verb in _SCHEDULING:
        return not _THINGS.intersection(before[:1])
    leads = bool(_TOWARDS.intersection(before)) and (verb != "asked" or "to" in before)
    if verb in _ENTERING or (verb == "signed" and behind[0] == "up"):
        return leads
    return leads and verb in _GETTING | _BOOKING and bool(_ADMISSIONS.intersection(before))


def _is_for_occasion(governed: list[str]) -> bool:
    """Whether something has been done, and not by being there, for what takes place on a day."""
    behind = governed[governed.index("for") :]
    return _STAYING.isdisjoint(governed) and not _OCCASIONS.isdisjoint(behind)


def _is_perfect(lead: list[str], governed: list[str]) -> bool:
    """Whether a verb is in the present perfect: "have booked", "she's been invited"."""
    if any(word in HAVE or word.endswith("'ve") for word in lead):
        return True
    return any(word.endswith("'s") for word in lead) and "been" in [*lead, *governed[1:2]]
