"""Writes a database with the code of a former commit, to be kept beside this file.

    python tests/upgrade/generate.py COMMIT NAME

makes NAME.sqlite, and NAME.json with the receipts and answers that this code gave. It runs in
this Python, so what that commit needs must be installed.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent

WRITE = """
import json, sys
from pathlib import Path
from graphmem import MemoryService, Message
from graphmem.service.policy import ADD_SEARCH, PRODUCT
from conversation import ADDS, QUESTIONS

policies = {"v1": PRODUCT, "addsearch": ADD_SEARCH}
with MemoryService.open(data_dir=sys.argv[1]) as service:
    turn_ids = []
    for tenant, memory, session, request, surface, said in ADDS:
        messages = [
            Message(role="user", speaker=speaker, content=content, timestamp=timestamp)
            for speaker, content, timestamp in said
        ]
        receipt = service.add(
            tenant, memory, session, messages, request_id=request, policy=policies[surface]
        )
        turn_ids.append(list(receipt.turn_ids))
    wrong = [
        question
        for tenant, memory, question, answer in QUESTIONS
        if service.retrieve(tenant, memory, question).hits[0].content != answer
    ]
    assert not wrong, wrong
    if hasattr(service, "catch_up"):
        assert service.catch_up(60)
print(json.dumps(turn_ids))
"""


def main() -> None:
    """Write the two files."""
    commit, name = sys.argv[1:]
    sources = subprocess.run(
        ["git", "archive", commit, "src"], cwd=HERE.parents[1], check=True, capture_output=True
    ).stdout
    with tempfile.TemporaryDirectory() as directory:
        place = Path(directory)
        with tarfile.open(fileobj=io.BytesIO(sources)) as archive:
            archive.extractall(place, filter="data")
        shutil.copy(HERE / "conversation.py", place / "src")
        written = subprocess.run(
            [sys.executable, "-c", WRITE, str(place / "data")],
            env=os.environ | {"PYTHONPATH": str(place / "src")},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        shutil.copy(place / "data" / "memory.sqlite", HERE / f"{name}.sqlite")
    facts = {"commit": commit, "turn_ids": json.loads(written)}
    (HERE / f"{name}.json").write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
