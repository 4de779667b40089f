"""Every error that graphmem raises on purpose, in one tree.

GraphmemError
├── InvalidInputError         a value of the caller's is wrong; names the field
├── ConfigError               a setting is wrong; names the field and the nearest known one
├── MemoryNotFoundError       no such memory under this tenant
├── AtomNotFoundError         no such atom in this memory
├── KeyNotFoundError          no such key, or none within the caller's bounds
├── RequestConflictError      the same request id with another payload
├── AtomConflictError         the atom was changed since it was read
├── MemoryPendingError        the memory is not built up to its last version; wait, or rebuild
├── BuildFailedError          what was added is kept, but the memory could not be built
├── GenerationDisabledError   the settings do not let `answer` ask a model
├── OverloadedError           a bounded queue is full; try again later
├── ServiceClosedError        the service was closed
├── RemoteError               the process that holds the data directory could not be asked, or refused
├── ModelError                a model did not do its share; texts are safe
│   ├── UnavailableError      it can't be reached, is too slow or overloaded; try again
│   ├── ResponseError         it answered with what can't be used, or refused the request
│   ├── EmbeddingError        the embedding model gave no usable vectors
│   │   ├── EmbeddingUnavailableError  and UnavailableError
│   │   └── EmbeddingResponseError     and ResponseError: what is no vector, or a text refused
│   ├── ChatError             the chat model gave no usable answer
│   │   ├── ChatUnavailableError       and UnavailableError
│   │   └── ChatResponseError          and ResponseError
│   └── RerankError           the reranking model gave no usable scores; searches go on without
│       ├── RerankUnavailableError     and UnavailableError
│       ├── RerankResponseError        and ResponseError
│       └── RerankRefusedError         the query leaves the model no room for a text
└── StoreError                the place where memories are kept failed
    ├── StoreLockedError      another process holds the data directory
    ├── StoreFullError        the disk, or its quota, is full
    ├── StoreUnavailableError the directory or the database can't be opened, read or written
    └── StoreFormatError      not a graphmem database, damaged, or written by a newer version
"""

from __future__ import annotations

from collections.abc import Sequence


class GraphmemError(Exception):
    """Root of all errors raised by graphmem. Its text says what to do about it."""


class InvalidInputError(GraphmemError):
    """A value of the caller's is wrong; nothing was changed.

    Attributes:
        field: dotted path of the value, such as `messages.0.role`.
        reason: what is wrong and what is accepted, without the value's text.
    """

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason


class ConfigError(GraphmemError):
    """A setting is wrong.

    Attributes:
        field: dotted path of the setting.
        reason: what is wrong, and the remedy.
    """

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason


class MemoryNotFoundError(GraphmemError):
    """There is no such memory under this tenant, which is named if it is the caller's own."""

    def __init__(self, tenant_id: str | None = None) -> None:
        whose = "this tenant" if tenant_id is None else f"tenant {tenant_id!r}"
        super().__init__(f"no such memory under {whose}; memories are created by their first add")


class AtomNotFoundError(GraphmemError):
    """There is no such atom in this memory."""

    def __init__(self) -> None:
        super().__init__(
            "no such atom in this memory; it may have been deleted, search for it anew"
        )


class AtomConflictError(GraphmemError):
    """The atom was changed since it was read; nothing was changed now.

    Attributes:
        revision: the revision that it has.
    """

    def __init__(self, revision: int) -> None:
        super().__init__(
            f"the atom is at version {revision}; read it again and repeat the change with that "
            "expected_version"
        )
        self.revision = revision


class KeyNotFoundError(GraphmemError):
    """There is no such key, or it can do more than the key of whoever asks."""

    def __init__(self) -> None:
        super().__init__(
            "no such key among those that can do no more than yours; `graphmem keys list` shows "
            "them, and a key with more rights, or the service's own, revokes others"
        )


class RequestConflictError(GraphmemError):
    """The same request id arrived before with another payload; nothing was changed."""

    def __init__(self) -> None:
        super().__init__(
            "this request_id was used before with another payload; use a new request_id"
        )


class MemoryPendingError(GraphmemError):
    """The memory is not built up to its last version, so it is not read.

    Attributes:
        needs_rebuild: it waits for somebody to ask for a rebuild; else it is being completed.
    """

    def __init__(self, *, needs_rebuild: bool) -> None:
        remedy = (
            "it was built with other settings or another embedding model; run graphmem rebuild, "
            "or POST /v1/rebuild"
            if needs_rebuild
            else "a running server completes it in the background; the same add again and "
            "graphmem rebuild complete it, too"
        )
        super().__init__(f"the memory is not ready: {remedy}")
        self.needs_rebuild = needs_rebuild


class BuildFailedError(GraphmemError):
    """The messages are stored, but their memory could not be built; it is pending.

    The same call again completes it, as a rebuild does, and the background.
    """

    def __init__(self, cause: str) -> None:
        super().__init__(
            f"what was added is kept, but the memory could not be built ({cause}); "
            "send the same request again"
        )


class GenerationDisabledError(GraphmemError):
    """The settings do not let `answer` ask a chat model; `prepare` makes the messages for one."""

    def __init__(self) -> None:
        super().__init__(
            "answering is not enabled; set generate_answers with answer_model and answer_base_url, "
            "or send the messages of prepare to a model of yours"
        )


class OverloadedError(GraphmemError):
    """A bounded queue is full; nothing was changed, the same call may be made again.

    Attributes:
        retry_after_seconds: how long to wait before the next try.
    """

    def __init__(self, retry_after_seconds: int = 1) -> None:
        super().__init__(f"too many requests are waiting; try again in {retry_after_seconds} s")
        self.retry_after_seconds = retry_after_seconds


class ServiceClosedError(GraphmemError):
    """The service was closed; open it again to go on."""

    def __init__(self) -> None:
        super().__init__("the memory service is closed; open it again to go on")


class RemoteError(GraphmemError):
    """The process that holds the data directory could not be asked over HTTP, or refused.

    Attributes:
        status: the HTTP status of its answer, None without one.
    """

    def __init__(self, message: str, *, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class ModelError(GraphmemError):
    """A model did not do its share; what it was to work on is kept."""


class UnavailableError(ModelError):
    """A model can't be reached, timed out or is overloaded; the same call may be made again."""


class ResponseError(ModelError):
    """A model answered with what can't be used, or refused the request.

    Attributes:
        status: the HTTP status with which its server refused; None when it did not.
    """

    status: int | None = None


class EmbeddingError(ModelError):
    """The embedding model gave no usable vectors; texts are kept and found lexically."""


class EmbeddingUnavailableError(EmbeddingError, UnavailableError):
    """The model can't be reached, timed out or is overloaded; the same call may be made again."""


class EmbeddingResponseError(EmbeddingError, ResponseError):
    """The model answered with what is no vector (wrong size, NaN, garbage), or refused the text."""


class ChatError(ModelError):
    """The chat model gave no usable answer; what it was asked about is kept."""


class ChatUnavailableError(ChatError, UnavailableError):
    """The model can't be reached, timed out or is overloaded; the same call may be made again."""


class ChatResponseError(ChatError, ResponseError):
    """The model answered with what can't be used (garbage, another schema), or refused to answer."""


class RerankError(ModelError):
    """The reranking model gave no usable scores; the search goes on without them."""


class RerankUnavailableError(RerankError, UnavailableError):
    """The model can't be loaded, or is closed; its files may be mended meanwhile."""


class RerankResponseError(RerankError, ResponseError):
    """The model gave what are no scores of pairs (another shape, NaN), or failed on a pair."""


class RerankRefusedError(RerankError):
    """The query is so long that no text fits beside it; that says nothing about the model."""


class StoreError(GraphmemError):
    """The place where memories are kept failed; an unacknowledged write was undone whole."""


class StoreLockedError(StoreError):
    """Another process holds the data directory.

    Attributes:
        pid: the holder's process id, if it could be read.
        address: the loopback address at which the holder serves, if it serves.
    """

    def __init__(self, directory: str, *, pid: int | None, address: str | None) -> None:
        holder = f"process {pid}" if pid is not None else "another process"
        served = f", which serves at {address}" if address else ""
        super().__init__(
            f"{directory} is in use by {holder}{served}; stop it, talk to it over HTTP, "
            "or choose another data directory"
        )
        self.pid = pid
        self.address = address


class StoreFullError(StoreError):
    """The disk, or its quota, is full; free some space and send the same request again."""


class StoreUnavailableError(StoreError):
    """The directory or the database can't be opened, read or written."""


class StoreFormatError(StoreError):
    """The file is not a graphmem database, is damaged, or was written by a newer version."""


def join_names(names: Sequence[str]) -> str:
    """Join names for an error message: `a, b or c`."""
    head, last = names[:-1], names[-1]
    return f"{', '.join(head)} or {last}" if head else last
