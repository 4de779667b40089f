"""A database URL names a PostgreSQL database, and never its password, since settings are shown."""

from __future__ import annotations

from typing import Final
from urllib.parse import parse_qsl, urlsplit

from graphmem.errors import ConfigError

FIELD: Final = "database_url"
_FORM: Final = "write it as postgresql://user@host:port/database"
_SECRETS: Final = frozenset({"password", "sslpassword"})
_REFUSAL: Final = (
    "holds a password, which settings, command lines and logs would show; take it out, and put it "
    "into the environment variable that database_password_env names, into PGPASSWORD, or into "
    "libpq's ~/.pgpass"
)


def check_database_url(url: str) -> None:
    """Refuse what is no URL of a database, or holds a password; the error shows no part of it.

    Raises:
        ConfigError: names the remedy.
    """
    scheme, _, rest = url.partition("://")
    if scheme not in {"postgresql", "postgres"}:
        raise ConfigError(FIELD, f"it doesn't begin with postgresql://; {_FORM}")
    before_query, _, query = rest.partition("?")
    login, at, _ = before_query.rpartition("@")
    names = {name.lower() for name, _ in parse_qsl(query)}
    if login.partition(":")[2] or names & _SECRETS:
        raise ConfigError(FIELD, _REFUSAL)
    # A password with a '?' in it would be taken for a port and a query.
    if "@" in query or (at and set(login) & set("@/#")):
        raise ConfigError(FIELD, f"it holds '@', '/' or '#'; percent-encode them, and {_FORM}")
    try:
        urlsplit(url)
    except ValueError:
        raise ConfigError(FIELD, f"it can't be read; {_FORM}") from None


def shown_database(url: str) -> str:
    """The URL as people are told it: host, port and database."""
    parts = urlsplit(url)
    return f"postgresql://{parts.netloc.rpartition('@')[2]}{parts.path}"
