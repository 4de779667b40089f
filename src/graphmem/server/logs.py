"""The server's log: a line a record, as JSON or text, and nothing in it that somebody said.

Exceptions are told by type and frames, since their texts may quote a payload. So may the messages
of other libraries (asyncio's hold the repr of what failed); of these, only where they come from.
"""

from __future__ import annotations

import json
import logging
import sys
import time
import traceback
from typing import Final

from typing_extensions import override

FIELDS: Final = "graphmem_fields"
_OURS: Final = ("graphmem", "uvicorn")
_LEFT_OUT: Final = "a message of another library is left out: it may hold what somebody said"


def configure_logging(form: str, level: str) -> None:
    """Write this process's log to stderr.

    Args:
        form: `json`, an object a line, or `text`.
        level: the least of graphmem's own; other libraries' are shown from warnings on.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if form == "json" else TextFormatter())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("graphmem").setLevel(level.upper())


class JsonFormatter(logging.Formatter):
    """One JSON object a record."""

    @override
    def format(self, record: logging.LogRecord) -> str:
        values = {
            "time": _moment(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _message(record),
            **_fields(record),
        }
        return json.dumps(values, ensure_ascii=False)


class TextFormatter(logging.Formatter):
    """Time, level, message, then the fields as `name=value`."""

    @override
    def format(self, record: logging.LogRecord) -> str:
        head = f"{_moment(record)} {record.levelname} {_message(record)}"
        return " ".join([head, *(f"{name}={value}" for name, value in _fields(record).items())])


def _moment(record: logging.LogRecord) -> str:
    seconds = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
    return f"{seconds}.{int(record.msecs):03d}Z"


def _message(record: logging.LogRecord) -> str:
    if record.name.partition(".")[0] in _OURS:
        return record.getMessage()
    return f"{record.name}:{record.lineno}: {_LEFT_OUT}"


def _fields(record: logging.LogRecord) -> dict[str, object]:
    fields = {k: v for k, v in getattr(record, FIELDS, {}).items() if v is not None}
    if record.exc_info and record.exc_info[0] is not None:
        kind, _, trace = record.exc_info
        fields["error"] = f"{kind.__module__}.{kind.__qualname__}"
        fields["frames"] = "".join(traceback.format_tb(trace))
    return fields
