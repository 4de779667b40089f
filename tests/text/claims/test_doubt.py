"""What sounds like a value and is none: nothing is set by it, so that nothing is retired."""

from __future__ import annotations

import pytest

from graphmem.domain.moment import Moment
from graphmem.text.claims.reader import claims


def _settings(text: str, role: str = "user") -> set[tuple[str, str]]:
    """Whom and what a message sets, or ends."""
    found = claims(text, role=role, speaker=None, anchor=None)
    return {
        (claim.subject, claim.attribute.removesuffix("/more")) for claim in found if claim.attribute
    }


@pytest.mark.parametrize(
    "text",
    [
        # others say so, or it is quoted
        "他说：“我住在罗马。”",
        "他说：“我住在罗马。我叫小李。”",
        'He wrote: "I live in Rome."',
        "My wife says my name is Honey.",
        "My son says I hate sushi.",
        "I hate sushi, said Tom.",
        "I can't say I hate sushi.",
        "我儿子说我讨厌寿司。",
        "我老婆总说我叫小傻瓜。",
        # fiction, dreams and jokes
        "For my novel: I live in Narnia.",
        "In the game I live in Whiterun.",
        "In my new video game I work at Umbrella.",
        "My character says I live in Rome.",
        "I moved to Rome in my dream.",
        "I dreamt that I moved to Rome.",
        "I quit my job in my dream.",
        "I live in London, just kidding.",
        "I live in London. Just kidding!",
        "我在游戏里住在罗马。",
        "我梦见我搬到罗马了。",
        "我住在罗马，开玩笑的。",
        "我住在罗马。开玩笑的！",
        # words to work on, and cases that are put
        "Translate: I live in Rome.",
        "Let's say I live in Rome.",
        "For example, I live in Rome.",
        "翻译：我住在罗马。",
        "请把“我住在罗马”翻译成英文。",
        "比如我住在罗马。",
        # nearly, and in a way
        "I almost moved to Rome.",
        "I nearly moved to Rome.",
        "I nearly left Google.",
        "I almost quit my job.",
        "I basically live in Starbucks",
        "I live in Lima part of the year",
        "我差点搬到罗马了。",
        "我几乎住在北京。",
        "I work at Starbucks when I need quiet.",
        # what is no place to live in
        "We moved to Postgres.",
        "I moved to Kubernetes.",
        "I moved to Kubernetes last week.",
        "I moved to Jordan's team.",
        "I moved to London time.",
        "We moved to New Relic.",
        "I moved to Phoenix LiveView.",
        "I'm vegetarian today.",
        # what is no job, and no end of one
        "I quit my job search.",
        "I'm a great cook.",
        "I'm a careful driver.",
        "我是个新手司机。",
        "我是个好老师。",
        "我在考虑换工作。",
        "我在远程工作。",
        "我在给客户工作。",
        # what is no name
        "我叫老板来。",
        "我叫妈妈帮忙。",
        "我叫小李来帮忙。",
        # how something is, and not what it is
        "My favourite food is expensive.",
        "My favourite food is ready.",
        "My favourite food is so good.",
        "My favourite singer is from Taiwan.",
        "My favourite singer is Taiwanese.",
        "My favourite singer is a man.",
        "我最喜欢的歌手是台湾人。",
        "我最喜欢的歌手是个男的。",
        "我最喜欢的歌手是来开演唱会的。",
        "My email is full.",
        "My email is down.",
        "我的邮箱是坏的。",
        "I'm divorced from reality.",
        "I'm engaged with my work.",
        "I'm married to my job.",
    ],
)
def test_what_only_sounds_like_a_value_sets_nothing(text: str) -> None:
    assert _settings(text) == set()


def test_the_age_of_a_boss_is_not_who_the_boss_is() -> None:
    assert _settings("My boss is 50.") == {("user's boss", "age")}
    assert _settings("My boss is Priya.") == {("user", "is:boss")}


@pytest.mark.parametrize(
    "text",
    [
        "You live in Paris, right?",
        "You live in Paris.",
        "Your name is Tom.",
        "你住在上海，对吧？",
        "你住在上海。",
    ],
)
def test_an_assistant_repeats_and_supposes_and_sets_nothing(text: str) -> None:
    assert _settings(text, role="assistant") == set()


@pytest.mark.parametrize(
    ("text", "attribute"),
    [
        ("I moved to Edinburgh.", "residence"),
        ("I moved to New Haven.", "residence"),
        ("I moved to Springdale in Ohio.", "residence"),
        ("As I said, I live in Rome.", "residence"),
        ("I told you I live in Rome.", "residence"),
        ("I've lived in Leeds for almost ten years.", "residence"),
        ("老实说，我住在北京。", "residence"),
        ('My favourite book is "Dune".', "favourite:book"),
        ("My favourite novel is Dune.", "favourite:novel"),
        ("My favourite food is spicy ramen.", "favourite:food"),
        ("My favourite singer is Jay Chou.", "favourite:singer"),
        ("我最喜欢的歌手是周杰伦。", "favourite:歌手"),
        ("以后请叫我“老王”。", "rule:name"),
        ("我叫王小明。", "name"),
        ("I'm a senior nurse.", "job"),
        ("I'm a software engineer.", "job"),
        ("我是外科医生。", "job"),
        ("我在中国银行工作。", "employer"),
        ("I quit my job yesterday.", "employer/end"),
        ("I quit my job because of the stress.", "employer/end"),
        ("I'm engaged to Anna.", "marital status"),
        ("I'm married with two kids.", "marital status"),
        ("My email is a@b.com.", "email"),
        ("我的邮箱是a@b.com。", "email"),
    ],
)
def test_a_plain_value_is_set(text: str, attribute: str) -> None:
    assert _settings(text) == {("assistant" if attribute[:4] == "rule" else "user", attribute)}


@pytest.mark.parametrize(
    ("text", "attribute", "predicate", "value"),
    [
        ("I moved to Paris two weeks ago", "residence", "move to", "Paris"),
        ("I moved to Paris on 2024-01-05", "residence", "move to", "Paris"),
        ("I moved from Leeds to Paris", "residence", "move to", "Paris"),
        ("Linda moved from Tampa to Denver last month", "residence", "move to", "Denver"),
        ("I quit my job at St. Mary's.", "employer/end", "quit my job at", "St. Mary's"),
        ("我现在最喜欢的歌手是陶喆。", "favourite:歌手", "最喜欢的歌手", "陶喆"),
        ("我上周一入职了字节跳动。", "employer", "入职", "字节跳动"),
    ],
)
def test_a_value_is_read_whole_and_bare(
    text: str, attribute: str, predicate: str, value: str
) -> None:
    said = Moment.parse_iso("2024-06-05T10:00:00Z")
    (found,) = claims(text, role="user", speaker=None, anchor=said)
    assert found.attribute.removesuffix("/more") == attribute
    assert (found.predicate, found.value) == (predicate, value)


@pytest.mark.parametrize(
    "text",
    [
        "I moved from MySQL to Postgres.",
        "I moved from Leeds to Paris in 2010.",
        "I moved to Paris years ago.",
        "I'm allergic to nuts and have asthma.",
    ],
)
def test_a_move_of_no_home_or_long_ago_sets_nothing(text: str) -> None:
    assert _settings(text) == set()
