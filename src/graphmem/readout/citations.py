"""Citations of an answer, held against the evidence: what was not shown can't be cited."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

_ID: Final = r"[mM]\d{1,18}"
_BETWEEN: Final = r"\s{0,4}(?:[,;/&+\uff0c\uff1b\u3001\u2013-]|and\b|\u548c)?\s{0,4}"
# One id or several within the brackets that models write, with the white space before them.
_CITED: Final = re.compile(
    rf"(?P<space>[ \t]{{0,8}})[\[\uff3b\u3010]\s{{0,4}}(?P<ids>{_ID}(?:{_BETWEEN}{_ID})*)\s{{0,4}}[\]\uff3d\u3011]"
)
_EACH: Final = re.compile(_ID)
_CUT: Final = re.compile(
    r"[ \t]{0,8}[\[\uff3b\u3010](?:[mM][mM\d\s,;/&+\uff0c\uff1b\u3001\u2013-]{0,200})?$"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """An answer whose citations are all of what was shown.

    Attributes:
        text: the answer; citations are written like `[m1][m2]`.
        cited: the ids in it, in the order of their first citation.
        invented: ids that were cited and not shown, in order; they are not in the text.
    """

    text: str
    cited: tuple[str, ...]
    invented: tuple[str, ...]


def checked(text: str, known: Collection[str], *, is_whole: bool = True) -> Checked:
    """The answer without citations of what was not shown.

    Args:
        text: what the model wrote.
        known: the ids that it was shown.
        is_whole: False where it was cut off, perhaps within a citation.
    """
    cited: dict[str, None] = {}
    invented: dict[str, None] = {}

    def rewritten(match: re.Match[str]) -> str:
        ids = dict.fromkeys(found.lower() for found in _EACH.findall(match["ids"]))
        kept = [one for one in ids if one in known]
        cited.update(dict.fromkeys(kept))
        invented.update(dict.fromkeys(one for one in ids if one not in known))
        return match["space"] + "".join(f"[{one}]" for one in kept) if kept else ""

    plain = _CITED.sub(rewritten, text)
    if not is_whole:
        plain = _CUT.sub("", plain)
    return Checked(text=plain.strip(), cited=tuple(cited), invented=tuple(invented))
