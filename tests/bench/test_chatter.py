from __future__ import annotations

from itertools import groupby

from graphmem.bench.chatter import SESSION_TURNS, chatter, question


def test_it_is_the_same_every_time_and_another_for_another_seed() -> None:
    assert list(chatter(50)) == list(chatter(50))
    assert list(chatter(50)) != list(chatter(50, seed=2))


def test_sessions_follow_each_other_in_time() -> None:
    turns = list(chatter(3 * SESSION_TURNS + 1))
    sizes = [len(list(items)) for _, items in groupby(turns, key=lambda turn: turn[0])]
    times = [message.timestamp for _, message in turns]
    assert sizes == [SESSION_TURNS] * 3 + [1]
    assert times == sorted(times, key=str)


def test_both_languages_are_spoken() -> None:
    speakers = {message.speaker for _, message in chatter(100)}
    assert speakers == {"Nora", "Idris", "苏晚", "何川"}


def test_no_question_repeats() -> None:
    assert len({question(number) for number in range(2000)}) == 2000
