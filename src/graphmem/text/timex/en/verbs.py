"""Verb forms that tell past from future, by the grammar of English."""

from __future__ import annotations

from typing import Final

from graphmem.text.words import word_set


def _forms(words: str) -> frozenset[str]:
    """The words, those in n't without their apostrophe, too, as chat has them."""
    return word_set(words, words.replace("n't", "nt"))


# Irregular preterites and participles that are no other common form (put, cut, read are left out).
_IRREGULAR: Final = """
arose ate beat became began bit blew bought bought broke brought built bent bound bred burnt came
caught chose clung crept dealt did dreamt drank drove dug drew fell felt fed fled flew forgot
forgave fought found froze gave got grew had heard held hid hung kept knelt knew laid lay led left
lent lost made meant met mistook overslept paid quit ran rang rode rose sang sank sat saw sent shook
shot shone shrank slept slid sold sought spent spoke spun stole stood stuck stung strode struck swam
swept swore swung taught thought threw told took tore understood underwent woke won wore went
withdrew wrote
"""
_AUXILIARY_PAST: Final = """
was were wasn't weren't did didn't had hadn't used
"""

IRREGULAR_PAST: Final = word_set(_IRREGULAR)
AUXILIARY_PAST: Final = _forms(_AUXILIARY_PAST)
PARTICIPLES: Final = word_set(
    "been begun broken chosen done drawn driven eaten fallen flown forgotten frozen given gone gotten "
    "grown hidden known seen shaken shown spoken stolen sung sworn taken thrown torn woken worn written"
)
"""Forms that need an auxiliary, which tells the tense; past where there is none ("the photo taken in May")."""

FUTURE: Final = _forms(
    "will won't shall shan't gonna i'll we'll you'll he'll she'll it'll they'll let's lets upcoming"
)
FUTURE_AUXILIARIES: Final = _forms(
    "should could can might may must shouldn't can't couldn't cannot"
)
"""Modal verbs that ask, offer or plan; with "have" they speak of the past."""
WISHES: Final = word_set(
    "plan plans planning hope hopes hoping want wants wanna intend intends need needs aim aims expect "
    "expects like have has love supposed due ready about"
)
"""Words that make a plan with "to"."""
NEUTRAL: Final = _forms(
    "is are am isn't aren't it's that's there's what's he's she's who's do does don't doesn't have has "
    "haven't hasn't would wouldn't he'd she'd they'd we'd i'd you'd"
)
"""Verbs after which no verb further off is looked for."""

BE_PRESENT: Final = _forms("is are am isn't aren't im")
HAVE: Final = _forms("have has haven't hasn't")
HAVING: Final = word_set("to a an another my our")
"""What follows "have" where it speaks of what lies ahead: "I have to", "I have an exam"."""
PERFECT: Final = word_set("been had gone seen met left")
"""Participles after which 's is "has"; with others it may be "is" ("it's closed")."""
HELPERS: Final = word_set(
    "not just already never ever also all still probably definitely really only both finally even "
    "always currently now actually maybe likely hopefully"
)
EXPECTING: Final = word_set(
    "scheduled due set supposed planned booked expected going gonna slated planning hoping arriving "
    "leaving"
)
GOING: Final = word_set("off back up away")
SUBJECTS: Final = word_set("i you we they he she it")

NO_VERB_ED: Final = word_set(
    "need feed seed speed weed reed bleed breed exceed proceed succeed indeed hundred naked sacred "
    "wicked hatred infrared embed excited tired interested worried scared bored pleased thrilled "
    "supposed"
)
"""Words in -ed that are no preterites."""
NO_PLAN: Final = word_set(
    "something anything nothing everything morning evening during king ring thing string spring wedding "
    "meeting building ceiling living feeling being wondering thinking missing interesting amazing"
)
"""Words in -ing that make no plan with "is"."""
NO_PRETERITE: Final = _forms(
    "is are am be being get gets getting isn't aren't i'm you're we're they're it's he's she's that's "
    "so very too really feel feels feeling"
)
"""After these a form of the past is an adjective or the passive of the present."""
AGREEING: Final = word_set(
    "agreed planned decided wanted promised hoped scheduled arranged asked told invited expected "
    "intended offered meant needed booked used"
)
"""Verbs in the past of what may yet come: "she agreed to meet on Friday"."""
PUTTING_OFF: Final = word_set(
    "moved pushed postponed rescheduled delayed shifted changed switched bumped extended"
)
"""Verbs in the past of what has a new date: "the game was postponed until Friday"."""
COMMANDS: Final = word_set(
    "remind call text email meet come bring book schedule send join buy get pick drop don't remember "
    "tell ask ping add mark save set start finish submit check cancel plan order try visit move put "
    "reschedule coming seeing looking meeting going flying leaving arriving"
)
"""Verbs that ask for something to be done, where a clause begins with them."""
TIMETABLED: Final = word_set(
    "starts begins leaves arrives opens closes ends returns departs lands expires"
)
"""Verbs of the present that say when something is planned: "the train leaves on Friday"."""
SCHEDULED: Final = word_set("is are it's that's")
"""Verbs that do so right before a weekday: "the exam is on Friday"."""
