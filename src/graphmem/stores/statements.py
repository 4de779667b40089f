"""The statements by which a transaction reads and writes one memory, in one database's SQL."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Statements:
    """One statement each; the columns and parameters are those of `graphmem.stores.rows`.

    A memory's number `ns` is the first parameter of all but `update_head` and `set_buried`, whose
    last it is, and `insert_model`, which has none. It comes again where a statement has a second
    look at the memory.
    """

    update_head: str
    select_session: str
    upsert_session: str
    insert_turn: str
    select_request: str
    insert_request: str
    select_requests: str
    select_sessions: str
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
    set_buried: str
    select_turn_nos: str
    find_turns: str
    select_session_turns: str
    select_turns_before: str
    delete_turn: str
    delete_session: str
    select_segments_around: str
    select_vectors_around: str
    select_vector_models: str
    delete_vectors_at: str
    delete_all_turns: str
    delete_all_sessions: str
    delete_all_segments: str
    delete_all_vectors: str
    delete_all_pending: str
    select_tombstones: str
    insert_tombstone: str
    select_atoms: str
    select_atoms_at: str
    find_atoms: str
    select_last_atom: str
    upsert_atom: str
    delete_atom: str
    select_atom_sources: str
    select_sources_in: str
    upsert_atom_source: str
    delete_atom_source: str
    delete_sources_of_atom: str
    select_atom_edits: str
    upsert_atom_edit: str
    delete_atom_edits: str
    delete_all_atoms: str
    delete_all_atom_sources: str
    delete_all_atom_edits: str
    select_scenes: str
    select_waiting_scenes: str
    select_scene: str
    upsert_scene: str
    delete_scene: str
    select_answer: str
    upsert_answer: str
    delete_answers: str
    select_chat_tokens: str
    add_chat_tokens: str
    delete_all_scenes: str
    delete_all_answers: str
    delete_all_chat_tokens: str
