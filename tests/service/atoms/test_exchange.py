"""An export carries what hands did to atoms; all others are made again from the turns."""

from __future__ import annotations

import io
import json
from collections.abc import Callable

import pytest
from tests.service.atoms.makers import TEXTS, atoms, contents, only, say, service_on
from tests.service.atoms.test_batches import rows

from graphmem.domain.atom_query import NewAtom
from graphmem.errors import InvalidInputError
from graphmem.service.exchange import Digest
from graphmem.service.memory import MemoryService
from graphmem.stores.memory.store import MemoryStore


def believing(service: MemoryService) -> None:
    """A memory that hands have worked on in every way."""
    ids = say(service, *TEXTS, at="2023-05-08T10:00:00Z")
    service.update_atom(
        "t", "m", only(service, "I love sushi.").atom.atom_id, "I eat 寿司.", background="note"
    )
    for content in ("I hate sushi.", "I live in Paris."):
        service.delete_atoms("t", "m", [only(service, content).atom.atom_id])
    say(service, "I live in Paris.", at="2023-06-08T10:00:00Z")
    made = NewAtom(
        content="Ann sings",
        type="episodic",
        event_time="2023-05-08T12:00:00+08:00",
        source_turn_ids=ids[:2],
    )
    service.create_atoms("t", "m", [made, NewAtom(content="free", type="persona")], request_id="r")


def exported(service: MemoryService) -> bytes:
    file = io.BytesIO()
    service.export(file)
    return file.getvalue()


def test_atoms_are_the_same_after_an_import() -> None:
    source, target = MemoryStore(), MemoryStore()
    with service_on(source) as service, service_on(target) as other:
        believing(service)
        file = exported(service)
        other.import_(io.BytesIO(file))
        assert other.status("t", "m").state == "ready"
        assert rows(source) == rows(target)
        assert atoms(other) == atoms(service)
        assert exported(other) == file
        again = other.import_(io.BytesIO(file))
        assert (again.imported, again.unchanged) == (0, 1)
        replayed = other.create_atoms(
            "t", "m", [NewAtom(content="x", type="persona")], request_id="r2"
        )
        assert not replayed.replayed


def test_a_request_that_made_atoms_is_a_replay_after_an_import() -> None:
    with service_on(MemoryStore()) as service, service_on(MemoryStore()) as other:
        atom = NewAtom(content="free", type="persona")
        first = service.create_atoms("t", "m", [atom], request_id="r")
        other.import_(io.BytesIO(exported(service)))
        again = other.create_atoms("t", "m", [atom], request_id="r")
        assert (again.replayed, again.atom_ids) == (True, first.atom_ids)
        assert contents(other) == ["free"]


def test_only_what_hands_did_is_in_the_file() -> None:
    with service_on(MemoryStore()) as service:
        say(service, *TEXTS)
        kinds = {json.loads(line)["type"] for line in exported(service).splitlines()}
    assert not [kind for kind in kinds if kind.startswith("atom")]


def changed(file: bytes, kind: str, change: Callable[[dict[str, object]], object]) -> bytes:
    """The file with the first line of a kind changed, and its counts and digests made to fit."""
    lines = [json.loads(line) for line in file.splitlines()]
    change(next(line for line in lines if line["type"] == kind))
    whole, own = Digest(), Digest()
    written = []
    for line in lines:
        if line["type"] == "memory":
            own = Digest()
        if line["type"] in {"end", "footer"}:
            line["digest"] = (own if line["type"] == "end" else whole).text()
        data = json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
        whole.update(data)
        own.update(data)
        written.append(data)
    return b"".join(written)


BAD: dict[str, tuple[str, str, Callable[[dict[str, object]], object]]] = {
    "id": ("atom", "atom_id", lambda line: line.update(atom_id="a_x")),
    "type": ("atom", "kind", lambda line: line.update(removed=False, kind="fact")),
    "source": ("atom_source", "atom_id", lambda line: line.update(atom_id="a_" + 24 * "0")),
    "turn": ("atom_source", "turn_no", lambda line: line.update(turn_no=99)),
    "version": ("atom", "version", lambda line: line.update(version=1)),
    "state": ("atom_state", "atom_id", lambda line: line.update(atom_id="a_" + 24 * "0")),
    "reason": ("atom_state", "reason", lambda line: line.update(reason="whim")),
    "unknown": ("atom_state", "x", lambda line: line.update(x=1)),
}


@pytest.mark.parametrize("name", BAD)
def test_a_wrong_line_is_named_and_nothing_comes_in(name: str) -> None:
    kind, field, change = BAD[name]
    with service_on(MemoryStore()) as service, service_on(MemoryStore()) as other:
        believing(service)
        with pytest.raises(InvalidInputError) as caught:
            other.import_(io.BytesIO(changed(exported(service), kind, change)))
        assert caught.value.field.endswith(f".{field}")
        assert other.query_atoms("t", "m").total == 0
