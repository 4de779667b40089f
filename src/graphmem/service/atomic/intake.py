"""Intake checks what callers say of atoms and brings it into the form that is stored."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeGuard

from graphmem.domain.address import LONGEST, Part, session_of
from graphmem.domain.atom_query import AtomFilter, NewAtom
from graphmem.domain.claim import ATOM_TYPES, AtomType
from graphmem.domain.interval import Interval
from graphmem.domain.moment import Moment
from graphmem.errors import AtomNotFoundError, InvalidInputError, join_names
from graphmem.service.intake import check_id, check_time
from graphmem.text.normalize import storable

MAX_QUERY_CHARACTERS: Final = 2048
MAX_CONTENT_CHARACTERS: Final = 8192
MAX_LIMIT: Final = 100
MAX_ITEMS: Final = 100
MAX_IDS: Final = 5000
_ATOM_ID: Final = re.compile(r"a_[0-9a-f]{24}")
_MINUTE_US: Final = 60_000_000
_DAY_US: Final = 24 * 60 * _MINUTE_US


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeAtom:
    """An atom made by hand, checked and made storable."""

    content: str
    type: AtomType
    background: str
    event: Interval | None
    source_turn_ids: tuple[str, ...]


def check_query(query: object, limit: object) -> str:
    """The text of a search, made storable.

    Raises:
        InvalidInputError: it, or the limit, is wrong.
    """
    check_limit(limit)
    return _text("query", query, MAX_QUERY_CHARACTERS)


def check_limit(limit: object) -> None:
    """Check how many are wanted.

    Raises:
        InvalidInputError: it is no whole number from 1 to 100.
    """
    if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= MAX_LIMIT:
        raise InvalidInputError("limit", f"must be a whole number from 1 to {MAX_LIMIT}")


def check_offset(offset: object) -> None:
    """Check how many are to be left out.

    Raises:
        InvalidInputError: it is no whole number of 0 or more.
    """
    if isinstance(offset, bool) or not isinstance(offset, int) or offset < 0:
        raise InvalidInputError("offset", "must be a whole number of 0 or more")


def take_part(session_id: object, task_id: object) -> Part:
    """Check the names of a session and a task.

    Raises:
        InvalidInputError: one of them is wrong.
    """
    return Part(
        session_id=None if session_id is None else check_id("session_id", session_id),
        task_id=None if task_id is None else check_id("task_id", task_id),
    )


def take_session(session_id: object, task_id: object) -> str:
    """The session that a write names, as it is kept; empty when it names none.

    Raises:
        InvalidInputError: one of the names is wrong, or they are too long together.
    """
    part = take_part(session_id, task_id)
    kept = "" if part.is_whole else session_of(part.session_id, part.task_id)
    if len(kept) > LONGEST:
        raise InvalidInputError("session_id", "is too long together with task_id; shorten one")
    return kept


def take_filter(
    *,
    type: object,  # noqa: A002 - the contract's name
    time_start: object,
    time_end: object,
    subject: object,
    part: Part,
    as_of: object,
    superseded: bool,
) -> AtomFilter:
    """Check the conditions of a search or a listing.

    Raises:
        InvalidInputError: one of them is wrong.
    """
    start, end = _us("time_start", time_start), _us("time_end", time_end)
    if start is not None and end is not None and start > end:
        raise InvalidInputError("time_start", "must not be after time_end")
    return AtomFilter(
        type=None if type is None else _type("type", type),
        start_us=start,
        end_us=end,
        subject=None if subject is None else check_id("subject", subject),
        part=part,
        as_of_us=_us("as_of", as_of),
        superseded=superseded,
    )


def take_atoms(items: object) -> tuple[MadeAtom, ...]:
    """Check atoms that are to be made.

    Raises:
        InvalidInputError: a value is wrong; its field is named.
    """
    if not isinstance(items, list | tuple) or not 1 <= len(items) <= MAX_ITEMS:
        raise InvalidInputError("items", f"must be a list of 1 to {MAX_ITEMS} atoms")
    return tuple(_take_atom(f"items.{place}", item) for place, item in enumerate(items))


def take_content(content: object) -> str:
    """What an atom is to say.

    Raises:
        InvalidInputError: it is blank, too long or not text.
    """
    return _text("content", content, MAX_CONTENT_CHARACTERS)


def take_background(background: object) -> str | None:
    """The note that an atom is to have, None to keep the one it has.

    Raises:
        InvalidInputError: it is too long or not text.
    """
    return None if background is None else _note("background", background)


def check_expected(version: object) -> None:
    """Check the version that a change expects.

    Raises:
        InvalidInputError: it is no whole number of 1 or more.
    """
    if version is None:
        return
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise InvalidInputError("expected_version", "must be a whole number of 1 or more")


def check_atom_ids(ids: object) -> list[str]:
    """The ids that can be atoms', none twice.

    Raises:
        InvalidInputError: it is no list of strings, or too long.
    """
    if not isinstance(ids, list | tuple) or not all(isinstance(i, str) for i in ids):
        raise InvalidInputError("ids", "must be a list or tuple of strings")
    if not 1 <= len(ids) <= MAX_IDS:
        raise InvalidInputError("ids", f"must hold 1 to {MAX_IDS:,} ids; split the request")
    return [atom_id for atom_id in dict.fromkeys(ids) if is_atom_id(atom_id)]


def is_atom_id(value: object) -> TypeGuard[str]:
    """Whether it can be an atom's id; what can't be is not sent to the store."""
    return isinstance(value, str) and _ATOM_ID.fullmatch(value) is not None


def take_atom_id(value: object) -> str:
    """An id that a memory may hold.

    Raises:
        InvalidInputError: it is blank, too long or not text.
        AtomNotFoundError: no memory has an atom with such an id.
    """
    if not is_atom_id(check_id("id", value)):
        raise AtomNotFoundError
    return str(value)


def digest(*values: object) -> bytes:
    """32 bytes that stand for a request's payload (BLAKE2b)."""
    return hashlib.blake2b(json.dumps(values).encode(), digest_size=32).digest()


def digest_of_atoms(items: Sequence[MadeAtom], session: str) -> bytes:
    """32 bytes that stand for atoms to be made."""
    return digest(
        "create",
        session,
        [
            [i.content, i.type, i.background, i.event and i.event.text(), i.source_turn_ids]
            for i in items
        ],
    )


def _take_atom(path: str, item: object) -> MadeAtom:
    if not isinstance(item, NewAtom):
        raise InvalidInputError(path, "must be a NewAtom")
    ids = item.source_turn_ids
    if not isinstance(ids, list | tuple) or not all(isinstance(i, str) for i in ids):
        raise InvalidInputError(f"{path}.source_turn_ids", "must be a list or tuple of strings")
    moment = check_time(f"{path}.event_time", item.event_time)
    return MadeAtom(
        content=_text(f"{path}.content", item.content, MAX_CONTENT_CHARACTERS),
        type=_type(f"{path}.type", item.type),
        background=_note(f"{path}.background", item.background),
        event=None if moment is None else _interval(moment),
        source_turn_ids=tuple(dict.fromkeys(ids)),
    )


def _type(field: str, value: object) -> AtomType:
    for known in ATOM_TYPES:
        if value == known:
            return known
    raise InvalidInputError(field, f"must be {join_names(ATOM_TYPES)}")


def _text(field: str, value: object, most: int) -> str:
    if not isinstance(value, str) or not value.strip():
        raise InvalidInputError(field, "must be a non-blank string")
    if len(value) > most:
        raise InvalidInputError(field, f"must have at most {most:,} characters")
    return storable(value)


def _note(field: str, value: object) -> str:
    if not isinstance(value, str):
        raise InvalidInputError(field, "must be a string")
    if len(value) > MAX_CONTENT_CHARACTERS:
        raise InvalidInputError(field, f"must have at most {MAX_CONTENT_CHARACTERS:,} characters")
    return storable(value)


def _us(field: str, value: object) -> int | None:
    moment = check_time(field, value)
    return None if moment is None else moment.us


def _interval(moment: Moment) -> Interval:
    """The minute, or the day, that a moment stands for."""
    length = _DAY_US if moment.precision == "day" else _MINUTE_US
    start = moment.us if moment.precision == "day" else moment.us // _MINUTE_US * _MINUTE_US
    return Interval(
        start_us=start,
        end_us=start + length,
        grain="day" if moment.precision == "day" else "minute",
        offset_minutes=moment.offset_minutes,
    )
