"""The checks of `graphmem doctor` that look at a PostgreSQL server and at the database there."""

from __future__ import annotations

from collections.abc import Iterator

from graphmem.cli.findings import Finding, State
from graphmem.config import ServiceConfig
from graphmem.domain.database import DatabaseReport
from graphmem.errors import ConfigError, StoreError
from graphmem.service.factory import look_at_database

_REACH = (
    "check that the server runs, the host, port and database of database_url, and the password "
    "(PGPASSWORD, or the variable that database_password_env names)"
)
_OWNER = "let the role that owns the schema graphmem run graphmem, or make the role a member of it"


def check_database_server(config: ServiceConfig) -> Iterator[Finding]:
    """Whether the server is there, keeps what it commits, and knows a role that may work."""
    try:
        report = look_at_database(config)
    except ConfigError as error:
        yield _server("fail", str(error), "do as it says")
        return
    except StoreError as error:
        yield _server("fail", str(error), _REACH)
        return
    if report is None:
        return
    yield _reached(report)
    yield _schema(report)
    yield _rights(report)


def check_server_pages(config: ServiceConfig) -> Iterator[Finding]:
    """Who reads the pages of a server's database."""
    detail = "a PostgreSQL server's own pg_amcheck reads them; nothing was read from here"
    yield _found("pages", "ok", detail)


def _reached(report: DatabaseReport) -> Finding:
    detail = f"PostgreSQL {report.version} at {report.name}, {report.max_connections} connections"
    if report.is_read_only:
        return _server("fail", f"{detail}; it takes no writes", "name the primary, not a standby")
    if report.lacks_fsync:
        remedy = "set fsync and full_page_writes to on: a crash would lose what was acknowledged"
        return _server("warn", f"{detail}; fsync or full_page_writes is off", remedy)
    return _server("ok", detail)


def _schema(report: DatabaseReport) -> Finding:
    steps = f"{report.schema} of {report.known_schema} steps"
    if not report.schema:
        state: State = "ok" if report.may_make else "fail"
        remedy = "" if report.may_make else "grant the role CREATE on the database, once"
        return _found("schema", state, "none yet; the first write makes it", remedy)
    if report.schema > report.known_schema:
        remedy = "upgrade this graphmem, or choose another database"
        return _found("schema", "fail", f"{steps}: a newer graphmem made it", remedy)
    if report.schema < report.known_schema:
        remedy = "stop all older processes; the first new one that writes brings it up to date"
        return _found("schema", "warn", f"{steps}: an older graphmem made it", remedy)
    return _found("schema", "ok", f"graphmem, {steps}")


def _rights(report: DatabaseReport) -> Finding:
    if not report.schema:
        return _found("rights", "ok", "nothing to write to yet")
    if not report.may_write:
        return _found("rights", "fail", "the role may not read and write all tables", _OWNER)
    if not report.owns:
        detail = "the role does not own the tables: it can neither migrate nor erase"
        return _found("rights", "warn", detail, _OWNER)
    return _found("rights", "ok", "the role owns the tables")


def _server(state: State, detail: str, remedy: str = "") -> Finding:
    return _found("database server", state, detail, remedy)


def _found(check: str, state: State, detail: str, remedy: str = "") -> Finding:
    return Finding(check=check, state=state, detail=detail, remedy=remedy)
