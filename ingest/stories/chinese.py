"""The words by which pages in Chinese tell stories, as patterns beside those of English; both scripts are known.

Spec-driven tools translate their templates with their headings. Chinese has no blanks, so a word of structure counts
only where one stands: at a heading's or label's start, or after a comma.
"""

from __future__ import annotations

CRITERIA = (
    r"(?:用户|用戶)?(?:验收|驗收)(?:标准|標準|准则|準則|场景|場景|条件|條件|测试|測試)"
    r"|(?:成功|完成)(?:标准|標準|准则|準則)"
)
"""What announces acceptance criteria."""

SCENARIO = r"(?:场景|場景|情景)(?:大纲|大綱)?"
STORY = r"(?:用户|用戶|使用者)?故事"
REQUIREMENT = r"(?:新增|修改)?(?:需求|要求)"
PRIORITY = r"优先级|優先級|優先順序"
ABOUT_STORIES = r"故事|需求|用例|待办|待辦"
PART_OF_STORY = r"(?:用户|用戶|使用者)?故事|描述|概述|简介|簡介|摘要|背景|目标|目標"
OTHER = (
    r"(?:技术|技術|实现|實現|实施|設計|设计)?(?:说明|說明|备注|備註|笔记|任务|任務|依赖|依賴|假设|假設|约束|約束|风险|風險)|独立测试"
    r"|獨立測試|(?:优先级|優先級)(?:理由)?|边界情况|邊界情況|参考|參考|背景|范围|範圍|非目标|非目標"
)
BEFORE_TITLE = (
    r"(?:功能|产品|產品|系统|系統|技术|技術)?(?:规范|規範|规格|規格|需求)(?:说明|說明|文档|文檔)?(?:书|書)?"
)
LISTED = r"需求|要求|标准|標準|准则|準則|约束|約束|规则|規則|成果"
DUTY = (
    r"必须|必須|应(?![用答急对])|應(?![用答急對])|不得|禁止|可以|能够|能夠"
    r"|(?<![A-Za-z])(?:SHALL|MUST|SHOULD|MAY)(?![A-Za-z])"
)

STEPS = {
    **dict.fromkeys(("给定", "給定", "假设", "假設", "假如", "前提", "鉴于", "鑑於"), "given"),
    **dict.fromkeys(("当", "當"), "when"),
    **dict.fromkeys(("那么", "那麼", "则", "則"), "then"),
    **dict.fromkeys(("并且", "並且", "而且", "同时", "同時", "且"), "and"),
    **dict.fromkeys(("但是", "但"), "but"),
}
"""Keywords of steps and their kinds in English."""

_KEYWORDS = "|".join(sorted(STEPS, key=len, reverse=True))
STEP = rf"(?![当當][前地年天日中作成然])(?P<chinese>{_KEYWORDS})\s*[:：,，]?\s*(?=\S)"
"""A step's beginning; `当前` (current) and the like are words of their own."""

SENTENCE = (
    r"(?:作为|作為)\s*(?:一(?:名|个|個|位|种|種))?\s*(?P<role>[^，,。]{1,120}?)(?:\s*[，,]\s*|\s+)我们?\s*(?:希望|想要|想|需要|期望)\s*"
    r"(?P<want>[^。；;]+?)(?:(?:[，,]\s*|\s+)(?:以便(?:于|於)?|从而|從而|好让|好讓|这样|這樣|使得|以(?=避免|减少|確保|确保|实现|提高|提升|保证|降低))"
    r"\s*(?P<benefit>[^。；;]+))?\s*(?:[。；;]|$)"
)
"""As somebody I want something, so that."""

FIRST = r"作为|作為"
NO_ROLE = (
    r"(?:结果|結果|替代|补充|補充|例子|示例|参考|參考|总结|總結|备选|備選|对比|對比|默认|回退|一部分|第一步)"
)
SHAPE = (
    rf"(?:作为|作為)[^。]{{1,200}}我们?\s*(?:希望|想要|想|需要|期望)|(?:^|\r)[\W\d_]{{0,20}}(?:{CRITERIA})"
    rf"|(?:^|\r)#{{1,6}}[ \t]*(?:{REQUIREMENT})[ \t]*\d{{0,4}}[ \t]*[:：–—]"
)
"""What a page holds that may tell stories."""

SIGNS = ("作为", "作為", "验收", "驗收", "成功", "完成", "需求", "要求")
"""Words without which `SHAPE` is found nowhere; whether a page has them is seen at once."""
