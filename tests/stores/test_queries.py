"""Every statement finds its rows by a key that begins with the memory, or the tenant."""

from __future__ import annotations

import re

import pytest

from graphmem.stores.sqlite import SqliteStore, queries

STATEMENTS = {name: value for name, value in vars(queries).items() if name.isupper()}
# The numbers that a caller asks for are walked one by one, and that is all.
ASKED = "SCAN asked VIRTUAL TABLE INDEX 1:"


@pytest.mark.parametrize("name", sorted(set(STATEMENTS) - {"PING"}))
def test_no_statement_scans_a_table(sqlite: SqliteStore, name: str) -> None:
    statement: str = STATEMENTS[name]
    values = [None] * (2 if "?2" in statement else statement.count("?"))
    with sqlite._readers.lend() as connection:
        steps = [row[3] for row in connection.rows("EXPLAIN QUERY PLAN " + statement, values)]
    assert [step for step in steps if step.startswith("SCAN")] in ([], [ASKED]), steps
    keys = {match[1] for step in steps if (match := re.search(r"\((\w+)=\?", step))}
    assert keys <= {"ns", "tenant_id", "scope_digest", "rowid"}, steps
