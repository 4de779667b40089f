"""What the databases of former releases hold. Never changed, since they hold it already.

It is also run by those releases, so it imports nothing.
"""

from __future__ import annotations

Said = list[tuple[str | None, str, str | None]]  # who, what, when

# In order: tenant, memory, session, request, contract, and what was said.
ADDS: list[tuple[str, str, str, str, str, Said]] = [
    (
        "acme",
        "ann",
        "s1",
        "r1",
        "v1",
        [
            ("Ann", "I joined a choir last Tuesday.", "2023-05-08T13:56:00Z"),
            ("Ben", "Which one?", "2023-05-08T13:57:00Z"),
            ("Ann", "The one at the harbour, we sing shanties.", "2023-05-08T15:58:00+02:00"),
        ],
    ),
    ("acme", "ann", "s1", "r2", "v1", [("Ben", "My boat is called Petrel.", None)]),
    ("acme", "ann", "s2", "r3", "v1", [("Ann", "My cousin adopted two kittens.", "2023-06-01")]),
    (
        "acme",
        "ann",
        "s2",
        "r1",
        "addsearch",
        [(None, "Ann: The ferry leaves at noon.", "2023-06-02T10:00:00Z")],
    ),
    (
        "acme",
        "小明",
        "会话一",
        "请求一",
        "v1",
        [
            ("小明", "我周五去里斯本。", "2024-01-02T08:00:00+08:00"),
            ("小红", "灯塔的门票是二十元。", "2024-01-02T08:01:00+08:00"),
        ],
    ),
    ("other", "ann", "s1", "r1", "v1", [("Ann", "I prefer mountains to the sea.", None)]),
]

# In order: tenant, memory, question, and the text that answers it.
QUESTIONS = [
    ("acme", "ann", "When did Ann join the choir?", "I joined a choir last Tuesday."),
    ("acme", "ann", "What is the name of Ben's boat?", "My boat is called Petrel."),
    ("acme", "ann", "When does the ferry leave?", "Ann: The ferry leaves at noon."),
    ("acme", "小明", "灯塔的门票多少钱？", "灯塔的门票是二十元。"),
    ("other", "ann", "mountains or sea?", "I prefer mountains to the sea."),
]
