"""`graphmem add`: writes one message, or a file of them, into a session of a memory."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
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
from graphmem.cli.output import print_json, progress

if TYPE_CHECKING:
    from graphmem.cli.remote import Writer
    from graphmem.domain.message import Message
    from graphmem.domain.receipt import AddReceipt


def add(
    memory: Memory,
    session: Annotated[str, typer.Argument(help="Session id; messages are appended to it.")],
    text: Annotated[
        str | None, typer.Argument(help="The message, unless --file brings messages.")
    ] = None,
    tenant: Tenant = TENANT,
    role: Annotated[str, typer.Option(help="user, assistant, system or tool.")] = "user",
    speaker: Annotated[str | None, typer.Option(help="Who said it.")] = None,
    timestamp: Annotated[
        str | None, typer.Option(help="When it was said, ISO 8601; without a zone it is UTC.")
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(
            help="JSON Lines: objects with content, role, speaker, listener, timestamp; - is stdin.",
            readable=False,
        ),
    ] = None,
    request_id: Annotated[
        str | None,
        typer.Option(help="Repeats of the same request store nothing; a file has its own."),
    ] = None,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
    config: ConfigFile = None,
    json: Json = False,
) -> None:
    """Remember a message, or a whole file of messages.

    Running the same file again stores nothing twice; of one that has grown, only what is new. A file
    is known by its first message. Beside a running server it goes through it.
    """
    from graphmem.cli.growing import base_of
    from graphmem.cli.messages import parse_messages, read_source
    from graphmem.cli.remote import open_writer
    from graphmem.domain.message import Message

    if (text is None) == (file is None):
        raise typer.BadParameter("give either TEXT or --file", param_hint="TEXT")
    given = Message(role=role, content=text or "", speaker=speaker, timestamp=timestamp)
    messages = [given] if file is None else parse_messages(read_source(file), given)
    place = (tenant, memory, session)
    with open_writer(load_config(config, data_dir, database_url), may_make=True) as writer:
        if file is None:
            receipts = [writer.add(*place, messages, request_id=request_id)]
        else:
            base = request_id or base_of(memory, session, given, messages)
            receipts = _write(writer, place, messages, base)
    _report(receipts, as_json=json)


def _write(
    writer: Writer, place: tuple[str, str, str], messages: Sequence[Message], base: str
) -> list[AddReceipt]:
    from graphmem.cli.growing import add_growing

    with progress() as bars:
        task = bars.add_task("messages", total=len(messages))
        return add_growing(writer, place, messages, base, lambda count: bars.advance(task, count))


def _report(receipts: Sequence[AddReceipt], *, as_json: bool) -> None:
    stored = sum(len(receipt.turn_ids) for receipt in receipts if not receipt.replayed)
    known = sum(len(receipt.turn_ids) for receipt in receipts if receipt.replayed)
    if as_json:
        values = [receipt.to_dict() for receipt in receipts]
        print_json({"stored": stored, "already_stored": known, "receipts": values})
        return
    already = f", {known} were there already" if known else ""
    typer.echo(f"stored {stored} message{'' if stored == 1 else 's'}{already}")
