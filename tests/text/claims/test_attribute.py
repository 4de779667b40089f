from __future__ import annotations

from itertools import combinations

import pytest

from graphmem.domain.setting import MORE
from graphmem.text.claims.reader import claims


def _key(text: str) -> tuple[str, str]:
    """Subject and attribute, empty ones where the sentence sets none; whatever else it says."""
    found = claims(text, role="user", speaker="Ana", anchor=None)
    return (found[0].subject, found[0].attribute.removesuffix(MORE)) if found else ("", "")


@pytest.mark.parametrize(
    ("text", "attribute"),
    [
        ("I live in Berlin now.", "residence"),
        ("I moved to Munich last month.", "residence"),
        ("I work at Google.", "employer"),
        ("I got a new job at Siemens.", "employer"),
        ("I've got a job at Siemens!", "employer"),
        ("I started a new job at Siemens last Monday.", "employer"),
        ("I started working for Siemens.", "employer"),
        ("I've been hired by Siemens.", "employer"),
        ("I joined Siemens as an engineer last week.", "employer"),
        ("I joined the sales team at Siemens in May.", "employer"),
        ("I left Siemens after five years.", "employer/end"),
        ("I resigned from Siemens.", "employer/end"),
        ("I was laid off from Siemens.", "employer/end"),
        ("I no longer work at Siemens.", "employer/end"),
        ("I stopped working at Siemens.", "employer/end"),
        ("I quit my job last month.", "employer/end"),
        ("I retired last year.", "employer/end"),
        ("I work as a nurse.", "job"),
        ("I'm a plumber.", "job"),
        ("My name is Sam.", "name"),
        ("My friends call me Sammy.", "nickname"),
        ("I'm 34 years old.", "age"),
        ("I turned 35 yesterday.", "age"),
        ("My birthday is on May 3rd.", "birthday"),
        ("My phone number is 555-0134.", "phone"),
        ("My email is a@b.org.", "email"),
        ("We got divorced last year.", "marital status"),
        ("My husband is Tom.", "partner"),
        ("I'm vegetarian.", "diet"),
        ("My favorite color is green.", "favourite:colour"),
        ("Blue is my favourite colour.", "favourite:colour"),
        ("I love sushi.", "attitude:sushi"),
        ("I really can't stand sushi.", "attitude:sushi"),
        ("I don't like sushi anymore.", "attitude:sushi"),
        ("My boss is Anna Lee.", "is:boss"),
        ("My car is a Honda Civic.", "is:car"),
        ("Please call me Max.", "rule:name"),
        ("From now on answer in French.", "rule:language"),
        ("Keep your answers short.", "rule:length"),
        ("Never use emojis.", "rule:emoji"),
        ("我住在上海。", "residence"),
        ("我上个月搬到北京了。", "residence"),
        ("我在腾讯上班。", "employer"),
        ("我上个月跳槽到字节跳动了。", "employer"),
        ("我从阿里跳槽到腾讯了。", "employer"),
        ("我上周入职腾讯。", "employer"),
        ("我刚入职字节跳动当产品经理。", "employer"),
        ("我在美团入职了。", "employer"),
        ("我加入了腾讯公司。", "employer"),
        ("我从腾讯离职了。", "employer/end"),
        ("我离开了腾讯。", "employer/end"),
        ("我不在腾讯工作了。", "employer/end"),
        ("我被腾讯裁了。", "employer/end"),
        ("我离职了。", "employer/end"),
        ("我上个月辞掉了工作。", "employer/end"),
        ("我妈妈退休了。", "employer/end"),
        ("我是护士。", "job"),
        ("我今年三十岁。", "age"),
        ("我的生日是5月3号。", "birthday"),
        ("我的手机号是13800138000。", "phone"),
        ("我结婚了。", "marital status"),
        ("我最喜欢的颜色是绿色。", "favourite:颜色"),
        ("我喜欢吃苹果。", "attitude:苹果"),
        ("我讨厌苹果。", "attitude:苹果"),
        ("朋友都叫我小胖。", "nickname"),
        ("以后用英文回答。", "rule:language"),
        ("请一直叫我老王。", "rule:name"),
        ("不要用表情符号。", "rule:emoji"),
    ],
)
def test_an_attribute_with_one_value_is_set(text: str, attribute: str) -> None:
    assert _key(text)[1] == attribute


@pytest.mark.parametrize(
    "text",
    [
        "I live in Leeds with my sister.",
        "I love sushi, pizza and ramen.",
        "I joined Siemens as an engineer.",
        "I'm 34 years old and I play chess.",
        "Call me Max because Maximilian is long.",
        "我住在北京，养了一只猫。",
        "我刚入职字节跳动当产品经理。",
        "叫我老王，我不吃辣。",
        "I love sushi, yes" + ", yes" * 200 + ".",
    ],
)
def test_a_sentence_that_says_more_than_its_value_is_marked(text: str) -> None:
    (found,) = claims(text, role="user", speaker="Ana", anchor=None)
    assert found.attribute.endswith(MORE)


@pytest.mark.parametrize(
    "text",
    [
        "Yes, I really live in Leeds now!",
        "Last week, I moved to Leeds, by the way.",
        "I'm 34 years old.",
        "I got a new job at Siemens last Monday.",
        "From now on, always reply in German.",
        "谢谢，我现在住在上海。",
        "我上个月跳槽到字节跳动了。",
        "以后用英文回答。",
    ],
)
def test_a_sentence_that_says_its_value_alone_is_not_marked(text: str) -> None:
    (found,) = claims(text, role="user", speaker="Ana", anchor=None)
    assert found.attribute
    assert not found.attribute.endswith(MORE)


@pytest.mark.parametrize(
    "text",
    [
        "I have a dog.",
        "I used to live in Rome.",
        "I moved to Rome in 2010.",
        "I might move to Rome.",
        "I don't live in Rome.",
        "I'm moving to Berlin in May.",
        "I live in fear.",
        "She lives in Paris.",
        "My friend lives in Oslo.",
        "I work at night.",
        "I joined Planet Fitness.",
        "I got my brother a job at Bosch.",
        "I got a job offer from Google.",
        "I didn't get the job at Google.",
        "I got a part-time job at Tesco.",
        "I'm joining Google as an engineer in May.",
        "I will leave Google.",
        "I left Google at 6 pm.",
        "I left Mary at the station.",
        "I left my keys at Google.",
        "I quit smoking.",
        "I retired the old laptop.",
        "I retired from competition.",
        "I worked at Google.",
        "I'm a mother.",
        "I'm 20 minutes late.",
        "My birthday is tomorrow.",
        "My boss is a nightmare.",
        "My car is in the garage.",
        "I like tea more than coffee.",
        "I love it when it rains.",
        "I loved the film.",
        "When I ask about code, answer in English.",
        "Never call me Samantha.",
        "我以前住在天津。",
        "我没住在上海。",
        "他住在上海。",
        "我朋友住在上海。",
        "我的车坏了。",
        "我有一只猫。",
        "我可能会搬到深圳。",
        "我在家工作。",
        "我喜欢你。",
        "我下周入职腾讯。",
        "我打算离职。",
        "我还没离职。",
        "我想跳槽到腾讯。",
        "我跳槽到了一家新公司。",
        "我加入了健身房。",
        "我离开了北京。",
        "我离开了妈妈。",
    ],
)
def test_what_may_be_true_beside_others_sets_none(text: str) -> None:
    assert _key(text)[1] == ""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I love sushi.", "I hate sushi."),
        ("I live in Berlin.", "I moved to Munich."),
        ("I work at Siemens.", "I work for Bosch now."),
        ("My favourite colour is red.", "My favorite color is blue."),
        ("I work at Siemens.", "I got a new job at Bosch."),
        ("My sister lives in Oslo.", "My sister moved to Bergen."),
        ("My sister works at Bosch.", "My sister started a job at Siemens."),
        ("Answer in French from now on.", "From now on, always reply in German."),
        ("我喜欢香菜。", "我不喜欢香菜。"),
        ("我住在上海。", "我搬到杭州了。"),
        ("我在腾讯上班。", "我跳槽到字节跳动了。"),
        ("以后用英文回答。", "今后都用中文回复。"),
    ],
)
def test_the_newer_value_replaces_the_older(old: str, new: str) -> None:
    assert _key(old) == _key(new)
    assert _key(old)[1]


_UNRELATED = """
I love sushi.|I love jazz.|I love coffee with sugar.|I hate coffee without sugar.|I like cats.|I enjoy chess.
I enjoy playing chess.|I hate getting up early.|I love my sister.|I live in Berlin.|I live with my parents.
I work at Google.|I work as a nurse.|I work from home.|I have a dog.|I have a cat.|I have two kids.|I'm a mother.
I'm a runner.|I'm vegetarian.|I'm married.|I'm tall.|I'm allergic to nuts.|I'm 34 years old.|My name is Sam.
My friends call me Sammy.|My phone number is 555-0134.|My work phone is 555-0199.|My email is a@b.org.
My birthday is May 3rd.|My favourite colour is red.|My favourite food is ramen.|My favourite author is Le Guin.
My sister lives in Oslo.|My brother lives in Oslo.|My friend lives in Rome.|My husband is Tom.|My boss is Anna Lee.
My doctor is Dr. Okafor.|My dentist is Dr. Lind.|My car is a Honda.|My bike is a Trek.|My car is in the garage.
My shoe size is 42.|My blood type is O.|My password hint is Bello.|Tom hates olives.|Maria hates olives.|Tom loves jazz.
I speak Portuguese.|I speak Greek.|I play the cello.|I play tennis.|I run every morning.|I can't swim.|I can't stand noise.
I want to become a vet.|I want to learn Greek.|I went to Rome last week.|I went to Paris in May.|Call me Max.
Always answer in French.|Never use emojis.|Keep your answers short.|Always cite your sources.|Use metric units from now on.
Always give temperatures in Celsius.|Never mention my ex.|Always use Python.|I drink decaf.|My boss is Italian.|My husband is Jewish.|My job is stressful.|My job is teaching.|I like the first one.|Address me formally.|I drink tea.|I dated Leo.
我喜欢苹果。|我喜欢爵士乐。|我讨厌香菜。|我爱吃辣。|我住在上海。|我在腾讯上班。|我是护士。|我今年三十岁。|我叫王小明。
我妹妹住在广州。|我哥住在广州。|我有一只猫。|我有一条狗。|我最喜欢的颜色是绿色。|我最喜欢的作家是余华。|我的生日是5月3号。
我的手机号是13800138000。|我结婚了。|我吃素。|我会弹吉他。|我会说粤语。|以后用英文回答。|不要用表情符号。|每次都要列出来源。
我们公司搬到北京了。|我叫外卖。|我恨不得马上走。|我的名字是奶奶取的。|我在认真工作。|我的工作是负责招聘。|我的血型是O型。|我的身高是一米八。|我老公是医生。|我妈是老师。
I got a job at Bosch as a student.|I left Siemens.|I joined a choir.|I joined Planet Fitness.|I left my keys at Bosch.
我加入了合唱团。|我离开了广州。|我离开了腾讯。
"""


def test_unrelated_facts_never_share_an_attribute() -> None:
    texts = [text for text in _UNRELATED.replace("\n", "|").split("|") if text]
    # A residence said in Chinese is related to one said in English.
    pairs = [
        (first, second)
        for first, second in combinations(texts, 2)
        if first.isascii() == second.isascii()
    ]
    keys = {text: _key(text) for text in texts}
    assert len(pairs) > 3_000
    assert [(a, b) for a, b in pairs if keys[a][1] and keys[a] == keys[b]] == []
