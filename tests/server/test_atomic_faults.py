"""The twelve faults of the public server that contract 3 names: none of them is here."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from graphmem.config import DenseConfig, ServiceConfig
from graphmem.providers.embedding.fake import Failure, FakeEmbedder
from graphmem.providers.embedding.pool import EmbeddingPool
from graphmem.service.factory import build_parts
from graphmem.service.memory import MemoryService
from tests.server.atomic import Api, contents
from tests.server.live import Live, configure, running

NEEDLE = "I keep bees on the roof."
UNKNOWN = "a_" + 24 * "0"
BATCH = 100


@pytest.fixture
def api(server: Live, user: str) -> Api:
    return Api(server, {"user_id": user})


def flood(api: Api, turns: int, **scope: str) -> None:
    """Say what answers the needle's questions better than the needle, and is of another type."""
    for start in range(0, turns, BATCH):
        numbers = range(start, min(start + BATCH, turns))
        api.say(*(f"Yesterday I saw the bees, bees, bees on roof {n}." for n in numbers), **scope)


def test_1_a_search_heeds_its_time_window(api: Api) -> None:
    api.say("I love tea.", at="2026-01-01T00:00:00Z")
    api.say("I love tea and milk.", at="2026-03-01T00:00:00Z")
    within = {"time_start": "2026-02-01T00:00:00Z", "time_end": "2026-04-01T00:00:00Z"}
    assert contents(api.search("love tea", **within)) == ["I love tea and milk."]
    assert contents(api.search("love tea", time_end="2026-02-01T00:00:00Z")) == ["I love tea."]
    assert api.search("love tea", time_start="2026-04-01T00:00:00Z") == []


def test_2_an_update_touches_the_atom_that_it_names_or_none(api: Api, user: str) -> None:
    (mine,), other = api.make("drinks tea"), replace(api, scope={"user_id": f"{user}-other"})
    (theirs,) = other.make("drinks milk")
    for atom_id in (UNKNOWN, theirs["id"], "no id", mine["id"].upper()):
        assert api.refused("atomic/update", id=atom_id, content="drinks poison")[0] == 404
    assert contents(api.listed()) == ["drinks tea"]
    assert contents(other.listed()) == ["drinks milk"]
    assert api.ok("atomic/delete", ids=[theirs["id"]]) == {"deleted_count": 0}
    assert contents(other.listed()) == ["drinks milk"]


def test_3_the_same_fact_in_two_sessions_is_one_atom_with_two_sources(api: Api) -> None:
    first = api.say("I love tea.", at="2026-01-01T00:00:00Z", session_id="a")
    second = api.say("I love  tea!", at="2026-02-01T00:00:00Z", session_id="b")
    (atom,) = api.listed()
    assert atom["source_message_ids"] == [*first, *second]
    assert atom["updated_at"] == "2026-01-01T00:00:00Z"
    assert len(api.search("tea", limit=10)) == 1


@pytest.mark.parametrize("turns", [1000, pytest.param(20_000, marks=pytest.mark.slow)])
def test_4_no_number_of_others_messages_hides_the_only_match(
    api: Api, user: str, turns: int
) -> None:
    other = replace(api, scope={"user_id": f"{user}-other"})
    api.say(NEEDLE, session_id="mine")
    flood(api, turns, session_id="another")
    flood(other, BATCH)
    (found,) = api.search("bees on the roof", limit=1, session_id="mine")
    assert found["content"] == NEEDLE
    (message,) = api.ok("conversation/search", query="bees", limit=1, session_id="mine")["messages"]
    assert message["content"] == NEEDLE
    other.say(NEEDLE, session_id="mine")
    assert contents(other.search("bees on the roof", limit=1, session_id="mine")) == [NEEDLE]


@pytest.mark.parametrize("turns", [1000, pytest.param(20_000, marks=pytest.mark.slow)])
def test_5_no_number_of_other_types_hides_the_only_match(api: Api, turns: int) -> None:
    api.say(NEEDLE, at="2026-01-01T00:00:00Z")
    flood(api, turns)
    (first,) = api.search("bees on the roof", limit=1)
    assert first["type"] == "episodic"
    (found,) = api.search("bees on the roof", limit=1, type="persona")
    assert (found["type"], found["content"]) == ("persona", NEEDLE)
    (old,) = api.search("bees on the roof", limit=1, time_end="2026-01-01T00:00:00Z")
    assert old["content"] == NEEDLE


def open_with(model: FakeEmbedder, config: ServiceConfig) -> MemoryService:
    parts = build_parts(replace(config, dense_retrieval=False), read_only=False)
    pool = EmbeddingPool(lambda: model, fingerprint=model.model.fingerprint)
    service = MemoryService(replace(parts, embeddings=pool), config)
    service.start()
    return service


def hasty(directory: Path) -> ServiceConfig:
    return replace(configure(directory, dense=True), dense=DenseConfig(in_call_seconds=0.1))


def test_6_what_came_while_the_model_was_down_is_caught_up(tmp_path: Path) -> None:
    model = FakeEmbedder(fail=Failure.DOWN)
    with running(hasty(tmp_path), lambda *, config: open_with(model, config)) as live:
        api = Api(live, {"user_id": "u"})
        api.say(NEEDLE)
        assert contents(api.search("bees")) == contents(api.messages()) == [NEEDLE]
        assert live.service.status("default", "u").embedded_turns == 0
        model.recover()
        assert live.service.catch_up(60)
        assert live.service.status("default", "u").embedded_turns == 1
        assert live.service.status("default", "u").state == "ready"
        assert contents(api.search("bees")) == [NEEDLE]


def test_7_a_session_id_is_shared_by_tenants_without_any_loss(server: Live, user: str) -> None:
    tenants = [
        Api(server, {"user_id": user, "session_id": "s"}, {"x-tdai-service-id": tenant})
        for tenant in ("acme", "beta")
    ]
    for number in range(3):
        for api, drink in zip(tenants, ("tea", "milk"), strict=True):
            api.say(f"I love {drink} of kind {number}.", request_id=f"r-{number}")
    for api, drink in zip(tenants, ("tea", "milk"), strict=True):
        expected = {f"I love {drink} of kind {number}." for number in range(3)}
        assert set(contents(api.messages())) == set(contents(api.listed())) == expected


def test_8_a_search_shows_an_update_at_once(api: Api) -> None:
    api.say("I love tea.", at="2026-01-01T00:00:00Z")
    (before,) = api.search("tea")
    changed = api.ok("atomic/update", id=before["id"], content="I love green tea.")
    (after,) = api.search("tea")
    assert after["updated_at"] == changed["updated_at"] > before["updated_at"]
    assert (after["content"], after["version"]) == ("I love green tea.", 2)
    assert after["created_at"] == before["created_at"]
    assert api.search("tea", time_end="2026-01-02T00:00:00Z") == []
    assert len(api.search("tea", time_start=changed["updated_at"])) == 1


def test_9_offsets_are_read_and_unknown_types_refused(api: Api) -> None:
    api.say("I love tea.", at="2026-05-22T14:30:00+08:00")
    same = {"time_start": "2026-05-22T14:30:00+08:00", "time_end": "2026-05-22T06:30:00"}
    assert len(api.search("tea", **same)) == 1
    assert api.search("tea", time_start="2026-05-22T14:30:00-08:00") == []
    for call in ("search", "query", "count"):
        assert api.refused(f"atomic/{call}", query="tea", type="preference")[0] == 400


def test_10_what_waited_at_a_crash_is_finished_by_the_next_start_alone(tmp_path: Path) -> None:
    model = FakeEmbedder(fail=Failure.DOWN)
    with running(hasty(tmp_path), lambda *, config: open_with(model, config)) as live:
        Api(live, {"user_id": "u"}).say(NEEDLE)
    well = FakeEmbedder()
    with running(hasty(tmp_path), lambda *, config: open_with(well, config)) as live:
        assert live.service.catch_up(60)
        assert live.service.status("default", "u").embedded_turns == 1
        assert contents(Api(live, {"user_id": "u"}).search("bees")) == [NEEDLE]


def test_11_every_answer_has_a_trace_id(api: Api) -> None:
    seen = set()
    for call in ("atomic/query", "atomic/nowhere", "atomic/search", "conversation/count"):
        reply = api.send(call)  # held against the envelope, and its header
        seen.add(reply.headers["x-trace-id"])
    assert len(seen) == 4


def test_12_a_deleted_message_takes_what_was_made_of_it_along(api: Api) -> None:
    (first,) = api.say("I love tea. I play chess.", at="2026-01-01T00:00:00Z", session_id="a")
    (second,) = api.say("I love tea.", at="2026-02-01T00:00:00Z", session_id="b")
    api.ok("conversation/delete", message_ids=[first])
    (left,) = api.listed()
    assert (left["content"], left["source_message_ids"]) == ("I love tea.", [second])
    assert left["created_at"] == left["updated_at"] == "2026-02-01T00:00:00Z"
    api.ok("conversation/delete", session_ids=["b"])
    assert api.listed() == api.search("tea chess", limit=100) == []
    assert api.ok("atomic/count") == {"total": 0}
