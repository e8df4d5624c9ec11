"""Steps told the other way round, as what somebody does: `the hive "M-01" is inspected on …` is `I inspect the hive …`.

Passive steps have the thing or the values in front of the verb (`5000 grams are harvested from the hive "M-01"`);
other things act by themselves (`the boat "IRL-9" withdraws`).
"""

from __future__ import annotations

import re

_ADVERBS = r"(?:(?:already|just|then|now|again|also)\s+)*"
_PASSIVE = re.compile(
    r"(?P<subject>(?:(?:an?|the|another|these|this|that)\s+[a-z-]+(?:\s+[a-z]+)?(?:\s+[\"“][^\"”]+[\"”])?"
    r"|\d[\w.-]*\s+[a-z]+.*?|[\"“][^\"”]+[\"”]|it|he|she|[A-Z][a-z]+))\s+"
    rf"(?:is|are|was|were|has been|have been|gets|got)\s+{_ADVERBS}(?P<verb>[a-z]+(?:ed|en|t|d|n))\b(?P<rest>.*)",
    re.DOTALL,
)
_ITSELF = re.compile(
    r"(?P<subject>the\s+[a-z-]+(?:\s+[\"“][^\"”]+[\"”])?|it)\s+(?P<has>has\s+|have\s+)?"
    rf"{_ADVERBS}(?P<verb>(?(has)[a-z]+(?:ed|en|n|t)|[a-z]+s))\b(?P<rest>.*)",
    re.DOTALL,
)
_BEING = frozenset({"is", "has", "was", "does", "contains", "holds", "shows", "exists", "offers", "owns"})


def as_act(step: str) -> str:
    """The step as an act of whoever speaks; empty where it is told in neither way."""
    match = _PASSIVE.fullmatch(step) or _ITSELF.fullmatch(step)
    if match is None or match["verb"] in _BEING:
        return ""
    if re.fullmatch(r"[A-Z][a-z]+", match["subject"]) and match["subject"] != "It":
        return f"I {match['verb']}{match['rest']}"  # `Ada is registered as "ada_l"`
    return f"I {match['verb']} {match['subject']}{match['rest']}"
