"""A payload is what one add brought; its digest tells whether it is the same, and whether it still is."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Protocol

from graphmem.domain.moment import Moment


class Said(Protocol):
    """A message, as it came or as it is stored."""

    @property
    def role(self) -> str:
        """Who writes: the user, the assistant."""

    @property
    def content(self) -> str:
        """The text."""

    @property
    def speaker(self) -> str | None:
        """Who speaks."""

    @property
    def listener(self) -> str | None:
        """To whom."""

    @property
    def parts(self) -> str | None:
        """The multimodal original as JSON text."""

    @property
    def occurred(self) -> Moment | None:
        """When it was said."""


def payload_digest(session_id: str, messages: Iterable[Said]) -> bytes:
    """32 bytes that stand for a session's id and normalised messages (BLAKE2b, RFC 7693)."""
    state = hashlib.blake2b(digest_size=32)
    state.update(json.dumps(session_id).encode())
    for said in messages:
        at = said.occurred
        occurred = at and [at.us, at.offset_minutes, at.precision]
        fields = [said.role, said.content, said.speaker, said.listener, said.parts, occurred]
        state.update(json.dumps(fields).encode())
    return state.digest()
