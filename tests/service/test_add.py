from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from graphmem.domain.message import Message
from graphmem.domain.moment import Moment
from graphmem.errors import InvalidInputError, RequestConflictError
from graphmem.service.memory import MemoryService
from graphmem.service.policy import ADD_SEARCH, PRODUCT, Policy
from tests.service.conftest import says


def test_an_add_makes_the_next_version_ready(service: MemoryService) -> None:
    first = service.add("t", "m", "s", says("one"))
    second = service.add("t", "m", "s", says("two", "three"))
    assert (first.version, first.ready_version, first.state) == (1, 1, "ready")
    assert (second.version, second.ready_version, len(second.turn_ids)) == (2, 2, 2)


def test_the_same_request_is_applied_once(service: MemoryService) -> None:
    first = service.add("t", "m", "s", says("one", "two"), request_id="r")
    again = service.add("t", "m", "s", says("one", "two"), request_id="r")
    assert again.replayed
    assert not first.replayed
    assert again.turn_ids == first.turn_ids
    assert again.version == first.version
    assert service.status("t", "m").turns == 2


def test_another_payload_under_the_same_request_id_is_refused(service: MemoryService) -> None:
    service.add("t", "m", "s", says("one"), request_id="r")
    with pytest.raises(RequestConflictError):
        service.add("t", "m", "s", says("two"), request_id="r")
    assert service.status("t", "m").turns == 1


@pytest.mark.parametrize(
    "other",
    [
        Message(role="assistant", content="one"),
        Message(role="user", content="one", speaker="Ann"),
        Message(role="user", content="one", listener="Ann"),
        Message(role="user", content="one", timestamp="2023-05-08"),
        Message(role="user", content="one", parts="[]"),
    ],
)
def test_any_field_makes_another_payload(service: MemoryService, other: Message) -> None:
    service.add("t", "m", "s", says("one"), request_id="r")
    with pytest.raises(RequestConflictError):
        service.add("t", "m", "s", [other], request_id="r")


def test_another_session_makes_another_payload(service: MemoryService) -> None:
    service.add("t", "m", "s", says("one"), request_id="r")
    with pytest.raises(RequestConflictError):
        service.add("t", "m", "s2", says("one"), request_id="r")


def test_first_write_wins_is_one_argument(service: MemoryService) -> None:
    first = service.add("t", "m", "s", says("one"), request_id="r", policy=ADD_SEARCH)
    second = service.add("t", "m", "s", says("two", "three"), request_id="r", policy=ADD_SEARCH)
    assert second.replayed
    assert second.turn_ids == first.turn_ids
    assert service.status("t", "m").turns == 1


def test_request_ids_of_two_contracts_never_meet(service: MemoryService) -> None:
    first = service.add("t", "m", "s", says("one"), request_id="r", policy=ADD_SEARCH)
    second = service.add("t", "m", "s", says("two"), request_id="r", policy=PRODUCT)
    assert not second.replayed
    assert set(first.turn_ids).isdisjoint(second.turn_ids)


def test_request_ids_of_two_memories_never_meet(service: MemoryService) -> None:
    first = service.add("t", "m", "s", says("one"), request_id="r")
    second = service.add("t", "m2", "s", says("one"), request_id="r")
    third = service.add("t2", "m", "s", says("one"), request_id="r")
    assert len({*first.turn_ids, *second.turn_ids, *third.turn_ids}) == 3


@pytest.mark.parametrize("policy", [PRODUCT, ADD_SEARCH], ids=lambda p: p.surface)
def test_a_request_that_arrives_many_times_at_once_is_stored_once(
    service: MemoryService, policy: Policy
) -> None:
    def add(_: int) -> tuple[str, ...]:
        return service.add("t", "m", "s", says("one"), request_id="r", policy=policy).turn_ids

    with ThreadPoolExecutor(8) as pool:
        answers = set(pool.map(add, range(32)))
    assert len(answers) == 1
    assert service.status("t", "m").turns == 1


def test_concurrent_adds_lose_no_turn_and_no_version(service: MemoryService) -> None:
    def add(number: int) -> int:
        return service.add("t", "m", f"s{number % 3}", says(f"word{number}", "and more")).version

    with ThreadPoolExecutor(8) as pool:
        versions = sorted(pool.map(add, range(40)))
    status = service.status("t", "m")
    assert versions == list(range(1, 41))
    assert (status.turns, status.sessions) == (80, 3)
    for number in range(40):
        assert service.retrieve("t", "m", f"word{number}").hits[0].content == f"word{number}"


def test_without_a_request_id_each_call_is_a_new_request(service: MemoryService) -> None:
    service.add("t", "m", "s", says("one"))
    service.add("t", "m", "s", says("one"))
    assert service.status("t", "m").turns == 2


def test_a_moment_keeps_the_offset_of_its_source(service: MemoryService) -> None:
    spoken = Message(role="user", content="hello there", timestamp="2023-05-08T13:56:00+08:00")
    service.add("t", "m", "s", [spoken])
    hit = service.retrieve("t", "m", "hello there").hits[0]
    assert hit.event_time == "2023-05-08T13:56:00+08:00"
    assert hit.created_at == "2023-05-08T05:56:00Z"
    assert hit.occurred is not None
    assert hit.occurred.stamp() == "2023-05-08 13:56"


def test_lone_surrogates_and_nul_are_replaced_before_storage(service: MemoryService) -> None:
    service.add("t", "m", "s", says("choir \ud800 and \x00 nul"))
    hit = service.retrieve("t", "m", "choir").hits[0]
    assert hit.content == "choir \ufffd and \ufffd nul"


_GOOD = Message(role="user", content="x")


@pytest.mark.parametrize(
    ("field", "messages"),
    [
        ("messages", []),
        ("messages", _GOOD),
        ("messages", [_GOOD] * 257),
        ("messages", [Message(role="user", content="x" * (1024 * 1024 + 1))]),
        ("messages.1", [_GOOD, {"role": "user", "content": "x"}]),
        ("messages.0.content", [Message(role="user", content="  ")]),
        ("messages.0.content", [Message(role="user", content=3)]),  # type: ignore[arg-type]
        ("messages.1.role", [_GOOD, Message(role="robot", content="x")]),
        ("messages.0.role", [Message(role="", content="x")]),
        ("messages.0.speaker", [Message(role="user", content="x", speaker=" ")]),
        ("messages.0.speaker", [Message(role="user", content="x", speaker="x" * 1025)]),
        ("messages.0.listener", [Message(role="user", content="x", listener="")]),
        ("messages.0.timestamp", [Message(role="user", content="x", timestamp="yesterday")]),
        (
            "messages.0.timestamp",
            [Message(role="user", content="x", timestamp="0001-01-01T00:00+14:00")],
        ),
        ("messages.0.timestamp", [Message(role="user", content="x", timestamp=3)]),  # type: ignore[arg-type]
    ],
)
def test_bad_messages_name_their_field_and_change_nothing(
    service: MemoryService, field: str, messages: list[Message]
) -> None:
    service.add("t", "m", "s", says("kept"))
    with pytest.raises(InvalidInputError) as caught:
        service.add("t", "m", "s", messages)
    assert caught.value.field == field
    assert service.status("t", "m").version == 1


@pytest.mark.parametrize("bad", ["", "  ", "x" * 1025, "\ud800", 7])
@pytest.mark.parametrize("field", ["tenant_id", "memory_id", "session_id", "request_id"])
def test_bad_ids_name_their_field(service: MemoryService, field: str, bad: str) -> None:
    ids = {"tenant_id": "t", "memory_id": "m", "session_id": "s", "request_id": "r"} | {field: bad}
    with pytest.raises(InvalidInputError) as caught:
        service.add(
            ids["tenant_id"],
            ids["memory_id"],
            ids["session_id"],
            says("x"),
            request_id=ids["request_id"],
        )
    assert caught.value.field == field


def test_an_error_never_repeats_the_text(service: MemoryService) -> None:
    with pytest.raises(InvalidInputError) as caught:
        service.add("t", "m", "s", [Message(role="user", content="x", timestamp="secret-words")])
    assert "secret" not in str(caught.value)


def test_a_moment_may_be_given_ready_made(service: MemoryService) -> None:
    service.add("t", "m", "s", [Message(role="user", content="hello", timestamp=Moment(us=0))])
    assert service.retrieve("t", "m", "hello").hits[0].event_time == "1970-01-01T00:00:00Z"


def test_ten_thousand_messages_fit_one_add_of_the_wire_contract(service: MemoryService) -> None:
    messages = says(*(f"note {number} about topic{number % 97}" for number in range(10_000)))
    receipt = service.add("t", "m", "s", messages, policy=ADD_SEARCH)
    assert len(set(receipt.turn_ids)) == 10_000
    assert service.retrieve("t", "m", "note 4711").hits[0].turn_ids == (receipt.turn_ids[4711],)
