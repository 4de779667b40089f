"""Which characters belong to which way of writing, as ranges for a regular expression's class."""

from __future__ import annotations

import re
from typing import Final

HAN: Final = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
KANA: Final = "\u3041-\u3096\u3099\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
HANGUL: Final = "\u1100-\u11ff\u3131-\u318e\ua960-\ua97f\uac00-\ud7ff"
# Thai, Lao, Myanmar, Khmer, Tai: written without spaces between words.
UNSPACED: Final = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u0edc-\u0edf"
    "\u1000-\u103f\u1050-\u109f\u1780-\u17d3\u1950-\u19df"
)
# Latin letters that folding leaves: Pan-Nigerian, IPA and the like.
LATIN_REST: Final = "\u0180-\u02af\u1e00-\u1eff"
# Marks that belong to the letter before them but are no `\w`; the Indic blocks as a whole.
MARKS: Final = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a"
    "\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07a6-\u07b0"
    "\u07eb-\u07f3\u0816-\u082d\u0859-\u085b\u08ca-\u0963\u0966-\u0df3\u0f39\u0f71-\u0f84\u0f8d-\u0fbc"
)
ZWJ: Final = "\u200d"
SKIN_TONES: Final = "\U0001f3fb-\U0001f3ff"
FLAG_LETTERS: Final = "\U0001f1e6-\U0001f1ff"
EMOJI: Final = (
    "\u231a-\u23ff\u2600-\u275a\u2761-\u2767\u2795-\u2797\u27a1\u2b50\u2b55"
    "\U0001f000-\U0001f1e5\U0001f200-\U0001f3fa\U0001f400-\U0001faff"
)
_ANY_HAN: Final = re.compile(f"[{HAN}]")


def has_han(text: str) -> bool:
    """Whether there is a Chinese character in a text."""
    return _ANY_HAN.search(text) is not None
