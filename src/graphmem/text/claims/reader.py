"""The reader of claims: what each sentence of a message says of whom, at most one claim a sentence."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from graphmem.domain.claim import Claim
from graphmem.domain.interval import Interval
from graphmem.domain.moment import Moment
from graphmem.domain.setting import END, MORE
from graphmem.text import script
from graphmem.text.claims.bare import bare_value
from graphmem.text.claims.doubt import is_in_doubt, quotations
from graphmem.text.claims.draft import Draft, Voice
from graphmem.text.claims.en import grammar as english
from graphmem.text.claims.zh import grammar as chinese
from graphmem.text.segment import Span, sentences
from graphmem.text.timex import reader as times
from graphmem.text.timex.expression import Expression

_LONGEST: Final = 800  # characters of a sentence that are looked at: more is a list or no prose
_CODE: Final = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
# Text that the assistant is to work on: it stands behind the colon, and nobody claims it.
_MATERIAL: Final = re.compile(
    r"\s*(?:(?:please|can\s+you|could\s+you|help\s+me)\s+)*"
    r"(?:(?:translate|rephrase|paraphrase|rewrite|reword|proofread|polish|spell-?check|summari[sz]e|shorten)\b"
    r"|(?:correct|improve|fix|edit)\s+(?:this|these|my|the)\b)[^.!?\n:]{0,80}:"
    r"|\s*(?:请|麻烦|你|您|帮(?:我|忙))*(?:[把将][^。！？!?\n：:，]{0,12}?)?(?:翻译|润色|改写|重写|校对|扩写|缩写|续写)"
    r"[^。！？!?\n：:]{0,16}[：:]",
    re.IGNORECASE,
)
_HAN: Final = re.compile(f"[{script.HAN}]")
_WORD: Final = re.compile("[A-Za-z]+")
_HAN_A_WORD: Final = 1.6


def claims(
    text: str,
    *,
    role: str,
    speaker: str | None,
    anchor: Moment | None,
    dates: Sequence[Expression] | None = None,
) -> tuple[Claim, ...]:
    """The claims of a message, in the order of its sentences.

    Args:
        text: one message, without the label of its speaker.
        role: whose part it is; an `assistant` without a name is taken for a machine.
        speaker: the name of who says it, None without one.
        anchor: when it was said, for the dates of events.
        dates: its expressions of time, where the caller has read them.

    Returns:
        One claim for each sentence that tells something; greetings, questions, single requests and
        general knowledge tell nothing.
    """
    voice = Voice(role=role, speaker=speaker)
    code = _code(text)
    quoted = quotations(text)
    found: list[tuple[Span, Draft]] = []
    begin, end = _material(text)
    for span in sentences(text):
        if (span.end > begin and span.start < end) or _is_within(span.start, code):
            continue
        draft = _draft(text[span.start : min(span.end, span.start + _LONGEST)], voice)
        if draft is not None:
            is_unsure = bool(draft.attribute) and is_in_doubt(text, quoted, span, draft, voice)
            found.append((span, replace(draft, attribute="") if is_unsure else draft))
    if not found:
        return ()
    read = times.read(text, anchor) if dates is None else dates
    starts = [date.start for date in read]
    return tuple(
        _claim(
            span, draft, read[bisect_left(starts, span.start) : bisect_left(starts, span.end)], text
        )
        for span, draft in found
    )


def _code(text: str) -> list[tuple[int, int]]:
    """Where blocks of code begin and end, in order."""
    is_there = "```" in text or "~~~" in text
    return [match.span() for match in _CODE.finditer(text)] if is_there else []


def _is_within(place: int, blocks: Sequence[tuple[int, int]]) -> bool:
    before = bisect_right(blocks, place, key=lambda block: block[0])
    return before > 0 and place < blocks[before - 1][1]


def _material(text: str) -> tuple[int, int]:
    """Where text begins that is only to be worked on, and where it ends: at an empty line, or with the message."""
    asked = _MATERIAL.match(text)
    if asked is None:
        return len(text), len(text)
    end = text.find("\n\n", asked.end())
    return asked.end(), end if end >= 0 else len(text)


def _draft(sentence: str, voice: Voice) -> Draft | None:
    han = len(_HAN.findall(sentence))
    if han and han / _HAN_A_WORD >= len(_WORD.findall(sentence)):
        return chinese.draft(sentence, voice)
    return english.draft(sentence, voice)


def _claim(span: Span, draft: Draft, dates: Sequence[Expression], text: str) -> Claim:
    """The claim of a sentence, with the dates that begin in it."""
    said = [text[date.start : date.end] for date in dates]
    return Claim(
        start=span.start,
        end=span.end,
        type=draft.type,
        subject=draft.subject,
        predicate=draft.predicate,
        value=bare_value(draft.value, said) if draft.attribute else draft.value,
        polarity=draft.polarity,
        modality=draft.modality,
        event=_event(span, dates),
        attribute=_attribute(span, draft, dates, text),
    )


def _attribute(span: Span, draft: Draft, dates: Sequence[Expression], text: str) -> str:
    """The attribute, marked where the sentence says more than the claim; dates are the claim's own."""
    if not draft.attribute or draft.attribute.endswith(END):  # nothing hides an end
        return draft.attribute
    if span.end - span.start > _LONGEST:  # nobody looked at all of it
        return draft.attribute + MORE
    told = {date for one in dates for date in range(one.start, one.end)}
    places = (span.start + at for start, end in draft.beside for at in range(start, end))
    if any(text[at].isalnum() and at not in told for at in places):
        return draft.attribute + MORE
    return draft.attribute


def _event(span: Span, dates: Sequence[Expression]) -> Interval | None:
    """The first certain date that lies within a sentence."""
    for date in dates:
        if date.end <= span.end and date.certain is not None:
            return date.certain
    return None
