"""Words that open a text before a colon, or look like a name, and name no speaker.

Closed classes of discourse, of headings and of forms, written from general knowledge of both
languages; none is taken from any data set.
"""

from __future__ import annotations

from typing import Final

ROLES: Final = frozenset("user assistant system human ai bot agent tool".split())
"""Roles that stand where a name would: labels, yet nobody that a query could mean."""

GENERIC_SPEAKERS: Final = ROLES | frozenset(
    "i me you we they speaker person man woman boy girl customer client model chatbot host guest "
    "interviewer interviewee moderator operator narrator unknown anonymous other someone friend "
    "the a an 用户 助手 系统 我 你 客户 顾客 客服 主持人 嘉宾 记者 未知 匿名".split()
)

TITLES: Final = frozenset(
    "mr mrs ms mx dr prof sir madam lady lord miss mister doctor professor captain officer "
    "uncle aunt auntie grandma grandpa jr sr".split()
)

NAME_PARTICLES: Final = frozenset(
    "de del della der di da do dos du la le van von den bin ibn bint al el ben ter ten y e".split()
)

# A label of several words with one of these first is prose.
OPENERS: Final = frozenset(
    "my our your his her its their the a an this that these those here there what which who where "
    "when why how if as in on at by for from with about after before to of and or but so not no "
    "some all one two three first second third next last another more most other new old current "
    "is are was were do does did can could will would should i we you he she it they let".split()
)

# Anywhere in a label one of these makes it a heading.
HEADINGS: Final = frozenset(
    """
ps pps nb btw fyi imo imho tbh omg lol eta faq tldr re fw fwd cc bcc aka asap todo fixme url api id
ip vs eg ie qa ok okay q
note notes notice remember reminder question questions answer answers example examples tip tips
hint hints warning caution danger error errors exception info information debug fact facts truth
plan plans step steps stage phase part parts chapter section page figure table appendix line item
items list lists option options choice choices point points idea ideas task tasks topic topics
goal goals aim reason reasons result results conclusion conclusions summary overview outline
background context intro introduction update updates edit correction clarification confession
spoiler breaking news headline title subject subtitle caption heading header footer label tag tags
keyword keywords definition meaning translation quote quotes source sources reference references
link links website address location place venue date dates time times day days week month year
deadline schedule agenda itinerary duration start end age name names email mail phone mobile tel
telephone fax contact number code password username login price cost total subtotal budget amount
quantity qty size weight height width color colour type kind category status state priority version
model brand score rating grade rank level language country city street zip postcode
ingredients recipe directions instructions method methods materials requirements tools equipment
shopping grocery groceries breakfast lunch dinner supper brunch snack snacks dessert drinks menu
monday tuesday wednesday thursday friday saturday sunday january february march april june july
august september october november december today tomorrow yesterday tonight morning afternoon
evening night noon midnight weekend spring summer autumn fall winter
pros cons advantages disadvantages benefits drawbacks strengths weaknesses problem problems issue
issues solution solutions fix cause effect impact risk risks challenge challenges difference
differences similarity similarities comparison analysis discussion evidence proof hypothesis
question task input output prompt response request reply message messages chat conversation dialog
dialogue transcript interview speech scene setting act verse chorus lyrics poem story song movie
book film show episode image photo picture video audio file files attachment attachments screenshot
attached document data code command commands usage syntax description details detail specs
observation observations thought thoughts feeling feelings opinion review feedback comment comments
suggestion suggestions recommendation recommendations advice lesson lessons moral takeaway takeaways
highlight highlights bonus extra disclaimer important urgent attention alert announcement
congratulations thanks thank sorry welcome hello hi hey dear greetings goodbye bye yes no yeah yep
nope well so also but and or then however therefore thus hence finally lastly firstly secondly
thirdly first second third next last meanwhile otherwise instead besides moreover furthermore
additionally actually basically honestly seriously literally obviously clearly apparently
fortunately unfortunately luckily sadly hopefully interestingly surprisingly specifically generally
overall anyway look listen imagine consider think guess see watch check read try say know recall
wait stop think picture suppose assume given case scenario condition assumption objective objectives
purpose mission vision scope rule rules policy terms key keys focus main best worst favorite
favourite favorites latest current previous new old good bad big small true false correct wrong
meeting event events trip travel flight hotel hobby hobbies interest interests job work school
education experience skills skill profile bio biography personality appearance family pets allergies
medication medications dose dosage symptoms diagnosis treatment exercise workout diet goal progress
motivation inspiration challenge quiz riddle joke trivia fun poll survey vote
subject from to via sent received created updated author editor publisher published copyright license
""".split()
)

HEADING_ENDINGS: Final = ("tion", "tions", "sion", "ness", "ology", "ities", "exception")

# Function words and common nouns that are given names too: a name only when capitalised inside.
NAMES_AND_WORDS: Final = frozenset(
    "will may mark rose hope grace joy faith art bill rich frank pat sue dawn drew jack rob nick "
    "ray summer autumn april june august amber ruby pearl iris lily daisy ivy violet olive ginger "
    "hazel jade crystal charity chance chase hunter mason carter cooper parker taylor baker cook "
    "gene guy dean earl duke king prince miles max ken dot bob barb carol holly robin jay penny "
    "patience harmony melody destiny heaven sky skye sunny stormy river brook brooks cliff dale "
    "glen heath lane reed wade warren woody van lance grant skip trip buck bud norm curt earnest "
    "can see are was has had you she her his him the and but for not all any one two how who why "
    "when where what which did does".split()
)

CHINESE_HEADINGS: Final = frozenset(
    "注意 例如 比如 譬如 假如 如果 地址 时间 总结 结论 问题 答案 提示 备注 说明 标题 日期 电话 手机 "
    "邮箱 姓名 名字 年龄 性别 价格 步骤 原因 结果 目标 目的 计划 建议 首先 其次 再次 最后 另外 此外 补充 "
    "更新 提醒 重点 主题 题目 内容 附件 来源 链接 网址 地点 人物 背景 公告 通知 警告 错误 重要 温馨 定义 "
    "含义 翻译 原文 译文 引用 出处 作者 编辑 摘要 简介 前言 正文 附录 目录 格式 输入 输出 示例 例子 例句 "
    "早餐 午餐 晚餐 早饭 午饭 晚饭 今天 明天 昨天 后天 前天 早上 上午 中午 下午 晚上 周末 春天 夏天 秋天 冬天 "
    "优点 缺点 好处 坏处 优势 劣势 区别 特点 材料 食材 做法 配料 方法 方案 清单 列表 费用 预算 总计 合计 数量 "
    "密码 账号 用户名 编号 版本 状态 类型 分类 等级 评分 职业 爱好 兴趣 特长 学历 经历 籍贯 生日 身高 体重 "
    "谢谢 感谢 抱歉 你好 您好 大家好 好的 是的 不过 但是 所以 因此 然而 同时 于是 其实 总之 反正 当然 "
    "回复 回答 提问 任务 要求 规则 条件 情况 事实 真相 结尾 开头 关键 核心 亮点 心得 体会 感想 感受 想法 看法 "
    "观点 意见 评论 反馈 新闻 消息 图片 照片 视频 音频 文件 截图 代码 命令 参数 用法 描述 详情 细节 信息 "
    "据说 听说 俗话说 常言道 换句话说 也就是说 简单来说 总的来说 一般来说 具体来说 综上所述 众所周知 "
    "问 答 注 附 例 题 图 表 即 曰".split()
)

CHINESE_HEADING_ENDINGS: Final = (
    "如下", "一下", "以下", "计划", "步骤", "建议", "清单", "列表", "方法", "方案", "总结", "时间", "地点",
    "地址", "日期", "原因", "结果", "问题", "电话", "号码", "名单", "情况", "信息", "内容", "事项", "目标",
    "说", "说道", "问", "问道", "答", "答道", "喊", "喊道", "叫道", "笑道", "写道", "表示", "认为", "觉得",
    "回答", "回复", "提醒", "知道", "包括", "心想", "意思", "安排", "要求", "要点", "名称", "方式", "链接",
)  # fmt: skip

# Characters that stand in prose or in forms and hardly ever in a name or a form of address.
CHINESE_PROSE: Final = frozenset(
    "我你您他她它们的了着吗呢吧这那哪什么怎很最不没有是和与及或被把第几"
)
