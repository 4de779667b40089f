"""Write a hit out as one line of evidence: date, speaker, verbatim text."""

from __future__ import annotations

from graphmem.domain.hit import Hit


def render_hit(hit: Hit) -> str:
    """`[2023-05-08 13:56] Caroline: I went ...`: date if known, speaker (else role), text as stored.

    A label that opens the stored text is the speaker already and is not printed twice.
    """
    date = f"[{hit.occurred.stamp()}] " if hit.occurred else ""
    speaker = hit.speaker or hit.role
    return f"{date}{speaker}: {hit.content[hit.body_start :]}"
