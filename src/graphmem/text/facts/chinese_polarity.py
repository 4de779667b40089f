"""Chinese words that negate a claim, or make it less than a fact."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from graphmem.text.facts.mask import Span


def _either(words: str) -> str:
    """An alternation, the longest words first."""
    return "|".join(sorted(words.split(), key=len, reverse=True))


# Set phrases and words with 不, 没, 别 that negate nothing; they are consumed first.
_NO_NEGATION: Final = _either(
    "不客气 不用客气 不用谢 不谢 不好意思 对不起 不错 差不多 不过 不但 不仅 不仅仅 不管 不论 不然 要不然 要不 要不是 不如 不断 不久 不少"
    " 不得不 不得了 了不起 不愧 不禁 不料 不由得 不由 忍不住 禁不住 说不定 恨不得 巴不得 不妨 不知不觉 不可思议 不见不散 时不时 动不动 不倒翁"
    " 不锈钢 不动产 可不是 不是吗 好不容易 不得已 不至于吧 不免 不止 不单 不光 不只 不外乎 不亦乐乎 不时 三不五时 冷不丁 冷不防 不约而同 不一会儿"
    " 不由自主 不折不扣 络绎不绝 爱不释手 迫不及待 从容不迫 层出不穷 不言而喻 不胜 不日 不敢当 不要紧 不碍事 不打紧 不见得吧 免不了 少不了"
    " 没事 没事儿 没关系 没问题 没错 没准 没准儿 没收 没落 沉没 淹没 埋没 没什么大不了 大不了 没的说 没得说 没说的 没毛病"
    " 别人 别的 特别 分别 告别 区别 性别 级别 别墅 别致 离别 个别 类别 辨别 识别 别扭 别处 别家 别名 道别 送别 久别 别针 差别 派别 国别"
    " 别克 别提 别看 别说 别客气 别担心 鉴别 判别 组别 班别 别样 别具 别有 别开生面 别出心裁 别动队 惜别 阔别 话别 诀别 天壤之别"
)
_NEGATION: Final = re.compile(
    rf"(?P<phrase>{_NO_NEGATION}|(?P<asked>[\u4e00-\u9fff])不(?P=asked)|有没有|没有没|在不在|(?P<doubled>[\u4e00-\u9fff])没(?P=doubled)|是否)"
    r"|从来不|从来没有?|从未|从不|从没有?|不再|没有|没|毫不|毫无|并非|绝非|绝不|决不|未曾|尚未|并未|还未|仍未|未能|未经|无法|无需|无须|无从"
    r"|(?:并|均|都|暂|又|也|全)无|无(?=[糖油盐烟酒照证人居座电网果效](?:[,，。！的、味]|\Z))|请勿|切勿|勿|甭|甭用|不要|不用|不必|不能|不可|不"
    r"|别(?!$)|莫(?=[要怕急问])|未必|非(?=[必遗会])"
)
_MODALITY: Final = re.compile(
    r"(?P<skip>的可能性?是|无可能|理想|思想|感想|猜想|联想|梦想|幻想|妄想|设想|着想|回想|料想|想法|想象|想像|想起|想到|想念|想必|想通|想开|想出|想着想着"
    r"|重要|主要|要求|要点|要么|要紧|要好|次要|首要|必要|摘要|纪要|简要|概要|不要|需求|要不是|要不|要不然|快要|就要|将要|要命|要价|要领|要塞"
    r"|应该的|最好的|大概念|反应|应对|应用|适应|供应|效应|应付|应聘|应届|应酬|应邀|应急|响应|回应|答应|应答|活该|该死|希望工程|愿望|心愿|许愿|意愿|志愿|祝愿"
    r"|估计量|好像样|希望小学|如果子|想死|想哭|好想你)"
    r"|很?有?可能|也许|或许|兴许|说不定|说不准|没准儿?|保不齐|保不准|恐怕|怕是|大概率?|似乎|好像|仿佛|貌似|看样子|看来|看起来|据说|估计|料想|想必|未必|不一定|不见得|八成是?(?!新)"
    r"|应该|应当|理应|本该|就该|早该|该(?=[去走吃睡做买换交来回还起给让怎剪学上])(?<![应活本就早])|必须|必需|务必|一定要|非得|不得不|只得|只好|总得|得(?=[去走买找赶先再多问看等把跟请给交带做换])(?<=[我你他她它们还就都也又可总得]得)"
    r"|需要|需(?=[要在先提带交])|有必要|最好(?![的吃看听喝玩用朋])|想要|不?想不想|想(?![你您他她它我们家念法象像起到出必着了过通不开办的得一点来他])|(?<=不)想"
    r"|打算|计划(?=[去在明后下今买搬学考换做带给每年月周把跟和生写开拍用自要\d])|准备(?=[去在明后下今买搬学考换做带给把跟和生写开辞结离报申请回睡出上])|考虑(?=[去买换搬辞学做考卖])|争取|希望|盼望|盼着|指望|期望|但愿|愿意|情愿|宁愿|宁可|恨不得|巴不得|有意(?=[去买换])"
    r"|如果|假如|假设|假使|要是|倘若|倘使|若是|若(?=[你我他能有无不想要])|万一|除非|只要|只有(?=[^,，。]{1,12}才)|一旦|的话(?=[,，。！？\s]|\Z)|不然|否则|即使|哪怕|就算"
    r"|(?<=[我你您他她们还都也又只总])要(?=[去买找学考换做带给把跟和请写开拍用回上搬吃喝看听打预参准减戒结离报申出睡早多少提在先好])|千万(?=[别不要记])"
)


def negations(text: str) -> Iterator[Span]:
    """The words that negate in a simplified text; set phrases (不客气) and 好不好 are none."""
    for match in _NEGATION.finditer(text):
        if match["phrase"] is None:
            yield match.span()


def modalities(text: str) -> Iterator[Span]:
    """The words of possibility, wish, duty and condition in a simplified text."""
    for match in _MODALITY.finditer(text):
        if match["skip"] is None:
            yield match.span()
