"""Where a client sends its calls, as whom, and in which scope."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias
from urllib.parse import SplitResult, urlsplit

from graphmem._version import __version__
from graphmem.client.errors import BadRequestError

Version: TypeAlias = Literal["v2", "v3"]

_VERSIONS: Final = ("v2", "v3")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Whose memory is meant; None leaves a part to the server."""

    user_id: str | None = None
    team_id: str | None = None
    agent_id: str | None = None
    session_id: str | None = None
    task_id: str | None = None

    def owner(self) -> dict[str, str | None]:
        """The fields of the body that name the memory."""
        return {"user_id": self.user_id, "team_id": self.team_id, "agent_id": self.agent_id}

    def within(self) -> dict[str, str | None]:
        """The fields of the body that name a part of the memory."""
        return {"session_id": self.session_id, "task_id": self.task_id}


@dataclass(frozen=True, slots=True)
class Settings:
    """Checked settings of a client; the repr shows no key."""

    base_url: str
    api_key: str | None = field(repr=False)
    service_id: str | None
    version: Version

    def __post_init__(self) -> None:
        """Check.

        Raises:
            BadRequestError: a setting can't be used.
        """
        _check_url(self.base_url)
        _check_header("api_key", self.api_key)
        _check_header("service_id", self.service_id)
        if self.version not in _VERSIONS:
            raise BadRequestError('version: must be "v2" or "v3"')

    @property
    def host(self) -> str:
        """Host and port, as messages name the server."""
        return urlsplit(self.base_url).netloc

    @property
    def is_loopback(self) -> bool:
        """Whether the server is on this machine."""
        host = urlsplit(self.base_url).hostname or ""
        try:
            return ipaddress.ip_address(host).is_loopback
        except ValueError:
            return host == "localhost"

    def headers(self) -> Mapping[bytes, bytes]:
        """The headers of every request."""
        headers = {
            b"Accept": b"application/json",
            b"Content-Type": b"application/json",
            b"User-Agent": f"graphmem/{__version__}".encode(),
        }
        if self.api_key is not None:
            headers[b"Authorization"] = b"Bearer " + self.api_key.encode()
        if self.service_id is not None:
            headers[b"x-tdai-service-id"] = self.service_id.encode()
        return headers

    def url(self, path: str) -> str:
        """The URL of a call."""
        return f"{self.base_url.rstrip('/')}/{self.version}/{path}"


def _check_url(url: str) -> None:
    parts = _split(url)
    is_usable = (
        parts is not None
        and parts.scheme in {"http", "https"}
        and bool(parts.hostname)
        and not (parts.username or parts.password or parts.query or parts.fragment)
    )
    if not is_usable:
        raise BadRequestError(
            "base_url: must be a URL such as http://127.0.0.1:8420, without a user, a password, "
            "a query or a fragment"
        )


def _split(url: object) -> SplitResult | None:
    if not isinstance(url, str) or not url.isprintable() or " " in url:
        return None
    try:
        parts = urlsplit(url)
        _ = parts.port  # checked when it is read
    except ValueError:
        return None
    return parts


def _check_header(name: str, value: str | None) -> None:
    if value is None:
        return
    if not value or value != value.strip() or not value.isprintable():
        raise BadRequestError(
            f"{name}: must be printable characters without white space at either end; "
            "None leaves it out"
        )
