"""An address turns the names of the atomic contract into the one id that all contracts share.

That contract names a memory by team, agent and user, and a session within a task; a store knows one
id of each. Ids that begin with `MARK` are made here only: a user id, or a session id, that begins so
by itself is written in a way that no other names can give.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

from graphmem.domain.scope import digest_parts

MARK: Final = "scoped:"
DEFAULT: Final = "default"
LONGEST: Final = 1024  # what an id may have; the id of long names is a digest


def memory_of(user_id: str | None, team_id: str | None = None, agent_id: str | None = None) -> str:
    """The memory of a user, or of a user's work with an agent of a team.

    Args:
        user_id: None stands for `default`, as with the others.
        team_id: see there.
        agent_id: see there.

    Returns:
        The user id itself as long as there is neither team nor agent, so that all contracts reach
        the same memory; else the three, percent-encoded, behind `MARK`.
    """
    team, agent, user = (name or DEFAULT for name in (team_id, agent_id, user_id))
    if (team, agent) == (DEFAULT, DEFAULT):
        return user if not user.startswith(MARK) else _marked(user)
    return _marked(team, agent, user)


def session_of(session_id: str | None, task_id: str | None = None) -> str:
    """The session that is written to; the session id itself within the default task."""
    session, task = session_id or DEFAULT, task_id or DEFAULT
    if task == DEFAULT and not session.startswith(MARK):
        return session
    return f"{MARK}{_escaped(session)}/{_escaped(task)}"


def names_of_session(kept: str) -> tuple[str, str]:
    """The session and the task of an id that `session_of`, or another contract, has made."""
    session, slash, task = kept.removeprefix(MARK).partition("/")
    if not kept.startswith(MARK) or not slash or "/" in task:
        return kept, DEFAULT
    return _plain(session), _plain(task)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of a memory.

    Attributes:
        session_id: one session, in whatever task; None for all.
        task_id: one task; None for all.
    """

    session_id: str | None = None
    task_id: str | None = None

    @property
    def is_whole(self) -> bool:
        """Whether it leaves nothing out."""
        return self.session_id is None and self.task_id is None

    def admits(self, session_id: str, task_id: str) -> bool:
        """Whether a session of a task belongs to it."""
        return self.session_id in {None, session_id} and self.task_id in {None, task_id}


WHOLE: Final = Part()


def _marked(*names: str) -> str:
    written = MARK + "/".join(quote(name, safe="") for name in names)
    # No encoded name holds a `#`.
    return written if len(written) <= LONGEST else f"{MARK}#{digest_parts(*names).hex()}"


def _escaped(name: str) -> str:
    return name.replace("%", "%25").replace("/", "%2F")


def _plain(name: str) -> str:
    return name.replace("%2F", "/").replace("%25", "%")
