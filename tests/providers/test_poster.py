from __future__ import annotations

import threading

import httpx2
import pytest

from graphmem.errors import (
    ConfigError,
    EmbeddingResponseError,
    EmbeddingUnavailableError,
)
from graphmem.providers.poster import (
    CHAT,
    EMBEDDING,
    FOREIGN,
    Kind,
    Poster,
    translate,
    translate_status,
)


def _poster(
    *answers: httpx2.Response | Exception, timeout_seconds: float = 60.0
) -> tuple[Poster, list[float]]:
    script = list(answers)
    pauses: list[float] = []

    def respond(request: httpx2.Request) -> httpx2.Response:
        answer = script.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    poster = Poster(
        "http://model.example/v1/embeddings",
        kind=EMBEDDING,
        api_key=None,
        timeout_seconds=timeout_seconds,
        transport=httpx2.MockTransport(respond),
        pause=pauses.append,
    )
    return poster, pauses


FOREIGN_ERRORS = [
    kind
    for kind in (getattr(httpx2, name) for name in httpx2.__all__)
    if isinstance(kind, type) and issubclass(kind, Exception)
]


@pytest.mark.parametrize("server", [EMBEDDING, CHAT], ids=lambda kind: kind.settings)
@pytest.mark.parametrize("kind", FOREIGN_ERRORS, ids=lambda kind: kind.__name__)
def test_every_error_of_the_client_is_translated(kind: type[Exception], server: Kind) -> None:
    assert issubclass(kind, FOREIGN)
    error = translate(kind.__new__(kind), "model.example", server)
    passes = issubclass(kind, httpx2.TransportError | RuntimeError)
    assert type(error) is (server.unavailable if passes else server.response)
    assert "model.example" in str(error)


@pytest.mark.parametrize("server", [EMBEDDING, CHAT], ids=lambda kind: kind.settings)
@pytest.mark.parametrize("status", [201, 204, 302, *range(400, 600)])
def test_every_status_is_translated(status: int, server: Kind) -> None:
    passes = status >= 500 or status in {408, 425, 429}
    error = translate_status(status, "model.example", server)
    assert type(error) is (server.unavailable if passes else server.response)
    assert getattr(error, "status", None) == (None if passes else status)


def test_pauses_grow_until_the_tries_are_used_up() -> None:
    poster, pauses = _poster(
        httpx2.Response(503),
        httpx2.ConnectError("down"),
        httpx2.Response(500),
        httpx2.Response(500),
    )
    with pytest.raises(EmbeddingUnavailableError, match="HTTP 500"):
        poster.post({})
    assert pauses == [0.25, 0.5, 1.0]
    poster.close()


def test_the_server_may_ask_for_a_longer_pause() -> None:
    poster, pauses = _poster(
        httpx2.Response(429, headers={"Retry-After": "7"}),
        httpx2.Response(429, headers={"Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"}),
        httpx2.Response(200, content=b"{}"),
    )
    assert poster.post({}) == b"{}"
    assert pauses == [7.0, 0.5]
    poster.close()


def test_a_date_to_come_back_at_counts_from_the_servers_own_clock() -> None:
    dates = {
        "Retry-After": "Wed, 21 Oct 2026 07:28:09 GMT",
        "Date": "Wed, 21 Oct 2026 07:28:00 GMT",
    }
    late = {"Retry-After": "Wed, 21 Oct 2026 07:27:00 GMT", "Date": "Wed, 21 Oct 2026 07:28:00"}
    poster, pauses = _poster(
        httpx2.Response(503, headers=dates),
        httpx2.Response(503, headers=late),
        httpx2.Response(200, content=b"{}"),
    )
    assert poster.post({}) == b"{}"
    assert pauses == [9.0, 0.5]
    poster.close()


def test_a_call_may_be_given_less_time_than_all_others() -> None:
    poster, pauses = _poster(httpx2.Response(503), httpx2.Response(503))
    with pytest.raises(EmbeddingUnavailableError):
        poster.post({}, seconds=0.1)
    assert pauses == []
    poster.close()


def test_a_pause_beyond_the_time_limit_is_not_waited_for() -> None:
    poster, pauses = _poster(
        httpx2.Response(429, headers={"Retry-After": "61"}), timeout_seconds=60.0
    )
    with pytest.raises(EmbeddingUnavailableError, match="HTTP 429"):
        poster.post({})
    assert pauses == []
    poster.close()


def test_a_refusal_is_not_repeated() -> None:
    poster, pauses = _poster(httpx2.Response(400))
    with pytest.raises(EmbeddingResponseError):
        poster.post({})
    assert pauses == []
    poster.close()


def test_closing_ends_the_pause() -> None:
    asked = threading.Event()

    def respond(request: httpx2.Request) -> httpx2.Response:
        asked.set()
        return httpx2.Response(429, headers={"Retry-After": "3000"})

    poster = Poster(
        "http://model.example/v1/embeddings",
        kind=EMBEDDING,
        api_key=None,
        timeout_seconds=3600.0,
        transport=httpx2.MockTransport(respond),
    )
    failed = threading.Event()

    def post() -> None:
        with pytest.raises(EmbeddingUnavailableError):
            poster.post({})
        failed.set()

    thread = threading.Thread(target=post)
    thread.start()
    assert asked.wait(20)
    poster.close()
    thread.join(20)
    assert failed.is_set()


@pytest.mark.parametrize("url", ["", "model.example/v1", "ftp://model.example", "http://"])
def test_what_is_no_url_is_a_wrong_setting(url: str) -> None:
    with pytest.raises(ConfigError, match="base_url"):
        Poster(url, kind=EMBEDDING, api_key=None, timeout_seconds=1.0)


@pytest.mark.parametrize("key", ["sk-1\nX: y", "钥匙"])
def test_a_key_that_fits_no_header_is_a_wrong_setting(key: str) -> None:
    with pytest.raises(ConfigError, match="api_key") as caught:
        Poster("http://model.example", kind=EMBEDDING, api_key=key, timeout_seconds=1.0)
    assert key not in str(caught.value)


def test_an_answer_that_drips_beyond_the_time_limit_is_given_up() -> None:
    poster, pauses = _poster(httpx2.Response(200, content=iter([b"{"])), timeout_seconds=0.0)
    with pytest.raises(EmbeddingUnavailableError, match="did not finish"):
        poster.post({})
    assert pauses == []
    poster.close()


def test_an_answer_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphmem.providers.poster.MAX_ANSWER_BYTES", 8)
    poster, _ = _poster(httpx2.Response(200, content=b"0123456789"))
    with pytest.raises(EmbeddingResponseError, match="more than"):
        poster.post({})
    poster.close()
