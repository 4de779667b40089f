"""Arrays of text and image parts as content and query, where the option is on."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from graphmem.config import AddSearchConfig
from tests.server.live import JsonObject, Live, a_search, an_add, configure, running

TEXT = {"type": "text", "text": "hello there"}
IMAGE: JsonObject = {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}
BLANK = {"type": "text", "text": " "}
BAD_PARTS: list[tuple[object, str]] = [
    ([], "content"),
    ([IMAGE], "content"),
    ([BLANK], "content"),
    ([1], "content"),
    ([TEXT, {"type": "audio"}], "content"),
    ([TEXT, {"text": "x"}], "content"),
    ([TEXT, {"type": ["text"]}], "content"),
    ([{"type": "text"}], "content.0.text"),
    ([TEXT, {"type": "text", "text": 1}], "content.1.text"),
    ([TEXT, {"type": "image_url"}], "content.1.image_url"),
    ([TEXT, {"type": "image_url", "image_url": "u"}], "content.1.image_url"),
    ([TEXT, {"type": "image_url", "image_url": {"url": ""}}], "content.1.image_url.url"),
    (TEXT, "content"),
    (" ", "content"),
]


@pytest.fixture(scope="module")
def multimodal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    config = AddSearchConfig(content_parts=True)
    with running(configure(tmp_path_factory.mktemp("parts"), addsearch=config)) as live:
        yield live


def add(live: Live, user: str, content: object) -> int:
    return live.post("/add", an_add(user, messages=[{"role": "user", "content": content}])).status


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        ("hello there", "hello there"),
        ([TEXT], "hello there"),
        ([IMAGE, TEXT, BLANK, {"type": "text", "text": "你好\ud800"}], "hello there\n你好\ufffd"),
    ],
    ids=["text", "one part", "many parts"],
)
def test_the_texts_are_indexed(multimodal: Live, user: str, content: object, shown: str) -> None:
    assert add(multimodal, user, content) == 200
    assert multimodal.search(user, "hello").contents() == [f"user: {shown}"]


@pytest.mark.parametrize(("content", "field"), BAD_PARTS, ids=str)
def test_bad_parts_are_422_at_their_field(
    multimodal: Live, user: str, content: object, field: str
) -> None:
    body = an_add(user, messages=[{"role": "user", "content": content}])
    reply = multimodal.post("/add", body)
    assert reply.status == 422
    assert reply.problems()[0][0].startswith(f"messages.0.{field}")
    assert multimodal.search(user, "hello").hits() == []


def test_a_query_may_be_parts(multimodal: Live, user: str) -> None:
    add(multimodal, user, "hello there")
    whole = multimodal.search(user, "hello")
    parts = [IMAGE, {"type": "text", "text": "hello"}]
    assert multimodal.post("/search", a_search(user_id=user, query=parts)).body == whole.body


@pytest.mark.parametrize(
    "query",
    [[IMAGE], [], [{"type": "text", "text": "x" * 200_001}]],
    ids=["image", "empty", "long"],
)
def test_a_query_needs_a_text(multimodal: Live, query: object) -> None:
    reply = multimodal.post("/search", a_search(query=query))
    assert (reply.status, reply.problems()[0][0]) == (422, "query")


def test_the_parts_are_kept_and_unknown_members_are_not() -> None:
    from graphmem.wire.addsearch import AddPartsRequest

    said = an_add(messages=[{"role": "user", "content": [TEXT | {"extra": 1}, IMAGE]}])
    (message,) = AddPartsRequest.model_validate(said).to_domain()
    assert message.parts is not None
    assert json.loads(message.parts) == [TEXT, IMAGE]


def test_the_description_shows_arrays_only_where_they_are_taken(
    server: Live, multimodal: Live
) -> None:
    shown = [live.call("GET", "/openapi.json").body for live in (server, multimodal)]
    assert [b"image_url" in text for text in shown] == [False, True]
