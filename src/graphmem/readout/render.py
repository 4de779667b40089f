"""Write a hit out as one line of evidence: date, speaker, verbatim text with its dates resolved."""

from __future__ import annotations

from graphmem.domain.hit import Hit


def render_hit(hit: Hit) -> str:
    """`[2023-05-08 13:56] Caroline: I went ... yesterday (2023-05-07)`.

    The date if known, the speaker (else the role), and the text as stored, with what its relative
    dates mean. A label that opens the stored text is the speaker already and is not printed twice.
    """
    date = f"[{hit.occurred.stamp()}] " if hit.occurred else ""
    speaker = hit.speaker or hit.role
    return f"{date}{speaker}: {hit.text}"
