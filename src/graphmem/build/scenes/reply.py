"""A reply is what a chat model wrote when it was asked for atoms: found in whatever stands around.

Models think aloud first, put fences and prose around their JSON, leave the wrapping object out,
repeat the schema, or are cut off. What can be read is; what can't is an error, and never taken for
"nothing found", which has to be said: `{"atoms": []}`, or `[]` alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from graphmem.domain.claim import (
    ATOM_TYPES,
    MODALITIES,
    POLARITIES,
    AtomType,
    Modality,
    Polarity,
)
from graphmem.errors import ChatResponseError
from graphmem.text.normalize import storable
from graphmem.text.thoughts import without_thoughts

LONGEST_REPLY: Final = 200_000
_MOST_STARTS: Final = 64  # places at which JSON is looked for: each costs the rest of the reply
_MOST_ITEMS: Final = 256
_MOST_CHARACTERS: Final = 2_000  # of one field
_FENCE: Final = re.compile(r"^\s*(?:```|~~~)\w*\s*$", re.MULTILINE)
_START: Final = re.compile(r"[\[{]")
_JSON_OPENS: Final = tuple("{[`~")
_BEGUN: Final = re.compile(r"(?:\{\s*\"atoms\"\s*:\s*)?\[\s*(?=\{)")
_BETWEEN: Final = re.compile(r"[\s,]*")
_JSON: Final = json.JSONDecoder(strict=False)  # line breaks within strings are forgiven


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One atom as a model wrote it; nothing of it is checked against the conversation yet.

    Attributes:
        positions: turns of the scene, the quoted one first.
        when: words that say when it happened.
    """

    positions: tuple[int, ...]
    type: AtomType
    subject: str
    predicate: str
    value: str
    polarity: Polarity
    modality: Modality
    quote: str
    statement: str
    when: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a model listed.

    Attributes:
        items: those that are of the form asked for.
        malformed: how many are not.
        is_whole: False when the reply was cut off: there may have been more.
    """

    items: tuple[Item, ...]
    malformed: int
    is_whole: bool


def read_reply(text: str) -> Reply:
    """Read a model's reply.

    Raises:
        ChatResponseError: it lists no atoms and does not say that there are none.
    """
    answer = text[:LONGEST_REPLY]
    if not answer.lstrip().startswith(_JSON_OPENS):
        answer = without_thoughts(answer)
    try:
        found = _whole_list(answer)
        is_whole = found is not None
        listed = _begun_list(answer) if found is None else found
    except RecursionError:
        raise _unusable() from None
    if not is_whole and not listed:
        raise _unusable()
    items = [item for entry in listed[:_MOST_ITEMS] if (item := _item(entry)) is not None]
    if listed and not items:
        raise _unusable()
    return Reply(items=tuple(items), malformed=len(listed) - len(items), is_whole=is_whole)


def _unusable() -> ChatResponseError:
    return ChatResponseError("the chat model's answer is no list of atoms")


def _whole_list(text: str) -> list[object] | None:
    """The last complete list of atoms; None without one."""
    bare = _FENCE.sub("", text).strip()
    if bare.replace(" ", "") == "[]":
        return []
    found: list[object] | None = None
    for value in _values(text):
        listed = _listed(value)
        found = found if listed is None else listed
    return found


def _values(text: str) -> Iterator[object]:
    """The complete JSON objects and arrays of a text, outermost only."""
    at = 0
    for _ in range(_MOST_STARTS):
        start = _START.search(text, at)
        if start is None:
            return
        try:
            value, at = _JSON.raw_decode(text, start.start())
        except ValueError:
            at = start.end()
            if _BEGUN.match(text, start.start()):
                return  # what is complete in it is read one by one
        else:
            yield value


def _listed(value: object) -> list[object] | None:
    """The list that a value is, or holds; an object may be the only item itself."""
    if isinstance(value, dict):
        for holder in (value, value.get("properties")):  # answers written into the schema
            atoms = holder.get("atoms") if isinstance(holder, dict) else None
            if isinstance(atoms, list):
                return atoms
        return [value] if "position" in value and "type" in value else None
    if isinstance(value, list) and value and any(isinstance(entry, dict) for entry in value):
        return value
    return None


def _begun_list(text: str) -> list[object]:
    """The complete entries of a list that was cut off."""
    start = _BEGUN.search(text)
    if start is None:
        return []
    entries: list[object] = []
    at = start.end()
    while len(entries) < _MOST_ITEMS:
        between = _BETWEEN.match(text, at)
        try:
            entry, at = _JSON.raw_decode(text, between.end() if between else at)
        except ValueError:
            break
        entries.append(entry)
    return entries


def _item(entry: object) -> Item | None:
    """An entry that is of the form asked for; None for others."""
    if not isinstance(entry, dict):
        return None
    try:
        return Item(
            positions=_positions(entry.get("position"), entry.get("others", [])),
            type=cast("AtomType", _one_of(ATOM_TYPES, entry.get("type"))),
            subject=_text(entry, "subject"),
            predicate=_text(entry, "predicate"),
            value=_text(entry, "value"),
            polarity=cast("Polarity", _one_of(POLARITIES, entry.get("polarity", "affirmed"))),
            modality=cast("Modality", _one_of(MODALITIES, entry.get("modality", "asserted"))),
            quote=_text(entry, "quote"),
            statement=_text(entry, "statement"),
            when=_text(entry, "when"),
        )
    except (TypeError, ValueError):
        return None


def _positions(quoted: object, others: object) -> tuple[int, ...]:
    if not isinstance(others, list):
        raise TypeError
    listed = [quoted, *others]
    if not all(isinstance(each, int) and not isinstance(each, bool) for each in listed):
        raise TypeError
    return tuple(dict.fromkeys(cast("Sequence[int]", listed)))


def _one_of(known: Sequence[str], value: object) -> str:
    if not isinstance(value, str) or value.strip().lower() not in known:
        raise ValueError
    return value.strip().lower()


def _text(entry: Mapping[str, Any], name: str) -> str:
    value = entry.get(name)
    value = str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value
    if not isinstance(value, str | None):
        raise TypeError
    if len(value or "") > _MOST_CHARACTERS:
        raise ValueError
    return storable(" ".join((value or "").split()))
