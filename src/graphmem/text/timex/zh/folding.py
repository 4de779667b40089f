"""Folding: traditional characters and full-width signs of time as the grammar knows them, one for one."""

from __future__ import annotations

from typing import Final

# Only what stands in expressions of time, and beside them where tense and boundaries are told.
_TRADITIONAL: Final = (
    "週周 後后 個个 兩两 這这 禮礼 號号 點点 時时 鐘钟 鍾钟 過过 從从 間间 內内 為为 來来 幾几 歲岁 節节 "
    "國国 慶庆 陽阳 聖圣 誕诞 勞劳 動动 曆历 農农 陰阴 臘腊 閏闰 隔隔 開开 會会 將将 準准 備备 計计 "
    "劃划 經经 剛刚 當当 約约 預预 訂订 報报 說说 話话 聽听 買买 賣卖 東东 車车 門门 見见 對对 還还 沒没 "
    "們们 給给 讓让 應应 該该 記记 別别 請请 問问 應应 頭头 腦脑 學学 業业 親亲 兒儿 復复 萬万 愛爱 "
    "戀恋 驚惊 蟄蛰 滿满 種种 處处 紀纪 總总 長长 線线 樓楼 員员 機机 務务 關关 發发 現现 進进 離离 "
    "結结 婚婚 書书 課课 診诊 醫医 體体 檢检 運运 場场 遠远 連连 電电 視视 網网 應应 際际 實实 習习 "
    "專专 題题 試试 驗验 試试 選选 團团 隊队 歡欢 樂乐 飯饭 館馆 廳厅 燈灯 錢钱 銀银 貓猫 麼么 無无 "
    "與与 於于 並并 獲获 達达 錯错 難难 靜静 園园 氣气 溫温 熱热 風风 颱台 灣湾 臺台 須须 須须 畫划 雙双 婦妇 樹树 護护 軍军 黨党 師师 寫写 辦办 識识 簽签 "
    "領领 換换 裡里 裏里 箇个 淩凌 舊旧 爲为 轉转 夢梦 "
)
_FULL_WIDTH: Final = {
    **{chr(0xFF10 + digit): str(digit) for digit in range(10)},
    "：": ":",
    "／": "/",
    "．": ".",
    "－": "-",
    "〜": "~",
    "～": "~",
    "（": "(",
    "）": ")",
    "零": "〇",
    "○": "〇",
    "\u3000": " ",
}
_TABLE: Final = str.maketrans(
    {**{pair[0]: pair[1] for pair in _TRADITIONAL.split()}, **_FULL_WIDTH}
)


def folded(text: str) -> str:
    """The text in simplified characters, as far as the grammar looks at them; offsets stay the same."""
    return text.translate(_TABLE)
