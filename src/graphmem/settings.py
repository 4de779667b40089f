"""A group of settings is a frozen dataclass whose annotations say which values its fields take.

`int`, `float`, `str`, `bool`, `Path` and other groups speak for themselves; `Annotated[int,
whole(0, 65_535)]` says more. From the same annotations a group is read from JSON, is checked
when somebody builds it by hand, and is written into the documentation.
"""

from __future__ import annotations

import difflib
import inspect
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar, get_type_hints

from graphmem.errors import ConfigError, join_names

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

G = TypeVar("G", bound="DataclassInstance")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """Which values a field takes.

    Attributes:
        wanted: what it must be, to follow on "must be".
        accepts: whether a value is such a one.
        read: makes it from what JSON gives, where that is not the same.
    """

    wanted: str
    accepts: Callable[[Any], bool]
    read: Callable[[Any], Any] = lambda value: value


def whole(least: int, most: int | None = None) -> Rule:
    """A whole number within bounds."""
    upper = f" to {most:,}" if most is not None else " up"
    return Rule(
        wanted=f"a whole number from {least:,}{upper}",
        accepts=lambda value: (
            _is_whole(value) and least <= value and (most is None or value <= most)
        ),
    )


def number(least: float, most: float = math.inf, *, what: str = "a number") -> Rule:
    """A finite number within bounds."""
    upper = f" to {most:g}" if math.isfinite(most) else " up"
    return Rule(
        wanted=f"{what} from {least:g}{upper}",
        accepts=lambda value: _is_number(value) and least <= value <= most,
        read=lambda value: float(value) if _is_whole(value) else value,
    )


def one_of(*words: str) -> Rule:
    """One of a few words."""
    return Rule(wanted=join_names(words), accepts=lambda value: value in words)


def optional(rule: Rule) -> Rule:
    """What a rule takes, or nothing."""
    return Rule(
        wanted=f"{rule.wanted}, or null",
        accepts=lambda value: value is None or rule.accepts(value),
        read=lambda value: None if value is None else rule.read(value),
    )


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    return (_is_whole(value) or isinstance(value, float)) and math.isfinite(value)  # type: ignore[arg-type]


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_objects(value: object) -> bool:
    return isinstance(value, Mapping) and all(
        isinstance(name, str) and isinstance(inner, Mapping) for name, inner in value.items()
    )


FLAG: Final = Rule(wanted="true or false", accepts=lambda value: isinstance(value, bool))
TEXT: Final = Rule(wanted="a string", accepts=_is_text)
NON_BLANK: Final = Rule(
    wanted="a non-blank string", accepts=lambda value: _is_text(value) and bool(value.strip())
)
PATH: Final = Rule(
    wanted="a non-blank path",
    accepts=lambda value: isinstance(value, Path),
    read=lambda value: Path(value) if _is_text(value) and value.strip() else value,
)
SECRET: Final = Rule(
    wanted="a string, or None", accepts=lambda value: value is None or _is_text(value)
)
OBJECTS: Final = Rule(wanted="an object of objects", accepts=_is_objects)
NUMBERS: Final = Rule(
    wanted="a list of numbers from 0 up",
    accepts=lambda value: (
        isinstance(value, tuple) and all(_is_number(item) and item >= 0 for item in value)
    ),
    read=lambda value: tuple(value) if isinstance(value, list) else value,
)
_PLAIN: Final[Mapping[object, Rule]] = {
    bool: FLAG,
    int: whole(0),
    float: number(0),
    str: TEXT,
    Path: PATH,
    tuple[float, ...]: NUMBERS,
}


@cache
def rules(group: type[DataclassInstance]) -> Mapping[str, Rule | type[DataclassInstance]]:
    """What each field of a group takes: a rule, or a group of its own."""
    hints = get_type_hints(group, include_extras=True)
    return {field.name: _rule_of(hints[field.name]) for field in fields(group)}


def _rule_of(hint: Any) -> Rule | type[DataclassInstance]:
    stated = [rule for rule in getattr(hint, "__metadata__", ()) if isinstance(rule, Rule)]
    if stated:
        return stated[0]
    return hint if isinstance(hint, type) and is_dataclass(hint) else _PLAIN[hint]


def check(group: DataclassInstance, prefix: str = "") -> None:
    """Check each value of a group, however it was made; groups in it have checked themselves.

    Raises:
        ConfigError: a value is wrong; the error names its dotted path.
    """
    for name, rule in rules(type(group)).items():
        value = getattr(group, name)
        is_right = rule.accepts(value) if isinstance(rule, Rule) else isinstance(value, rule)
        if not is_right:
            wanted = rule.wanted if isinstance(rule, Rule) else f"a {rule.__name__}"
            raise ConfigError(f"{prefix}{name}", f"must be {wanted}")


def build(group: type[G], values: object, prefix: str = "") -> G:
    """Make a group from a JSON object; what it does not state keeps its default.

    Raises:
        ConfigError: a field is unknown or a value is wrong; the error names its dotted path.
    """
    return group(**_read(group, values, prefix))


def override(group: G, values: object, prefix: str) -> G:
    """The group with the values that a JSON object states; checked as `check` does.

    Raises:
        ConfigError: a field is unknown or a value is wrong; the error names its dotted path.
    """
    changed = replace(group, **_read(type(group), values, prefix))
    check(changed, prefix)
    return changed


def _read(group: type[DataclassInstance], values: object, prefix: str) -> dict[str, Any]:
    if not isinstance(values, Mapping):
        raise ConfigError(prefix.rstrip("."), "must be an object")
    known = rules(group)
    read: dict[str, Any] = {}
    for name, value in values.items():
        rule = known.get(name)
        if rule is None or rule is SECRET:
            open_names = [field for field, taken in known.items() if taken is not SECRET]
            raise unknown(f"{prefix}{name}", name, open_names)
        if isinstance(rule, Rule):
            read[name] = rule.read(value)
        else:
            read[name] = build(rule, value, f"{prefix}{name}.")
    return read


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """One field for a reader.

    Attributes:
        path: its dotted path.
        default: as JSON writes it.
        wanted: what it must be.
        meaning: what its group's docstring says about it.
    """

    path: str
    default: str
    wanted: str
    meaning: str


def plain(group: DataclassInstance) -> dict[str, object]:
    """All values but secrets, as JSON-ready values in the order of the fields."""
    values: dict[str, object] = {}
    for name, rule in rules(type(group)).items():
        value = getattr(group, name)
        if not isinstance(rule, Rule):
            values[name] = plain(value)
        elif rule is not SECRET:
            values[name] = _plain_value(value)
    return values


def describe(group: DataclassInstance, prefix: str = "") -> Iterator[Described]:
    """Every field but secrets, those of groups in it by their dotted paths."""
    meanings = _meanings(type(group))
    for name, rule in rules(type(group)).items():
        value = getattr(group, name)
        if not isinstance(rule, Rule):
            yield from describe(value, f"{prefix}{name}.")
        elif rule is not SECRET:
            yield Described(
                path=f"{prefix}{name}",
                default=json.dumps(_plain_value(value)),
                wanted=rule.wanted,
                meaning=meanings[name],
            )


def _plain_value(value: object) -> object:
    if isinstance(value, Path):
        return value.as_posix()
    return dict(value) if isinstance(value, Mapping) else value


def _meanings(group: type[DataclassInstance]) -> dict[str, str]:
    """What the part `Attributes:` of the docstring says, by field."""
    lines = inspect.getdoc(group) or ""
    listed = lines.partition("Attributes:\n")[2].partition("\n\n")[0]
    entries = re.findall(r"^    (\w+): (.*(?:\n     +.*)*)", listed, re.MULTILINE)
    return {name: " ".join(text.split()) for name, text in entries}


def unknown(path: str, name: str, known: Iterable[str]) -> ConfigError:
    """The error about a name that is none, with the nearest that is one."""
    near = difflib.get_close_matches(str(name), list(known), n=1, cutoff=0.0)[0]
    return ConfigError(path, f"unknown field; the nearest known one is {near!r}")
