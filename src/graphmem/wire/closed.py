"""Closed models take no unknown field: they name it, and the nearest one that there is."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Final

from pydantic import BaseModel, ConfigDict, model_validator
from pydantic_core import PydanticCustomError

UNKNOWN_FIELD: Final = "unknown_field"
_MOST_SHOWN: Final = 64  # characters of a name that nobody vouches for


class ClosedModel(BaseModel):
    """A model of a request of contract 2: strict in its types and in its names."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _refuse_unknown(cls, values: object) -> object:
        if isinstance(values, dict):
            for name in values:
                if name not in cls.model_fields:
                    raise unknown_field(name, cls.model_fields)
        return values


def unknown_field(name: str, known: Iterable[str]) -> PydanticCustomError:
    """The error of a field, or a parameter, that does not exist."""
    return PydanticCustomError(
        UNKNOWN_FIELD,
        "unknown field; the nearest known one is {nearest}",
        {"name": printable(name), "nearest": nearest(name, known)},
    )


def nearest(name: str, known: Iterable[str]) -> str:
    """The known name that is most like this one."""
    return difflib.get_close_matches(name[:_MOST_SHOWN], sorted(known), n=1, cutoff=0.0)[0]


def printable(name: str) -> str:
    """A name short and plain enough to be repeated in an answer."""
    return ascii(name[:_MOST_SHOWN])[1:-1]
