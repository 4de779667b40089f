from __future__ import annotations

import pytest

from graphmem.text.thoughts import without_thoughts


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("In May.", "In May."),
        ("<think>May? Or June?</think>In May.", "In May."),
        ("May? Or June?</think> In May.", " In May."),  # the template opened it
        ("<THINKING>a</THINKING><think>b</think>c", "c"),
        ("<think>In June, so I say", ""),
        ("a</think>b<think>c", "b"),
    ],
)
def test_what_a_model_wrote_to_itself_is_no_answer(text: str, answer: str) -> None:
    assert without_thoughts(text) == answer
