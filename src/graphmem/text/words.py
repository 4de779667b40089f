"""Function words: the closed classes that stand in nearly every text and so tell none apart.

Written from the grammars of the two languages (pronouns, articles, auxiliaries, prepositions,
conjunctions, particles), not counted from any corpus.
"""

from __future__ import annotations

from typing import Final


def word_set(*lists: str) -> frozenset[str]:
    """The words of several space-separated lists, as a set."""
    return frozenset(" ".join(lists).split())


_PRONOUNS: Final = """
i me my mine myself we our ours ourselves you your yours yourself yourselves he him his himself
she her hers herself it its itself they them their theirs themselves this that these those
what which who whom whose where when why how someone somebody something anyone anybody anything
everyone everybody everything
"""
_AUXILIARIES: Final = """
am is are was were be been being have has had having do does did doing done can could will would
shall should must might ought cannot
"""
_PARTICLES: Final = """
a an the and or but nor so yet if then than as because while until though although unless whether
of at by for with about against between into through during before after above below to from in
out on off over under up down onto upon within without toward towards among along across behind
not no yes any some such each every both either neither all too very just also only there here
again once ever even still please
eg ie etc
"""
_CONTRACTIONS: Final = """
i'd i'll you'd you'll he's he'd he'll she's she'd she'll it's it'd it'll we'd we'll they'd they'll
that'd that'll there's there'd there'll here's what'd what'll who's who'd who'll where'd when's
why's how's how'd let's y'all
"""
# Those that are no other word when the apostrophe is left out, as it often is in chat.
_SOLID_CONTRACTIONS: Final = """
i'm i've you're you've we're we've they're they've that's what's what're where's
don't doesn't didn't isn't aren't ain't wasn't weren't haven't hasn't hadn't can't couldn't won't
wouldn't shan't shouldn't mustn't mightn't needn't
"""
# What an apostrophe leaves behind when it splits a word.
_FRAGMENTS: Final = "s t d m ll re ve"

ENGLISH: Final = word_set(
    _PRONOUNS,
    _AUXILIARIES,
    _PARTICLES,
    _CONTRACTIONS,
    _SOLID_CONTRACTIONS,
    _SOLID_CONTRACTIONS.replace("'", ""),
    _FRAGMENTS,
)

# One character each. A bigram or a word goes only when all its characters stand here (我们, 什么);
# characters that make content words with one another (自由, 太太, 向往, 得到) are left out.
CHINESE: Final = frozenset(
    "的了着吗呢吧啊呀嘛哦嗯么"  # particles
    "我你您他她它们咱这那此其谁什怎哪"  # pronouns and question words
    "是在有没不很都也就还又才再更最"  # copula and adverbs
    "和与及或而且但则若如因为以于把被"  # conjunctions and prepositions
    "之个些"  # structure words and the general measure word
)

# Function words too where they stand alone, as a character that is looked for by itself does; in
# bigrams they make content words (会议, 能力, 对象, 上海, 过程).
CHINESE_ALONE: Final = CHINESE | frozenset(
    "会能可要应该需须肯敢将"  # auxiliaries
    "从到对向给让为由往于用按比跟同"  # prepositions
    "上下里中内外前后间边左右旁"  # where and when
    "来去起过得地时候"  # complements and particles
    "只刚太每各某另其所却虽然即便"  # adverbs, determiners, conjunctions
    "多少几做"  # how much, how many, do
)
