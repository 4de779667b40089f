"""What is said of a wrong field names what to send; none of the library's own texts comes through."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, strategies as st
from pydantic import BaseModel

from graphmem.wire.addsearch import AddRequest, SearchRequest
from graphmem.wire.atomic import (
    AtomicCreate,
    AtomicDelete,
    AtomicFilter,
    AtomicHistory,
    AtomicUpdate,
)
from graphmem.wire.body import InvalidBodyError, check_body
from graphmem.wire.conversation import ConversationAdd, ConversationDelete, ConversationFilter
from graphmem.wire.forgetting import DeleteRequest, PurgeRequest
from graphmem.wire.keys import MakeKeyRequest, RevokeKeyRequest
from graphmem.wire.product import ProductAdd, ProductPrepare, ProductRebuild, ProductRetrieve

_FOREIGN = re.compile(
    r"\b(?:Input|List|String|Value|Dictionary|Object|Field|Tuple)\b|pydantic|items? "
)
MODELS: list[type[BaseModel]] = [
    AddRequest, SearchRequest, AtomicCreate, AtomicDelete, AtomicFilter, AtomicHistory, AtomicUpdate,
    ConversationAdd, ConversationDelete, ConversationFilter, DeleteRequest, PurgeRequest,
    MakeKeyRequest, RevokeKeyRequest, ProductAdd, ProductPrepare, ProductRebuild, ProductRetrieve,
]  # fmt: skip

atoms = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(["", " ", "x", "user"])
)
_NAMES = [
    "role",
    "content",
    "speaker",
    "timestamp",
    "memory_id",
    "other",
    "type",
    "text",
    "tenants",
]
values = st.recursive(
    atoms,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(_NAMES), inner),
    max_leaves=8,
)


@given(st.data())
@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_every_reason_is_plain(model: type[BaseModel], data: st.DataObject) -> None:
    names = st.sampled_from(sorted(model.model_fields))
    body = data.draw(st.dictionaries(names, values) | values)
    try:
        check_body(body, model)
    except InvalidBodyError as error:
        said = [problem.reason for problem in error.problems]
        assert [reason for reason in said if _FOREIGN.search(reason)] == []


def said_of(**changes: object) -> list[tuple[str, str]]:
    good = {"request_id": "r", "memory_id": "m", "session_id": "s"}
    with pytest.raises(InvalidBodyError) as caught:
        check_body(good | changes, ProductAdd)
    return [(problem.field, problem.reason) for problem in caught.value.problems]


MESSAGE = {"role": "user", "content": "hello"}


@pytest.mark.parametrize(
    ("messages", "field", "reason"),
    [
        ("hello", "messages", "must be a JSON array, not a string"),
        ([], "messages", "must not be empty"),
        ([MESSAGE] * 257, "messages", "must hold at most 256; split it into several requests"),
        (["hello"], "messages.0", "must be a JSON object, not a string"),
        ([MESSAGE, {"role": "user"}], "messages.1.content", "is required"),
        (
            [MESSAGE | {"role": "bot"}],
            "messages.0.role",
            "must be 'user', 'assistant', 'system' or 'tool'",
        ),
        (
            [MESSAGE | {"content": "h" * 2**20}, MESSAGE],
            "messages",
            "must hold at most 1,048,576 bytes of text; split the batch",
        ),
    ],
)
def test_what_is_wrong_with_messages(messages: object, field: str, reason: str) -> None:
    assert said_of(messages=messages) == [(field, reason)]
