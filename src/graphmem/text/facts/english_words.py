"""Words whose capital names nobody: openers of sentences, kin, languages, and abbreviations."""

from __future__ import annotations

from typing import Final

from graphmem.text import labels, words
from graphmem.text.words import word_set

NEVER_NAMES: Final = word_set(
    # kin and forms of address
    "mom mum mommy mummy mama mamma dad daddy papa pop grandma grandpa granny gran nana grandad granddad",
    "grandmother grandfather mother father auntie aunty bro sis sir madam ma'am honey dear babe sweetie buddy dude",
    "mate guys folks everyone everybody all team god lord jesus goodness heaven hell",
    # languages, peoples, religions: adjectives
    "english french german spanish italian portuguese dutch greek turkish russian polish czech swedish",
    "norwegian danish finnish hungarian romanian bulgarian ukrainian chinese japanese korean vietnamese thai",
    "mandarin cantonese hindi urdu bengali tamil arabic persian farsi hebrew latin swahili american british",
    "canadian australian irish scottish welsh indian mexican brazilian african asian european western eastern",
    "northern southern christian muslim jewish buddhist hindu catholic protestant mediterranean nordic",
    # the calendar
    "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays",
    "saturdays sundays january february march april may june july august september october november december",
    "jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat sun",
    "christmas easter halloween thanksgiving hanukkah ramadan eid diwali xmas valentine's q1 q2",
    "spring summer autumn winter fall today tomorrow yesterday tonight",
    # abbreviations and interjections
    "ok okay lol lmao omg wtf btw imo imho fyi asap aka diy faq tldr rip nb ps tv pc ai it hr ceo cto cfo vp pr id",
    "pdf usb wifi wi-fi gps sms atm vat rsvp eta pin url api html css sql json http https ui ux ml llm cpu gpu ram",
    "ssd dvd cd led diy ac am pm a.m p.m bc ad gmt utc est pst phd ph.d md mba bsc ba ma msc iq dna rna mri ct er icu",
    "celsius fahrenheit kelvin kwh mmhg mah ip isp gp pto ot xl xs xxl sos vip vpn hiit pe po dm dms gif jpg png n/a tba tbd todo yes no yay yeah hey hi hello oh",
    "wow ah haha hooray phew oops ugh yep nope internet web",
    # what a number follows
    "room gate page chapter platform seat row bus line route flight order ticket step day week part level",
    "section unit version lesson question floor building apartment apt suite table figure episode season",
    "volume act scene number no nr",
)
"""Words whose capital names nobody, anywhere in a sentence."""

OPENERS: Final = word_set(
    # verbs that begin requests and clipped reports
    "ask asked call called tell told told meet met see saw visit visited send sent email emailed text texted",
    "phone phoned ring rang join joined take took took get got give gave go went come came find found make made",
    "buy bought bring brought talk talked speak spoke chat chatted try tried play played watch watched read use",
    "used run ran walk walked drive drove fly flew move moved live lived work worked study studied book booked",
    "order ordered cook cooked eat ate drink drank finish finished start started stop stopped love loved like",
    "liked miss missed remember remind reminded recall help helped let put keep kept leave left listen check",
    "compare explain describe write wrote show showed translate summarize summarise list name imagine suppose",
    "recommend suggest plan planned schedule set turn turned open close add remove save search look looking",
    "going having being thinking heading hoping living working visiting seeing meeting getting planning using",
    "say said thank thanks congratulate congratulations invite invited wish pick picked contact message want need",
    "ordering dropped drop learned learn discuss note paid pay avoid welcome happy merry dear greetings goodbye bye",
    "given based according besides despite unlike like plus via per except including regarding since beyond near",
    "inside outside around across throughout beneath amid behind beside",
    "yesterday today tomorrow tonight now later soon recently lately earlier sometimes often usually always never",
    "currently originally eventually suddenly luckily sadly honestly actually maybe perhaps probably possibly",
    "apparently hopefully clearly basically definitely certainly surely really especially even only just still",
    "also then thus so well anyway however meanwhile finally first second third next last once twice",
    "sorry please sure yes no nope yeah yep hey hi hello oh wow ah ha haha ugh cool nice great good bad awesome",
    "amazing wonderful lovely sounds looks feels seems glad sweet fun funny right exactly absolutely totally agreed",
    "both several many most few another other such every each any some all half more less much none either",
    "old new big little small young poor former late great local whole entire same different",
    "early mid around about over under roughly approximately almost nearly exactly",
    "whenever whoever wherever whatever whichever dr. good-bye re fwd subject from to cc attn",
)
"""Words that begin sentences before a name and are no part of it."""

PERSONAL_VERBS: Final = word_set(
    "said says told tells asked asks thinks thought knows knew wants wanted loves loved hates hated likes liked",
    "prefers preferred lent lends borrowed borrows owes owed married proposed divorced moved called calls phoned",
    "texted texts emailed emails invited invites brought brings bought buys gave gives cooked cooks baked bakes",
    "sang sings plays played lives lived lied cried laughed smiled whispered shouted answered replied admitted",
    "believes believed hopes hoped promised promises forgot forgets remembers remembered joined quit resigned",
    "retired graduated studies studied teaches taught works worked stayed stays slept sleeps woke ate eats drinks",
    "drank drove drives ran runs walks walked swims swam wore wears wrote writes reads recommended recommends",
    "suggested suggests met meets visited visits introduced helped helps dropped picked picks broke lost found",
    "won got turned turns speaks spoke talks talked lives hates agrees agreed refuses refused complained sent sends",
    "sold sells left arrived came comes went goes made makes took takes is was has had keeps kept wore painted",
    "needs needed never always just also still who whose hugged kissed dumped hired fired adopted",
)
"""What people do, as the word behind a name."""

AUXILIARY_VERBS: Final = word_set(
    "is was has had went came comes goes got took takes made makes left"
)
"""Those of them that things do as well."""

COMMON_OPENERS: Final = word_set(
    # nouns without an article that begin sentences
    "people kids children parents friends neighbors neighbours family work school college university class",
    "traffic weather dinner lunch breakfast coffee tea rent tuition power water food music money time life love",
    "sleep practice training yoga therapy surgery physio choir church camp college customers management doctors",
    "doctor nurse teacher boss staff police security research science history nature nothing something everything",
    "anything nobody somebody someone anyone everyone everybody whoever others things news business home",
    "dogs cats men women boys girls students teachers everyone's today's tonight's yesterday's tomorrow's",
    "photos docs chores email mail mine yours ours theirs hers his its let's that's what's it's there's here's",
    "who's where's how's she's he's one's green red blue black white brown grey gray pink purple orange yellow",
    "bread milk cheese rice chicken fish meat soup salad fruit sugar salt pizza pasta banana tuna soda tofu tea",
    "idea area data extra camera drama visa opera sofa photo piano radio video taxi studio casino tomato potato",
    "potatoes audio metro zero hero gym auto info memo logo menu kiwi graffiti safari wifi spaghetti broccoli",
    "bikini villa pasta pizza pajama umbrella bacteria media agenda cinema diploma asthma trauma plasma aroma",
    "aura salsa vanilla gorilla panda koala cobra zebra guerrilla plaza saliva larva antenna arena panorama karma",
    "ninja guitar cello viola tempo ditto bravo combo promo demo turbo polo judo disco tango limbo macho retro euro",
    "hello ciao ecco also two too into onto who do go so no to judo zoo shampoo bamboo tattoo kangaroo you menu",
    "alumni stimuli sushi wasabi tsunami origami emoji khaki taxi mini maxi semi multi anti hi ski pi bonsai",
)
"""Common nouns and the like that may begin a sentence before a verb of people, or end as names do."""

FUNCTION: Final = words.ENGLISH | labels.OPENERS
OPENING: Final = (FUNCTION | OPENERS | COMMON_OPENERS | labels.HEADINGS) - labels.NAMES_AND_WORDS
"""Words whose capital is explained by the beginning of a sentence."""
