"""The statements by which a transaction reads and writes one memory, in one database's SQL."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Statements:
    """One statement each; the columns and parameters are those of `graphmem.stores.rows`.

    A memory's number `ns` is the first parameter of all but `update_head`, whose last it is, and
    `insert_model`, which has none.
    """

    update_head: str
    select_session: str
    upsert_session: str
    insert_turn: str
    select_request: str
    insert_request: str
    select_segments: str
    select_segment: str
    select_spans: str
    insert_segment: str
    delete_segment: str
    insert_model: str
    select_vectors: str
    select_vector_spans: str
    insert_vectors: str
    delete_other_vectors: str
    select_pending: str
    insert_pending: str
    delete_pending: str
    delete_other_pending: str
