"""What a call returns: the envelope of the answer as a dictionary, with its data within reach."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from typing_extensions import override

from graphmem.client.errors import AnswerError
from graphmem.client.values import Row

_T = TypeVar("_T")


class Result(dict[str, Any]):
    """An answer. `result["data"]["total"]` and `result["total"]` are the same.

    The keys are those of the envelope: `code`, `message`, `request_id`, `data`, `trace_id`; `data`
    is there even if the server left it out or sent null. A key that the envelope lacks is looked up
    in `data`, by `[...]`, `get` and `in`. Everything is plain JSON, so `json.dumps(result)` works.
    Its repr shows no text of yours.
    """

    def __missing__(self, key: str) -> Any:
        return self["data"][key]

    @override
    def __contains__(self, key: object) -> bool:
        return super().__contains__(key) or key in self["data"]

    @override
    def get(self, key: str, default: Any = None) -> Any:
        try:
            return self[key]
        except KeyError:
            return default

    @override
    def __repr__(self) -> str:
        fields = ", ".join(map(repr, self["data"]))
        return f"<{type(self).__name__} of {fields or 'nothing'}, trace_id={self['trace_id']!r}>"


class ListResult(Result, Generic[_T]):
    """An answer with a list: `items` of atoms, `messages` of conversations."""

    _rows: list[dict[str, object]]
    _read: Callable[[Row], _T]

    @classmethod
    def of(
        cls, envelope: Mapping[str, Any], name: str, read: Callable[[Row], _T]
    ) -> ListResult[_T]:
        """Make one.

        Args:
            envelope: the answer; its data is a dictionary.
            name: where in it the list is; a missing one is empty.
            read: makes the typed value of one of its dictionaries.

        Raises:
            AnswerError: what is there is no list of objects.
        """
        data = dict(envelope["data"])
        rows = [] if data.get(name) is None else data[name]
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise AnswerError(
                f"{name}: the answer holds something else than a list of objects",
                request_id=envelope["request_id"],
                trace_id=envelope["trace_id"],
            )
        result: ListResult[_T] = cls({**envelope, "data": {**data, name: rows}})
        result._rows = rows
        result._read = read
        return result

    @property
    def items_typed(self) -> tuple[_T, ...]:
        """The list as frozen values, in the same order.

        Raises:
            AnswerError: an item lacks a field of the contract, or has one of another type.
        """
        return tuple(self._read(Row(row)) for row in self._rows)
