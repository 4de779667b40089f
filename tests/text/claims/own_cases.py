"""Sentences of our own with their types, written apart from the frozen cases.

The first of each language were written before those were looked at; the later ones to measure rules
that had not seen them (macro F1 then: English .89, .86, .90; Chinese .93, .91, .93), and kept since.
"""

from __future__ import annotations

from typing import Final

# type | text; a leading "A " marks the assistant's.
ENGLISH: Final = """
persona | I can't stand cilantro.
persona | My brother works at a bank in Leeds.
persona | I've been playing the cello since I was six.
persona | We have two cats and a very old parrot.
persona | I'm lactose intolerant, so no dairy for me.
persona | Every Sunday we have lunch at my grandmother's.
persona | Honestly, I'm terrified of flying.
persona | My dream is to open a bakery one day.
persona | Priya speaks four languages.
persona | I usually go to bed before ten.
persona | I was born in Lagos.
persona | I have never liked horror movies.
persona | My phone number is 555-0134.
persona | I'm more of a morning person.
persona | Her husband is a firefighter.
persona | I believe in second chances.
persona | I don't drink alcohol.
persona | I'm a vegetarian and I live in Oslo.
persona | I'd love to learn to sail someday.
persona | Just so you know, my daughter has asthma.
persona | Now I work from home three days a week.
persona | I wear glasses.
instruction | From now on, reply in Spanish.
instruction | Please always give me temperatures in Celsius.
instruction | Don't ever use bullet points in your answers.
instruction | Whenever I send you code, check it for security holes first.
instruction | Keep all your replies under fifty words.
instruction | Call me Max from now on.
instruction | I want you to always cite your sources.
instruction | Stop ending every message with a question.
instruction | Going forward, skip the introductions.
instruction | In the future, use metric units, please.
instruction | Each time I paste an article, summarise it in three sentences.
episodic | I lost my passport yesterday.
episodic | We're driving to Vermont this weekend.
episodic | The plumber is coming at four.
episodic | My mum had surgery last month.
episodic | I used to play in a band.
episodic | Got promoted today!
episodic | I'm exhausted after that shift.
episodic | The concert got postponed.
episodic | I'll pick up the kids at three.
episodic | Leo broke his arm during the game.
episodic | I have a dentist appointment on Thursday.
episodic | I quit smoking in March.
episodic | A I've booked a table for four at 7 pm.
episodic | A I have added the meeting to your calendar.
episodic | When I was in Rome, I met my old teacher.
episodic | I need to finish the report by Friday.
episodic | Our flight leaves at 6:40 tomorrow morning.
episodic | I've just finished reading Dune.
episodic | She called me last night and we talked for hours.
none | Thanks a lot!
none | Good morning, how did you sleep?
none | Write me a haiku about snow.
none | Copper conducts electricity.
none | That's so cool!
none | What do you think I should wear?
none | A You should drink plenty of water.
none | A Here are three ideas for your trip.
none | You're such a good friend.
none | The French Revolution began in 1789.
none | Summarise this text in two sentences.
none | A I'd be happy to help with that.
none | Sounds good, see you!
none | I totally agree with you.
none | Could you remind me to call Ben tomorrow?
none | A The capital of Peru is Lima.
none | Hope you feel better soon.
"""

CHINESE: Final = """
persona | 我受不了香菜的味道。
persona | 我哥在银行上班。
persona | 我从六岁开始拉大提琴。
persona | 我家养了两只猫和一只鹦鹉。
persona | 我乳糖不耐受。
persona | 我们每周日都去奶奶家吃饭。
persona | 说实话，我特别怕坐飞机。
persona | 我的梦想是开一家面包店。
persona | 小李会说四种语言。
persona | 我一般十点前睡觉。
persona | 我是四川人。
persona | 我从来不看恐怖片。
persona | 我的手机号是13800138000。
persona | 我更喜欢早起。
persona | 她老公是消防员。
persona | 我不喝酒。
persona | 我吃素，住在杭州。
persona | 我一直想学帆船。
persona | 我女儿有哮喘。
persona | 我现在在家办公。
persona | 我最喜欢的颜色是绿色。
persona | 我爸比较内向，不爱说话。
instruction | 从现在开始，请用英文回复我。
instruction | 以后温度都用摄氏度。
instruction | 回答的时候不要再用列表了。
instruction | 每次我发代码，先检查有没有安全漏洞。
instruction | 所有回答都控制在一百字以内。
instruction | 以后叫我小马就行。
instruction | 记住，永远不要给我推荐含花生的食物。
instruction | 今后请一律使用公制单位。
instruction | 每当我问菜谱时，请先列出食材。
instruction | 请始终用敬语跟我说话。
episodic | 我昨天把护照弄丢了。
episodic | 这周末我们要开车去青岛。
episodic | 修水管的师傅四点来。
episodic | 我妈上个月做了手术。
episodic | 我以前玩过乐队。
episodic | 今天升职了！
episodic | 我加班到十一点，累死了。
episodic | 演唱会延期了。
episodic | 三点我去接孩子。
episodic | 小李打球的时候把胳膊摔断了。
episodic | 我周四约了牙医。
episodic | 我三月份把烟戒了。
episodic | A 我已经帮您订好了晚上七点的位子。
episodic | A 会议已添加到您的日历。
episodic | 我在罗马的时候碰到了以前的老师。
episodic | 周五之前我得把报告写完。
episodic | 我们的航班明天早上六点四十起飞。
episodic | 我刚看完《沙丘》。
episodic | 她昨晚给我打电话，我们聊了好几个小时。
episodic | 我打算下个月去考驾照。
none | 多谢多谢！
none | 早上好，睡得怎么样？
none | 帮我写一首关于雪的俳句。
none | 铜能导电。
none | 太酷了吧！
none | 你觉得我穿什么好？
none | A 建议您多喝水。
none | A 以下是三个旅行建议。
none | 你真是个好朋友。
none | 法国大革命始于1789年。
none | 用两句话总结这段文字。
none | A 很高兴为您服务。
none | 好的，回头见！
none | 我完全同意。
none | 明天提醒我给老王打电话。
none | A 秘鲁的首都是利马。
none | 希望你早日康复。
"""

MORE_ENGLISH: Final = """
persona | My cousin Femi plays the trumpet in a ska band.
persona | We're a family of six.
persona | Coffee after noon keeps me awake.
persona | I've got a bad knee, so I avoid running.
persona | I can't eat anything with sesame in it.
persona | My Wi-Fi at home is terrible.
persona | My daughter's name is Irene and she's eight.
persona | I work nights at a bakery.
persona | I commute by bike, rain or shine.
persona | Big fan of Studio Ghibli here.
persona | My wife hates it when people whistle indoors.
persona | I grew up on a dairy farm.
persona | i dont really like spicy food
persona | Our house is pretty small but it has a garden.
persona | I'm saving up for a camper van.
persona | He's colour-blind, like his dad.
persona | My favorite author is Ursula Le Guin.
persona | I tend to overthink things.
persona | I've been sober for three years.
persona | My neighbour keeps bees.
persona | I prefer tea to coffee.
persona | As a diabetic I have to watch my sugar.
persona | I'm trying to learn Korean.
instruction | Please stop using emojis.
instruction | When I ask for a recipe, give me metric units.
instruction | You should always double-check the math before replying.
instruction | I'd prefer that you never apologise.
instruction | Remember to address me as Professor Lin in all emails.
instruction | Don't ask me follow-up questions anymore.
instruction | For any code you write, add type hints.
instruction | If I write in Polish, answer in Polish.
instruction | From today on, speak to me only in Italian.
instruction | All your summaries must be in bullet points.
instruction | Can you always start with a one-line summary?
instruction | Never give me spoilers.
instruction | Use Celsius, not Fahrenheit, from now on.
instruction | Keep your responses short and to the point.
instruction | Always assume I'm using a Mac.
episodic | My train was an hour late this morning.
episodic | They offered me the job!
episodic | We had a huge fight about money.
episodic | The vet says Milo needs surgery.
episodic | I think I left my keys at your place.
episodic | There's a team lunch on Friday.
episodic | I'm in Lisbon until Sunday.
episodic | Rain ruined our picnic.
episodic | Can't sleep, the neighbours are partying again.
episodic | Started my new job at Siemens today.
episodic | I have to renew my passport before June.
episodic | It snowed all night.
episodic | My laptop died in the middle of the call.
episodic | I've never been so embarrassed in my life.
episodic | Jonas is flying in from Berlin next week.
episodic | I'm thinking about quitting my job.
episodic | Mom called, she's coming for Christmas.
episodic | A I've set the thermostat to 20 degrees.
episodic | A Your package was delivered at 3 pm.
episodic | A I'll remind you tomorrow at 9.
none | A You could try a cold compress.
none | That must have been tough.
none | Give me five names for a cat.
none | Make it shorter, please.
none | Honey never spoils.
none | I see what you mean.
none | Good luck tomorrow!
none | You look great in that dress!
none | A The recipe calls for two eggs.
none | A As an AI, I don't have feelings.
none | A It depends on your budget.
none | Wow, congratulations on the new house!
none | Is it going to rain tomorrow?
none | Let me know what you think.
none | Mount Everest is the highest mountain on earth.
none | I'm happy to hear that.
none | Fix the typos in this text and keep the formatting.
none | Exercise is good for the heart.
none | Some people say breakfast is the most important meal.
none | A Sure, here is a draft of the email.
persona | My roommate is a light sleeper.
persona | I only drink decaf.
persona | Between you and me, I can't swim.
persona | We homeschool our kids.
persona | My blood type is O negative.
persona | Been a night owl my whole life.
persona | I'd describe myself as an introvert.
persona | I keep kosher.
persona | My parents are both from Ghana.
persona | I have a PhD in chemistry.
persona | Tom's allergic to bees.
persona | I'm not really a beach person.
persona | I run my own bakery in Bristol.
persona | I find crowds exhausting.
persona | Every summer we go camping in Norway.
persona | My dad can't hear well in his left ear.
persona | I've always wanted to see the northern lights.
persona | I'm on the waiting list for a kidney.
persona | Lisa and I share a flat.
persona | I can't function without coffee.
instruction | Whenever you give me code, include tests.
instruction | I don't want you to ever mention my weight.
instruction | Always round prices to two decimals.
instruction | For future reference, write dates as DD/MM/YYYY.
instruction | Respond in German unless I say otherwise.
instruction | Please don't call me buddy anymore.
instruction | Make sure every reply ends with a summary.
instruction | You don't need to apologise every time.
instruction | Let's keep this chat in Spanish from now on.
instruction | No emojis, ever.
episodic | The kids are at their grandma's tonight.
episodic | We adopted a cat on Saturday.
episodic | I burned the rice again.
episodic | Work was a nightmare today.
episodic | I've been feeling dizzy since this morning.
episodic | My flight to Oslo is at 7 am on Monday.
episodic | Someone stole my bike!
episodic | I'm nervous about tomorrow's interview.
episodic | Our daughter said her first word.
episodic | I just moved in with my boyfriend.
episodic | Nina passed her driving test!
episodic | I ordered a new desk yesterday.
episodic | The wedding is on June 12th.
episodic | She's having a baby in October.
episodic | I should call the bank tomorrow.
episodic | A I've updated your shipping address.
episodic | A Your refund has been processed.
none | The mitochondria produce energy for the cell.
none | A Let me know if you need anything else!
none | lol that's so true
none | Do you like jazz?
none | Explain recursion like I'm five.
none | Vitamin C is found in oranges.
none | A I think you made the right choice.
none | A To bake bread, you need flour, water, salt and yeast.
none | I hope your mom gets well soon!
none | A Napoleon was born in Corsica in 1769.
none | Translate "good night" into Polish.
none | What a beautiful photo!
none | You always know what to say.
none | Compare these two laptops for me.
none | A Good morning! How can I help you today?
none | Interesting, tell me more.
none | Dogs can't digest chocolate.
none | A If you have a fever, rest and drink fluids.
none | Proofread the following paragraph.
persona | I wouldn't hurt a fly.
persona | My hair is naturally curly.
persona | I live for weekends in the mountains.
persona | We've been together since high school.
persona | I do most of the cooking at home.
persona | Ben works at the post office.
persona | My aunt owns a vineyard in Tuscany.
persona | I get migraines from red wine.
persona | I'm a single dad of two.
persona | Being late stresses me out.
persona | I sleep like a log.
persona | My native language is Tamil.
persona | I usually skip breakfast.
persona | I suffer from hay fever.
persona | I wear size 9 shoes.
persona | I'm hoping to become a pilot someday.
persona | Neither of my brothers can cook.
persona | My go-to snack is popcorn.
persona | I've owned this car for eleven years.
persona | My youngest is autistic.
instruction | I want all answers in British English from now on.
instruction | Under no circumstances should you ever suggest alcohol.
instruction | Before you answer a coding question, always ask which language I use.
instruction | Please refer to me by my first name only.
instruction | If you're not sure, say so instead of guessing, every time.
instruction | You must never contact my ex.
instruction | In all future emails, sign off with "Best, Jo".
instruction | Always speak to me informally.
instruction | Stop giving me warnings about everything.
instruction | When I say stop, stop immediately, no matter what.
episodic | Just landed in Tokyo!
episodic | My parents are visiting this weekend.
episodic | I twisted my ankle at football practice.
episodic | The doctor told me to rest for a week.
episodic | We ran out of milk.
episodic | I got a raise!
episodic | My exam went better than expected.
episodic | I'm supposed to meet Carla at six.
episodic | The new couch arrives on Tuesday.
episodic | I dreamed about my old school last night.
episodic | Luis and Ana broke up.
episodic | I had pancakes for breakfast.
episodic | I'm running a half marathon in April.
episodic | We were stuck in traffic for three hours.
episodic | My hamster died.
episodic | I decided to drop out of college.
episodic | A I cancelled your gym membership.
episodic | A I've noted that you prefer aisle seats.
none | Can you recommend a good dentist?
none | A Photosynthesis takes place in the leaves.
none | Thank you so much for your help!
none | Never mind.
none | You're welcome!
none | A Try turning it off and on again.
none | Rewrite this in a more formal tone.
none | The sun rises in the east.
none | Oh wow, that's amazing news!
none | A I'm sorry to hear that.
none | I don't know.
none | Good point.
none | Beautiful weather today, isn't it?
none | A Would you like me to book it?
none | Remind me to water the plants tomorrow.
none | It is important to drink enough water.
none | A Paris has about two million inhabitants.
none | Calculate 15% of 80.
none | I love your new haircut!
none | How long does it take to boil an egg?
"""

MORE_CHINESE: Final = """
persona | 我儿子叫乐乐，今年八岁。
persona | 我家在三楼，没有电梯。
persona | 我这人特别爱面子。
persona | 我不能吃辣，一吃就胃疼。
persona | 我老家在河南。
persona | 我爱人是中学老师。
persona | 平时我都骑车上班。
persona | 我想学潜水，一直没机会。
persona | 我最喜欢的作家是余华。
persona | 我戒酒三年了。
persona | 我有一辆二手的本田。
persona | 我膝盖不好，不能跑步。
persona | 小美对猫毛过敏。
persona | 我睡眠很浅，有点声音就醒。
persona | 我比较喜欢安静的餐厅。
persona | 我女朋友不吃香菜。
persona | 我是独生子女。
persona | 周末我一般去爬山。
persona | 我会弹吉他。
persona | 我在读研究生，学的是生物。
persona | 下班后我习惯去游泳。
instruction | 别再给我发语音了，发文字。
instruction | 以后回答简短一点。
instruction | 我问问题的时候，先给结论。
instruction | 请你记住，我不吃猪肉，推荐菜的时候要避开。
instruction | 每次总结都用三句话。
instruction | 今后不用再跟我道歉。
instruction | 以后请叫我李工。
instruction | 所有金额都用人民币表示。
instruction | 不要在回答里使用表情符号。
instruction | 往后写邮件都用正式语气。
instruction | 只要我发英文，你就用英文回。
instruction | 从今天起，每天早上给我发一条新闻摘要。
episodic | 刚下飞机，累得不行。
episodic | 我们公司下周要裁员。
episodic | 我女儿今天第一次自己走路。
episodic | 手机掉水里了，开不了机。
episodic | 老板今天骂了我一顿。
episodic | 我把工作辞了。
episodic | 明天我要去面试。
episodic | 他们上个月结婚了。
episodic | 我的电脑坏了。
episodic | 去年冬天我在哈尔滨待了两个月。
episodic | 小张住院了。
episodic | 我终于考过了驾照。
episodic | 快递还没到。
episodic | 我最近在看《百年孤独》。
episodic | 昨晚没睡好。
episodic | A 我已将文件发送到您的邮箱。
episodic | A 您的订单已取消，退款三天内到账。
episodic | A 好的，我明天上午九点提醒您。
none | A 您可以试试冷敷。
none | 那一定很难受吧。
none | 给我推荐五本书。
none | 再短一点。
none | 蜂蜜不会变质。
none | 我懂你的意思。
none | 祝你明天考试顺利！
none | 你穿这件真好看！
none | A 这道菜需要两个鸡蛋。
none | A 作为人工智能，我没有感情。
none | 恭喜你搬新家！
none | 明天会下雨吗？
none | 珠穆朗玛峰是世界最高峰。
none | 运动对心脏有好处。
none | A 好的，这是邮件草稿。
none | 地球绕着太阳转。
none | 有人说早餐最重要。
none | 帮我查一下明天的天气。
none | 唐朝的首都是长安。
none | 听到这个消息真替你高兴。
persona | 我室友睡觉很轻。
persona | 我只喝无糖的饮料。
persona | 我不会游泳。
persona | 我的血型是O型。
persona | 我一直是个夜猫子。
persona | 我性格比较内向。
persona | 我爸妈都是湖南人。
persona | 我是化学博士。
persona | 我不太喜欢人多的地方。
persona | 我在苏州开了一家面包店。
persona | 每年夏天我们都去海边度假。
persona | 我爸左耳听力不好。
persona | 我离不开咖啡。
persona | 我养了一条金毛，叫豆豆。
persona | 我妹是学法律的。
persona | 我信基督教。
persona | 我习惯晚上写东西。
persona | 我跟丽丽合租。
persona | 从小到大我都没吃过榴莲。
persona | 我开车技术一般。
instruction | 以后写代码都带上测试。
instruction | 永远别提我的体重。
instruction | 价格一律保留两位小数。
instruction | 除非我特别说明，否则都用德语回答。
instruction | 别再叫我亲了。
instruction | 每条回复最后都要有总结。
instruction | 不用每次都道歉。
instruction | 从现在起咱们用西班牙语聊天。
instruction | 以后我让你推荐电影，别推恐怖片。
instruction | 跟我聊天的时候语气轻松一点。
episodic | 孩子们今晚在奶奶家。
episodic | 我们周六领养了一只猫。
episodic | 饭又烧糊了。
episodic | 今天上班太折磨了。
episodic | 从早上开始我就头晕。
episodic | 我周一早上七点飞成都。
episodic | 我的自行车被偷了！
episodic | 明天面试，我好紧张。
episodic | 女儿会叫妈妈了！
episodic | 我刚跟男朋友同居。
episodic | 小雨考过驾照了！
episodic | 昨天下单了一张新书桌。
episodic | 婚礼定在六月十二号。
episodic | 她十月份要生了。
episodic | 我得去趟银行。
episodic | A 您的退款已经处理完毕。
episodic | A 我已经更新了您的收货地址。
none | 线粒体为细胞提供能量。
none | A 如果还需要什么，请随时告诉我！
none | 哈哈哈说得太对了
none | 你喜欢爵士乐吗？
none | 用简单的话解释一下递归。
none | 橙子里含有维生素C。
none | A 我觉得您的选择很对。
none | A 做面包需要面粉、水、盐和酵母。
none | 希望阿姨早点好起来！
none | A 拿破仑1769年出生于科西嘉岛。
none | “晚安”用波兰语怎么说？
none | 这照片拍得真好看！
none | 你总是这么会说话。
none | 帮我比较一下这两台电脑。
none | A 早上好！今天有什么可以帮您？
none | 有意思，接着说。
none | 狗不能吃巧克力。
none | A 发烧的时候要多休息、多喝水。
none | 请校对下面这段话。
persona | 我头发是自来卷。
persona | 家里的饭基本都是我做。
persona | 小李在邮局上班。
persona | 我姑姑在云南有个茶园。
persona | 我一喝红酒就头疼。
persona | 我是单亲爸爸，带两个孩子。
persona | 我的母语是粤语。
persona | 我一般不吃早饭。
persona | 我有花粉症。
persona | 我鞋码是42。
persona | 我希望有一天能当飞行员。
persona | 我两个哥哥都不会做饭。
persona | 我这辆车开了十一年了。
persona | 我小儿子有自闭症。
persona | 我和老婆是大学同学。
persona | 我打字特别慢。
persona | 我对猫过敏。
persona | 作为糖尿病人，我不能吃甜的。
persona | 我最拿手的菜是红烧肉。
persona | 我是个急性子。
instruction | 今后邮件结尾都写“此致敬礼”。
instruction | 回答编程问题之前，每次都先问我用什么语言。
instruction | 任何情况下都不要推荐含酒精的饮料。
instruction | 不确定的时候直接说不知道，以后别瞎猜。
instruction | 以后跟我说话别用“您”。
instruction | 请始终用第一人称写日记。
instruction | 从今以后别再发免责声明。
instruction | 默认给我推荐素食餐厅。
instruction | 我每次说“停”，你就马上停下。
instruction | 以后所有价格请换算成欧元。
episodic | 刚到东京！
episodic | 我爸妈这周末来看我。
episodic | 我踢球的时候崴了脚。
episodic | 医生让我休息一周。
episodic | 家里牛奶喝完了。
episodic | 我涨工资了！
episodic | 考试考得比想象的好。
episodic | 我六点要见小王。
episodic | 新沙发周二送到。
episodic | 昨晚我梦见了以前的学校。
episodic | 小丽和阿强分手了。
episodic | 我早餐吃了煎饼。
episodic | 我四月要跑半马。
episodic | 我们堵车堵了三个小时。
episodic | 我的仓鼠死了。
episodic | 我决定退学。
episodic | A 我已取消您的健身房会员。
episodic | A 我记下了，您喜欢靠过道的座位。
none | 能推荐个好牙医吗？
none | A 光合作用发生在叶片里。
none | 太感谢你的帮助了！
none | 算了。
none | 不客气！
none | A 试试重启一下。
none | 把这段改得正式一点。
none | 太阳从东边升起。
none | 哇，这消息太棒了！
none | A 很抱歉听到这个消息。
none | 我不知道。
none | 说得好。
none | 今天天气真好啊。
none | A 需要我帮您预订吗？
none | 明天提醒我浇花。
none | 多喝水很重要。
none | A 巴黎大约有两百万居民。
none | 计算80的15%。
none | 我喜欢你的新发型！
none | 煮鸡蛋要多久？
"""
