"""Contract 2, `/v1`: what a request must hold, and the shape of every answer."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    FailFast,
    Field,
    PlainValidator,
    WithJsonSchema,
)
from pydantic_core import PydanticCustomError

from graphmem.domain.message import Message
from graphmem.wire.closed import ClosedModel
from graphmem.wire.values import (
    Identifier,
    NonBlank,
    Query,
    read_count,
    read_non_blank,
    read_strings,
)

MOST_MESSAGES: Final = 256
MOST_BYTES: Final = 1024 * 1024  # of text, in UTF-8
MOST_HITS: Final = 100


def _read_limit(value: object) -> int | None:
    if value is None:
        return None
    # 32.0 is an integer to JSON Schema, hence to whoever makes requests from our description.
    whole = int(value) if isinstance(value, float) and value.is_integer() else value
    limit = read_count(whole)
    if not 1 <= limit <= MOST_HITS:
        raise PydanticCustomError("limit", "must be from 1 to {most}", {"most": MOST_HITS})
    return limit


def _read_timestamp(value: object) -> str | None:
    return None if value is None else read_non_blank(value)


def _read_options(value: object) -> list[str]:
    found = read_strings(value)
    if found is None:
        raise PydanticCustomError("wrong_kind", "must be an array of strings, not null")
    return found


Limit = Annotated[
    int | None,
    PlainValidator(_read_limit),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "integer", "minimum": 1, "maximum": MOST_HITS},
                {"type": "null"},
            ]
        }
    ),
]
Options = Annotated[
    list[str],
    PlainValidator(_read_options),
    WithJsonSchema({"type": "array", "items": {"type": "string"}}),
]


Timestamp = Annotated[
    str | None,
    PlainValidator(_read_timestamp),
    WithJsonSchema(
        {
            "description": "ISO 8601; without a zone it is UTC",
            "anyOf": [
                {"type": "string", "format": "date-time"},
                {"type": "string", "format": "date"},
                {"type": "null"},
            ],
        }
    ),
]


class ProductMessage(ClosedModel):
    """One message to remember."""

    role: Literal["user", "assistant", "system", "tool"]
    content: NonBlank
    speaker: Identifier | None = None
    listener: Identifier | None = None
    timestamp: Timestamp = None

    def to_domain(self) -> Message:
        """The message as the service takes it."""
        return Message(
            role=self.role,
            content=self.content,
            speaker=self.speaker,
            listener=self.listener,
            timestamp=self.timestamp,
        )


def _within_bytes(messages: list[ProductMessage]) -> list[ProductMessage]:
    """Here already, so that a batch which is too large does not wait for its turn first."""
    size = sum(len(message.content.encode("utf-8", "surrogatepass")) for message in messages)
    if size > MOST_BYTES:
        raise PydanticCustomError(
            "too_large",
            "must hold at most {most} bytes of text; split the batch",
            {"most": f"{MOST_BYTES:,}"},
        )
    return messages


class ProductAdd(ClosedModel):
    """Messages to append to a session of a memory."""

    request_id: Identifier
    memory_id: Identifier
    session_id: Identifier
    messages: Annotated[
        list[ProductMessage],
        Field(min_length=1, max_length=MOST_MESSAGES),
        FailFast(),
        AfterValidator(_within_bytes),
    ]

    def to_domain(self) -> list[Message]:
        """The messages as the service takes them, in order."""
        return [message.to_domain() for message in self.messages]


class ProductRetrieve(ClosedModel):
    """A question to a memory."""

    memory_id: Identifier
    query: Query
    limit: Limit = Field(
        None, description="without it, the turns of the question's class under their budgets"
    )
    session_id: Identifier | None = None
    options: Options = Field(default_factory=list)
    time_start: Timestamp = Field(None, description="ISO 8601; without a zone it is UTC")
    time_end: Timestamp = Field(None, description="ISO 8601, included; a date is its day")
    as_of: Timestamp = Field(None, description="ISO 8601; nothing said later counts")
    asked_at: Timestamp = Field(None, description="ISO 8601; when the question was asked")
    explain: bool = False


class ProductPrepare(ClosedModel):
    """A question to make a prompt for."""

    memory_id: Identifier
    query: Query
    options: Options = Field(default_factory=list)
    asked_at: Timestamp = Field(None, description="ISO 8601; when the question was asked")


class ProductRebuild(ClosedModel):
    """A memory to build anew."""

    memory_id: Identifier


class _Answer(BaseModel):
    """A success body, as `to_dict()` of the SDK's value gives it; here for the description."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class ReceiptAnswer(_Answer):
    """The messages are durable, and searchable."""

    version: int
    ready_version: int
    state: Literal["ready", "pending"]
    turn_ids: list[str]
    replayed: bool


class DateAnswer(_Answer):
    """A date that a text speaks of."""

    text: str
    value: str


class HitAnswer(_Answer):
    """One piece of evidence."""

    id: str
    kind: Literal["turn"]
    content: str
    text: str
    score: float
    role: str
    speaker: str | None
    session_id: str
    turn_ids: list[str]
    event_time: str | None
    recorded_at: str
    dates: list[DateAnswer]
    shares: dict[str, float] | None = None


class RerankedAnswer(_Answer):
    """What the reranking model did; only where the settings name one."""

    model: str
    turns: int
    failure: Literal["query_too_long", "failed"] | None


class TraceAnswer(_Answer):
    """How the hits were found."""

    version: int
    terms: list[str]
    named_speakers: list[str]
    dates: list[DateAnswer]
    candidates: int
    dense: bool
    vectors: int
    passages: int
    reranked: RerankedAnswer | None = None


class RetrievalAnswer(_Answer):
    """Evidence in final order, best first."""

    hits: list[HitAnswer]
    trace: TraceAnswer


class ChatMessageAnswer(_Answer):
    """One message to a chat model."""

    role: Literal["system", "user"]
    content: str


class EvidenceAnswer(_Answer):
    """One turn as it stands in the prompt."""

    id: str
    turn_id: str
    session_id: str
    role: str
    speaker: str | None
    event_time: str | None
    text: str
    is_whole: bool
    lane: Literal["stage", "focus"]
    score: float


class UsageAnswer(_Answer):
    """What the messages cost."""

    prompt_tokens: int
    evidence_tokens: int
    max_prompt_tokens: int
    turns: int
    tokenizer: str
    is_approximate: bool


class QuestionAnswer(_Answer):
    """What the question was read as."""

    kind: str = Field(alias="class")
    family: Literal["lookup", "list", "temporal", "inference"]
    labels: list[Literal["comparison", "geographic_resolution"]]
    people: list[str]
    answer: str


class StageAnswer(_Answer):
    """The budget of the question's class."""

    turns: int
    tokens: int


class OptimizedReadoutAnswer(_Answer):
    """What became of the read-out that was asked for."""

    asked: Literal["v5_81", "v5_73"]
    used: Literal["v5_81", "v5_73"]
    fallback: bool
    stage_wanted: int
    stage_kept: int
    focus_wanted: int
    focus_kept: int


class LeftOutAnswer(_Answer):
    """What was wanted and is not shown."""

    turn_id: str
    reason: Literal["sentence_too_long", "no_room"]


class AidAnswer(_Answer):
    """A line that was computed from the evidence that it cites."""

    kind: Literal["state", "span", "order", "count", "relation"]
    text: str
    ids: list[str]


class PrepareTraceAnswer(_Answer):
    """How the messages came about."""

    retrieval: TraceAnswer
    question: QuestionAnswer
    stage: StageAnswer
    optimized_readout: OptimizedReadoutAnswer
    left_out: list[LeftOutAnswer]
    aids: list[AidAnswer]


class PreparedAnswer(_Answer):
    """Messages for a chat model, with the evidence that they show."""

    messages: list[ChatMessageAnswer]
    evidence: list[EvidenceAnswer]
    usage: UsageAnswer
    trace: PrepareTraceAnswer


class AnswerUsageAnswer(_Answer):
    """What an answer cost."""

    prompt: UsageAnswer
    model_calls: int
    prompt_tokens: int
    answer_tokens: int


class AnswerTraceAnswer(_Answer):
    """How an answer came about."""

    prepare: PrepareTraceAnswer
    model: str
    finish: Literal["stop", "length", "content_filter", "not_asked"]
    invented: list[str]


class AnswerAnswer(_Answer):
    """A model's answer, whose citations are ids of the evidence."""

    text: str
    abstained: bool
    citations: list[str]
    evidence: list[EvidenceAnswer]
    usage: AnswerUsageAnswer
    trace: AnswerTraceAnswer


class StatusAnswer(_Answer):
    """What a memory holds."""

    tenant_id: str
    memory_id: str
    version: int
    ready_version: int
    state: Literal["ready", "pending"]
    needs_rebuild: bool
    turns: int
    sessions: int
    content_bytes: int
    embedded_turns: int
    waiting_turns: int
    created_at: str
    updated_at: str


class MemoriesAnswer(_Answer):
    """A page of memories."""

    memories: list[StatusAnswer]
    next_after: str | None


class RebuildAnswer(_Answer):
    """What a rebuild did."""

    memories: int
    reindexed: int
    remade: int
    turns: int
    refused: int
