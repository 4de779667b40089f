"""Tells a standing rule for the assistant from a single request, an advice and a report."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from graphmem.text.claims.en import lexicon
from graphmem.text.claims.en.clause import Clause
from graphmem.text.claims.en.frame import trimmed
from graphmem.text.claims.en.token import Token
from graphmem.text.claims.en.verbs import is_base, is_gerund, is_past
from graphmem.text.words import word_set

_REPLIES: Final = (
    "answers?|repl(?:y|ies)|responses?|messages?|emails?|explanations?|summary|summaries|outputs?|chats?"
    "|conversations?|recipes?|suggestions?|recommendations?|translations?|texts?|code|drafts?|letters?"
)
_FIRM: Final = re.compile(
    r"\b(?:from (?:now|here|this point|today|this moment) (?:on|out|onwards?|forward)|from now|(?:going|moving) forward"
    r"|in (?:the )?future|for future|henceforth|hereafter|(?:until|unless) (?:i|told|further|otherwise)\b"
    r"|(?:by|as a) default|(?:every|each|any) (?:single )?time|anytime|whenever|at all times|permanently|as a rule"
    r"|ever again|for (?:all|every|each|any) (?:of )?(?:(?:my|your|our|the) )?(?:future )?\w+"
    r"|in (?:all|every|each|any)\b|for the rest of|(?:all|any|every|each) (?:of )?(?:your|our|my|future)"
    rf"|every (?:{_REPLIES})|(?:in|with|of|to|at|from) your (?:future |own )?(?:{_REPLIES})|without exception|under no circumstances|for good|make it a (?:rule|habit)|whole chat)\b"
)
_SOFT: Final = re.compile(
    r"\b(?:always|never|not ever|ever|again|any ?more|no more|no longer|consistently|every|when i|if i|once i|stop"
    r"|anything i|as soon as i|with me)\b"
)
_DUTY: Final = re.compile(
    r"\b(?:you (?:do not (?:need|have) to|should|must|can|need to|have to|are to|will|may|ought to|are not (?:allowed )?to)"
    r"|(?:want|need|like|prefer|expect|asking|ask|love) (?:it if |that |for )?you\b"
    r"|(?:can|could|would|will) you|(?:great|nice|good|better|helpful|grateful|it) if you"
    r"|(?:i )?(?:would )?appreciate it|should you|make sure|be sure|let us|see to it)\b"
)
_PASSIVE: Final = re.compile(
    r"\b(?:should|must|(?:has|have|needs?) to) (?:always |never |not |only )*(?:be|turn|go|come|use|have|end|start|appear|stay|show)\b"
)
_SINGLE: Final = re.compile(
    r"\b(?:this|that|these) (?:one|time|\w+)|(?:below|above|attached)\b|\bthe following\b"
)
_YOUR: Final = re.compile(rf"\b(?:your|the) (?:\w+ )?(?:{_REPLIES}|tone|language|wording)\b")
_CALL: Final = re.compile(r"\b(?:call|address|refer to) (?:me|us|my \w+)(?: as| by)?\b")
_NOT_NAMES: Final = lexicon.WEEKDAYS | word_set(
    "when if later tomorrow tonight today back at on in after before a an crazy anytime asap now up this for",
)
_FRAGMENT: Final = re.compile(
    rf"(?:from now on|going forward|moving forward|by default|in (?:the )?future|from here on|every (?:{_REPLIES})"
    rf"|(?:in|for) (?:all|every|each) (?:of )?(?:(?:your|our|my|future) )?(?:{_REPLIES}))\b"
)
_LEADS: Final = lexicon.REQUESTIVE | word_set(
    "always never just only also ever not do try to and so but then"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """An instruction as it was found.

    Attributes:
        words: the words of the command, from its verb on.
        is_negated: whether it forbids.
        is_conditional: whether it holds under a condition only.
    """

    words: tuple[Token, ...]
    is_negated: bool
    is_conditional: bool


def find(parts: Sequence[Clause]) -> Rule | None:
    """The standing rule of a sentence, None if it sets none."""
    text = " ".join(low for part in parts for low in part.lows)
    is_firm = _FIRM.search(text) is not None
    is_soft = is_firm or _SOFT.search(text) is not None
    for part in parts:
        words = part.words[trimmed(part.words) :]
        command = _command(words)
        if command is not None and _stands(text, command, is_firm=is_firm, is_soft=is_soft):
            return _rule(command, text)
    if is_soft and _is_told(parts, text, is_firm=is_firm):
        words = max((part.words for part in parts), key=len)
        return _rule(words, text)
    return None


def _rule(words: Sequence[Token], text: str) -> Rule:
    lows = [token.low for token in words]
    return Rule(
        words=tuple(words),
        is_negated=not {"not", "never", "no", "stop", "avoid", "without"}.isdisjoint(lows[:8]),
        is_conditional=re.search(r"\b(?:if|when|for|about|unless)\b", text) is not None,
    )


def _command(words: Sequence[Token]) -> Sequence[Token] | None:
    """The words from the imperative on, None where the clause commands nothing."""
    lows = [token.low for token in words]
    for at in _openings(lows):
        if _is_ban(lows, at) or (lows[at] == "stop" and _is_stop(lows, at)):
            return words[at:]
        head = next((i for i in range(at, len(lows)) if lows[i] not in _LEADS), len(lows))
        if head < len(lows) and _is_imperative(lows, head):
            return words[at:]
    return None


def _is_ban(lows: Sequence[str], at: int) -> bool:
    """Whether a command of the form `no emojis` begins here."""
    if lows[at : at + 1] != ["no"] or at + 1 >= len(lows):
        return False
    return lows[at + 1] in lexicon.STYLE_NOUNS | {"more"}


def _is_stop(lows: Sequence[str], at: int) -> bool:
    return at + 1 < len(lows) and is_gerund(lows[at + 1])


def _openings(lows: Sequence[str]) -> list[int]:
    """Where a command may begin: at the front, or behind a fronted phrase of some length."""
    found = [0] if lows else []
    for at in range(1, min(len(lows), 10)):
        before = lows[at - 1]
        closes = before in {
            "on",
            "forward",
            "future",
            "time",
            "default",
            "onwards",
            "out",
            "onward",
        }
        if closes or (
            lows[0] in {"for", "in", "with", "whenever", "when", "if", "each", "every"}
            and lows[at] in _OPENS
        ):
            found.append(at)
    return found


_OPENS: Final = word_set("please always never do no")


def _is_imperative(lows: Sequence[str], at: int) -> bool:
    low = lows[at]
    following = lows[at + 1] if at + 1 < len(lows) else ""
    if not is_base(low) and low not in lexicon.ASSISTANT_VERBS:
        return False
    if following in lexicon.BE | lexicon.MODALS | {"'s"} and low != "be":
        return False
    return low not in lexicon.HAVE | lexicon.MODALS and not (
        is_past(low) and low not in {"put", "let", "set", "cut", "read", "spread", "split"}
    )


def _stands(text: str, command: Sequence[Token], *, is_firm: bool, is_soft: bool) -> bool:
    """Whether a command is meant for later too."""
    lows = [token.low for token in command]
    if is_firm:
        return True
    if _is_naming(command):
        return True
    if _SINGLE.search(text):
        return False
    verbs = [low for low in lows[:4] if low not in _LEADS]
    is_for_assistant = bool(verbs) and verbs[0] in lexicon.ASSISTANT_VERBS
    if is_soft and not _is_ban(lows, 0):
        return is_for_assistant or not {"me", "my", "i", "with"}.isdisjoint(lows)
    if lows[:1] == ["stop"] or _is_ban(lows, 0):
        return True
    forbids = lows[:2] == ["do", "not"] and not lexicon.STYLE_NOUNS.isdisjoint(lows)
    return forbids or (is_for_assistant and _YOUR.search(text) is not None and "your" in lows)


def _is_naming(command: Sequence[Token]) -> bool:
    """Whether a command gives the speaker a name: call me Sam."""
    lows = [token.low for token in command if token.low not in _LEADS]
    if lows[:2] not in (["call", "me"], ["address", "me"], ["refer", "me"]):
        return False
    lows = [low for low in lows[2:] if low not in {"as", "by", "only"}]
    return bool(lows) and lows[0] not in _NOT_NAMES and not lows[0][0].isdigit()


def _is_told(parts: Sequence[Clause], text: str, *, is_firm: bool) -> bool:
    """Whether a rule is set without an imperative: you should always, I'd like you to, must never be."""
    if "make it a rule" in text:
        return True
    if _DUTY.search(text) and ("you" in text.split()):
        return (
            is_firm or re.search(r"\b(?:always|never|ever|every|again|anymore)\b", text) is not None
        )
    first = parts[0].words[trimmed(parts[0].words) :]
    lead = first[0].low if first else ""
    if _PASSIVE.search(text) and lead not in lexicon.FIRST | lexicon.OWN:
        return is_firm or " i " in f" {text} " or " me " in f" {text} "
    if is_firm and re.search(
        r"\b(?:i (?:only )?(?:want|expect|need|prefer)|i would (?:like|prefer))\b", text
    ):
        return not re.search(r"\bi (?:only )?(?:want|need|would like|prefer|expect) to\b", text)
    return _is_fragment(parts, text) if is_firm else False


def _is_fragment(parts: Sequence[Clause], text: str) -> bool:
    """Whether a sentence has no verb of its own: Python only, from now on."""
    lows = [low for part in parts for low in part.lows]
    if len(lows) > 12 or not (lexicon.NOMINATIVE | lexicon.AUXILIARIES).isdisjoint(lows):
        return False
    return _FRAGMENT.search(text) is not None
