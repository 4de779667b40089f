"""How questions are asked in English."""

from __future__ import annotations

from typing import Final

from graphmem.text.questions.grammar import Grammar, any_of

_OPEN: Final = r"(?:^|[.,;:!?\n]\s{0,4})(?:(?:and|so|but|or|then|also|well|please|hey|ok)\s+){0,2}"
_AUX: Final = r"(?:is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|should|may|might|must|shall)"
_ASKED: Final = r"\b(?:what|which|who|whom|whose|where|when|why|how)\b"
_TALE: Final = r"[^?\n]{0,90}?"  # what may stand between the parts of one question
_PERIOD: Final = (
    r"(?:time|week|weekend|month|year|night|spring|summer|autumn|fall|winter|name|decade|century|"
    r"monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|"
    r"june|july|august|september|october|november|december|christmas|easter|few|two|three)"
)
_SAID: Final = (
    r"(?:suggested|recommended|said|told|advised|proposed|mentioned|gave|wrote|explained|listed|"
    r"provided|made|created|described|drafted|showed|taught|outlined|came up with)"
)
_SAY: Final = (
    r"(?:suggest|recommend|say|tell|advise|propose|mention|give|write|explain|list|provide|make|"
    r"create|describe|draft|show|teach|outline|come up with)"
)
_UNITS: Final = r"(?:seconds?|minutes?|hours?|days?|nights?|weeks?|months?|years?|decades?|time)"
_LIKE: Final = (
    r"(?:(?<!look )(?<!feel )(?<!sound )(?<!seem )(?<!be )(?<!taste )(?<!smell )like|"
    r"love|enjoy|hate|dislike|adore|prefer|loathe|detest)"
)
_PLURAL: Final = (
    r"(?!(?:is|was|does|has|this|his|its|us|as|always|besides|perhaps|lens|news|business|process|address|"
    r"class|dress|series|status|campus|virus|bus|gas|Paris)\b)(?:[a-z'-]{1,20}(?<![usi'])s|people|children|men|women|kids)\b"
)

_COMPARES: Final = any_of(
    r"\b(?:more|less|fewer|greater|better|worse|(?!other|rather|ever|never|under|over|wonder)[a-z]{2,12}er)\b"
    r"[^?\n]{0,50}?\bthan\b",
    r"\b(?:differences?|similarit(?:y|ies)|contrast) (?:between|of|in)\b",
    r"\bcompar(?:e|es|ed|ing|ison)\b",
    r"\b(?:which|who) of (?:the|these|those|my|our|his|her|their) (?:two|both)\b",
    r"\bin common\b",
    r"\b(?:is|are|was|were) [^?\n]{0,60}?\b(?:different|alike|similar)\b(?! [a-z])",
    r"\bdiffer(?:s|ed)?\b",
    r"\b(?:versus|vs)\b",
    r"\bbefore or after\b",
    rf"{_ASKED}[^?\n]{{0,90}}, [^,?\n]{{1,60}} or [^,?\n]{{1,60}}\?",
    r"\bor (?:the |a |an |my |her |his )?[\w'-]{1,20} [^?\n]{0,20}?\b(?:more|less|(?!ever|never|over|under)[a-z]{2,12}er)\b",
)

GRAMMAR: Final = Grammar(
    classes=(
        (
            "instruction",
            any_of(
                r"\bi (?:ever |always |once )?(?:ask|asked|tell|told|want|wanted|instruct|instructed|order|ordered|need|needed)"
                r" you (?:to|never|always|not)\b",
                r"\bi (?:say|said) (?:that )?you (?:must|should|are to|have to|need to|were to)\b",
                rf"{_ASKED}{_TALE} (?:should|must) you\b",
                r"\byou (?:are|were) (?:supposed|meant|expected) to\b|\bare you (?:supposed|meant|expected) to\b",
                r"\b(?:my|our) (?:standing |general |usual )?(?:instructions|rules|guidelines)\b",
                r"\b(?:instructions?|rules?|guidelines?|preferences?) (?:that )?(?:did )?i (?:give|gave|set|given)\b",
                r"\b(?:instructions|rules|guidelines) did i (?:give|set)\b",
            ),
        ),
        (
            "assistant_said",
            any_of(
                rf"\b(?:did|had|have) you (?:ever |just |already |previously )?{_SAY}\b",
                rf"(?<!that )\byou (?:just |once |already |previously |earlier )?{_SAID}\b",
                rf"\b(?:that|which|what) you (?:just |once |previously |earlier )?{_SAID}\b",
                r"\bdid you (?:ever )?(?:advise|warn)\b",
                r"\byour (?:[a-z]{1,15} )?(?:suggestion|recommendation|advice|answer|reply|response|proposal|explanation|tip)s?\b",
                r"\bthe (?:assistant|ai|chatbot|bot)\b",
                r"\bour (?:previous|last|earlier|past) (?:conversation|chat|discussion|talk)s?\b",
            ),
        ),
        (
            "inference",
            any_of(
                r"\b(?:likely|unlikely|probably|presumably|potentially|hypothetically|conceivably)\b",
                rf"{_OPEN}(?:would|could|might|may)(?:n't)? (?!you\b|i\b)",
                rf"{_ASKED}(?![^?\n]{{0,90}}\b(?:that|who|which) [a-z]{{1,12}} would\b){_TALE} (?:would|might|could) (?!you\b|i\b)",
                r"\b(?:be|is|are|was|were) (?:considered|regarded|seen) (?:as |to be |an? )?[a-z]",
                r"\bif\b[^?\n]{0,90}?\b(?:had|hadn't|were|weren't|did not|didn't|would)\b[^?\n]{0,90}?\bwould",
                r"\b(?:does|do|did) (?:the|this|that|it|his|her|their|its)\b[^?\n]{0,90}?\b(?:say|tell us|reveal|suggest|show|imply) about\b",
                r"\b(?:infer|inferred|deduce|conclude|implied|implies|imply)\b",
                r"\b(?:personality|character) (?:trait|type)s?\b|\b(?:kind|sort|type) of person\b",
            ),
        ),
        (
            "preference",
            any_of(
                r"\bfavou?rites?\b",
                r"\bprefer(?:s|red|ence|ences)?\b",
                rf"\b(?:do|does|did|don't|doesn't)\b[^?\n]{{1,60}}? (?:really |also |most |still )?{_LIKE}\b",
                r"\b(?:is|are|was|am) [^?\n]{1,40}? (?:fond of|keen on|a fan of|crazy about)\b",
                r"\b(?:can|could|would|will|do|please) (?:you )?(?:please )?(?:recommend|suggest|advise)\b",
                r"\b(?:any|some|give me) (?:[a-z]{1,15} ){0,2}(?:suggestions?|recommendations?|advice|ideas?|tips?)\b",
                r"\bshould (?:i|we)\b",
            ),
        ),
        (
            "duration",
            any_of(
                r"\bhow long\b(?! (?:is|was|are|were) (?:the|her|his|my|their) (?:table|rope|road|river|list|book|hair|dress|bridge|wall|tail)\b)",
                rf"\bhow (?:many|much) (?:more |full |whole |whole )?{_UNITS}\b(?! did .{{0,40}}\beach\b)",
                r"\bduration\b",
                r"\blength of (?:time|(?:[\w'’-]{1,20} ){0,3}?(?:stay|trip|visit|journey|flight|call|course|tour|break|marriage|career|project)\b)",
            ),
        ),
        (
            "temporal_point",
            any_of(
                rf"{_OPEN}(?:since |until |till |by |from |about )?when\b (?:exactly )?{_AUX}\b",
                r"\b(?:tell me|know|remember|remind me|recall|say) (?:exactly )?when\b",
                r"\bsince when\b",
                r"\b(?:what|which) (?:year|month|date|day|week|weekday|weekend|season|decade|century)\b",
                r"\b(?:what|which) (?:exact |specific |calendar )(?:date|day|time|year|month)\b",
                r"\b(?:at |around )?what time\b|\bwhat(?:'s| is| was) the (?:exact )?(?:date|day|time)\b|\bthe date of\b",
                r"\bhow soon\b|\bhow recently\b",
            ),
        ),
        (
            "temporal_order",
            any_of(
                r"\b(?:in (?:what|which|the)|(?:correct|right|chronological)) (?:exact |same )?(?:order|sequence)\b",
                r"\bchronolog",
                rf"\b(?:which|who|what)\b{_TALE}\b(?:first|earlier|earliest|later|latest|most recently|sooner)\b(?! (?:name|aid|class|floor|grade|hand))",
                rf"\b(?:which|who|what)\b{_TALE}\blast\b(?! {_PERIOD}\b)",
                r"\b(?:most recent|very first|newest)\b",
                r"(?<!named )(?<!look )(?<!looked )(?<!looks )(?<!looking )\b(?:before|after|prior to|following|afterwards?)\b(?! (?:all|school|dinner|work|lunch|breakfast|hours)\b)",
            ),
        ),
        ("comparison", _COMPARES),
        (
            "count",
            any_of(
                r"\bhow many\b",
                r"\b(?:what|the) (?:is |was |total |exact )*number of\b|\bwhat number of\b",
                rf"{_OPEN}count\b",
                r"\b(?:in total|altogether|total amount|total cost)\b",
            ),
        ),
        (
            "list",
            any_of(
                rf"{_OPEN}(?:can you |could you )?(?:name|list|enumerate)\b (?:all|every|each|the|some|as|my|our|[a-z']{{1,15}}s\b)",
                r"\b(?:what|which|who) (?:all )?(?:are|were|have been)\b",
                rf"\b(?:what|which) (?:(?:other|different|kinds|types|sorts|specific|major|new|main|two|three|four|five|of|the|all|outdoor|[a-z]{{3,12}}(?:al|ic|ive|ous|ish|ful|ed|ing)) ){{0,3}}{_PLURAL}",
                r"\b(?:so far|all the things|everything)\b",
                rf"{_ASKED}{_TALE}\ball (?:the|of|my|his|her|their)\b",
            ),
        ),
        (
            "yes_no",
            any_of(rf"{_OPEN}{_AUX}(?:n't)?\b (?!you (?:tell|remind|name|list|give|show)\b)"),
        ),
    ),
    compares=_COMPARES,
    resolves=any_of(
        r"\b(?:which|what|whose) (?:[a-z]{1,12} )?(?:country|countries|states?|provinces?|continents?|county|counties|region|"
        r"prefecture|nation|territory)\b"
    ),
    answers=(
        (
            "number",
            any_of(
                r"\bhow (?:many|much|old|often|far|tall|big|large|heavy|high|deep|fast|frequently)\b"
            ),
        ),
        (
            "number",
            any_of(r"\bnumber of\b|\bwhat (?:age|price|percentage|amount)\b|\bhow (?:expensive)\b"),
        ),
        (
            "reason",
            any_of(
                r"\bwhy\b|\bwhat (?:made|caused|motivated|prompted|led)\b|\bfor what reason\b|\bthe reason\b"
            ),
        ),
        (
            "person",
            any_of(
                rf"{_OPEN}(?:to |with |from |by |for |of )?who(?:m|se)?\b|\bwho (?:was|were|is|are|did)\b"
            ),
        ),
        (
            "place",
            any_of(
                r"\bwhere\b",
                r"\b(?:what|which|all|the|every) (?:[a-z]{1,12} )?(?:city|cities|town|towns|country|countries|states?|province|place|places|"
                r"villages?|continent|county|region|street|neighbou?rhood|address)\b(?! of mind)",
            ),
        ),
        (
            "person",
            any_of(
                r"\bwhich (?:of (?:my|his|her|their|the) )?(?:friends?|sisters?|brothers?|colleagues?|teachers?|cousins?|neighbou?rs?|person|people|children|"
                r"doctors?|uncles?|aunts?|sons?|daughters?)\b"
            ),
        ),
        ("manner", any_of(r"\bhow\b(?! (?:does|do|did) [^?\n]{1,60}\bcompare\b)|\bin what way\b")),
        ("truth", any_of(rf"{_OPEN}{_AUX}(?:n't)?\b (?!you\b)")),
    ),
)
