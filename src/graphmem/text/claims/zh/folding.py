"""Folding: the traditional characters that the grammar of claims knows, one for one."""

from __future__ import annotations

from typing import Final

_TRADITIONAL: Final = (
    "週周 後后 個个 兩两 這这 禮礼 號号 點点 時时 鐘钟 過过 從从 間间 內内 為为 來来 幾几 歲岁 節节 動动 農农 開开 會会 將将 準准 備备 計计 "
    "劃划 經经 剛刚 當当 約约 預预 訂订 報报 說说 话话 話话 聽听 買买 賣卖 東东 車车 門门 見见 對对 還还 沒没 們们 給给 讓让 應应 該该 記记 "
    "別别 請请 問问 頭头 腦脑 學学 業业 親亲 兒儿 復复 萬万 愛爱 戀恋 驚惊 滿满 種种 處处 總总 長长 線线 員员 機机 關关 發发 現现 進进 離离 "
    "結结 書书 課课 醫医 體体 檢检 運运 場场 遠远 連连 電电 視视 網网 際际 實实 習习 專专 題题 試试 驗验 選选 團团 隊队 歡欢 樂乐 飯饭 館馆 "
    "錢钱 銀银 貓猫 麼么 無无 與与 於于 獲获 錯错 難难 氣气 溫温 熱热 風风 須须 畫画 媽妈 爺爷 奶奶 孫孙 婦妇 師师 護护 貴贵 職职 養养 屬属 "
    "討讨 厭厌 慣惯 煩烦 緊紧 張张 興兴 奮奋 憂忧 鬱郁 悶闷 壓压 餓饿 疼疼 讀读 寫写 譯译 釋释 絕绝 許许 準准 務务 必必 統统 認认 單单 簡简 "
    "語语 詞词 標标 條条 項项 稱称 謂谓 舉举 處处 謝谢 賀贺 厲厉 歉歉 喫吃 鍛锻 鍊炼 練练 騎骑 彈弹 紋纹 寵宠 駕驾 駛驶 葷荤 齋斋 "
    "夠够 妳你 嗎吗 啦啦 囉啰 喔哦 嘍喽 擔担 願愿 夢梦 標标 覺觉 雙双 歐欧 韓韩 臺台 灣湾 廣广 國国 華华 劉刘 陳陈 楊杨 趙赵 黃黄 吳吴 鄭郑 "
    "馬马 孫孙 許许 鄧邓 馮冯 韋韦 蘇苏 葉叶 閻阎 餘余 盧卢 蔣蒋 賈贾 譚谭 範范 龍龙 錢钱 湯汤 尋寻 縮缩 繼继 續续 終终 於于 隱隐 設设 偶偶 "
    "罵骂 換换 租租 裝装 壞坏 丟丢 摔摔 傷伤 病病 燒烧 診诊 術术 院院 賺赚 虧亏 輸输 贏赢 參参 飛飞 達达 搬搬 帶带 辦办 遲迟 遊游 雖虽 卻却 "
    "嚴严 歷历 嚮向 淨净 鹹咸 雞鸡 魚鱼 蝦虾 麵面 腸肠 髮发 臉脸 腳脚 頸颈 膚肤 癢痒 塊块 雜杂 誌志 戲戏 劇剧 聰聪 懶懒 鬧闹 獨独 靜静 亂乱"
)
_TABLE: Final = str.maketrans({pair[0]: pair[1] for pair in _TRADITIONAL.split()})


def folded(text: str) -> str:
    """The text in simplified characters, as far as the grammar looks at them; offsets stay the same."""
    return text.translate(_TABLE)
