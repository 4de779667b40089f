"""A database URL names a PostgreSQL database, and never its password, since settings are shown."""

from __future__ import annotations

from typing import Final
from urllib.parse import parse_qsl, urlsplit

from graphmem.errors import ConfigError

FIELD: Final = "database_url"
FORM: Final = "write it as postgresql://user@host:port/database"
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
    login, query = _parts(url)
    names = {name.lower() for name, _ in parse_qsl(query)}
    if login.partition(":")[2] or names & _SECRETS:
        raise ConfigError(FIELD, _REFUSAL)
    require_form(url)


def require_form(url: str) -> None:
    """Refuse what is no URL of a database, or could be read in two ways; the error shows no part of it.

    Raises:
        ConfigError: names the remedy.
    """
    login, query = _parts(url)
    # libpq would take the rest of a password for a host, a port, a database or a query.
    if "@" in query or set(login) & set("@/#"):
        raise ConfigError(FIELD, f"it holds '@', '/' or '#'; percent-encode them, and {FORM}")
    try:
        urlsplit(url)
    except ValueError:
        raise ConfigError(FIELD, f"it can't be read; {FORM}") from None


def _parts(url: str) -> tuple[str, str]:
    """The user, with a password if there is one, and the query; either may be empty."""
    scheme, _, rest = url.partition("://")
    if scheme not in {"postgresql", "postgres"}:
        raise ConfigError(FIELD, f"it doesn't begin with postgresql://; {FORM}")
    before_query, _, query = rest.partition("?")
    return before_query.rpartition("@")[0], query


def shown_database(url: str) -> str:
    """The URL as people are told it: host, port and database."""
    parts = urlsplit(url)
    return f"postgresql://{parts.netloc.rpartition('@')[2]}{parts.path}"
