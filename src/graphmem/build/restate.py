"""Restating reads anew what an atom's words claim, after somebody wrote them by hand."""

from __future__ import annotations

from dataclasses import replace

from graphmem.domain.atom import Atom
from graphmem.text.claims.reader import claims


def restated(atom: Atom) -> Atom:
    """The atom with the claim that its content makes; with none when it makes no single one.

    What it is about and its type stay as they are; so does its event, unless the words name one.
    """
    found = claims(atom.content, role="user", speaker=atom.subject or None, anchor=None)
    if len(found) != 1:
        return replace(atom, predicate="", value="", attribute="", modality="asserted")
    (claim,) = found
    return replace(
        atom,
        subject=claim.subject or atom.subject,
        predicate=claim.predicate,
        value=claim.value,
        polarity=claim.polarity,
        modality=claim.modality,
        attribute=claim.attribute,
        event=claim.event or atom.event,
    )
