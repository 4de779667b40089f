from __future__ import annotations

from functools import cache

from hypothesis import given, strategies as st

from graphmem.readout.excerpt import Excerpt, excerpt, term_weights, whole
from graphmem.text.tokens import BuiltInTokenCounter
from tests.readout.makers import candidate
from tests.text.scaling import growth

COUNT = BuiltInTokenCounter().count
LONG = (
    "Dr. Lee told me about the trip. We flew to Lisbon last Tuesday at 3 p.m. and it rained! "
    "The hotel was 2.5 km away. 我们上周五去了里斯本。住了三天。 👩‍🚀 waved. The tram was yellow 🇵🇹. "
    "I lost my passport near the tower. The police were kind. We ate custard tarts."
)


def _excerpt(
    text: str, query: list[str], *, target: int, room: int = 1000, budget: int = 1000
) -> Excerpt:
    hit = candidate(0, text).hit
    weights = term_weights(query, [hit])
    return excerpt(hit, weights, cost=COUNT, target=target, room=room, budget=budget)


def test_the_sentences_nearest_to_the_question_are_shown_in_their_order() -> None:
    found = _excerpt(LONG, ["passport", "tower", "polic"], target=17)
    assert found.text == "… I lost my passport near the tower. The police were kind. …"
    assert not found.is_whole


def test_dates_are_written_out_and_never_cut() -> None:
    found = _excerpt(LONG, ["lisbon"], target=30)
    assert "last Tuesday at 3 p.m. (2023-05-02 15:00) and it rained!" in found.text


def test_all_of_a_turn_is_whole() -> None:
    assert _excerpt(LONG, ["tram"], target=1000).is_whole


def test_a_sentence_longer_than_the_budget_is_left_out() -> None:
    text = "Short one. " + "word " * 300 + ". Last one."
    found = _excerpt(text, ["word"], target=50, room=60, budget=60)
    assert found.too_long == 1
    assert "word" not in found.text
    assert found.text == "Short one. … Last one."


PIECES = st.sampled_from(
    ["I saw Ann last Tuesday. ", "在2023年5月7日见面。", "👩‍🚀! ", "🇳🇿 won? ", "ok… ", "See U.S. data. ",
     "3.5 km! ", ".\n", "上周五去了。", "e\u0301! ", "Really?! ", "no stop "]
)  # fmt: skip


@given(st.lists(PIECES, min_size=1, max_size=25), st.integers(0, 80))
def test_what_is_shown_is_whole_sentences_of_the_turn(pieces: list[str], room: int) -> None:
    text = "".join(f"{number}# {piece}" for number, piece in enumerate(pieces))  # all different
    hit = candidate(0, text).hit
    weights = term_weights(["ann"], [hit])
    found = excerpt(hit, weights, cost=COUNT, target=room, room=room, budget=room)
    assert COUNT(found.text) <= room
    all_of_it = _plain(whole(hit))
    at = 0
    for piece in found.text.removeprefix("… ").removesuffix(" …").split(" … "):
        at = all_of_it.index(_plain(piece), at)  # in order, each in one stretch
        before, after = all_of_it[:at], all_of_it[at + len(_plain(piece)) :]
        assert not before or before[-1] in ".!?。…/)" or "/" in before[-2:], (before, piece)
        assert not after.startswith(("\u200d", "\u0301", "\U0001f1ff"))
        at += len(_plain(piece))


def _plain(text: str) -> str:
    return text.replace(" / ", " ").replace(" ", "")


def test_time_grows_with_the_length() -> None:
    read = cache(lambda text: candidate(0, text).hit)

    def show(text: str) -> Excerpt:
        return excerpt(read(text), {}, cost=COUNT, target=100, room=1000, budget=1000)

    assert growth(show, "昨天。", length=15_000) < 3.0
