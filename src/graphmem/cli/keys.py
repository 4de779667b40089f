"""`graphmem keys`: makes, lists and revokes keys; beside a running server, through it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, Protocol

import typer

from graphmem.cli.options import (
    ConfigFile,
    DatabaseUrl,
    DataDir,
    Json,
    load_config,
    without_models,
)
from graphmem.cli.output import print_json, printable, show

if TYPE_CHECKING:
    from graphmem.cli.remote import Remote
    from graphmem.config import ServiceConfig
    from graphmem.service.keyring import Keyring

_Values = Mapping[str, Any]

app = typer.Typer(
    help="Keys bound to tenants, memories and rights.", no_args_is_help=True, rich_markup_mode=None
)


FIRST_KEY = (
    "graphmem: this is the first key here: from now on a server here answers only "
    "requests that carry a key, also on the loopback"
)


class _Keys(Protocol):
    """What both ways to the keys can do; all values are JSON-ready."""

    def add(self, wanted: _Values) -> _Values: ...
    def list(self) -> list[_Values]: ...
    def revoke(self, key_id: str) -> _Values: ...


@app.command()
def add(
    tenant: Annotated[
        list[str] | None, typer.Option(help="Tenant that the key may name; may be given again.")
    ] = None,
    all_tenants: Annotated[
        bool, typer.Option("--all-tenants", help="Bind the key to no tenant.")
    ] = False,
    memory: Annotated[
        list[str] | None,
        typer.Option(help="Memory (user id) that it may touch; may be given again. All without."),
    ] = None,
    right: Annotated[
        list[str] | None,
        typer.Option(help="read, write or admin; may be given again. read and write without."),
    ] = None,
    name: Annotated[str, typer.Option(help="What it is for, for people.")] = "",
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
    config: ConfigFile = None,
    json: Json = False,
) -> None:
    """Make a key and print it, once: it is kept as a digest only."""
    if bool(tenant) == all_tenants:
        raise typer.BadParameter("give either --tenant or --all-tenants", param_hint="--tenant")
    wanted = {
        "tenants": None if all_tenants else tenant,
        "memories": memory or None,
        "rights": right or ["read", "write"],
        "name": name,
    }
    with _open_keys(load_config(config, data_dir, database_url), may_make=True) as keys:
        is_first = not keys.list()
        made = keys.add(wanted)
    if is_first:
        typer.echo(FIRST_KEY, err=True)
    if json:
        print_json(made)
        return
    typer.echo(made["key"])
    typer.echo(f"key {made['key_id']}: {_describe(made)}; it is shown this once", err=True)


@app.command(name="list")
def list_keys(
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
    config: ConfigFile = None,
    json: Json = False,
) -> None:
    """List the keys, revoked ones too, without their secrets.

    Beside a running server: those that can do no more than the key in GRAPHMEM_API_KEY.
    """
    from rich.table import Table

    with _open_keys(load_config(config, data_dir, database_url)) as keys:
        found = keys.list()
    if json:
        print_json({"keys": found})
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for column in ("key", "may", "name", "made", "revoked"):
        table.add_column(column, overflow="fold")
    for key in found:
        revoked = key["revoked_at"] or ""
        table.add_row(
            key["key_id"], _describe(key), printable(key["name"]), key["created_at"], revoked
        )
    if found:
        show(table)
    else:
        typer.echo("no keys were made here")


@app.command()
def revoke(
    key_id: Annotated[str, typer.Argument(help="The key's id, as `graphmem keys list` shows it.")],
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
    config: ConfigFile = None,
    json: Json = False,
) -> None:
    """Make a key invalid, at once also in a running server."""
    with _open_keys(load_config(config, data_dir, database_url)) as keys:
        gone = keys.revoke(key_id)
    if json:
        print_json(gone)
    else:
        typer.echo(f"key {gone['key_id']} is revoked since {gone['revoked_at']}")


@contextmanager
def _open_keys(config: ServiceConfig, *, may_make: bool = False) -> Iterator[_Keys]:
    from graphmem.cli.remote import Remote, open_writer

    with open_writer(without_models(config), may_make=may_make) as writer:
        if isinstance(writer, Remote):
            yield _RemoteKeys(writer)
        else:
            yield _LocalKeys(writer.keyring)


class _LocalKeys:
    """The keys of a directory that this process holds; whoever may open it may do everything."""

    def __init__(self, keyring: Keyring) -> None:
        self._keyring = keyring

    def add(self, wanted: _Values) -> _Values:
        return self._keyring.add(**wanted).to_dict()

    def list(self) -> list[_Values]:
        from graphmem.domain.access import EVERYTHING

        return [info.to_dict() for info in self._keyring.list(within=EVERYTHING)]

    def revoke(self, key_id: str) -> _Values:
        from graphmem.domain.access import EVERYTHING

        return self._keyring.revoke(key_id, within=EVERYTHING).to_dict()


class _RemoteKeys:
    """The keys of a running server, within the bounds of the key that this process has."""

    def __init__(self, remote: Remote) -> None:
        self._remote = remote

    def add(self, wanted: _Values) -> _Values:
        return self._remote.post("/v1/keys", wanted, tenant_id=None, is_repeatable=False)

    def list(self) -> list[_Values]:
        return _keys_in(self._remote.get("/v1/keys", tenant_id=None))

    def revoke(self, key_id: str) -> _Values:
        body = {"key_id": key_id}
        return self._remote.post("/v1/keys/revoke", body, tenant_id=None, is_repeatable=True)


def _keys_in(answer: _Values) -> list[_Values]:
    keys: list[_Values] = answer["keys"]
    return keys


def _describe(key: _Values) -> str:
    tenants = "all tenants" if key["tenants"] is None else "tenant " + ", ".join(key["tenants"])
    memories = "" if key["memories"] is None else ", memory " + ", ".join(key["memories"])
    return printable(f"{', '.join(key['rights'])} in {tenants}{memories}")
