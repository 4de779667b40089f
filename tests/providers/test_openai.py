from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from graphmem.errors import (
    EmbeddingError,
    EmbeddingResponseError,
    EmbeddingUnavailableError,
)
from graphmem.providers.embedding.fake import FakeEmbedder
from graphmem.providers.embedding.openai import OpenAIEmbedder
from graphmem.providers.embedding.prefixes import Prefixes
from tests.providers.server import (
    DIMENSION,
    Answer,
    EmbeddingServer,
    Step,
    good,
    pack,
    rows_for,
    status,
)

FAVOURITE = "her secret favourite is 秘密"
BEARER = "sk-very-secret"


@pytest.fixture
def embedder(server: EmbeddingServer) -> Iterator[OpenAIEmbedder]:
    made = OpenAIEmbedder(server.base_url, model="m", api_key=BEARER, dimension=DIMENSION)
    yield made
    made.close()


def _body(value: object) -> Step:
    return lambda texts: Answer(body=json.dumps(value).encode())


def _row(*numbers: object) -> Step:
    return _body({"data": [{"index": 0, "embedding": list(numbers)}]})


def _shuffled(texts: list[str]) -> Answer:
    return pack(rows_for(texts), order=list(reversed(range(len(texts)))))


def test_vectors_arrive_normalised_in_the_order_of_the_texts(
    server: EmbeddingServer, embedder: OpenAIEmbedder
) -> None:
    texts = ["tea", "茶", "coffee"]
    server.script = [_shuffled]
    expected = FakeEmbedder(DIMENSION).embed_passages(texts)
    np.testing.assert_allclose(embedder.embed_passages(texts), expected, atol=1e-6)
    assert server.requests == [{"model": "m", "input": texts, "encoding_format": "float"}]
    assert server.keys == [f"Bearer {BEARER}"]


def test_prefixes_go_before_texts_and_an_empty_input_is_never_sent(server: EmbeddingServer) -> None:
    prefixes = Prefixes(query="query: ")
    embedder = OpenAIEmbedder(server.base_url, model="m", dimension=DIMENSION, prefixes=prefixes)
    embedder.embed_queries(["tea", ""])
    embedder.embed_passages(["tea", ""])
    inputs = [request["input"] for request in server.requests]
    assert inputs == [["query: tea", "query: "], ["tea", " "]]
    assert server.keys == [None, None]
    embedder.close()


def test_the_dimension_is_asked_for_once(server: EmbeddingServer) -> None:
    embedder = OpenAIEmbedder(server.base_url, model="m")
    server.script = [status(400), good]
    with pytest.raises(EmbeddingResponseError):
        _ = embedder.model
    assert embedder.model.dimension == DIMENSION
    assert embedder.embed_queries(["tea"]).shape == (1, DIMENSION)
    assert len(server.requests) == 3
    embedder.close()


def test_the_fingerprint_tells_servers_models_and_prefixes_apart() -> None:
    made = [
        OpenAIEmbedder("http://user:pass@a/v1", model="m", dimension=8),
        OpenAIEmbedder("http://b/v1", model="m", dimension=8),
        OpenAIEmbedder("http://b/v1", model="n", dimension=8),
        OpenAIEmbedder("http://b/v1", model="m", dimension=8, prefixes=Prefixes(query="q")),
    ]
    prints = [embedder.model.fingerprint for embedder in made]
    same = OpenAIEmbedder("http://b/v1/", model="m", dimension=8)
    assert len(set(prints)) == len(made)
    assert same.model.fingerprint == prints[1]
    assert not any("pass" in each for each in prints)
    for embedder in [*made, same]:
        embedder.close()


@pytest.mark.parametrize(
    "first",
    [status(500), status(429, Retry_After="0"), status(503, Retry_After="x")],
    ids=["500", "429", "503"],
)
def test_what_may_pass_is_tried_again(
    server: EmbeddingServer, embedder: OpenAIEmbedder, first: Step
) -> None:
    server.script = [first, good]
    assert embedder.embed_queries(["tea"]).shape == (1, DIMENSION)
    assert len(server.requests) == 2


RESPONSE_ERRORS: dict[str, Step] = {
    "401": status(401),
    "400": status(400),
    "redirect": status(307, Location="http://127.0.0.1:1/"),
    "no JSON": lambda texts: Answer(body=b"<html>" + texts[0].encode()),
    "no UTF-8": lambda texts: Answer(body=b"\xff\xfe\xfa"),
    "deep": lambda texts: Answer(body=b"[" * 200_000),
    "not compressed": lambda texts: Answer(body=b"x", headers={"Content-Encoding": "gzip"}),
    "list": _body([1]),
    "no data": _body({"error": FAVOURITE}),
    "null": _body({"data": None}),
    "fewer": _body({"data": []}),
    "more": lambda texts: pack(rows_for([*texts, "more"])),
    "no index": _body({"data": [{"embedding": [1.0] * DIMENSION}]}),
    "wrong dimension": lambda texts: pack(rows_for(texts, DIMENSION + 1)),
    "no components": _row(),
    "NaN": _row(float("nan"), *[1.0] * (DIMENSION - 1)),
    "infinity": _row(float("inf"), *[1.0] * (DIMENSION - 1)),
    "too large": _row(10**400, *[1] * (DIMENSION - 1)),
    "zeros": _row(*[0.0] * DIMENSION),
    "text": _row(*["1.0"] * DIMENSION),
    "nested": _row(*[[1.0]] * DIMENSION),
    "base64": _body({"data": [{"index": 0, "embedding": "AAAA"}]}),
}


def _check_refused(
    embedder: OpenAIEmbedder, kind: type[EmbeddingError], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with pytest.raises(kind) as caught:
        embedder.embed_passages([FAVOURITE])
    chain: BaseException | None = caught.value
    while chain is not None:
        assert "secret" not in f"{chain!r} {chain}"
        chain = chain.__cause__
    assert "secret" not in caplog.text
    assert "秘密" not in caplog.text


@pytest.mark.parametrize("name", RESPONSE_ERRORS)
def test_what_is_no_answer_is_refused_without_telling_text_or_key(
    server: EmbeddingServer,
    embedder: OpenAIEmbedder,
    caplog: pytest.LogCaptureFixture,
    name: str,
) -> None:
    server.script = [RESPONSE_ERRORS[name]]
    _check_refused(embedder, EmbeddingResponseError, caplog)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "step",
    [lambda texts: Answer(hangs=True), status(500), status(429, Retry_After="60")],
    ids=["hangs", "500", "429"],
)
def test_a_server_that_gives_nothing_in_time_is_unavailable(
    server: EmbeddingServer, caplog: pytest.LogCaptureFixture, step: Step
) -> None:
    embedder = OpenAIEmbedder(
        server.base_url, model="m", api_key=BEARER, dimension=DIMENSION, timeout_seconds=0.2
    )
    server.script = [step] * 4
    _check_refused(embedder, EmbeddingUnavailableError, caplog)
    embedder.close()


def test_a_server_that_is_not_there_is_unavailable(caplog: pytest.LogCaptureFixture) -> None:
    with EmbeddingServer() as gone:
        url = gone.base_url
    embedder = OpenAIEmbedder(
        url, model="m", api_key=BEARER, dimension=DIMENSION, timeout_seconds=0.2
    )
    _check_refused(embedder, EmbeddingUnavailableError, caplog)
    embedder.close()
    with pytest.raises(EmbeddingUnavailableError, match="closed"):
        embedder.embed_queries(["tea"])


def test_it_may_be_used_by_many_threads(server: EmbeddingServer, embedder: OpenAIEmbedder) -> None:
    wrong: list[str] = []

    def use(number: int) -> Callable[[], None]:
        def call() -> None:
            text = f"text {number}"
            expected = FakeEmbedder(DIMENSION).embed_queries([text])
            if not np.allclose(embedder.embed_queries([text]), expected, atol=1e-6):
                wrong.append(text)

        return call

    threads = [threading.Thread(target=use(number)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert len(server.requests) == 16
