"""`graphmem why`: what an atom stands on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.cli.options import TENANT, ConfigFile, DatabaseUrl, DataDir, Json, Tenant, load_config
from graphmem.cli.output import print_json, printable, show
from graphmem.cli.paging import all_memories
from graphmem.errors import AtomNotFoundError

if TYPE_CHECKING:
    from rich.text import Text

    from graphmem.domain.inspection import Explanation, SourceShown
    from graphmem.service.memory import MemoryService


def why(
    atom_id: Annotated[str, typer.Argument(help="Atom id, as `graphmem inspect` shows it.")],
    memory: Annotated[
        str | None, typer.Option(help="Memory that holds it; all of the tenant without.")
    ] = None,
    tenant: Tenant = TENANT,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
    config: ConfigFile = None,
    json: Json = False,
) -> None:
    """Show why a memory holds an atom: what was said, with the words marked that it stands on.

    It works beside a running server.
    """
    from graphmem.service.memory import MemoryService

    with MemoryService.open(
        config=load_config(config, data_dir, database_url), read_only=True
    ) as service:
        found = _explained(service, tenant, memory, atom_id)
    if json:
        print_json(found.to_dict())
    else:
        show(*_parts(found))


def _explained(
    service: MemoryService, tenant: str, memory: str | None, atom_id: str
) -> Explanation:
    every = (item.memory_id for item in all_memories(service, tenant))
    for memory_id in every if memory is None else [memory]:
        try:
            return service.explain_atom(tenant, memory_id, atom_id)
        except AtomNotFoundError:
            if memory is not None:
                raise
    raise AtomNotFoundError


def _parts(found: Explanation) -> Iterator[str | Text]:
    atom = found.found.atom
    state = "superseded" if found.found.is_superseded else "holds"
    yield printable(f"{atom.type} ({atom.origin}, {state}) in {found.memory_id}: {atom.content}")
    if atom.event:
        yield f"when: {atom.event.text()}"
    for source in found.sources:
        yield printable(_place(source))
        yield _marked(source)
    if not found.sources:
        yield "made by hand; it stands on no turn"
    if found.chain and len(found.chain.states) > 1:
        values = " -> ".join(state.content for state in found.chain.states)
        yield printable(f"{found.chain.subject}, {found.chain.attribute}: {values}")
    for past in found.history[:-1]:
        yield printable(f"version {past.revision} ({past.reason}): {past.content}")


def _place(source: SourceShown) -> str:
    said = f", {source.said_at}" if source.said_at else ""
    return f"{source.speaker or source.role} in {source.session_id}{said} ({source.turn_id}):"


def _marked(source: SourceShown) -> Text:
    """The turn with the words between marks that a pipe keeps, and in bold on a terminal."""
    from rich.text import Text

    before, words = source.content[: source.start], source.content[source.start : source.end]
    text = Text("  " + printable(before))
    text.append(f"[[{printable(words)}]]", style="bold")
    text.append(printable(source.content[source.end :]))
    return text
