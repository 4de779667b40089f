"""Closed classes of English words that the grammar of claims turns on, from general knowledge."""

from __future__ import annotations

from typing import Final

from graphmem.text.words import word_set

FIRST: Final = word_set("i we")
NOMINATIVE: Final = word_set("i we he she they you it")
THIRD: Final = word_set("he she they")
DEICTIC: Final = word_set("it this that these those there here")
POSSESSIVE: Final = word_set("my our his her their your its")
OWN: Final = word_set("my our")
DETERMINERS: Final = word_set(
    "the a an this that these those another both one two three four five six some any no",
)
GENERIC: Final = word_set(
    "most many people everyone everybody nobody someone anyone somebody anybody all every each few several",
    "humans scientists experts researchers studies doctors children adults kids women men one",
)
INDEFINITE: Final = word_set("someone somebody everyone everybody nobody")

MODALS: Final = word_set("can could will would shall should must might may ought cannot")
BE: Final = word_set("am is are was were be been being")
HAVE: Final = word_set("have has had having")
DO: Final = word_set("do does did")
AUXILIARIES: Final = MODALS | BE | HAVE | DO
PREPOSITIONS: Final = word_set(
    "in on at for from with without about after before to of by into over under near during since until",
    "till through between among against around across along behind beside off out up down as like than per",
)
SUBORDINATORS: Final = word_set(
    "when whenever if since because although though while as once until unless before after whether",
)
ADVERBS: Final = word_set(
    "always never ever often sometimes usually still just already also even now then only really very so too",
    "almost nearly quite rather pretty finally recently currently lately once twice again soon maybe perhaps",
    "probably definitely actually honestly seldom rarely normally generally typically mostly kinda sorta both",
    "all here today tonight tomorrow yesterday totally super hardly barely officially legally long no-longer",
    "apparently supposedly possibly certainly literally absolutely completely temporarily permanently newly",
    "originally personally strictly simply basically especially secretly happily sadly frankly constantly",
    "daily regularly frequently occasionally primarily mainly severely mildly deathly highly deeply truly",
    "genuinely fairly extremely incredibly terribly slightly somewhat much well better more less most",
)
OPENERS: Final = word_set(
    "well so oh ah yeah yes yep yup no nope nah ok okay haha hahaha lol ugh wow hey hi hello btw fyi tbh and but",
    "or also plus anyway anyways honestly actually basically unfortunately luckily sadly thankfully fortunately",
    "hmm hm um uh er aww aw omg man dude please pls kindly listen look sure alright right then though however",
    "besides otherwise hence therefore apparently obviously personally seriously frankly funny enough turns out",
    "lastly firstly secondly first second finally ps nb again oops phew yay hurray hooray gosh damn sigh",
)
REQUESTIVE: Final = word_set("please pls kindly")
WH: Final = word_set("what who whom whose which where when why how")

HABIT: Final = word_set(
    "always usually often sometimes never rarely seldom normally typically generally daily weekly monthly yearly",
    "annually every regularly frequently occasionally mostly mornings evenings nights weekends mondays tuesdays",
    "wednesdays thursdays fridays saturdays sundays weekdays summers winters nightly constantly whenever",
    "hardly ever religiously habitually",
)
WEEKDAYS: Final = word_set("monday tuesday wednesday thursday friday saturday sunday")
MONTHS: Final = word_set(
    "january february march april may june july august september october november december",
)
NO_EMPLOYER: Final = WEEKDAYS | MONTHS | word_set("christmas easter home night nights")
OCCASION: Final = WEEKDAYS | word_set(
    "yesterday today tonight tomorrow ago just already recently lately soon later shortly next last",
    "tonight's finally currently again earlier",
)
TIME_NOUNS: Final = word_set(
    "day days week weeks weekend month months year years morning afternoon evening night minute minutes hour",
    "hours second seconds spring summer autumn fall winter semester term quarter time decade century am pm",
)
LASTING_TIME: Final = word_set("days nowadays now anymore")

ATTITUDE: Final = word_set(
    "love like enjoy prefer dislike hate adore detest loathe fear dread admire despise fancy favour mind trust",
    "value crave miss appreciate tolerate",
)
ATTITUDE_KEYS: Final = word_set("love like enjoy prefer dislike hate adore detest loathe")
CONSUME: Final = word_set("eat drink touch wear watch read smoke use buy drive fly take do")
STATES: Final = ATTITUDE | word_set(
    "have own live work be know want need believe think speak belong collect play run teach study suffer",
    "identify consider understand weigh keep stay smoke drink eat drive wear cook practice practise use sing",
)
ONGOING: Final = word_set(
    "learn study train save raise major date work live teach try aim strive rent build write research run own",
)
PERSONAL: Final = ATTITUDE | word_set(
    "live work study speak play own collect run teach volunteer smoke drink eat drive wear cook sleep commute",
    "snore paint knit sing dance garden hike swim jog cycle ski surf bake box draw write read practice practise",
    "belong believe suffer identify hope dream want refuse struggle vote attend date coach keep raise",
    "go sell breed manage travel worry tend handle swear",
)
TRANSIENT: Final = word_set(
    "tired exhausted sleepy hungry thirsty sick ill excited happy sad upset nervous anxious stressed busy late ready",
    "glad thrilled worried sorry bored angry annoyed furious overwhelmed relieved proud frustrated disappointed",
    "confused surprised shocked scared jealous lonely grateful heartbroken devastated embarrassed pumped stoked",
    "ecstatic delighted speechless sore dizzy drunk hungover jetlagged cold hot wet back home here away early free",
    "available done finished lost stuck broke injured bummed gutted knackered fine better worse good okay ok great",
    "bad well alright drained down up out off over starving freezing alone awake asleep mad cranky grumpy moved",
    "burnt burned worn wiped beat unwell feverish nauseous homesick restless swamped snowed behind about",
)
FEARS: Final = word_set(
    "scared afraid terrified frightened nervous anxious jealous proud fond sick tired bored worried bad good great",
    "petrified wary shy hot cold mad crazy passionate happy",
)
LASTING_PARTICIPLES: Final = word_set(
    "allergic married divorced engaged widowed separated retired addicted interested obsessed born used diagnosed",
    "vaccinated self-employed unemployed employed trained qualified certified tattooed colour-blind based named called",
    "left-handed hooked convinced committed accustomed devoted raised bilingual semi-retired opposed adopted",
    "scared terrified organised organized disorganised gifted spoiled obsessed",
)
VERDICTS: Final = word_set(
    "great awesome amazing nice cool good lovely wonderful fantastic terrible awful beautiful funny hilarious sweet",
    "cute interesting exciting incredible brilliant perfect true right wrong fair crazy insane wild sad bad kind",
    "impressive fun excellent tough hard rough horrible super neat adorable gorgeous fascinating helpful useful",
    "inspiring thoughtful correct worth possible important normal ok okay fine easy clear scary weird strange welcome",
)
EVENTS: Final = word_set(
    "meeting appointment exam test interview flight party call deadline headache fever cold flu hangover plans",
    "dinner lunch breakfast class game match concert date reservation presentation trip surgery operation checkup",
    "check-up wedding funeral rehearsal shift fight argument accident baby time fun blast dream nightmare chat",
    "conversation day week weekend morning night evening bit visitors guests company ticket tickets delivery leak",
)
NOTHINGS: Final = word_set(
    "question questions idea clue doubt suggestion point recommendation request favour favor"
)

KIN: Final = word_set(
    "mum mom mummy mommy mother dad daddy father papa mama grandma grandpa granny gran nana grandmother grandfather",
    "auntie hubby",
)
RELATIVES: Final = KIN | word_set(
    "wife husband spouse partner fiance fiancee girlfriend boyfriend sister brother son daughter boss",
    "sister-in-law brother-in-law mother-in-law father-in-law stepmother stepfather stepson stepdaughter twin",
    "baby toddler parents in-laws grandparents",
)
PEOPLE: Final = RELATIVES | word_set(
    "friend friends cousin cousins uncle aunt nephew niece colleague colleagues coworker roommate flatmate",
    "neighbour neighbor neighbours neighbors teacher doctor therapist landlord landlady manager coach dog cat dogs",
    "cats kids kid children child sisters brothers sons daughters family team husband's ex bestie buddy mate",
    "puppy kitten parrot rabbit hamster horse bird pet pets twins grandson granddaughter grandkids mentor nanny",
)
ASSISTANT_VERBS: Final = word_set(
    "answer reply respond write use give keep call address include add show explain list format cite quote translate",
    "summarise summarize check ask tell remind mention suggest recommend offer provide put start begin end finish",
    "speak talk refer avoid skip leave assume treat convert spell round sort share store repeat apologise apologize",
    "say stick default prefer limit bring warn confirm double-check wrap sign greet send output print return number",
    "label bold capitalise comment document name hide omit exclude drop stop phrase word shorten go be make let do",
    "please calculate read draft set turn split break follow try point discuss propose delete book order schedule",
    "respect highlight correct save address structure reference rate rank describe spare close open sound switch",
    "remember forget note have get round pick choose quiz praise flag consult verify search look link lead",
    "express measure display present state report generate create type code indent ignore trim guess invent swear",
    "joke lecture flatter interrupt preach pretend disclose reveal pass hand send forward contact message email",
)
VOICE_NOUNS: Final = word_set(
    "answers replies responses messages emails explanations summaries sentences texts recipes suggestions examples",
    "outputs recommendations comments translations drafts chats conversations answer reply response output tone",
    "language",
)
STYLE_NOUNS: Final = word_set(
    "emoji emojis emoticons jargon slang bullet bullets markdown exclamation hashtags semicolons disclaimers",
    "abbreviations acronyms headings tables swearing apologies preamble filler",
)
OCCUPATIONS: Final = word_set(
    "nurse doctor teacher engineer lawyer accountant dentist pharmacist electrician plumber carpenter mechanic",
    "chef cook baker butcher waiter waitress barista bartender cashier driver pilot firefighter paramedic policeman",
    "policewoman detective soldier architect programmer developer designer analyst scientist researcher professor",
    "lecturer librarian translator interpreter journalist editor banker broker realtor surveyor surgeon",
    "veterinarian vet physiotherapist therapist psychologist psychiatrist radiologist midwife optician hairdresser",
    "barber tailor farmer fisherman gardener florist janitor cleaner receptionist secretary consultant",
    "auditor economist statistician technician welder roofer mason bricklayer postman courier dispatcher",
    "judge paralegal attorney solicitor barrister biologist chemist physicist geologist",
)
PERSON_NOUNS: Final = OCCUPATIONS | word_set(
    "vegetarian vegan pescatarian twin student fan lover person guy woman man girl boy mom mum dad mother father",
    "parent grandmother grandfather veteran widow widower bachelor believer christian catholic muslim buddhist jew",
    "hindu atheist feminist introvert extrovert perfectionist smoker runner swimmer cyclist gamer reader writer",
    "artist musician singer guitarist pianist drummer painter photographer dancer actor actress athlete diabetic",
    "hoarder member friend cousin sister brother manager director owner founder ceo freelancer retiree",
    "intern apprentice assistant graduate native expat immigrant owl bird minimalist collector worker officer",
    "eater drinker sleeper player coach captain volunteer regular teetotaller workaholic pessimist optimist",
)
LANGUAGES: Final = word_set(
    "english chinese mandarin cantonese french spanish german italian portuguese dutch russian japanese korean",
    "arabic hindi turkish polish czech greek swedish norwegian danish finnish hungarian ukrainian hebrew thai",
    "vietnamese indonesian malay tagalog bengali urdu farsi persian swahili catalan romanian latin welsh irish",
)
DIETS: Final = word_set("vegetarian vegan pescatarian keto flexitarian carnivore omnivore")
MARITAL: Final = word_set("married divorced engaged single widowed separated")
