"""The calls of the contract: their paths, and how far the scope of the client goes in each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call.

    Attributes:
        path: below the version.
        is_write: whether it carries a request id, by which the server knows a retry.
        is_by_id: whether it names what it is about. Then the session and the task of the client stay
            out: a `session_id` beside the ids of a deletion would delete the whole session.
    """

    path: str
    is_write: bool = False
    is_by_id: bool = False


SEARCH_ATOMIC: Final = Call(path="atomic/search")
QUERY_ATOMIC: Final = Call(path="atomic/query")
COUNT_ATOMIC: Final = Call(path="atomic/count")
HISTORY_ATOMIC: Final = Call(path="atomic/history", is_by_id=True)
CREATE_ATOMIC: Final = Call(path="atomic/create", is_write=True)
UPDATE_ATOMIC: Final = Call(path="atomic/update", is_write=True, is_by_id=True)
DELETE_ATOMIC: Final = Call(path="atomic/delete", is_write=True, is_by_id=True)

ADD_CONVERSATION: Final = Call(path="conversation/add", is_write=True)
QUERY_CONVERSATION: Final = Call(path="conversation/query")
SEARCH_CONVERSATION: Final = Call(path="conversation/search")
COUNT_CONVERSATION: Final = Call(path="conversation/count")
DELETE_CONVERSATION: Final = Call(path="conversation/delete", is_write=True, is_by_id=True)
