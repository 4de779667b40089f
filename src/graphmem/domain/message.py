"""A message is one utterance as a caller hands it in."""

from __future__ import annotations

from dataclasses import dataclass

from graphmem.domain.moment import Moment

ROLES = ("user", "assistant", "system", "tool")


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One utterance to remember.

    Attributes:
        role: `user`, `assistant`, `system` or `tool`; Add/Search takes any non-blank string.
        content: the text, kept verbatim (lone surrogates and U+0000 become U+FFFD).
        speaker: who said it, where the role does not tell.
        listener: to whom it was said.
        timestamp: when it was said: ISO 8601 (without a zone read as UTC) or a `Moment`.
        parts: the multimodal original as JSON text, kept beside the indexed text.
    """

    role: str
    content: str
    speaker: str | None = None
    listener: str | None = None
    timestamp: str | Moment | None = None
    parts: str | None = None
