"""What is computed from the evidence: only where it is certain, and with the records that it follows from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from graphmem import MemoryService, Message
from graphmem.domain.aid import Aid
from graphmem.readout.aid_words import CHINESE, ENGLISH
from tests.readout.injections import INJECTIONS
from tests.readout.makers import rules


@dataclass(frozen=True)
class Told:
    speaker: str
    day: str
    text: str


def ann(day: str, text: str) -> Told:
    return Told("Ann", day, text)


def yu(day: str, text: str) -> Told:
    return Told("小雨", day, text)


def aids(
    service: MemoryService, told: Sequence[Told], question: str, asked_at: str | None = None
) -> tuple[Aid, ...]:
    for number, one in enumerate(told):
        timestamp = f"2023-{one.day}T10:00:00Z"
        said = Message(role="user", speaker=one.speaker, content=one.text, timestamp=timestamp)
        service.add("t", "m", f"s{number}", [said])
    ready = service.prepare("t", "m", question, asked_at=asked_at)
    shown = {one.id for one in ready.evidence}
    inside = ready.messages[1].content.partition("</memory>")[0]
    for aid in ready.trace.aids:
        assert aid.ids
        assert set(aid.ids) <= shown
        assert all(f"[{one}]" in aid.text for one in aid.ids)
        assert aid.text in inside
    title = (ENGLISH.title in inside) or (CHINESE.title in inside)
    assert title is bool(ready.trace.aids)
    return ready.trace.aids


def texts(found: Sequence[Aid], kind: str) -> list[str]:
    return [aid.text for aid in found if aid.kind == kind]


CHOIR = [
    ann("05-08", "I joined a choir last Tuesday."),
    ann("06-10", "I moved to Berlin on June 5th."),
]
合唱 = [yu("05-08", "我上周二加入了合唱团。"), yu("06-10", "我6月5日搬到了北京。")]
SPAN = (
    "\u201cI joined a choir last Tuesday (2023-05-02).\u201d [m1] came before "
    "\u201cI moved to Berlin on June 5th (2023-06-05).\u201d [m2]: 34 days"
)
相隔 = (
    "\u201c我上周二(2023-05-02)加入了合唱团。\u201d [m1] 早于 "
    "\u201c我6月5日(2023-06-05)搬到了北京。\u201d [m2]：相隔 34 天"
)


@pytest.mark.parametrize(
    "question",
    [
        "How many days passed between Ann joining the choir and moving to Berlin?",
        "Which did Ann do first, move to Berlin or join the choir?",
        "Did Ann join the choir before moving to Berlin?",
        "How many days after joining the choir did Ann move to Berlin?",
    ],
)
def test_the_days_between_two_dated_events_are_counted(
    service: MemoryService, question: str
) -> None:
    assert texts(aids(service, CHOIR, question), "span") == [SPAN]


@pytest.mark.parametrize(
    "question",
    [
        "小雨加入合唱团和搬到北京之间隔了几天？",
        "小雨先搬到北京还是先加入合唱团？",
        "从小雨加入合唱团到搬到北京过了多少天？",
    ],
)
def test_the_days_between_two_dated_events_are_counted_in_chinese(
    service: MemoryService, question: str
) -> None:
    assert texts(aids(service, 合唱, question), "span") == [相隔]


@pytest.mark.parametrize(
    ("told", "question", "days"),
    [
        (CHOIR, "How long ago did Ann join the choir?", "60 days"),
        (合唱, "小雨加入合唱团是多久以前？", "60 天"),
    ],
)
def test_how_long_ago_is_counted_from_when_it_was_asked_and_only_then(
    service: MemoryService, told: list[Told], question: str, days: str
) -> None:
    (text,) = texts(aids(service, told, question, "2023-07-01"), "span")
    assert text.endswith(days)
    assert texts(service.prepare("t", "m", question).trace.aids, "span") == []


@pytest.mark.parametrize(
    ("told", "question"),
    [
        (
            [ann("06-10", "I joined a choir in March 2023."), CHOIR[1]],
            "Which did Ann do first, move to Berlin or join the choir?",
        ),
        (
            [yu("06-10", "我2023年3月加入了合唱团。"), 合唱[1]],
            "小雨先搬到北京还是先加入合唱团？",
        ),
    ],
)
def test_of_a_month_the_order_is_told_and_no_days(
    service: MemoryService, told: list[Told], question: str
) -> None:
    found = aids(service, told, question)
    assert texts(found, "span") == []
    (text,) = texts(found, "order")
    assert text.index("[m1]") < text.index("[m2]")


BETWEEN = "How many days passed between Ann joining the choir and moving to Berlin?"
之间 = "小雨加入合唱团和搬到北京之间隔了几天？"


@pytest.mark.parametrize(
    ("told", "question"),
    [
        ([*CHOIR, ann("06-20", "I joined the choir again yesterday.")], BETWEEN),
        ([*CHOIR, ann("06-20", "Did I say that I joined the choir?")], BETWEEN),
        ([*CHOIR, Told("Bob", "06-20", "I joined the choir, too, last Monday.")], BETWEEN),
        ([ann("05-08", "I joined a choir."), CHOIR[1]], BETWEEN),
        ([ann("05-08", "I might join a choir next Tuesday."), CHOIR[1]], BETWEEN),
        ([ann("05-08", "I did not join a choir last Tuesday."), CHOIR[1]], BETWEEN),
        ([ann("07-08", "I joined a choir in June."), CHOIR[1]], BETWEEN),
        (CHOIR, "How many days passed between Ann and Bob joining the choir?"),
        (CHOIR, "How many days passed between this and that?"),
        (CHOIR, "When did Ann join the choir?"),
        ([*合唱, yu("06-20", "我昨天又加入了合唱团。")], 之间),
        ([*合唱, Told("小明", "06-20", "你加入合唱团了吗？")], 之间),
        ([yu("05-08", "我加入了合唱团。"), 合唱[1]], 之间),
        ([yu("05-08", "我可能下周二加入合唱团。"), 合唱[1]], 之间),
        ([yu("05-08", "我上周二没有加入合唱团。"), 合唱[1]], 之间),
        (合唱, "小雨和小明之间隔了几天？"),
        (合唱, "小雨什么时候加入合唱团？"),
    ],
)
def test_where_it_is_not_sure_which_events_are_meant_nothing_is_computed(
    service: MemoryService, told: list[Told], question: str
) -> None:
    found = aids(service, told, question)
    assert texts(found, "span") + texts(found, "order") == []


PARIS = [ann("05-08", "I live in Paris."), ann("07-10", "I live in Berlin now.")]
上海 = [yu("05-08", "我住在上海。"), yu("07-10", "我现在住在北京。")]


@pytest.mark.parametrize(
    ("told", "question", "text"),
    [
        (
            PARIS,
            "Where does Ann live?",
            "Latest: \u201cI live in Berlin now.\u201d [m2]; it replaced: \u201cI live in Paris.\u201d [m1]",
        ),
        (
            PARIS[::-1],
            "Where does Ann live?",
            "Latest: \u201cI live in Berlin now.\u201d [m1]; it replaced: \u201cI live in Paris.\u201d [m2]",
        ),
        (
            上海,
            "小雨住在哪里？",
            "最新：\u201c我现在住在北京。\u201d [m2]；此前：\u201c我住在上海。\u201d [m1]",
        ),
    ],
)
def test_the_latest_state_is_told_with_what_it_replaced(
    service: MemoryService, told: list[Told], question: str, text: str
) -> None:
    assert texts(aids(service, told, question), "state") == [text]


@pytest.mark.parametrize(
    ("told", "question"),
    [
        (PARIS[:1], "Where does Ann live?"),
        (
            [ann("05-08", "I live in Paris."), ann("05-08", "I live in Berlin.")],
            "Where does Ann live?",
        ),
        ([PARIS[0], Told("Bob", "07-10", "I live in Berlin now.")], "Where does Ann live?"),
        (PARIS, "Where does Bob live?"),
        (上海[:1], "小雨住在哪里？"),
        ([上海[0], Told("小明", "07-10", "我现在住在北京。")], "小雨住在哪里？"),
    ],
)
def test_without_a_sure_replacement_no_state_is_told(
    service: MemoryService, told: list[Told], question: str
) -> None:
    service.add("t", "m", "before", [Message(role="user", speaker="Bob", content="Hello, Ann.")])
    assert texts(aids(service, told, question), "state") == []


@pytest.mark.parametrize(
    ("told", "question"),
    [
        (PARIS, "What is Ann's dog called?"),
        (PARIS, "What did Ann buy at the market?"),
        (上海, "小雨的狗叫什么？"),
        (上海, "小雨喜欢什么水果？"),
    ],
)
def test_a_state_that_is_not_asked_for_is_not_told(
    service: MemoryService, told: list[Told], question: str
) -> None:
    assert texts(aids(service, told, question), "state") == []


@pytest.mark.parametrize(
    ("told", "question"),
    [
        (PARIS, "Which city is Ann's home?"),
        (PARIS, "Does Ann still live in Paris?"),
        (上海, "小雨住的城市是哪里？"),
        (上海, "小雨还住在上海吗？"),
    ],
)
def test_a_state_is_told_to_who_asks_for_it(
    service: MemoryService, told: list[Told], question: str
) -> None:
    assert len(texts(aids(service, told, question), "state")) == 1


def test_the_same_value_in_other_words_hides_no_change(service: MemoryService) -> None:
    told = [*PARIS, ann("08-01", "I live in Berlin with Bo.")]
    (text,) = texts(aids(service, told, "Where does Ann live now?"), "state")
    assert "with Bo" in text
    assert "Paris" in text


def test_a_state_whose_records_are_not_shown_is_not_told(service: MemoryService) -> None:
    aids(service, PARIS, "Where does Ann live?")
    by = rules(lookup_turns=1, focus_turns=0)
    ready = service.prepare("t", "m", "Where does Ann live now?", rules=by)
    assert len(ready.evidence) == 1
    assert ready.trace.aids == ()


def test_when_the_new_value_is_deleted_nothing_was_replaced(service: MemoryService) -> None:
    assert aids(service, PARIS, "Where does Ann live?")
    (latest,) = [h.id for h in service.retrieve("t", "m", "Berlin", limit=1).hits]
    service.delete_messages("t", "m", [latest])
    assert service.prepare("t", "m", "Where does Ann live?").trace.aids == ()


CITIES = [
    ann("05-08", "I visited Paris."),
    ann("06-10", "I visited Oslo."),
    ann("07-10", "I visited Rome."),
]
城市 = [yu("05-08", "我去过巴黎。"), yu("06-10", "我去过奥斯陆。"), yu("07-10", "我去过罗马。")]


@pytest.mark.parametrize(
    ("told", "question", "text"),
    [
        (
            CITIES,
            "How many cities has Ann visited?",
            "Ann, visit: the records tell of 3 in all: Paris [m1]; Oslo [m2]; Rome [m3]",
        ),
        (
            城市,
            "小雨去过几个城市？",
            "小雨，去过：记录中共有 3 项：巴黎 [m1]；奥斯陆 [m2]；罗马 [m3]",
        ),
    ],
)
def test_a_closed_collection_is_counted(
    service: MemoryService, told: list[Told], question: str, text: str
) -> None:
    assert texts(aids(service, told, question), "count") == [text]


@pytest.mark.parametrize(
    ("told", "question"),
    [
        # Part of it is only kept as it was said, so there may be more.
        ([*CITIES[:2], ann("07-10", "I visited Rome. Then 14 km, 3 hours, wow.")], "How many cities has Ann visited?"),
        ([*CITIES, Told("Bob", "07-11", "Ann, you visited Vienna with us, too!")], "How many cities has Ann visited?"),
        ([*CITIES, ann("07-11", "I visited the old town of Rome.")], "How many cities has Ann visited?"),
        (CITIES, "How many times has Ann visited Paris?"),
        (CITIES, "How many cities has Ann visited in June 2023?"),
        (CITIES, "How many cities has Bob visited?"),
        (CITIES, "How many friends has Ann met?"),
        (CITIES, "Which cities has Ann visited?"),
        ([*城市, yu("07-11", "我还去过很多地方。")], "小雨去过几个城市？"),
        ([*城市, Told("小明", "07-11", "你去过维也纳吗？")], "小雨去过几个城市？"),
        (城市, "小雨去过几次巴黎？"),
        (城市, "小明去过几个城市？"),
        (城市, "小雨去过哪些城市？"),
    ],
)  # fmt: skip
def test_what_may_not_be_all_is_not_counted(
    service: MemoryService, told: list[Told], question: str
) -> None:
    assert texts(aids(service, told, question), "count") == []


@pytest.mark.parametrize(
    "text",
    [
        "I visited many places.", "I visited some museums.", "I visited Rome and Oslo.", "I visited it.",
        "I visited two towns.", "I visited castles.",
    ],
)  # fmt: skip
def test_what_may_be_several_things_is_not_counted(service: MemoryService, text: str) -> None:
    told = [*CITIES[:2], ann("07-10", text)]
    assert texts(aids(service, told, "How many cities has Ann visited?"), "count") == []


LIKES = [
    ann("05-08", "I love jazz."),
    ann("05-09", "I hate jazz crowds."),
    ann("05-10", "I went to the jazz shop yesterday."),
    Told("Bob", "05-11", "I love jazz."),
]
喜欢 = [
    yu("05-08", "我喜欢音乐。"),
    yu("05-09", "我讨厌音乐会。"),
    yu("05-10", "我昨天听了音乐。"),
    Told("小明", "05-11", "我喜欢音乐。"),
]


@pytest.mark.parametrize(
    ("told", "question", "found"),
    [
        (
            LIKES,
            "Would Ann enjoy a jazz concert?",
            ["Ann → love → jazz [m1]", "Ann → hate → jazz crowds [m2]"],
        ),
        (
            喜欢,
            "小雨会喜欢音乐节吗？",
            ["小雨 → 喜欢 → 音乐 [m1]", "小雨 → 讨厌 → 音乐会 [m2]"],
        ),
    ],
)
def test_an_inference_shows_what_the_graph_knows_of_the_person(
    service: MemoryService, told: list[Told], question: str, found: list[str]
) -> None:
    assert texts(aids(service, told, question), "relation") == found


@pytest.mark.parametrize(
    ("told", "question", "family"),
    [
        (LIKES, "When did Ann go to the jazz shop?", "temporal"),
        (LIKES, "How many jazz shops has Ann seen?", "list"),
        (LIKES, "Where is the jazz shop?", "lookup"),
        (喜欢, "小雨什么时候听了音乐？", "temporal"),
        (喜欢, "小雨在哪里听音乐？", "lookup"),
    ],
)
def test_other_questions_show_capsules_alone(
    service: MemoryService, told: list[Told], question: str, family: str
) -> None:
    assert texts(aids(service, told, question), "relation") == []
    assert service.prepare("t", "m", question).trace.question.family == family


def test_relations_that_hold_no_more_are_left_out(service: MemoryService) -> None:
    told = [ann("05-08", "I love sushi."), ann("06-08", "I hate sushi now.")]
    found = aids(service, told, "Would Ann enjoy a sushi restaurant?")
    assert [aid.text for aid in found if aid.kind == "relation"] == ["Ann → hate → sushi [m2]"]


def test_aids_can_be_left_out(service: MemoryService) -> None:
    aids(service, PARIS, "Where does Ann live?")
    ready = service.prepare("t", "m", "Where does Ann live?", rules=rules(aid_tokens=0))
    assert ready.trace.aids == ()
    assert ENGLISH.title not in ready.messages[1].content


@pytest.mark.parametrize("text", INJECTIONS)
def test_no_stored_text_leaves_the_frame_by_way_of_an_aid(
    service: MemoryService, text: str
) -> None:
    """What atoms say is stored text, too."""
    for number in range(2):
        said = Message(
            role="user",
            speaker=f"Ann {text}",
            content=f"I love tea {text}. I live in Paris{number} {text}. I hate {text}",
            timestamp=f"2023-0{number + 1}-01T00:00:00Z",
        )
        service.add("t", "m", "s", [said])
    for question in ("Would Ann enjoy Paris0?", "安会喜欢 Paris0 吗？"):
        user = service.prepare("t", "m", question).messages[1].content
        inside, _, tail = user.partition("\n</memory>")
        assert inside.count("<memory>") == 1
        assert "<" not in inside.removeprefix("<memory>")
        assert "</memory>" not in tail
        starts = ("## ", "[m", ENGLISH.title, CHINESE.title, "Latest: ", "最新：", "Ann ")
        assert all(not line or line.startswith(starts) for line in inside.split("\n")[1:])


@pytest.mark.parametrize(
    "told",
    [
        [ann("05-08", "I work at Google."), ann("06-09", "I left Google.")],
        [ann("05-08", "I work at Google."), ann("06-09", "I started a new job at IBM.")],
        [yu("05-08", "我在谷歌工作。"), yu("06-09", "我跳槽去了腾讯。")],
        [ann("05-08", "I live in Berlin."), ann("06-09", "I moved to Paris last week."),
         ann("07-10", "I live in Paris now.")],
        [ann("05-08", "I work at Shell."), ann("06-09", "I work at Google as a nurse."),
         ann("07-10", "I got a new job at IBM.")],
    ],
)  # fmt: skip
def test_what_a_later_turn_may_have_ended_is_not_told(
    service: MemoryService, told: list[Told]
) -> None:
    who = told[0].speaker
    for question in (f"What would {who} likely do?", f"Where does {who} work and live?"):
        found = aids(service, told, question)
        held = [*texts(found, "relation"), *texts(found, "state")]
        assert not any(word in line for line in held for word in ("Google", "谷歌", "Berlin"))
