from __future__ import annotations

import json

import pytest
from hypothesis import given, settings, strategies as st

from graphmem.build.scenes.prompt import schema_for
from graphmem.build.scenes.reply import LONGEST_REPLY, read_reply
from graphmem.errors import ChatResponseError
from tests.build.scenes.makers import answer, item
from tests.text.scaling import growth

TWO = [item("I moved", 0), item("I left 茶", 1)]
WHOLE = answer(*TWO)
SCHEMA_TEXT = json.dumps(schema_for(2).body)

READABLE = {
    "plain": WHOLE,
    "indented": json.dumps({"atoms": TWO}, indent=2),
    "fenced": f"```json\n{WHOLE}\n```",
    "fenced without language": f"~~~\n{WHOLE}\n~~~",
    "after a thought": f'<think>Maybe {{"atoms": []}}? No.</think>\n{WHOLE}',
    "after a thought whose begin is lost": f"[] would be wrong.\n</think>{WHOLE}",
    "a bare list": json.dumps(TWO),
    "a bare list in a fence": f"```\n{json.dumps(TWO)}\n```",
    "prose around": f"Here is [what] I {{found}}:\n{WHOLE}\nI hope [it] helps {{you}}.",
    "after the schema": f"{SCHEMA_TEXT}\n{WHOLE}",
    "written into the schema": json.dumps({"type": "object", "properties": {"atoms": TWO}}),
    "a draft before": f"{answer()}\nOn reflection:\n{WHOLE}",
    "line breaks within a text": WHOLE.replace("I moved", "I\nmoved"),
}


@pytest.mark.parametrize("name", READABLE)
def test_atoms_are_found_in_what_stands_around(name: str) -> None:
    reply = read_reply(READABLE[name])
    assert [each.quote for each in reply.items] == ["I moved", "I left 茶"]
    assert [each.positions for each in reply.items] == [(0,), (1,)]
    assert (reply.malformed, reply.is_whole) == (0, True)


@pytest.mark.parametrize(
    "text", ['{"atoms": []}', "[]", "```json\n[]\n```", '<think>Hm [1].</think> {"atoms": [ ]}']
)
def test_nothing_found_is_an_answer(text: str) -> None:
    reply = read_reply(text)
    assert (reply.items, reply.malformed, reply.is_whole) == ((), 0, True)


FAILED = {
    "empty": "",
    "prose": "There is nothing to remember here.",
    "an empty list in prose": "The list of atoms is [] since nothing was said.",
    "the schema": SCHEMA_TEXT,
    "the schema, cut off": SCHEMA_TEXT[:-9],
    "only thoughts": '<think>I could answer {"atoms": []}',
    "another object": '{"error": "overloaded"}',
    "atoms of another type": '{"atoms": "none"}',
    "a list of texts": '["I moved"]',
    "null": "null",
    "cut off in the first atom": WHOLE[:40],
    "cut off before the first atom": '{"atoms": [',
    "deep": '{"atoms":' + "[" * 100_000,
    "every atom malformed": answer({"quote": "I moved"}, 3, None),
}


@pytest.mark.parametrize("name", FAILED)
def test_what_lists_nothing_and_does_not_say_so_is_an_error(name: str) -> None:
    with pytest.raises(ChatResponseError) as caught:
        read_reply(FAILED[name])
    assert "moved" not in str(caught.value)


@settings(deadline=None)
@given(st.integers(min_value=0, max_value=len(WHOLE) - 3))
def test_of_a_list_that_was_cut_off_the_whole_atoms_are_kept(end: int) -> None:
    text = WHOLE[:end]
    first_ends = WHOLE.index("}") + 1
    if end < first_ends:
        with pytest.raises(ChatResponseError):
            read_reply(text)
    else:
        reply = read_reply(text)
        assert not reply.is_whole
        assert [each.quote for each in reply.items] == ["I moved", "I left 茶"][: len(reply.items)]
        assert len(reply.items) == 1 + (end >= len(WHOLE) - 2)


@pytest.mark.parametrize(
    "wrong",
    [
        {"position": "0"},
        {"position": 0.5},
        {"position": True},
        {"position": None},
        {"others": 1},
        {"others": ["1"]},
        {"type": "event"},
        {"type": 1},
        {"type": None},
        {"polarity": "positive"},
        {"modality": ["asserted"]},
        {"subject": {"name": "Ann"}},
        {"value": ["tea"]},
        {"value": True},
        {"quote": "x" * 2_001},
    ],
    ids=str,
)
def test_an_atom_of_wrong_types_is_left_out_and_counted(wrong: dict[str, object]) -> None:
    reply = read_reply(answer(item("I moved", 0), item("I moved", 0) | wrong, "text"))
    assert [each.quote for each in reply.items] == ["I moved"]
    assert reply.malformed == 2


def test_what_may_be_missing_has_a_default() -> None:
    (found,) = read_reply(answer({"position": 0, "type": " Persona", "value": 3})).items
    assert (found.positions, found.type, found.value) == ((0,), "persona", "3")
    assert (found.polarity, found.modality, found.when) == ("affirmed", "asserted", "")


def test_what_can_not_be_stored_is_replaced() -> None:
    (found,) = read_reply('[{"position": 0, "type": "persona", "quote": "a\\ud800\\u0000b"}]').items
    assert found.quote.encode()
    assert "\x00" not in found.quote


@settings(deadline=None)
@given(st.text(alphabet='[]{}":,` \n<think>/0aatoms茶', max_size=80))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        reply = read_reply(text)
    except ChatResponseError:
        return
    assert reply.is_whole or reply.items


@pytest.mark.parametrize("unit", ["{", "[{", '{"a":', "<think>", "</think>", "```\n", '[{"a":1},'])
def test_reading_is_linear(unit: str) -> None:
    def read(text: str) -> None:
        try:
            read_reply(text)
        except ChatResponseError:
            return

    assert growth(read, unit, length=LONGEST_REPLY // 4) < 3.4
