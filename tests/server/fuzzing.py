"""Hooks of Schemathesis: mark what users say, and keep to what JSON Schema can't tell.

Loaded by the `schemathesis` program (SCHEMATHESIS_HOOKS) that test_fuzzed.py starts.
"""

from __future__ import annotations

from typing import Any

import schemathesis

from graphmem.domain.moment import Moment

MARK = "Zqpayload"
_TEXTS = ("content", "query", "text")
_LONGEST = 1000
_MOST_SOURCES = 100


def _marked(value: Any, name: str = "") -> Any:
    """The value with the mark in every text that a user says."""
    if isinstance(value, dict):
        return {key: _marked(inner, key) for key, inner in value.items()}
    if isinstance(value, list):
        return [_marked(inner, name) for inner in value]
    is_text = isinstance(value, str) and value.strip() and len(value) < _LONGEST
    return f"{value} {MARK}" if is_text and name in _TEXTS else value


def _ends_first(start: Any, end: Any) -> bool:
    """Whether these are times, in the wrong order; what is no time is left for the server."""
    try:
        return Moment.parse_iso(start).us > Moment.parse_iso(end).us
    except (TypeError, ValueError, OverflowError):
        return False


def _are_ids(value: Any) -> bool:
    """Whether a schema lets these through as ids of messages."""
    return (
        isinstance(value, list)
        and len(value) <= _MOST_SOURCES
        and all(isinstance(name, str) and name.strip() for name in value)
    )


def _without_limits_of_schemas(body: dict[str, Any]) -> dict[str, Any]:
    """What a schema allows and the contracts refuse: 100.0 as `top_k`, a window that ends first."""
    kept = dict(body)
    top_k = kept.get("top_k")
    if isinstance(top_k, float) and top_k.is_integer():
        kept["top_k"] = int(top_k)
    if _ends_first(kept.get("time_start"), kept.get("time_end")):
        del kept["time_start"]
    for item in kept["items"] if isinstance(kept.get("items"), list) else ():
        if isinstance(item, dict) and _are_ids(item.get("source_message_ids")):
            del item["source_message_ids"]  # must be messages that there are
    return kept


@schemathesis.hook
def before_call(context: Any, case: Any, kwargs: dict[str, Any]) -> None:
    """Change the case that is about to be sent."""
    if isinstance(case.body, dict):
        case.body = _marked(_without_limits_of_schemas(case.body))


@schemathesis.check
def no_payload_in_errors(context: Any, response: Any, case: Any) -> None:
    """An error never repeats what a user said."""
    if response.status_code >= 400 and MARK in response.text:
        raise AssertionError("an error repeats a payload")
