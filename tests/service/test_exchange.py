"""Wrong files are refused by line and field; vectors go along; files get their names when whole."""

from __future__ import annotations

import io
import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graphmem import AsyncMemoryService
from graphmem.config import ServiceConfig
from graphmem.domain.exchange import ExchangeProgress
from graphmem.domain.message import Message
from graphmem.errors import InvalidInputError, MemoryNotFoundError, StoreUnavailableError
from graphmem.service.exchange import Digest
from graphmem.service.memory import MemoryService
from tests.service.conftest import make_service, make_store, says

Lines = list[dict[str, Any]]


def opened(data_dir: Path, model: str = "fake") -> MemoryService:
    return MemoryService.open(
        config=ServiceConfig(
            data_dir=data_dir, embedding_model=model or "fake", dense_retrieval=bool(model)
        )
    )


@pytest.fixture
def source(tmp_path: Path) -> MemoryService:
    service = make_service(make_store("memory", tmp_path))
    service.add("t", "m", "s1", says("one choir", "two 灯塔", speaker="Ann"), request_id="r1")
    service.add("t", "m", "s2", says("three"), request_id="r2")
    service.delete_messages("t", "m", [service.retrieve("t", "m", "choir").hits[0].id])
    return service


def lines_of(service: MemoryService) -> Lines:
    file = io.BytesIO()
    service.export(file)
    return [json.loads(line) for line in file.getvalue().splitlines()]


def sealed(lines: Lines) -> bytes:
    """The file of these lines, with counts and digests that fit."""
    whole, own, count, out = Digest(), Digest(), 0, []
    for number, line in enumerate(lines):
        if line["type"] == "memory":
            own, count = Digest(), 0
        if line["type"] == "end":
            line |= {"lines": count, "digest": own.text()}
        if line["type"] == "footer":
            line |= {"lines": number + 1, "digest": whole.text()}
        text = json.dumps(line).encode() + b"\n"
        whole.update(text)
        own.update(text)
        count += 1
        out.append(text)
    return b"".join(out)


def index_of(lines: Lines, kind: str) -> int:
    return next(number for number, line in enumerate(lines) if line["type"] == kind)


def test_the_kinds_of_lines_come_in_their_order(source: MemoryService) -> None:
    kinds = [line["type"] for line in lines_of(source)]
    assert kinds == [
        "header", "memory", "session", "session", "turn", "turn", "request", "request",
        "tombstone", "end", "footer",
    ]  # fmt: skip


def change(kind: str, /, **values: Any) -> Callable[[Lines], None]:
    def apply(lines: Lines) -> None:
        line = lines[index_of(lines, kind)]
        for name, value in values.items():
            if value is ...:
                del line[name]
            else:
                line[name] = value

    apply.__name__ = f"{kind} {values}"
    return apply


def swap(lines: Lines) -> None:
    at = index_of(lines, "turn")
    lines[at], lines[at + 1] = lines[at + 1], lines[at]


def twice(lines: Lines) -> None:
    at = index_of(lines, "request")
    lines.insert(at, dict(lines[at]))


def no_turn(lines: Lines) -> None:
    del lines[index_of(lines, "turn")]


def other_words(lines: Lines) -> None:
    """Of the request all of whose turns are there; as many bytes as before."""
    (turn,) = (line for line in lines if line.get("content") == "three")
    turn["content"] = "seven"


@pytest.mark.parametrize(
    ("alter", "field"),
    [
        (change("header", format="other"), "line 1"),
        (change("header", version=99), "line 1.version"),
        (change("header", more=1), "line 1.more"),
        (change("memory", version=0), "line 2.version"),
        (change("memory", memory_id=" "), "line 2.memory_id"),
        (change("memory", deleted="no"), "line 2.deleted"),
        (change("memory", erased_turns=2**40), "line 2.turns"),
        (change("memory", version=1), "line 6.version"),
        (change("session", session_no=-1), "line 3.session_no"),
        (change("session", session_id=...), "line 3.session_id"),
        (change("session", session_no=7), "line 3.session_no"),
        (change("turn", turn_id="../etc"), "line 5.turn_id"),
        (change("turn", session_no=9), "line 5.session_no"),
        (change("turn", turn_no=50), "line 5.turn_no"),
        (change("turn", content=5), "line 5.content"),
        (change("turn", content="\ud800"), "line 5.content"),
        (change("turn", recorded_us="now"), "line 5.recorded_us"),
        (change("turn", occurred_us=0), "line 5.occurred_offset_minutes"),
        (change("turn", colour="red"), "line 5.colour"),
        (change("turn", content="longer than it was"), "line 10.lines"),
        (swap, "line 6.type"),
        (twice, "line 8.type"),
        (no_turn, "line 9.lines"),
        (change("request", payload_digest="00"), "line 7.payload_digest"),
        (other_words, "line 8.payload_digest"),
        (change("request", version=10**6), "line 7.version"),
        (change("tombstone", kind="whim"), "line 9.kind"),
        (change("tombstone", turn_ids=[1]), "line 9.turn_ids"),
        (change("end", type="footer"), "line 10.type"),
    ],
)
@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_a_wrong_line_is_named_and_nothing_of_its_memory_comes_in(
    source: MemoryService, tmp_path: Path, alter: Callable[[Lines], None], field: str, kind: str
) -> None:
    lines = lines_of(source)
    alter(lines)
    with make_service(make_store(kind, tmp_path)) as target:
        with pytest.raises(InvalidInputError) as caught:
            target.import_(io.BytesIO(sealed(lines)))
        assert caught.value.field == field
        assert lines_of(target)[1]["type"] == "footer"


@pytest.mark.parametrize("kind", ["end", "footer"])
@pytest.mark.parametrize("name", ["lines", "digest"])
def test_a_digest_or_count_that_does_not_fit_is_told(
    source: MemoryService, tmp_path: Path, kind: str, name: str
) -> None:
    lines = lines_of(source)
    lines[index_of(lines, kind)][name] = 1 if name == "lines" else "00"
    data = b"".join(
        json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        for line in lines
    )
    with pytest.raises(InvalidInputError, match=f"{name}: "):
        make_service(make_store("memory", tmp_path)).import_(io.BytesIO(data))


@pytest.mark.parametrize(
    ("data", "field"),
    [(b"", "line 1"), (b"{}\n", "line 1.type"), (b"\xff\n", "line 1"), (b"[]\n", "line 1")],
)
def test_what_is_no_export_is_refused(tmp_path: Path, data: bytes, field: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        make_service(make_store("memory", tmp_path)).import_(io.BytesIO(data))
    assert caught.value.field == field


def test_what_comes_behind_the_footer_is_refused(source: MemoryService, tmp_path: Path) -> None:
    data = sealed(lines_of(source)) + b"{}\n"
    with pytest.raises(InvalidInputError, match="line 12: comes behind the footer"):
        make_service(make_store("memory", tmp_path)).import_(io.BytesIO(data))


@pytest.fixture
def embedded(tmp_path: Path) -> Path:
    """An export with vectors, and the answers beside it."""
    with opened(tmp_path / "source") as service:
        service.add("t", "m", "s", says("one choir. " * 50, "two 灯塔", "three"), request_id="r")
        service.export(tmp_path / "with.jsonl")
        service.export(tmp_path / "without.jsonl", vectors=False)
        found = service.retrieve("t", "m", "choir", explain=True).to_dict()
        (tmp_path / "answers.json").write_text(json.dumps(found), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("name", ["with", "without"])
def test_answers_are_the_same_with_vectors_and_once_they_are_made_anew(
    embedded: Path, name: str
) -> None:
    with opened(embedded / name) as target:
        report = target.import_(embedded / f"{name}.jsonl")
        assert (report.imported, report.pending) == (1, 0)
        found: dict[str, Any] = target.retrieve("t", "m", "choir", explain=True).to_dict()
        assert target.statistics().dense is not None
    expected = json.loads((embedded / "answers.json").read_text(encoding="utf-8"))
    if name == "without":  # the late vectors made a version of their own
        for trace in (found["trace"], expected["trace"]):
            trace.pop("version")
    assert json.loads(json.dumps(found)) == expected


def test_an_import_that_is_repeated_makes_the_vectors_that_are_missing(embedded: Path) -> None:
    with opened(embedded / "target", model="") as target:
        target.import_(embedded / "without.jsonl")
    with opened(embedded / "target") as target:
        assert target.status("t", "m").state == "pending"
        report = target.import_(embedded / "without.jsonl")
        assert (report.imported, report.unchanged, report.pending) == (0, 1, 0)
        status = target.status("t", "m")
        assert (status.state, status.embedded_turns) == ("ready", 3)


@pytest.mark.parametrize(("tenant", "memory"), [(None, "m2"), ("t2", None)])
def test_what_is_not_there_is_not_exported(
    source: MemoryService, tmp_path: Path, tenant: str | None, memory: str | None
) -> None:
    with pytest.raises(MemoryNotFoundError):
        source.export(tmp_path / "x.jsonl", tenant_id=tenant, memory_id=memory)
    assert list(tmp_path.iterdir()) == []


def test_a_deleted_memory_is_exported_as_that(source: MemoryService, tmp_path: Path) -> None:
    source.delete_memory("t", "m")
    report = source.export(tmp_path / "x.jsonl", memory_id="m")
    assert (report.memories, report.deleted) == (0, 1)


def test_vectors_are_kept_where_no_model_is_in_force(embedded: Path) -> None:
    with opened(embedded / "lexical", model="") as target:
        target.import_(embedded / "with.jsonl")
        target.export(embedded / "again.jsonl")
    assert (embedded / "again.jsonl").read_bytes() == (embedded / "with.jsonl").read_bytes()


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"data": "AAAA"}, "data"),
        ({"data": "?"}, "data"),
        ({"first_turn": 1}, "first_turn"),
        ({"dimension": 3}, "data"),
    ],
)
def test_vectors_that_fit_no_turns_are_refused(
    embedded: Path, values: dict[str, object], field: str
) -> None:
    text = (embedded / "with.jsonl").read_text(encoding="utf-8")
    lines = [json.loads(line) for line in text.split("\n") if line]
    change("vectors", **values)(lines)
    with opened(embedded / "target") as target:
        with pytest.raises(InvalidInputError) as caught:
            target.import_(io.BytesIO(sealed(lines)))
        assert caught.value.field.endswith(f".{field}")
        assert target.list_memories("t").memories == ()


def test_a_file_has_its_name_when_it_is_whole(source: MemoryService, tmp_path: Path) -> None:
    def interrupt(_: ExchangeProgress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        source.export(tmp_path / "x.jsonl", progress=interrupt)
    assert list(tmp_path.iterdir()) == []
    source.export(tmp_path / "x.jsonl")
    with pytest.raises(InvalidInputError, match="exists already"):
        source.export(tmp_path / "x.jsonl")
    with pytest.raises(StoreUnavailableError, match="nowhere"):
        source.export(tmp_path / "nowhere" / "x.jsonl")
    with pytest.raises(InvalidInputError, match="can't read"):
        source.import_(tmp_path / "absent.jsonl")


def test_progress_is_told_and_goes_up(source: MemoryService, tmp_path: Path) -> None:
    told: list[ExchangeProgress] = []
    source.export(tmp_path / "x", progress=told.append)
    assert (told[-1].memories, told[-1].turns) == (1, 2)
    told.clear()
    make_service(make_store("memory", tmp_path)).import_(tmp_path / "x", progress=told.append)
    assert (told[-1].memories, told[-1].turns) == (1, 2)


async def test_the_async_service_exports_and_imports(tmp_path: Path) -> None:
    config = ServiceConfig(data_dir=tmp_path / "d", dense_retrieval=False)
    async with await AsyncMemoryService.open(config=config) as service:
        await service.add("t", "m", "s", says("choir"))
        report = await service.export(tmp_path / "x")
        again = await service.import_(tmp_path / "x")
    assert (report.memories, again.unchanged) == (1, 1)


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    """20 times the turns take less than 3 times the memory at the peak."""
    peaks = []
    for turns in (1_000, 20_000):
        with opened(tmp_path / f"s{turns}", model="") as service:
            for start in range(0, turns, 250):
                batch = [
                    Message(role="user", content=f"note {start + n} about the harbour")
                    for n in range(250)
                ]
                service.add("t", "m", "s", batch)
            tracemalloc.start()
            service.export(tmp_path / f"{turns}.jsonl")
            exporting = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
        with opened(tmp_path / f"t{turns}", model="") as target:
            tracemalloc.start()
            target.import_(tmp_path / f"{turns}.jsonl")
            peaks.append((exporting, tracemalloc.get_traced_memory()[1]))
            tracemalloc.stop()
    assert peaks[1][0] < 3 * peaks[0][0]
    assert peaks[1][1] < 6 * peaks[0][1]  # a whole segment of 4,096 turns is made at once
