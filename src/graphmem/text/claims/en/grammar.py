"""Reads the claim of an English sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from graphmem.domain.claim import AtomType, Modality
from graphmem.text.claims.draft import Draft, Voice
from graphmem.text.claims.en import instruction, kind, lexicon, relation
from graphmem.text.claims.en.attribute import attribute, may_set
from graphmem.text.claims.en.beside import beside, beside_rule
from graphmem.text.claims.en.clause import Clause, clauses
from graphmem.text.claims.en.employment import employment
from graphmem.text.claims.en.frame import Frame, parse, parse_elliptic, trimmed
from graphmem.text.claims.en.rule_key import rule_attribute
from graphmem.text.claims.en.token import Token, tokens
from graphmem.text.words import word_set

_OPINIONS: Final = word_set(
    "think guess suppose hear figure realise realize feel swear know believe hope remember tell say mention learn find"
)
_DOUBT: Final = word_set("maybe perhaps probably possibly apparently supposedly")
_CONDITIONS: Final = word_set("if unless")
_PARTICLES: Final = lexicon.PREPOSITIONS - word_set(
    "than per since until till during before after about of"
)


def draft(sentence: str, voice: Voice) -> Draft | None:
    """The claim of a sentence, None if it makes none."""
    found = tokens(sentence)
    parts = clauses(found, is_question=sentence.rstrip("\"'”’)").endswith("?"))
    if not parts:
        return None
    if not voice.is_machine:
        rule = instruction.find(parts)
        if rule is not None:
            return _instruction(sentence, parts, rule)
    for at, frame in _frames(parts, voice):
        found_type = kind.verdict(frame)
        if found_type != "none":
            claim = _claim(sentence, frame, found_type, _value_end(parts, at))
            return _with_beside(claim, sentence, parts, at, frame)
    return None


def _with_beside(
    claim: Draft, sentence: str, parts: Sequence[Clause], at: int, frame: Frame
) -> Draft:
    """The claim with what its sentence says besides, which only matters where it sets something."""
    if not claim.attribute:
        return claim
    is_whole = claim.attribute.startswith(("attitude:", "allergy:"))
    more = beside(sentence, parts, at, frame, value=claim.value, is_whole=is_whole)
    return replace(claim, beside=more)


def _frames(parts: Sequence[Clause], voice: Voice) -> Iterator[tuple[int, Frame]]:
    """The clauses that state something, each with the fronted ones before it."""
    front: tuple[str, ...] = ()
    for at, part in enumerate(parts):
        if part.asks:
            continue
        start = trimmed(part.words)
        words: Sequence[Token] = part.words[start:]
        if not words:
            continue
        if words[0].low in lexicon.SUBORDINATORS and words[0].low != "so":
            words, lead = _main_behind(words)
            front = (*front, *lead)
            if not words:
                continue
        frame = parse(words, voice, front) or parse_elliptic(words, voice, front)
        if frame is None:
            front = (*front, *(token.low for token in words))
            continue
        yield at, _complement(frame)
        front = ()


def _main_behind(words: Sequence[Token]) -> tuple[Sequence[Token], tuple[str, ...]]:
    """The main clause behind a subordinate one without a comma between, and the words before it."""
    places = [
        at for at, token in enumerate(words[:16]) if token.low in lexicon.NOMINATIVE and at > 2
    ]
    lows = tuple(token.low for token in words)
    if words[0].low in {"because", "since", "as", "although", "though"} and not places:
        return (), lows
    cut = next(
        (at for at in places if words[at - 1].low not in lexicon.PREPOSITIONS | {"and", "that"}),
        None,
    )
    return ((), lows) if cut is None else (words[cut:], lows[:cut])


def _complement(frame: Frame) -> Frame:
    """What is thought, heard or said, in place of the thinking."""
    if frame.group.verb not in _OPINIONS or not frame.rest or frame.group.is_progressive:
        return frame
    rest = (
        frame.rest[1:] if frame.tail[0] in {"that", "like"} and len(frame.rest) > 2 else frame.rest
    )
    if frame.tail[0] in {"you", "me"} and frame.group.verb == "tell":
        rest = frame.rest[1:]
    if frame.group.verb == "believe" and rest[0].low in {"in"}:
        return frame
    inner = parse(rest, frame.voice, frame.front)
    if inner is None or inner.subject[0].start != rest[0].start:
        return frame
    if frame.group.verb == "believe" and inner.kind in {"many", "noun", "thing"}:
        return frame
    is_doubt = frame.group.verb in {
        "think",
        "guess",
        "suppose",
        "feel",
        "figure",
        "hope",
        "believe",
    }
    group = inner.group
    if is_doubt:
        group = replace(
            group,
            adverbs=group.adverbs | {"maybe"},
            is_negated=group.is_negated or frame.group.is_negated,
        )
    return replace(inner, group=group)


def _value_end(parts: Sequence[Clause], at: int) -> int:
    """Where the value of a clause ends: behind the fragments that follow it."""
    end = parts[at].words[-1].end
    for part in parts[at + 1 :]:
        lows = part.lows
        if (
            part.asks
            or lows[0] in lexicon.NOMINATIVE | lexicon.SUBORDINATORS | lexicon.DEICTIC
            or len(lows) > 4
        ):
            break
        if not lexicon.AUXILIARIES.isdisjoint(lows) or trimmed(part.words) > 1:
            break
        end = part.words[-1].end
    return end


def _instruction(sentence: str, parts: Sequence[Clause], rule: instruction.Rule) -> Draft:
    words = [token for token in rule.words if token.low not in lexicon.REQUESTIVE] or list(
        rule.words
    )
    at = next(
        (
            i
            for i, t in enumerate(words)
            if t.low not in {"always", "never", "do", "not", "just", "ever"}
        ),
        0,
    )
    value = sentence[words[at].end : words[-1].end].strip(" ,")
    return Draft(
        type="instruction",
        subject="assistant",
        predicate=words[at].low,
        value=value,
        polarity="negated" if rule.is_negated else "affirmed",
        modality="conditional" if rule.is_conditional else "required",
        attribute=rule_attribute(rule),
        beside=beside_rule(parts, rule.words),
    )


def _claim(sentence: str, frame: Frame, found_type: AtomType, end: int) -> Draft:
    predicate, start = _predicate(sentence, frame)
    value = sentence[start:end].strip(" ,;:") if start < end else ""
    related = (
        relation.find(frame)
        if frame.kind in {"kin", "own", "name", "second", "noun", "third"}
        else None
    )
    plain = Draft(
        type=found_type,
        subject=_subject(sentence, frame.subject, frame),
        predicate=predicate,
        value=value,
        polarity="negated" if frame.group.is_negated else "affirmed",
        modality=_modality(frame),
    )
    if related is None or not related.attribute:
        return _employed(sentence, plain, frame)
    owner = _owner(sentence, related, frame)
    if related.is_inverted:
        value = sentence[frame.subject[0].start : frame.subject[-1].end]
    elif related.noun == "nickname" and frame.group.verb == "call":
        value = sentence[frame.rest[1].start : end]
    is_firm = bool(owner) and plain.modality == "asserted"
    return replace(
        plain,
        subject=owner,
        predicate=related.noun,
        value=value,
        attribute=related.attribute if is_firm else "",
    )


def _employed(sentence: str, plain: Draft, frame: Frame) -> Draft:
    """The claim with the attribute that its clause sets: where a job begins or ends, with the employer."""
    if not plain.subject or plain.modality != "asserted":
        return plain
    found = employment(frame) if may_set(frame) else None
    if found is None:
        return _settled(sentence, replace(plain, attribute=attribute(frame)), frame)
    if found.at is None:
        words = frame.tail.index("job") + 1 if "job" in frame.tail else 0
        return replace(plain, predicate=_phrase(frame, words), value="", attribute=found.attribute)
    value = sentence[frame.rest[found.at].start : frame.rest[found.end - 1].end]
    return replace(
        plain, predicate=_phrase(frame, found.at), value=value, attribute=found.attribute
    )


def _settled(sentence: str, claim: Draft, frame: Frame) -> Draft:
    """The claim with the new home as its value, where the old one is named before it."""
    if claim.attribute != "residence" or frame.tail[0] != "from":
        return claim
    at = frame.tail.index("to") + 1
    value = sentence[frame.rest[at].start : frame.rest[-1].end]
    return replace(claim, predicate=f"{frame.group.verb} to", value=value)


def _phrase(frame: Frame, words: int) -> str:
    """The verb with some of the words behind it."""
    verb = f"be {_participle(frame)}" if frame.group.is_passive else frame.group.verb
    return " ".join([verb, *(token.low for token in frame.rest[:words] if not token.is_mark)])


def _owner(sentence: str, related: relation.Relation, frame: Frame) -> str:
    """Whose relation it is: the speaker for `my`, the listener for `your`."""
    if len(related.owner) > 1:
        return _subject(sentence, related.owner, frame)
    first = related.owner[0].low if related.owner else ""
    if first in lexicon.OWN | {"me"}:
        return frame.voice.name
    return frame.voice.listener if first == "your" else ""


def _subject(sentence: str, words: Sequence[Token], frame: Frame) -> str:
    """Whom the subject means, as far as that is sure."""
    if frame.kind == "first":
        return frame.voice.name
    if frame.kind in {"third", "thing", "there"} or not words:
        return ""
    first = words[0].low
    written = sentence[words[0].start : words[-1].end]
    if first in lexicon.KIN and frame.kind == "kin":
        return f"{frame.voice.name}'s {written}"
    if first == "you":
        return frame.voice.listener
    if first in lexicon.POSSESSIVE:
        name = {"my": frame.voice.name, "our": frame.voice.name, "your": frame.voice.listener}.get(
            first, ""
        )
        return (
            f"{name}'s {sentence[words[1].start : words[-1].end]}"
            if name and len(words) > 1
            else ""
        )
    return written


def _predicate(sentence: str, frame: Frame) -> tuple[str, int]:
    """The verb with its particle, and where the value begins in the sentence."""
    group, rest = frame.group, list(frame.rest)
    parts = [f"be {_participle(frame)}" if group.is_passive else group.verb]
    while len(rest) > 1 and rest[0].low == "to" and kind.is_verb(rest[1].low):
        parts += ["to", rest[1].low]
        rest = rest[2:]
    if len(rest) > 1 and rest[0].low in _PARTICLES and not group.is_passive:
        parts.append(rest[0].low)
        rest = rest[1:]
    start = rest[0].start if rest else len(sentence)
    return " ".join(parts), start


def _participle(frame: Frame) -> str:
    return frame.group.participle or frame.group.verb


def _modality(frame: Frame) -> Modality:
    """How firmly a clause claims."""
    group = frame.group
    if not _CONDITIONS.isdisjoint(frame.front):
        return "conditional"
    if group.modal in {"might", "may", "could"} or not _DOUBT.isdisjoint(
        (*group.adverbs, *frame.front)
    ):
        return "possible"
    if group.modal.startswith("would") or group.verb in {"want", "hope", "wish", "dream"}:
        return "wanted"
    if group.modal in {"must", "should", "ought", "have to", "need to", "ought to"}:
        return "required"
    if group.tense == "future" or group.verb in {"plan", "intend"}:
        return "planned"
    return "planned" if group.is_progressive and _is_ahead(frame) else "asserted"


def _is_ahead(frame: Frame) -> bool:
    """Whether a progressive speaks of what is to come."""
    words = frame.around
    ahead = not {"tomorrow", "tonight", "next", "soon"}.isdisjoint(words)
    return ahead or (frame.group.tense == "present" and not lexicon.MONTHS.isdisjoint(words))
