"""`graphmem inspect`: a memory's atoms, and what follows from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from graphmem.cli.options import (
    TENANT,
    ConfigFile,
    DatabaseUrl,
    DataDir,
    Json,
    Memory,
    Tenant,
    load_config,
)
from graphmem.cli.output import print_json, printable, show

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from graphmem.domain.inspection import Inspection


def inspect(
    memory: Memory,
    limit: Annotated[
        int, typer.Option(min=1, help="Most rows of each table; --json has them all.")
    ] = 20,
    tenant: Tenant = TENANT,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
    config: ConfigFile = None,
    json: Json = False,
) -> None:
    """Show the atoms of a memory, whom they speak of, which values replaced which, and what is covered.

    It scans all turns again for what a summary would lose, and tells how much of it atoms hold. It
    works beside a running server.
    """
    from graphmem.service.memory import MemoryService

    with MemoryService.open(
        config=load_config(config, data_dir, database_url), read_only=True
    ) as service:
        found = service.inspect(tenant, memory)
    if json:
        print_json(found.to_dict())
    else:
        show(*_parts(found, limit))


def _parts(found: Inspection, limit: int) -> Iterator[RenderableType]:
    covered = found.coverage
    yield (
        f"{len(found.atoms)} atoms: {_counts(found.types)} ({_counts(found.origins)}); "
        f"{found.superseded} superseded"
    )
    yield (
        f"coverage {covered.share:.3f}: {covered.facts} facts, {covered.in_claims} in claims, "
        f"{covered.verbatim} verbatim; {covered.verbatim_turns} of {covered.turns} turns kept "
        "verbatim in part"
    )
    yield _table(
        f"atoms ({len(found.atoms)})",
        ("id", "type", "subject", "content"),
        [
            (
                one.atom.atom_id,
                one.atom.type,
                one.atom.subject,
                _marked(one.atom.content, old=one.is_superseded),
            )
            for one in found.atoms[:limit]
        ],
    )
    yield _table(
        f"entities ({len(found.entities)})",
        ("name", "atoms"),
        [(entity.name, str(entity.atoms)) for entity in found.entities[:limit]],
    )
    yield _table(
        f"chains ({len(found.chains)})",
        ("subject", "attribute", "values, oldest first"),
        [
            (chain.subject, chain.attribute, " -> ".join(state.content for state in chain.states))
            for chain in found.chains[:limit]
        ],
    )
    yield _table(
        f"collections ({len(found.collections)})",
        ("subject", "predicate", "values", "closed"),
        [
            (
                group.subject,
                group.predicate,
                "; ".join(group.values),
                "yes" if group.is_closed else "no",
            )
            for group in found.collections[:limit]
        ],
    )


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items()) or "none"


def _marked(content: str, *, old: bool) -> str:
    return f"{content} (superseded)" if old else content


def _table(title: str, names: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    from rich.table import Table

    table = Table(
        title=title,
        title_justify="left",
        min_width=len(title),  # a title is broken where its table is narrower
        box=None,
        pad_edge=False,
        padding=(0, 2, 0, 0),
    )
    for name in names:
        table.add_column(name, overflow="fold", no_wrap=name == "id")
    for row in rows:
        table.add_row(*map(printable, row))
    return table
