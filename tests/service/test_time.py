"""Times in retrieval: windows, what was known when, and what the question's dates mean."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from graphmem import MemoryService, Message
from graphmem.domain.moment import Moment
from graphmem.errors import InvalidInputError
from graphmem.readout.render import render_hit
from graphmem.stores.memory.store import MemoryStore
from tests.service.conftest import make_service, make_store

TOLD = "2023-05-08T13:56:00Z"


def _say(content: str, timestamp: str | None = TOLD, speaker: str | None = None) -> Message:
    return Message(role="user", content=content, timestamp=timestamp, speaker=speaker)


def _found(service: MemoryService, query: str = "zebra", **filters: str) -> list[str]:
    hits = service.retrieve("t", "m", query, limit=100, **filters).hits  # type: ignore[arg-type]
    return sorted(hit.content for hit in hits)


def test_evidence_is_rendered_with_its_dates(service: MemoryService) -> None:
    service.add("t", "m", "s", [_say("Caroline: I saw a zebra last Tuesday.")])
    (hit,) = service.retrieve("t", "m", "zebra").hits
    assert (
        render_hit(hit) == "[2023-05-08 13:56] Caroline: I saw a zebra last Tuesday (2023-05-02)."
    )
    assert hit.to_dict()["dates"] == [{"text": "last Tuesday", "value": "2023-05-02"}]
    assert hit.to_dict()["text"] == hit.text == "I saw a zebra last Tuesday (2023-05-02)."


def test_what_just_happened_is_about_the_week_to_its_message(service: MemoryService) -> None:
    service.add("t", "m", "s", [_say("Caroline: I just got back from the zebra.")])
    assert not _found(service, time_start="2023-05-01", time_end="2023-05-01T23:59:59Z")
    assert _found(service, time_start="2023-05-02", time_end="2023-05-02T23:59:59Z")
    (hit,) = service.retrieve("t", "m", "zebra").hits
    assert hit.to_dict()["dates"] == [{"text": "just", "value": "~2023-05-08"}]
    assert hit.text == "I just (~2023-05-08) got back from the zebra."


def test_an_approximate_date_is_none_of_a_query(service: MemoryService) -> None:
    service.add("t", "m", "s", [_say("a zebra")])
    assert service.retrieve("t", "m", "the zebra that I just bought").trace.dates == ()


def test_evidence_of_before_a_restart_and_of_merged_segments_keeps_its_dates(
    tmp_path: Path,
) -> None:
    with make_service(make_store("sqlite", tmp_path)) as service:
        for _ in range(12):
            service.add("t", "m", "s", [_say("我上周五看到斑马。"), _say("nothing else")])
    with make_service(make_store("sqlite", tmp_path)) as service:
        hits = service.retrieve("t", "m", "斑马").hits
    dated = [hit for hit in hits if hit.dates]
    assert len(dated) == 12
    assert all(render_hit(hit).endswith("我上周五(2023-05-05)看到斑马。") for hit in dated)


def test_a_window_holds_what_was_said_in_it_and_what_speaks_of_it(service: MemoryService) -> None:
    service.add(
        "t",
        "m",
        "s",
        [
            _say("a zebra in April", "2023-04-20T00:00:00Z"),
            _say("we saw the zebra last month", TOLD),
            _say("the zebra of today", TOLD),
        ],
    )
    april = _found(service, time_start="2023-04-01", time_end="2023-04-30")
    assert april == ["a zebra in April", "we saw the zebra last month"]


def test_a_window_is_applied_before_the_limit(service: MemoryService) -> None:
    service.add("t", "m", "old", [_say("zebra once", "2020-01-01T00:00:00Z")])
    for _ in range(8):
        service.add("t", "m", "s", [_say("zebra zebra zebra") for _ in range(200)])
    found = service.retrieve("t", "m", "zebra", limit=1, time_end="2020-12-31").hits
    assert [hit.content for hit in found] == ["zebra once"]


@settings(deadline=None, max_examples=30)
@given(
    said=st.lists(st.integers(0, 50), min_size=1, max_size=12),
    first=st.integers(0, 50),
    length=st.integers(0, 20),
)
def test_a_window_is_closed_to_the_microsecond(said: list[int], first: int, length: int) -> None:
    with make_service(MemoryStore()) as service:
        service.add(
            "t", "m", "s",
            [Message(role="user", content=f"zebra {us}", timestamp=Moment(us=us, offset_minutes=330)) for us in said],
        )  # fmt: skip
        hits = service.retrieve(
            "t", "m", "zebra", limit=100,
            time_start=Moment(us=first), time_end=Moment(us=first + length, offset_minutes=-60),
        ).hits  # fmt: skip
        kept = sorted(us for us in said if first <= us <= first + length)
        assert sorted(hit.occurred.us for hit in hits if hit.occurred) == kept


def test_a_date_alone_is_the_whole_day(service: MemoryService) -> None:
    service.add("t", "m", "s", [_say("zebra", "2023-05-08T23:59:59.999999Z")])
    assert _found(service, time_start="2023-05-08", time_end="2023-05-08") == ["zebra"]
    assert _found(service, time_end="2023-05-07") == []


def test_as_of_leaves_out_what_was_said_later(service: MemoryService) -> None:
    service.add("t", "m", "s", [_say("zebra then", "2022-01-01T00:00:00Z"), _say("zebra now")])
    assert _found(service, as_of="2022-06-01") == ["zebra then"]


@pytest.mark.parametrize(
    ("filters", "field"),
    [
        ({"time_start": "yesterday"}, "time_start"),
        ({"time_end": "2023-13-01"}, "time_end"),
        ({"as_of": ""}, "as_of"),
        ({"asked_at": "x"}, "asked_at"),
        ({"time_start": "2023-05-09", "time_end": "2023-05-08"}, "time_start"),
    ],
)
def test_a_wrong_time_is_named(service: MemoryService, filters: dict[str, str], field: str) -> None:
    service.add("t", "m", "s", [_say("zebra")])
    with pytest.raises(InvalidInputError) as caught:
        _found(service, **filters)
    assert caught.value.field == field


def test_turns_of_the_time_that_is_asked_about_come_first(service: MemoryService) -> None:
    service.add("t", "m", "a", [_say("a zebra in the garden again", "2021-03-03T00:00:00Z")])
    service.add("t", "m", "b", [_say("a zebra in the garden", "2022-03-03T00:00:00Z")])
    service.add("t", "m", "c", [_say("last year: a zebra in the garden, I think", TOLD)])
    hits = service.retrieve("t", "m", "zebra in the garden in 2021").hits
    assert hits[0].content == "a zebra in the garden again"
    hits = service.retrieve("t", "m", "zebra in the garden in 2022", explain=True).hits
    assert {hit.content for hit in hits if hit.shares and hit.shares["temporal"]} == {
        "a zebra in the garden",
        "last year: a zebra in the garden, I think",
    }


def test_a_question_is_seen_from_when_it_was_asked(service: MemoryService) -> None:
    service.add("t", "m", "s", [_say("zebra")])
    asked = service.retrieve("t", "m", "zebra yesterday?", asked_at="2024-01-01T10:00:00Z").trace
    assert asked.to_dict()["dates"] == [{"text": "yesterday", "value": "2023-12-31"}]


def test_else_from_the_newest_turn_by_time_and_never_from_the_clock(service: MemoryService) -> None:
    service.add("t", "m", "s", [_say("zebra", "2023-05-08T22:00:00-05:00")])
    service.add("t", "m", "s2", [_say("zebra", "2021-01-01T00:00:00Z")])
    trace = service.retrieve("t", "m", "zebra yesterday?").trace
    assert trace.to_dict()["dates"] == [{"text": "yesterday", "value": "2023-05-07"}]


def test_dates_stay_with_their_turns_when_others_are_deleted(tmp_path: Path) -> None:
    with make_service(make_store("sqlite", tmp_path)) as service:
        receipt = service.add(
            "t", "m", "s", [_say("zebra yesterday"), _say("zebra today"), _say("zebra 3 days ago")]
        )
        service.delete_messages("t", "m", [receipt.turn_ids[0]])
        found = {hit.content: hit.text for hit in service.retrieve("t", "m", "zebra").hits}
        assert found == {
            "zebra today": "zebra today (2023-05-08)",
            "zebra 3 days ago": "zebra 3 days ago (2023-05-05)",
        }
        assert _found(service, time_end="2023-05-07") == ["zebra 3 days ago"]


def test_a_question_is_seen_from_the_newest_turn_that_is_left(service: MemoryService) -> None:
    receipt = service.add(
        "t", "m", "s", [_say("zebra", "2020-01-01"), _say("zebra"), _say("zebra", "2024-06-01")]
    )
    service.delete_messages("t", "m", [receipt.turn_ids[0], receipt.turn_ids[2]])
    trace = service.retrieve("t", "m", "zebra yesterday?").trace
    assert trace.to_dict()["dates"] == [{"text": "yesterday", "value": "2023-05-07"}]
