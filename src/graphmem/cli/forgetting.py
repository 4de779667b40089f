"""`graphmem delete` and `graphmem purge`: forget, and see to it that no byte is left."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

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
from graphmem.cli.output import print_json, printable, progress
from graphmem.domain.age import FORM, parse_age

if TYPE_CHECKING:
    from graphmem.cli.remote import Remote
    from graphmem.config import ServiceConfig
    from graphmem.service.forgetter import PurgeProgress
    from graphmem.service.memory import MemoryService

_Values: TypeAlias = dict[str, Any]

# What is not erased by then is erased by the next process that opens the directory.
ERASE_SECONDS = 600.0

Yes = Annotated[bool, typer.Option("--yes", "-y", help="Don't ask.")]


def delete(
    memory: Memory,
    session: Annotated[str | None, typer.Option(help="The session to delete.")] = None,
    turn: Annotated[
        list[str] | None, typer.Option(help="Id of a turn to delete; may be given again.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Delete the whole memory.")] = False,
    tenant: Tenant = TENANT,
    yes: Yes = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
    config: ConfigFile = None,
    json: Json = False,
) -> None:
    """Delete turns, a session or a whole memory, as if they had never come.

    There is no way back. Beside a running server it goes through it.
    """
    from graphmem.cli.remote import Remote, open_writer

    if sum([session is not None, bool(turn), everything]) != 1:
        raise typer.BadParameter("give one of --session, --turn and --all", param_hint="--session")
    what = f"{len(turn)} turns" if turn else "everything" if everything else f"session {session}"
    _confirm(f"Delete {what} of memory {memory} of tenant {tenant}?", yes=yes)
    settings = load_config(config, data_dir, database_url)
    with open_writer(settings) as writer:
        if isinstance(writer, Remote):
            body = {"session_id": session, "turn_ids": turn, "all": everything or None}
            wanted = {name: value for name, value in body.items() if value is not None}
            receipt = _ask(writer, "/v1/delete", {"memory_id": memory} | wanted, tenant)
        else:
            receipt = _delete(writer, (tenant, memory), session, turn)
    if json:
        print_json(receipt)
        return
    if receipt["found"]:
        typer.echo(f"deleted {_count(receipt)}{_erased([receipt], config=settings)}")
    else:
        besides = "" if everything else ", or it holds none of this"
        lacks = f"there is no memory {memory} under tenant {tenant}{besides}"
        typer.echo(printable(f"nothing to delete: {lacks}"))
    if receipt["unknown"]:
        typer.echo(f"ids that the memory does not hold: {receipt['unknown']}")


def purge(
    older_than: Annotated[
        str | None, typer.Option(help=f"Delete what was recorded longer ago: {FORM}.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Delete all memories of the tenant.")
    ] = False,
    tenant: Annotated[
        str | None, typer.Option(help="The tenant; all tenants without.", show_default=False)
    ] = None,
    yes: Yes = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
    config: ConfigFile = None,
    json: Json = False,
) -> None:
    """Delete old turns from all memories, or with --all a whole tenant.

    There is no way back. Beside a running server it goes through it.
    """
    from graphmem.cli.remote import Remote, open_writer

    age = _age_of(older_than, tenant, everything=everything)
    whose = "all tenants" if tenant is None else f"tenant {tenant}"
    what = f"all turns older than {older_than}" if age is not None else "all memories"
    _confirm(f"Delete {what} of {whose}?", yes=yes)
    settings = load_config(config, data_dir, database_url)
    with open_writer(settings) as writer:
        if isinstance(writer, Remote):
            body: _Values = {"all": True} if older_than is None else {"older_than": older_than}
            if tenant is None:
                body["all_tenants"] = True
            report = _ask(writer, "/v1/purge", body, tenant)
        else:
            report = _purge(writer, age, tenant)
    if json:
        print_json(report)
        return
    looked = f"memories looked at: {report['memories']}"
    if report["receipts"]:
        erased = _erased(report["receipts"], config=settings)
        typer.echo(f"deleted {report['turns']} turns; {looked}{erased}")
    else:
        whose = "no tenant has a memory" if tenant is None else f"tenant {tenant} has no memory"
        why = f"nothing is older than {older_than}" if report["memories"] else whose
        typer.echo(printable(f"nothing to delete: {why}; {looked}"))


def _age_of(text: str | None, tenant: str | None, *, everything: bool) -> timedelta | None:
    if (text is None) != everything:
        raise typer.BadParameter("give one of --older-than and --all", param_hint="--older-than")
    if text is None:
        if tenant is None:
            raise typer.BadParameter("--all needs --tenant", param_hint="--tenant")
        return None
    try:
        age = parse_age(text)
    except ValueError as error:
        raise typer.BadParameter(f"must be {error}", param_hint="--older-than") from None
    if not age and tenant is None:
        raise typer.BadParameter(
            f"{text} means all turns: it needs --tenant", param_hint="--tenant"
        )
    return age


def _confirm(question: str, *, yes: bool) -> None:
    if not yes:
        typer.confirm(printable(question), abort=True, err=True)


def _ask(remote: Remote, path: str, body: _Values, tenant: str | None) -> _Values:
    # Deleting again deletes nothing more, so that a lost answer is asked for again.
    return remote.post(path, body, tenant_id=tenant, names_default=True, is_repeatable=True)


def _delete(
    service: MemoryService, place: tuple[str, str], session: str | None, turns: list[str] | None
) -> _Values:
    if turns:
        receipt = service.delete_messages(*place, turns)
    elif session is not None:
        receipt = service.delete_session(*place, session)
    else:
        receipt = service.delete_memory(*place)
    if receipt.erased_at is None and _erase(service):
        done = [r for r in service.erasures(*place) if r.version == receipt.version]
        return receipt.to_dict() | {"erased_at": done[0].erased_at if done else None}
    return receipt.to_dict()


def _purge(service: MemoryService, age: timedelta | None, tenant: str | None) -> _Values:
    with progress() as bars:
        memories = bars.add_task("memories", total=None)
        turns = bars.add_task("turns deleted", total=None)

        def tell(now: PurgeProgress) -> None:
            bars.update(memories, completed=now.memories)
            bars.update(turns, completed=now.turns)

        if age is None:
            report = service.delete_tenant(tenant or "", progress=tell)
        else:
            report = service.purge(age, tenant_id=tenant, progress=tell)
    values = report.to_dict()
    if report.receipts and _erase(service):
        values["receipts"] = [
            receipt.to_dict()
            for done in report.receipts
            for receipt in service.erasures(done.tenant_id, done.memory_id)
            if receipt.version == done.version
        ]
    return values


def _erase(service: MemoryService) -> bool:
    """Erase before the process ends; whether it was done in time."""
    with progress() as bars:
        bars.add_task("erasing from the files", total=None)
        return service.erase(ERASE_SECONDS)


def _count(receipt: _Values) -> str:
    turns, sessions = receipt["turns"], receipt["sessions"]
    return (
        f"{turns} turn{'' if turns == 1 else 's'}, {sessions} session{'' if sessions == 1 else 's'}"
    )


def _erased(receipts: list[_Values], *, config: ServiceConfig) -> str:
    if all(receipt["erased_at"] for receipt in receipts):
        if config.database_url:
            return (
                "; their rows are gone and vacuumed; the server's write-ahead log, replicas and "
                "backups keep them for as long as they are kept"
            )
        return "; no byte of them is left in the data directory"
    return "; their bytes are being erased in the background"
