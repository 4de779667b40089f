"""A prompt is a scene as a chat model is asked about it: instructions, and the turns as data.

The turns are a JSON array, which no text can leave, and are named by integers, which no answer can
copy out of the text by mistake.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import Final

from graphmem.build.scenes.instructions import CHINESE, ENGLISH, PROMPT_VERSION
from graphmem.domain.claim import ATOM_TYPES, MODALITIES, POLARITIES
from graphmem.domain.turn import Turn
from graphmem.ports.chat import ChatMessage, Schema
from graphmem.text import script
from graphmem.text.speaker import attribute

# A longer turn (a document, a tool's output) is told by rules, and shown in part.
LONGEST_TURN: Final = 4_000
_SHOWN: Final = 500
_HAN: Final = re.compile(f"[{script.HAN}]")
_WORD: Final = re.compile("[A-Za-z]+")
_HAN_A_WORD: Final = 1.6


def _one_of(values: Sequence[str]) -> dict[str, object]:
    return {"type": "string", "enum": list(values)}


_TEXT: Final[Mapping[str, object]] = {"type": "string"}
_MOST_OTHERS: Final = 4
_MOST_ATOMS_A_TURN: Final = 8  # a small model may go round in circles


def schema_for(turns: int) -> Schema:
    """What an answer about a scene of so many turns looks like: no other position can be named."""
    position = {"type": "integer", "enum": list(range(turns))}
    fields: dict[str, object] = {
        "position": position,
        # Before what is said about it: copying is easier than judging.
        "quote": _TEXT,
        "type": _one_of(ATOM_TYPES),
        "subject": _TEXT,
        "predicate": _TEXT,
        "value": _TEXT,
        "polarity": _one_of(POLARITIES),
        "modality": _one_of(MODALITIES),
        "statement": _TEXT,
        "when": _TEXT,
        "others": {"type": "array", "items": position, "maxItems": _MOST_OTHERS},
    }
    listed = {"type": "array", "items": _object(fields), "maxItems": _MOST_ATOMS_A_TURN * turns}
    return Schema(name="atoms", body=_object({"atoms": listed}))


def _object(fields: Mapping[str, object]) -> dict[str, object]:
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }


def is_readable(turn: Turn) -> bool:
    """Whether a model is asked about the turn; others are only shown beside it."""
    return len(turn.content) <= LONGEST_TURN


def ask(turns: Sequence[Turn]) -> list[ChatMessage]:
    """What a model is asked about the turns of one scene; their places in it are the positions."""
    shown = [_show(place, turn) for place, turn in enumerate(turns)]
    rules = CHINESE if _is_chinese(turns) else ENGLISH
    return [
        ChatMessage(role="system", content=rules),
        ChatMessage(role="user", content=json.dumps(shown, ensure_ascii=False, indent=0)),
    ]


def key_of(messages: Sequence[ChatMessage], fingerprint: str, max_tokens: int) -> str:
    """The name of the answer to a question: 32 hexadecimal digits that change with anything asked."""
    asked = [[message.role, message.content] for message in messages]
    text = json.dumps([PROMPT_VERSION, fingerprint, max_tokens, asked])
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _show(place: int, turn: Turn) -> dict[str, object]:
    found = attribute(turn.content, speaker=turn.speaker)
    body = turn.content[found.body_start :]
    return {
        "position": place,
        "speaker": found.speaker or turn.role,
        "said_at": turn.occurred.stamp() if turn.occurred else "",
        "text": body if is_readable(turn) else body[:_SHOWN] + "…",
    }


def _is_chinese(turns: Sequence[Turn]) -> bool:
    texts = [turn.content for turn in turns]
    han = sum(len(_HAN.findall(text)) for text in texts)
    return han / _HAN_A_WORD > sum(len(_WORD.findall(text)) for text in texts)
