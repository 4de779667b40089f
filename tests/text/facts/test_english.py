from __future__ import annotations

import pytest

from tests.text.facts.found import found


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("My sister has three kids.", "three kids"),
        ("It's 5 km away.", "5 km"),
        ("about 80% done", "80%"),
        ("meet in room 204", "room 204"),
        ("we lost 3-2", "3-2"),
        ("I own one parrot.", "one parrot"),
        ("twenty-two books", "twenty-two books"),
        ("two hundred and fifty guests", "two hundred and fifty guests"),
        ("two dozen eggs", "two dozen eggs"),
        ("on the third floor", "third floor"),
        ("she came in second place", "second place"),
        ("half of the class", "half of"),
        ("10,000 people", "10,000 people"),
        ("it's 200°C", "200°C"),
        ("I lost ten pounds", "ten pounds"),
        ("read pages 12-30", "pages 12-30"),
        ("a 2015 Honda", "2015"),
    ],
)
def test_numbers_stand_with_what_they_count(text: str, number: str) -> None:
    assert found(text, "number") == [number]


@pytest.mark.parametrize(
    "text",
    [
        "one of them",
        "that one is mine",
        "no one",
        "a weird one tbh",
        "wait a second",
        "for one thing",
        "one another",
    ],
)
def test_everyday_counting_is_no_number(text: str) -> None:
    assert found(text, "number") == []


@pytest.mark.parametrize(
    ("text", "money"),
    [
        ("It cost $1,150.50 in all", "$1,150.50"),
        ("paid 15 euros", "15 euros"),
        ("two hundred bucks", "two hundred bucks"),
        ("it's £5k", "£5k"),
        ("20 Swiss francs", "20 Swiss francs"),
        ("USD 30 each", "USD 30"),
        ("it cost ten pounds", "ten pounds"),
        ("costs 30€", "30€"),
        ("a few dollars", "a few dollars"),
        ("between $20 and more", "$20"),
    ],
)
def test_money_has_a_currency(text: str, money: str) -> None:
    assert found(text, "money") == [money]
    assert found(text, "number") == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I don't know", ["don't"]),
        ("I dont know", ["dont"]),
        ("He no longer works", ["no longer"]),
        ("Nobody came without me", ["Nobody", "without"]),
        ("it’s not here and isn’t there", ["not", "isn’t"]),
        ("no problem, no worries", []),
        ("I can't wait!", []),
        ("not only that", []),
        ("a no-brainer", []),
        ("it's cold, isn't it?", []),
        ("No. 5", []),
    ],
)
def test_negations_are_marked_but_set_phrases(text: str, words: list[str]) -> None:
    assert found(text, "negation") == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("It might rain, maybe", ["might", "maybe"]),
        ("I want to go if I have to", ["want to", "if", "have to"]),
        ("you shouldn't", ["should"]),
        ("They may come in May", ["may"]),
        ("May I?", ["May"]),
        ("May is warm", []),
        ("I'd like tea", ["d like"]),
        ("could you help?", []),
        ("we plan to move", ["plan to"]),
        ("a must-have", []),
    ],
)
def test_modality_is_possibility_wish_duty_condition(text: str, words: list[str]) -> None:
    assert found(text, "modality") == words


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("I met Dr. Okafor and Mrs. Tanaka.", ["Dr. Okafor", "Mrs. Tanaka"]),
        ("at the University of Lisbon", ["University of Lisbon"]),
        ("Tom's sister left", ["Tom"]),
        ("Ulla and Bo came", ["Ulla", "Bo"]),
        ("Tariq lent me this", ["Tariq"]),
        ("Hemingway's house", ["Hemingway"]),
        ("May brought her guitar", ["May"]),
        ("my iPhone 15 died", ["iPhone"]),
        ("NASA called", ["NASA"]),
        ("i met tariq in town", ["tariq"]),
        ("She works at St. Mark's Hall.", ["St. Mark's Hall"]),
        ("with J. R. Smith", ["J. R. Smith"]),
        ("Call Benedikt now", ["Benedikt"]),
        ("Ask about New Zealand", ["New Zealand"]),
        ("We flew with Ludwig van Beethoven", ["Ludwig van Beethoven"]),
    ],
)
def test_names_have_capitals_that_nothing_else_explains(text: str, names: list[str]) -> None:
    assert found(text, "name") == names


@pytest.mark.parametrize(
    "text",
    [
        "The cat sleeps. Dogs bark. Green suits you.",
        "I think I'm late and I'd go",
        "My Mum speaks French on Monday",
        "OK, LOL",
        "Whenever I paste code, stop",
        "Coffee costs more. Photos: none",
        "Room 9 and Chapter 3",
    ],
)
def test_other_capitals_name_nobody(text: str) -> None:
    assert found(text, "name") == []


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("We need milk, eggs, and olive oil.", ["need milk", "eggs", "olive oil"]),
        ("I like tea, coffee and juice a lot", ["tea", "coffee", "juice a lot"]),
        ("In the bag: tent, stove, torch.", ["tent", "stove", "torch"]),
        ("I was in Chile, Peru or Bolivia in May", ["Chile", "Peru", "Bolivia"]),
        ("Well, I came and saw it", []),
        ("We met on May 7, 2023 and left", []),
        ("Tom, my boss, left", []),
    ],
)
def test_an_enumeration_has_three_items(text: str, items: list[str]) -> None:
    assert found(text, "listed") == items


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("Todo:\n- a b\n- c\n", ["a b", "c"]),
        ("1. one\n2. two", ["one", "two"]),
        ("待办：\n• 洗车\n• 取包裹", ["洗车", "取包裹"]),
        ("- alone", []),
        ("-5\n-6", []),
        ("a\n\n- b\nc\n- d", []),
    ],
)
def test_each_line_of_a_list_is_an_item(text: str, items: list[str]) -> None:
    assert found(text, "listed") == items


def test_the_numbers_of_the_lines_are_no_numbers() -> None:
    assert found("1. mix\n2. bake", "number") == []
