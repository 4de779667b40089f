"""What retrieval answers: hits in final order, and a trace of how they were found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Literal

from graphmem.domain.annotation import annotate
from graphmem.domain.interval import Interval
from graphmem.domain.mention import Mention
from graphmem.domain.moment import Moment

HitKind = Literal["turn"]
RerankFailure = Literal["query_too_long", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One piece of evidence.

    Attributes:
        id: the turn's id.
        kind: what the hit is.
        content: the turn's text, verbatim.
        score: finite, above 0; non-increasing along the list. Not comparable across queries.
        role: the message's role.
        speaker: who said it: as given, else the label that opens the text (`Caroline: ...`).
        body_start: where the text goes on behind that label, 0 without one.
        session_id: the session it belongs to.
        turn_ids: the turns it stands on.
        occurred: when it was said, None if undated.
        recorded: when it arrived.
        dates: the dates that the text behind the label speaks of, in text order.
        shares: what each channel gave to the score; only when asked to explain.
    """

    id: str
    kind: HitKind
    content: str
    score: float
    role: str
    speaker: str | None
    body_start: int
    session_id: str
    turn_ids: tuple[str, ...]
    occurred: Moment | None
    recorded: Moment
    dates: tuple[Mention, ...] = ()
    shares: Mapping[str, float] | None = None

    @property
    def text(self) -> str:
        """What was said, without the speaker's label, with each date behind its expression."""
        return annotate(self.content[self.body_start :], self.dates).text

    @property
    def event_time(self) -> str | None:
        """When it was said: ISO 8601 in the source's offset, None if undated."""
        return self.occurred.iso() if self.occurred else None

    @property
    def recorded_at(self) -> str:
        """When it arrived: ISO 8601 UTC."""
        return self.recorded.iso_utc()

    @property
    def created_at(self) -> str:
        """When it was said, else when it arrived: ISO 8601 UTC."""
        return (self.occurred or self.recorded).iso_utc()

    def to_dict(self) -> dict[str, object]:
        """The hit as JSON-ready values; `shares` only when it was asked for."""
        values: dict[str, object] = {
            "id": self.id,
            "kind": self.kind,
            "content": self.content,
            "text": self.text,
            "score": self.score,
            "role": self.role,
            "speaker": self.speaker,
            "session_id": self.session_id,
            "turn_ids": list(self.turn_ids),
            "event_time": self.event_time,
            "recorded_at": self.recorded_at,
            "dates": [self._date(mention) for mention in self.dates],
        }
        return values if self.shares is None else values | {"shares": dict(self.shares)}

    def _date(self, mention: Mention) -> dict[str, str]:
        start, end = self.body_start + mention.start, self.body_start + mention.end
        return {"text": self.content[start:end], "value": mention.interval.text()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reranked:
    """What the reranking model did.

    Attributes:
        model: its name.
        turns: how many of the first turns it read; 0 where it could not, or had nothing to order.
        failure: why it could not, None when it could; the order is then that of the channels.
    """

    model: str
    turns: int
    failure: RerankFailure | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """How the hits were found.

    Attributes:
        version: the published version that was searched.
        terms: the query's index terms, in order.
        named_speakers: speakers of this memory that the query names.
        dates: the question's expressions of time, each with what it means.
        candidates: how many turns had a score above 0.
        dense: whether the query was compared by meaning too; False without a model, or while
            it is out.
        vectors: passages of the memory whose vectors have landed.
        passages: passages of the memory.
        reranked: what the reranking model did, None without one.
    """

    version: int
    terms: tuple[str, ...]
    named_speakers: tuple[str, ...]
    dates: tuple[tuple[str, Interval], ...]
    candidates: int
    dense: bool
    vectors: int
    passages: int
    reranked: Reranked | None = None

    def to_dict(self) -> dict[str, object]:
        """The trace as JSON-ready values; `reranked` only where there is such a model."""
        values: dict[str, object] = asdict(self) | {
            "terms": list(self.terms),
            "named_speakers": list(self.named_speakers),
            "dates": [{"text": text, "value": date.text()} for text, date in self.dates],
        }
        if self.reranked is None:
            del values["reranked"]
        return values


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieval:
    """Hits in final order with their trace."""

    hits: tuple[Hit, ...]
    trace: Trace

    def to_dict(self) -> dict[str, object]:
        """Hits and trace as JSON-ready values."""
        return {"hits": [hit.to_dict() for hit in self.hits], "trace": self.trace.to_dict()}
