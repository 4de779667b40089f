"""A place is the address of one database: how to connect to it, and how to name it to people."""

from __future__ import annotations

from dataclasses import dataclass, field

import psycopg
from psycopg.conninfo import conninfo_to_dict

from graphmem.database_url import FIELD, FORM, require_form
from graphmem.errors import ConfigError


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
        require_form(url)
        try:
            found = conninfo_to_dict(url)
        except psycopg.Error:
            raise ConfigError(FIELD, f"it can't be read; {FORM}") from None
        parameters = {key: str(value) for key, value in found.items() if value is not None}
        _require_ports(parameters.get("port", ""))
        if password is not None:
            parameters["password"] = password
        return cls(name=_name(parameters), parameters=parameters)


def _require_ports(ports: str) -> None:
    if not all(port.isdecimal() or not port for port in ports.split(",")):
        raise ConfigError(FIELD, f"its port is no number; {FORM}")


def _name(parameters: dict[str, str]) -> str:
    host, port = parameters.get("host", ""), parameters.get("port", "")
    place = f"{host}:{port}" if port else host
    return f"postgresql://{place}/{parameters.get('dbname', '')}"
