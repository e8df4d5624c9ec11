"""The words around a request that say nothing of what it carries, so that it can be sent as it is told."""

from __future__ import annotations

import re

_NOTHING_SENT = re.compile(
    r"\b(?:without|with\s+no|with\s+an?\s+empty|with\s+(?:an?\s+)?valid|and\s+no)\s+(?:(?:any|an?|the|request|JSON|authentication|access|API)\s+)*"
    r"(?:body|payload|credentials?|tokens?|authentication|authorization|API\s+key|key|headers?|session|cookies?|parameters?)\b",
    re.IGNORECASE,
)
_FILLER = re.compile(
    r"a|an|the|this|that|it|its|is|are|was|were|be|been|with|and|of|to|by|in|on|as|at|via|using|from|for"
    r"|which|then|when|once|also|cookies?|headers?|body|json|payload|requests?|responses?|http|sent|made"
    r"|issued|called|requested|handled|received|submitted|posted|containing|following|client|user|caller"
    r"|i|we|they|shall|must|should|will|system|server|api|service|application|app|content|query|string"
    r"|parameters?|values?|method|endpoint|call|set|equals?|has|have|having|being|get|post|put|patch"
    r"|delete",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_][\w'’-]*")
_ASKER = re.compile(
    r"(?:(?:the|an?|any|this|every|each|some|same|another)\s+)*(?:(?:authenticated|authorized|logged-in|signed-in|unauthenticated|anonymous"
    r"|HTTP|API|REST|web)\s+)*(?:(?:client|caller|consumer|user|visitor|requester|I|we|they|he|she|it|somebody|someone|one|request)\b\s*)?"
    r"(?:(?:then|also|now)\s+)?(?:(?:sends?|makes?|calls?|issues?|performs?|requests?|submits?|does|executes?|fetches|invokes|hits|visits"
    r"|asks\s+for|posts?|sent|made|called|issued|performed|requested)\b\s*)?(?:(?:is|was)\s+)?(?:(?:an?|the|another)\s+)?"
    r"(?:(?:HTTP|API|valid)\s+)*(?:requests?\b\s*)?(?:(?:to|for|on|with|using)\s+)?(?:the\s+)?",
    re.IGNORECASE,
)


def unread(words: str) -> str:
    """The first words that tell more of a request than that it is sent; empty where there are none."""
    bare = _NOTHING_SENT.sub(" ", words)
    for word in _WORD.finditer(bare):
        if not _FILLER.fullmatch(word[0]):
            return " ".join(bare[word.start() :].split()[:6]).strip(" ,.;:()")
    return ""


def is_asker(words: str) -> bool:
    """Whether the words before a request say no more than that somebody sends it."""
    return _ASKER.fullmatch(words) is not None
