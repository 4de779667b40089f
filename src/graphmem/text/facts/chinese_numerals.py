"""Chinese numbers with what they count, amounts of money among them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from graphmem.domain.fact import FactKind
from graphmem.text import script
from graphmem.text.facts.chinese_token import Token
from graphmem.text.words import word_set


class Numeral(NamedTuple):
    """A number that was found, with what it counts."""

    start: int
    end: int
    kind: FactKind


_HAN_DIGIT: Final = "零〇一二两三四五六七八九"
_HAN: Final = f"{_HAN_DIGIT}十百千万亿"
_DIGITS: Final = r"(?<![A-Za-z0-9_.])[-+−]?[0-9０-９]++(?:,\d{3})*+(?:[.．]\d++)?+"
_SPELT: Final = rf"(?:[负零]?[{_HAN}半]{{1,24}}+(?:点[{_HAN_DIGIT}]{{1,12}}+)?|(?:[好几数]|上(?=[百千万])|成(?=[百千]上))[十百千万亿]{{1,6}}+|几(?=[十百千万]))"
_COUNT: Final = rf"(?:(?:{_DIGITS}[十百千万亿]{{0,4}}+|{_SPELT}[十百千万亿]{{0,4}}+)[多来几余]?[十百千万亿]{{0,4}}+)"

_MEASURES: Final = "|".join(
    sorted(
        word_set(
            "个 只 条 张 本 辆 台 套 间 瓶 杯 碗 盒 袋 包 箱 盆 盘 碟 锅 桶 壶 罐 支 枝 根 颗 粒 棵 株 朵 片 块 把 件 双 对 副 顶 床"
            " 口 头 匹 峰 尾 位 名 人 员 户 家 座 栋 幢 层 楼 级 届 期 集 章 节 课 页 篇 首 部 册 卷 段 句 行 列 排 号 室 路 站 门 扇 道 面"
            " 堵 笔 份 封 幅 枚 串 束 捆 打 堆 群 队 组 班 批 趟 次 回 遍 场 局 轮 圈 步 拳 脚 刀 分 秒 度 米 公里 千米 里 厘米 毫米 平米"
            " 平方米 平方 平 亩 公顷 立方米 升 毫升 公斤 千克 斤 克 两 吨 磅 毫克 英里 英尺 英寸 尺 寸 丈 海里 光年 瓦 千瓦 伏 安 赫兹"
            " 倍 折 成 代 岁 周岁 星 星级 年级 寸 码 元 点 题 项 种 类 款 样 处 所 栏 格 架 艘 节 发 滴 缕 丝 阵 顿 餐 桌 席 瓣 头 胎 针"
            " 卡 千卡 大卡 卡路里 焦耳 字 词 票 声 胜 负 平 球 环 关 档 挡 车 船 厢 屉 笼 勺 匙 抽 帧 像素 兆 幕 轮 届 局 盏 棒 股 手 剂 例"
            " 号线 号楼 单元 栋楼 人份 英亩 加仑 盎司 摄氏度 華氏度 毫安 安培 分贝 千瓦时 亩地 室厅 进 尊 具 颗牙 卷 叠 沓 兜 篮 筐 车厢"
            " 步 名次 等奖 等座 等 档次 环路 楼层 万步 卧 居 厅 卫 学分 学时 课时 天假 票 赞 粉 粉丝 关注 播放 阅读"
        ),
        key=lambda word: (-len(word), word),
    )
)
# One of something says hardly more than "a" with these.
_VAGUE_MEASURES: Final = frozenset(
    "个种次件家位名句份样款类项场回面口群代阵批圈步手头堆处道段点班路站门号行把块"
)

_IDIOMS: Final = re.compile(
    r"一(?:下子?|点点?儿?|些|起|样|直|定|般|会儿?|共|切|边|旦|时|向|路上?|生|致|律|块儿|同|再|味|齐|带|股脑|言难尽|手|心|个劲|面(?=[^镜墙旗])|系列|番|贯|流|体|概|行(?!字))"
    r"|十分(?=[^钟\d之])|十足|万一|万分|千万(?=[别不要记])|万能|万万|百般|千方百计|成千上万(?=遍)|七上八下|乱七八糟|三心二意|五颜六色|四面八方|三三两两|一五一十|七嘴八舌"
    r"|[一二三四五六七八九十百千万](?![一二三四五六七八九十百千万米块斤尺][一-龥]?)[一-龥][一二三四五六七八九十百千万](?![一二三四五六七八九十百千万])[一-龥](?=[的地得,，。！])|两口子|小两口|三明治|四川|三亚|百度|百科|百货|百合|百分百|千里马|万达|万科|六神无主"
    r"|五官|四肢|四季|四周|三角|两边|两侧|两旁|三八线|双十一|九牛一毛|半途而废|一半儿?天|第一时间|第一眼|独一无二|唯一|统一|万一|之一|单一|星期[一二三四五六日]|周[一二三四五六日]|礼拜[一二三四五六日天]"
    r"|初[一二三四五六七八九十]|张三|李四|王五|老[一二三四五六七八九](?![\u4e00-\u9fff]?岁)|一个人|一家人|一句话|一回事|一码事|一把手|一口气|一阵子?|八卦|七夕|六一|五一|十一|半夜|半天|半路|十字|三国|五花肉|百姓|千金|三思|再三|四处|五香|八宝|一不小心|不三不四|两难|两全|九寨"
)
_NUMBER: Final = re.compile(
    rf"(?P<idiom>{_IDIOMS.pattern})"
    rf"|百分之(?:[{_HAN}点]{{1,16}}+|\d+(?:\.\d+)?)|[{_HAN}\d]{{1,12}}+分之[{_HAN}\d]{{1,12}}"
    rf"|第(?:[{_HAN}]{{1,12}}+|\d+)(?!天)[{script.HAN}]?(?:等奖|年级)?"
    rf"|{_DIGITS}(?:(?:[-–:：/×xX比~～至到])\d+(?:\.\d+)?)*+\s?(?:%|％|‰|℃|°C?|[a-zA-Z]{{1,4}}(?![A-Za-z]))"
    rf"|{_DIGITS}(?:[-–:：/×xX比~～]\d+(?:\.\d+)?)++(?:{_MEASURES})?"
    rf"|[{_HAN_DIGIT}十]{{1,4}}+比[{_HAN_DIGIT}十]{{1,4}}(?![{script.HAN}]?较)"
    rf"|(?P<measured>(?P<count>{_COUNT})(?:到|至|或|、)?(?:{_COUNT})?[大小整满]?(?P<measure>{_MEASURES})(?:半|[{_HAN_DIGIT}][{_HAN_DIGIT}\d]?(?![{_HAN}个只年月天小]))?)"
    rf"|(?P<plain>{_COUNT})"
)
_HALF: Final = re.compile(
    r"一半|一大半|多半数|半数|一倍|双倍|[俩仨](?=[\u4e00-\u9fff])(?<![我你他她咱们]俩)"
)

_CURRENCIES: Final = (
    "块钱|元钱|块|元|毛钱|毛|角钱|分钱|美元|美金|美刀|刀|欧元|欧|日元|日币|日圆|港币|港元|港纸|英镑|镑|韩元|韩币|台币|新台币|人民币|卢布|泰铢|法郎|瑞郎|澳元|澳币|加元|加币|新币|新元"
    "|卢比|比索|里拉|克朗|越南盾|盾|林吉特|马币|比特币|大洋|大毛|万块|澳门元|美分|便士|软妹币|rmb|RMB|USD|usd|EUR|円"
)
_MONEY: Final = re.compile(
    rf"(?:[¥￥$€£₩]|US\$|HK\$|NT\$|人民币|RMB|USD|港币|美金)\s?\d[\d,.]*\d?(?:万|千|亿|k|K|w|W)?(?:元|块)?"
    rf"|(?P<amount>{_COUNT}(?:(?:到|至|[-~～—、])?{_COUNT})?)\s?(?P<unit>{_CURRENCIES})(?![旦宵月素件气])(?P<rest>[{_HAN_DIGIT}\d半](?:毛|角)?(?![{_HAN}个只年月天小])|(?:[{_HAN_DIGIT}\d]毛[{_HAN_DIGIT}\d]?))?(?:多|钱|左右)?"
)
# After a small number of 块 or 刀, a thing says that pieces are meant.
_PIECE_OF: Final = re.compile(
    r"蛋糕|面包|豆腐|肉|糖|饼|巧克力|石头|木|地(?!铁)|布|玻璃|手表|表|牌|田|披萨|排骨|牛排|西瓜|冰|砖|电池|硬盘|屏|肥皂|香皂|毯|毛巾|鸡|鱼|奶酪|黄油|姜|补丁|腹肌|拼图|积木|骨|玉|瓦|招牌|布料|月饼|点心|饼干|披薩|土|内存|显卡|金牌|奖牌"
)
_ONE_OF: Final = re.compile(r"一(?![十百千万亿点零〇一二两三四五六七八九])")
_OWNING: Final = re.compile(
    r"(?:有|只有|还有|就|生了?|剩|共|只剩|养了?|各|每人?|差|缺|买了?|丢了?|第)\Z"
)
_ONLY_HAN: Final = re.compile(rf"[{_HAN}半几多来余]+")
_MIN_SPELT: Final = 2
_PROPER_TAGS: Final = frozenset({"nr", "ns", "nt", "nz", "i", "l"})
_NOUN_TAGS: Final = frozenset({"n", "vn", "an"})
_DEICTIC: Final = frozenset("这那哪某另同每第任")


def find(text: str, tokens: Sequence[Token]) -> Iterator[Numeral]:
    """The amounts of money, then the numbers, those within amounts among them.

    Args:
        text: the message, simplified.
        tokens: its words.
    """
    for match in _MONEY.finditer(text):
        if not _is_pieces(text, match):
            yield Numeral(*match.span(), "money")
    beginnings = [token.start for token in tokens]
    for match in _NUMBER.finditer(text):
        if match["idiom"] is None and _counts(text, match):
            start, end = match.span()
            within = tokens[bisect_right(beginnings, start) - 1]
            if (
                within.end < end
                or within.tag[:2] not in _PROPER_TAGS
                or within.end - within.start == end - start
            ):
                yield Numeral(start, _counted(end, tokens, beginnings), "number")
    for match in _HALF.finditer(text):
        yield Numeral(*match.span(), "number")


def _counted(end: int, tokens: Sequence[Token], beginnings: Sequence[int]) -> int:
    """Where the noun ends that follows a number."""
    at = bisect_right(beginnings, end) - 1
    token = tokens[at]
    return token.end if token.start == end and token.tag in _NOUN_TAGS else end


def _is_pieces(text: str, match: re.Match[str]) -> bool:
    """Whether 两块 are pieces of something: 两块蛋糕."""
    if match["unit"] not in {"块", "刀", "角", "毛", "分", "镑", "欧"} or match["rest"]:
        return False
    return bool(_PIECE_OF.match(text, match.end()))


def _counts(text: str, match: re.Match[str]) -> bool:
    """Whether a number tells something: one of a thing does so only with some measures."""
    if match["plain"]:
        number = match["plain"]
        return not _ONLY_HAN.fullmatch(number) or _is_compound(number)
    if match["measured"] and _ONE_OF.match(match["count"]) and len(match["count"]) == 1:
        before = text[max(0, match.start() - 2) : match.start()]
        if before and before[-1] in _DEICTIC:
            return False
        return match["measure"] not in _VAGUE_MEASURES or bool(_OWNING.search(before))
    return match["count"] != "几"


def _is_compound(number: str) -> bool:
    """Whether a spelt number has more than one sign, so that it is hardly part of a word."""
    return len(number) >= _MIN_SPELT and any(scale in number for scale in "十百千万亿")
