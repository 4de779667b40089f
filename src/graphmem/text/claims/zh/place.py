"""Tells whether a Chinese phrase is the name of a place."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final, cast

_ENDINGS: Final = ("市", "省", "县", "镇", "村", "区", "州", "国")
_NO_NAMES: Final = ("小区", "城市", "郊区", "社区", "外国", "乡村", "农村", "市区", "地区", "县城")


@cache
def tagger() -> Callable[[str], list[tuple[str, str]]]:
    """Words with their parts of speech."""
    import rjieba  # noqa: PLC0415 - loads a dictionary for .16 s, which English never needs

    return cast("Callable[[str], list[tuple[str, str]]]", rjieba.tag)


def is_place(phrase: str) -> bool:
    """Whether a short phrase begins with a place's name, and has no quantity in it."""
    if phrase.endswith(_NO_NAMES) and len(phrase) <= 4:
        return False
    tags = tagger()(phrase)
    if not tags or any(tag == "m" for _, tag in tags):
        return False
    return tags[0][1] in {"ns", "nsf"} or (len(tags) == 1 and phrase.endswith(_ENDINGS))


def is_body(phrase: str) -> bool:
    """Whether a phrase can name who employs somebody: it ends in a noun, and is no place."""
    tags = tagger()(phrase)
    return bool(tags) and not is_place(phrase) and tags[-1][1][:1] in {"n", "x"}
