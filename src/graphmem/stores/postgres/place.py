"""A place is the address of one database: how to connect to it, and how to name it to people."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import psycopg
from psycopg.conninfo import conninfo_to_dict

from graphmem.errors import ConfigError

FIELD: Final = "database_url"
_FORM: Final = "write it as postgresql://user@host:port/database"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The address of one database.

    Attributes:
        name: host, port and database; what errors show.
        parameters: all that the URL says, by libpq's names; may hold the password.
    """

    name: str
    parameters: dict[str, str] = field(repr=False)

    @classmethod
    def parse(cls, url: str, password: str | None = None) -> Place:
        """Read a URL, which may do without its password.

        Raises:
            ConfigError: it is none that can be used; the error shows no part of it.
        """
        _require_plain(url)
        try:
            found = conninfo_to_dict(url)
        except psycopg.Error:
            raise ConfigError(FIELD, f"it can't be read; {_FORM}") from None
        parameters = {key: str(value) for key, value in found.items() if value is not None}
        _require_ports(parameters.get("port", ""))
        if password is not None:
            parameters["password"] = password
        return cls(name=_name(parameters), parameters=parameters)


def _require_plain(url: str) -> None:
    scheme, _, rest = url.partition("://")
    if scheme not in {"postgresql", "postgres"}:
        raise ConfigError(FIELD, f"it doesn't begin with postgresql://; {_FORM}")
    # libpq would take the rest of a password for a host or a database, and errors would show it.
    before_query = rest.partition("?")[0]
    login, at, _ = before_query.rpartition("@")
    if at and set(login) & set("@/#"):
        reason = f"a user or password holds '@', '/' or '#'; percent-encode them, and {_FORM}"
        raise ConfigError(FIELD, reason)


def _require_ports(ports: str) -> None:
    if not all(port.isdecimal() or not port for port in ports.split(",")):
        raise ConfigError(FIELD, f"its port is no number; {_FORM}")


def _name(parameters: dict[str, str]) -> str:
    host, port = parameters.get("host", ""), parameters.get("port", "")
    place = f"{host}:{port}" if port else host
    return f"postgresql://{place}/{parameters.get('dbname', '')}"
