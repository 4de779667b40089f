"""The forms of English verbs, and the base form behind each."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from typing import Final, Literal

from graphmem.text.words import word_set

Form = Literal["base", "third", "past", "participle", "gerund"]

# base past participle, where the three are not regular; several pasts are separated by slashes.
_IRREGULAR: Final = """
beat/beat/beaten become/became/become begin/began/begun bend/bent/bent bet/bet/bet bite/bit/bitten
bleed/bled/bled blow/blew/blown break/broke/broken bring/brought/brought build/built/built
burn/burnt/burnt burst/burst/burst buy/bought/bought catch/caught/caught choose/chose/chosen
come/came/come cost/cost/cost cut/cut/cut deal/dealt/dealt dig/dug/dug do/did/done draw/drew/drawn
dream/dreamt/dreamt drink/drank/drunk drive/drove/driven eat/ate/eaten fall/fell/fallen
feed/fed/fed feel/felt/felt fight/fought/fought find/found/found fit/fit/fit fly/flew/flown
forget/forgot/forgotten forgive/forgave/forgiven freeze/froze/frozen get/got/gotten give/gave/given
go/went/gone grow/grew/grown hang/hung/hung have/had/had hear/heard/heard hide/hid/hidden
hit/hit/hit hold/held/held hurt/hurt/hurt keep/kept/kept kneel/knelt/knelt know/knew/known
lay/laid/laid lead/led/led leap/leapt/leapt learn/learnt/learnt leave/left/left lend/lent/lent
let/let/let lie/lay/lain light/lit/lit lose/lost/lost make/made/made mean/meant/meant
meet/met/met mow/mowed/mown overcome/overcame/overcome oversleep/overslept/overslept pay/paid/paid
prove/proved/proven put/put/put quit/quit/quit read/read/read rebuild/rebuilt/rebuilt
redo/redid/redone ride/rode/ridden ring/rang/rung rise/rose/risen run/ran/run say/said/said
see/saw/seen sell/sold/sold send/sent/sent set/set/set sew/sewed/sewn shake/shook/shaken
shine/shone/shone shoot/shot/shot show/showed/shown shrink/shrank/shrunk shut/shut/shut
sing/sang/sung sink/sank/sunk sit/sat/sat sleep/slept/slept slide/slid/slid smell/smelt/smelt
speak/spoke/spoken speed/sped/sped spell/spelt/spelt spend/spent/spent spill/spilt/spilt
spin/spun/spun split/split/split spread/spread/spread stand/stood/stood steal/stole/stolen
stick/stuck/stuck strike/struck/struck swear/swore/sworn sweep/swept/swept
swim/swam/swum swing/swung/swung take/took/taken teach/taught/taught tear/tore/torn
tell/told/told think/thought/thought throw/threw/thrown understand/understood/understood
undo/undid/undone upset/upset/upset wake/woke/woken wear/wore/worn weave/wove/woven
weep/wept/wept win/won/won withdraw/withdrew/withdrawn write/wrote/written rewrite/rewrote/rewritten
"""
_REGULAR: Final = word_set(
    "accept achieve act adapt add address adjust admire admit adopt adore advise afford agree aim allow",
    "announce annoy answer apologise apologize appear apply appreciate approve argue arrange arrest arrive",
    "ask assemble assign assist assume attach attack attend avoid babysit back bake ban base bath beg behave",
    "believe belong bike block boil book boot borrow bother bounce brew bruise brush bump burgle bury call",
    "camp cancel capitalise capitalize care carry carve cause celebrate change charge chase chat cheat check",
    "cheer chop cite claim clean clear climb close coach collapse collect combine comfort comment commit",
    "commute compare compete complain complete compose conclude conduct confirm confuse connect consider consist",
    "contact contain continue contribute convert convince cook cope copy correct cough count cover crack crash",
    "crave create cross crush cry cure curl cycle damage dance dare date debate decide decline decorate default",
    "delay delete deliver demand deny depend deploy describe deserve design destroy detest develop die diet",
    "discover discuss dislike divide divorce document double doubt download draft drag dread dress drop dry dump",
    "dye earn edit email emigrate employ encourage end enjoy enrol enroll enter escape exaggerate examine",
    "exercise exist expand expect explain explore export express extend face fail faint fancy farm fast favour",
    "fear file fill film finish fire fix flood flunk follow force format forward foster found freelance fry",
    "function gain garden generate graduate grab greet grill groom guard guess guide handle happen harvest hate",
    "haul head heal heat help hike hire hop hope host house hug hunt hurry identify ignore imagine immigrate",
    "improve include increase inform inherit injure install insult intend interview introduce invent invest",
    "invite iron jog join joke jot judge juggle jump kick kill kiss knit knock label lack land last laugh launch",
    "lean lift like limit list listen live load loathe locate lock log look love lower maintain major manage",
    "march mark marry match matter measure mention mess meditate mind miss mix moan moderate move multiply nap",
    "need neglect nick nod note notice nurse obey object obtain occur offer open operate order organise organize",
    "overhear owe own pack paint panic park participate pass paste pause perform phone photograph pick pitch",
    "place plan plant play please plug point postpone pour practice practise praise pray prefer prepare present",
    "press pretend prevent print proceed process produce program promise promote propose protect provide publish",
    "pull punch punish purchase push qualify quarrel question queue quote race rain raise reach react realise",
    "realize receive recommend record recover recycle reduce refer refuse register regret rehearse reject relate",
    "relax release relocate rely remain remember remind remove renovate rent repaint repair repeat replace reply",
    "report represent request require rescue research reserve resign resist respect respond rest result retire",
    "return reveal review revise reward rip roast roll rot round row rub ruin rush sail sample save scare",
    "schedule scold scratch scream search seem select separate serve settle share shave shelter ship shock shop",
    "shout sign ski skate sketch skip slip smash smile smoke snap sneeze snore snow solve sort sound sow spoil",
    "spot sprain squeeze stain stalk start state stay step stir stop store strain stream stress stretch",
    "struggle study stutter subscribe succeed suffer suggest suit summarise summarize supply support suppose",
    "surf surprise surrender survive suspect suspend swap sweat switch tackle talk tango target taste tease",
    "tend test text thank tick tidy tie tip tire tolerate touch tour tow trace track trade train transfer",
    "translate transport trap travel treat trip trust try turn tutor type undergo unlock update upgrade upload",
    "use vacuum value view visit volunteer vomit vote vow wait walk want warm warn wash waste watch water weigh",
    "welcome whisper wipe wish witness wonder work worry worship wrap wreck yell",
    "dump crave rank trim sneak paddle row foster propose graduate mentor tweak bark purr drool shed",
)
_DOUBLED: Final = word_set(
    "admit ban beg bet chat chop clap commit dip drag drop flip grab grin hop hug jog knit log nap nod occur",
    "pack plan plug pop prefer quit refer regret rip rob rub run ship shop shut sit skip slip snap spin spot",
    "step stop swap swim tap tip trap trim trip unplug wrap zip babysit begin cut dig forget get hit let put",
    "set split upset win stir shred",
)
BE: Final = word_set("am is are was were be been being")


def _gerund(base: str) -> str:
    if base in _DOUBLED:
        return base + base[-1] + "ing"
    if base.endswith("ie"):
        return base[:-2] + "ying"
    if base.endswith("e") and not base.endswith(("ee", "ye")):
        return base[:-1] + "ing"
    return base + "ing"


def _past(base: str) -> str:
    if base in _DOUBLED:
        return base + base[-1] + "ed"
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2] not in "aeou":
        return base[:-1] + "ied"
    return base + "ed"


def _third(base: str) -> str:
    if base == "have":
        return "has"
    if base.endswith(("s", "x", "z", "ch", "sh", "o")):
        return base + "es"
    if base.endswith("y") and base[-2] not in "aeou":
        return base[:-1] + "ies"
    return base + "s"


def _table() -> dict[str, dict[Form, str]]:
    table: dict[str, dict[Form, str]] = defaultdict(dict)
    for base in sorted(_REGULAR):
        _enter(table, base, _past(base), _past(base))
    for entry in _IRREGULAR.split():
        base, past, participle = entry.split("/")
        _enter(table, base, past, participle)
    for base in (
        "learn",
        "dream",
        "burn",
        "spell",
        "smell",
        "spill",
        "quit",
        "fit",
        "light",
        "leap",
    ):
        table[_past(base)] |= {"past": base, "participle": base}
    table["got"]["participle"] = "get"
    table["found"].pop("base", None)  # to found is rarer than found of find
    table["ground"]["past"] = "grind"
    return dict(table)


def _enter(table: dict[str, dict[Form, str]], base: str, past: str, participle: str) -> None:
    table[base]["base"] = base
    table[_third(base)]["third"] = base
    table[past]["past"] = base
    table[participle]["participle"] = base
    table[_gerund(base)]["gerund"] = base


_TABLE: Final = _table()
_NO_FORM: Final[dict[Form, str]] = {}
_NO_PAST: Final = word_set(
    "need feed seed speed breed bed red shed weed hundred sacred kindred indeed"
)
_NO_GERUND: Final = word_set(
    "thing something anything nothing everything morning evening king ring string spring during ceiling",
    "sibling darling wedding building sing bring swing wing clothing beijing",
)


def forms(word: str) -> dict[Form, str]:
    """The base form of a lower-case word by the form that it is; empty if it is no verb that we know.

    Words in -ed and -ing that are not in the table are taken for regular verbs.
    """
    known = _TABLE.get(word)
    return _guessed(word) if known is None else known


@lru_cache(4096)
def _guessed(word: str) -> dict[Form, str]:
    if len(word) > 4 and word.endswith("ed") and word not in _NO_PAST and word.isalpha():
        base = _bare(word[:-2])
        return {"past": base, "participle": base}
    if len(word) > 5 and word.endswith("ing") and word not in _NO_GERUND and word.isalpha():
        return {"gerund": _bare(word[:-3])}
    return _NO_FORM


def _bare(stem: str) -> str:
    """The likeliest base behind a stem whose ending was cut off."""
    if stem.endswith("i"):
        return stem[:-1] + "y"
    if len(stem) > 2 and stem[-1] == stem[-2] and stem[-1] not in "lsze":
        return stem[:-1]
    return stem + "e" if stem.endswith(("v", "c", "iz", "is", "at", "ur", "uc", "g")) else stem


def is_past(word: str) -> bool:
    """Whether a word can be a past tense."""
    return "past" in forms(word)


def is_participle(word: str) -> bool:
    """Whether a word can be a past participle."""
    return "participle" in forms(word) or word == "been"


def is_gerund(word: str) -> bool:
    """Whether a word can be a form in -ing."""
    return "gerund" in forms(word)


def is_base(word: str) -> bool:
    """Whether a word can be a verb's base form."""
    return "base" in forms(word) or word == "be"


def lemma(word: str, form: Form) -> str:
    """The base form of a word taken as that form; the word itself if it is unknown."""
    if word in BE:
        return "be"
    return forms(word).get(form, word)
