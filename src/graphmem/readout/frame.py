"""The frame in which stored text stands in a prompt: text that can neither close it nor leave its line.

The laws, whatever the text: it has no line break, so it begins no line; it has no `<`, so it is no tag, neither
the frame's nor a chat template's; it has no `[m1]`, so it cites nothing.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

OPEN: Final = "<memory>"
CLOSE: Final = "</memory>"
_BREAKS: Final = re.compile(r"\s*[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]\s*")
_OPENERS: Final = re.compile("[<\uff1c\ufe64]")
_MARKERS: Final = re.compile(
    r"[\[\uff3b\u3010](?=\s{0,8}(?:m\s{0,8}\d|/?\s{0,8}inst\b|/?\s{0,8}sys\b))", re.IGNORECASE
)
# A flag of a region is a black flag with invisible letters; anywhere else these say what nobody sees.
_HIDDEN: Final = re.compile(
    "(?P<flag>\U0001f3f4[\U000e0020-\U000e007e]{1,8}\U000e007f)"
    "|[\U000e0000-\U000e007f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]"
)


def framed(text: str) -> str:
    """Stored text as it stands in a prompt, on one line."""
    flat = _BREAKS.sub(" / ", text.strip())
    seen = _HIDDEN.sub(lambda match: match["flag"] or "", flat)
    plain = "".join(char if unicodedata.category(char) != "Cc" else " " for char in seen)
    return _MARKERS.sub("(", _OPENERS.sub("\u2039", plain)).strip()
