"""Texts that have nothing to do with anybody's memory: the scale by which nearness is judged."""

from __future__ import annotations

from typing import Final

# Everyday subjects far from each other, in the tone of a chat; eight in each language.
UNRELATED: Final = (
    "The ferry was late because of the fog, so we waited on the pier.",
    "Could you send me the invoice for the printer paper again?",
    "He whistled while he painted the fence green.",
    "The committee will vote on the new parking rules in autumn.",
    "I can't get this jar open, the lid is stuck.",
    "Granite is harder than marble, and both are heavier than slate.",
    "Thanks! Talk to you soon.",
    "Their goalkeeper saved two penalties in the second half.",
    "地铁站的自动扶梯今天在维修，大家只好走楼梯。",
    "请把会议室的投影仪关掉，谢谢。",
    "这件毛衣洗了以后缩水了，真可惜。",
    "火山喷发时，灰尘会飘到很远的地方。",
    "好的，没问题，回头见！",
    "快递员把箱子放在门口就走了。",
    "他在河边钓了一上午，一条鱼也没钓到。",
    "月底之前要把报销单交给财务。",
)
