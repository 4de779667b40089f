"""Words that open a text before a colon, or look like a name, and name no speaker.

Closed classes of discourse, of headings and of forms, written from general knowledge of both
languages; none is taken from any data set.
"""

from __future__ import annotations

from typing import Final

from graphmem.text.words import word_set

ROLES: Final = word_set("user assistant system human ai bot agent tool")
"""Roles that stand where a name would: labels, yet nobody that a query could mean."""

GENERIC_SPEAKERS: Final = ROLES | word_set(
    "i me you we they he she it the a an speaker person man woman boy girl customer client model",
    "chatbot host guest interviewer interviewee moderator operator narrator unknown anonymous",
    "other someone friend self",
    "用户 助手 系统 助理 我 你 客户 顾客 客服 主持人 嘉宾 记者 朋友 未知 匿名",
)
"""Speakers whom a word of a query can't single out."""

TITLES: Final = word_set(
    "mr mrs ms mx dr prof sir madam lady lord miss mister doctor professor captain officer jr sr",
    "uncle aunt auntie",
)

NAME_PARTICLES: Final = word_set(
    "de del della der di da do dos du la le van von den bin ibn bint al el ter ten y e the"
)

# First in a label of several words, one of these makes it prose.
OPENERS: Final = word_set(
    "my our your his her its their the a an this that these those here there what which who where",
    "when why how if as in on at by for from with about after before to of and or but so not no",
    "some all one two three four five is are was were do does did can could will would should",
    "i we you he she it they let",
)

_ABBREVIATIONS: Final = (
    "q ps pps p.s nb btw fyi imo imho tbh omg lol eta faq tldr re fw fwd cc bcc aka"
)
_DISCOURSE: Final = word_set(
    _ABBREVIATIONS,
    "asap todo fixme url api id ip vs eg ie qa ok okay lmk diy",
    "note notes notice remember reminder recall hint hints tip tips warning caution danger alert",
    "disclaimer important urgent attention announcement update updates edit correction spoiler",
    "clarification confession breaking news bonus extra trivia joke riddle quiz poll",
    "congratulations thanks thank sorry welcome hello hi hey dear greetings goodbye bye cheers",
    "yes no yeah yep nope well so also but and or then however therefore thus hence finally lastly",
    "firstly secondly thirdly first second third fourth next last meanwhile otherwise instead",
    "besides moreover furthermore additionally actually basically honestly seriously literally",
    "obviously clearly apparently fortunately unfortunately luckily sadly hopefully",
    "interestingly surprisingly specifically generally overall anyway likewise similarly",
    "look listen imagine consider think guess see watch check read try say know wait stop",
    "suppose assume given picture pro con true false correct wrong good bad best worst happy merry",
    "new old big small great nice quick fun random little more most another other",
)
_HEADINGS: Final = word_set(
    "question questions answer answers example examples error errors info debug fact facts truth",
    "plan plans step steps stage phase part parts chapter section page figure table appendix line",
    "item items list lists option options choice choices point points idea ideas task tasks topic",
    "topics goal goals aim reason reasons result results summary overview outline background",
    "context intro headline title subject subtitle caption heading header footer label tag tags",
    "keyword keywords meaning quote quotes source sources reference references link links",
    "problem problems issue issues fix cause effect impact risk risks challenge challenges",
    "difference differences comparison analysis evidence proof hypothesis pros cons advantage",
    "advantages disadvantages benefit benefits drawback drawbacks strengths weaknesses input",
    "output prompt response request reply message messages chat dialog dialogue transcript",
    "interview speech scene setting act verse chorus lyrics poem story song movie book film show",
    "episode image photo video audio file files attachment attachments attached screenshot document",
    "data code command commands usage syntax detail details specs thought thoughts feeling",
    "feelings opinion review feedback comment comments advice lesson lessons moral takeaway",
    "takeaways highlight highlights case scenario objective objectives purpose scope rule rules",
    "policy terms key keys focus main favorite favourite favorites latest current previous",
    "round game test exercise paragraph room unit team group rule verdict draft sample",
)
_FORMS: Final = word_set(
    "website address location place venue date dates time times day days week weeks month months",
    "year years deadline schedule agenda itinerary start end age name names email mail phone mobile",
    "tel telephone fax contact number password username login price cost costs total subtotal",
    "budget amount quantity qty size weight height width color colour type kind category status",
    "state priority brand score rating grade rank level language country city street zip",
    "postcode from to via sent received created updated author editor publisher published",
    "copyright license gender sex birthday birthdate nationality occupation job work school",
    "skill skills hobby hobbies interest interests profile bio biography family pet pets allergies",
    "medication medications dose dosage symptoms workout diet progress profession company",
    "ingredients recipe directions method methods materials requirements tools equipment shopping",
    "grocery groceries breakfast lunch dinner supper snack snacks dessert drinks menu",
    "meeting event events trip travel flight hotel wifi os version",
)
_CALENDAR: Final = word_set(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may",
    "june july august september october november december today tomorrow yesterday tonight",
    "morning afternoon evening night noon midnight weekend spring summer autumn fall winter",
)

ALONE: Final = word_set(
    "health fitness wellness food music sport sports career education finance finances money housing home house",
    "relationship relationships marriage dating religion politics culture weather transport car cars personal",
    "private medical allergy mood emotions habit habits routine preference preferences like likes dislike dislikes",
    "fear fears dream dreams wish wishes memory memories belief beliefs value values child children kids parents",
    "siblings books movies songs games clothes clothing drink",
    "translate summarise summarize rephrase paraphrase rewrite reword proofread correct explain describe define",
    "convert calculate compute solve write classify analyse analyze extract generate create complete continue",
    "improve polish simplify shorten compare spell pronounce repeat recite sing compose transcribe interpret",
    "identify detect predict evaluate verify validate refactor implement search find save store memorise memorize",
    "log record add tell ask help show send schedule cancel delete remove",
    "健康 家庭 工作 饮食 运动 音乐 旅行 旅游 宠物 教育 学习 财务 住房 习惯 偏好 口味 过敏 情绪 心情 天气 生活 感情 交通",
    "润色 改写 重写 解释 概括 分析 续写 纠正 校对 朗读 记住 记录 比较 计算 查询 搜索",
)
"""Alone before a colon, a topic or what an assistant is told to do; in longer labels (Health Coach) a part of a role."""

# Women's and men's names that are months, seasons or headings too; a number beside them decides.
CALENDAR_NAMES: Final = word_set("april may june august summer autumn")

HEADINGS: Final = (_DISCOURSE | _HEADINGS | _FORMS | _CALENDAR) - CALENDAR_NAMES
"""Anywhere in a label, one of these makes it a heading or a turn of phrase."""

HEADING_ENDINGS: Final = (
    "tion", "tions", "sion", "sions", "ness", "ology", "ities", "exception", "error", "warning",
)  # fmt: skip
"""Endings of abstract nouns and of exceptions' names, which given names don't have."""

NAMES_AND_WORDS: Final = CALENDAR_NAMES | word_set(
    "will mark rose hope grace joy faith art bill rich frank pat sue dawn drew amber ruby pearl iris",
    "lily daisy ivy violet olive ginger hazel jade crystal charity chance chase hunter mason cook",
    "dean duke king prince miles dot robin penny patience harmony melody destiny heaven sky sunny",
    "stormy river brook cliff dale lane reed lance grant skip buck bud norm jack nick rob",
)
"""Given names that are common words too: names only when written with a capital."""

OPENING_VERBS: Final = word_set("will may mark hope chase cook grant skip")
"""Those of them that may open a question as a verb, where every word has a capital."""

SHORT_DATES: Final = word_set(
    "jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thurs fri sat sun"
)
"""Capitalised abbreviations that begin many names (Jan, Mar, Mon) and mean a date."""

CHINESE_HEADINGS: Final = word_set(
    "注意 例如 比如 譬如 假如 如果 提示 备注 说明 提醒 补充 更新 公告 通知 警告 错误 重要 温馨提示",
    "首先 其次 再次 最后 另外 此外 不过 但是 所以 因此 然而 同时 于是 其实 总之 反正 当然 结论 总结",
    "谢谢 感谢 抱歉 你好 您好 大家好 好的 是的 对了 据说 听说 俗话说 常言道 换句话说 也就是说",
    "简单来说 总的来说 一般来说 具体来说 综上所述 众所周知 问 答 注 附 例 题 图 表 即 曰",
    "问题 答案 标题 主题 题目 内容 附件 来源 链接 网址 背景 定义 含义 翻译 原文 译文 引用 出处 作者",
    "编辑 摘要 简介 前言 正文 附录 目录 格式 输入 输出 示例 例子 例句 回复 回答 提问 任务 规则 条件",
    "事实 真相 结尾 开头 关键 核心 亮点 心得 体会 感想 感受 想法 看法 观点 意见 评论 反馈 新闻 消息",
    "图片 照片 视频 音频 文件 截图 代码 命令 参数 用法 描述 详情 细节 人物 优点 缺点 好处 坏处 优势",
    "劣势 区别 特点 材料 食材 做法 配料 费用 预算 总计 合计 数量 目的 重点",
    "手机 邮箱 姓名 名字 年龄 性别 价格 密码 账号 用户名 编号 版本 状态 类型 分类 等级 评分 职业 爱好",
    "兴趣 特长 学历 经历 籍贯 生日 身高 体重 早餐 午餐 晚餐 早饭 午饭 晚饭",
    "今天 明天 昨天 后天 前天 早上 上午 中午 下午 晚上 周末 春天 夏天 秋天 冬天",
)
"""Labels that are discourse, headings or forms."""

CHINESE_HEADING_ENDINGS: Final = (
    "如下", "一下", "以下", "计划", "步骤", "建议", "清单", "列表", "方法", "方案", "总结", "时间", "地点",
    "地址", "日期", "原因", "结果", "问题", "电话", "号码", "名单", "情况", "信息", "内容", "事项", "目标",
    "说", "说道", "问", "问道", "答", "答道", "喊", "喊道", "叫道", "笑道", "写道", "表示", "认为", "觉得",
    "回答", "回复", "提醒", "知道", "包括", "心想", "意思", "安排", "要求", "要点", "名称", "方式", "链接",
)  # fmt: skip
"""What a label ends in when it announces a list or reports speech."""

CHINESE_PROSE: Final = frozenset(
    "我你您他她它们的了着吗呢吧这那哪什么怎很最不没有是和与及或被把第几"
)
"""Characters of prose and of forms, hardly ever found in a name or a form of address."""
