"""What a case is: the words under which a clause holds, where they say one thing and nothing else."""

from __future__ import annotations

import re

from graph.patterns import pattern
from ingest.claims.vocabulary import FRAGMENTS

_MOST_WORDS = 20
_MOST_OF_A_PHRASE = 7
_SPAN = pattern(r"`[^`]*`|\"[^\"]*\"|“[^”]*”|'[^' ]*'")
# A second case, a reason, a contrast, a list, another clause: what stands behind these words is not the same case.
_MORE = pattern(
    r"[,;()…\[\]]|:(?=\s|$)|\s[-–—]+(?:\s|$)|\s/\s"
    r"|\b(?:if|when|whenever|unless|because|since|which|so|but|then|otherwise|while|though|although|whereas"
    r"|else|however|like|likely|instead|rather|depending|anyway|respectively"
    r"|e\.g|etc|will|would|could|might|shall|must|please|see|usually|normally|typically"
    r"|in (?:this|that|such|these|those|which) (?:cases?|situations?|way))\b",
    re.IGNORECASE,
)
_FINITE = pattern(
    r"^(?:if|when|whenever|unless|once|until|while|as long as|provided(?: that)?)\s+", re.IGNORECASE
)
# "If that is not possible", "if they are not", "if neither exists": what was said before.
_POINTS_BACK = pattern(
    r"(?:that|this|it)(?:[’']s| is| isn[’']t)(?: not)? (?:so|(?:the|a) (?:case|problem|issue|situation|matter))$"
    r"|(?:that|this|it)[’']s not$|that[’']s\s"
    r"|(?:that|this|these|those)\s+(?:is|are|isn[’']t|aren[’']t|was|does|doesn[’']t|fails|happens|occurs)\b"
    r"|(?:it|they|he|she)\s+(?:(?:is|are|does|do|was|were|has|have|can)(?:\s+not|n[’']t)?|cannot|can[’']t)$"
    r"|they\s+(?:are|were|do|have|can)(?:\s+not|n[’']t)?\s+\w+$"
    r"|(?:an?|the|any|another) (?:[\w-]+ )?ones?\s"
    r"|.*\b(?:after|before|for|with|by|of|in|on) (?:that|this|these|those)$"
    r"|(?:neither|both|either|none)\s+(?:(?:is|are|was|were|has|have|does|do)\b|\w+s?$)",
    re.IGNORECASE,
)
# "If one exists", "unless any are", "if the other is missing": one, any, the other of what was said before. "More than
# one result", "at least one document", "any key" tell of what.
_OF_WHAT = pattern(
    r"\b(?:ones?|any|some|the (?:others?|rest|remainder|former|latter|first|second|last|previous))"
    r"(?=$|\s(?:is|are|isn[’']t|aren[’']t|was|were|has|have|had|does|do|doesn[’']t|don[’']t|can|cannot|can[’']t|already|still"
    r"|exists?|fails?|differs?|match(?:es)?|remains?|occur(?:s|red)|happen(?:s|ed))\b)"
    r"|^(?:there\s(?:is|are)|there[’']s)\s(?:none|more|others?|another)$",
    re.IGNORECASE,
)
_WITH = pattern(r"^(?:with|given|by)\s", re.IGNORECASE)
_IN = pattern(r"in\s", re.IGNORECASE)
_TO = pattern(r"to\s", re.IGNORECASE)
# What a clause says; without one of these, words behind "if" are a fragment.
_SAYS = pattern(
    r"\b(?:is|are|isn[’']t|aren[’']t|has|have|hasn[’']t|haven[’']t|does|do|doesn[’']t|don[’']t|cannot|can[’']t|can"
    r"|there[’']s|it[’']s|was|were|(?:i|you|we|they)\s\w+|not|no|none|neither|[a-z]{3,}(?:s|ed|ing|[aeiotw]wn|[iae]ven|aken|oken|itten|idden|osen|ound|tten)|seen|gone|done|met|set|sent|lost|left|kept|held"
    r"|given|hit|put|run|cut|read)\b",
    re.IGNORECASE,
)
# "If the arguments" is a fragment, "if it exists" is none.
_BARE_THING = pattern(r"(?:the|an?|its|this|that|these|those|all|each|every) [\w-]+", re.IGNORECASE)
# Another thing that the clause does, not another case of it: "if it is empty and logs a warning".
_DOES_MORE = pattern(
    r"\b(?:and|or)\s+(?:\w+ly\s+)?(?:do(?:es)? not\s+|doesn[’']t\s+)?"
    r"(?:returns?|raises?|logs?|uses?|tries|try|do|will|ignores?|skips?|sets?"
    r"|continues?|falls?|aborts?|exits?|calls?|pass(?:es)?|leaves?|sends?|gives?|makes?|writes?|prints?|wants?"
    r"|you|we|it|they|this|that|thus|hence|therefore|also|so"
    r"|(?:an? )?(?:x1|\w+(?:Error|Exception)) (?:on|for|in|upon|with))\b",
    re.IGNORECASE,
)
_CIRCUMSTANCE = pattern(
    r"(?:for|on|upon|in|without|per|during|under|within|outside|inside|after|before|at|to)\s+(?P<what>\S.*)",
    re.IGNORECASE,
)
_TO_WHOM = pattern(
    r"(?:(?:an?|the|any|every|each|all|those)\s+)?(?:[\w-]+\s+){0,2}(?:users?|clients?|callers?|members?|customers?"
    r"|guests?|visitors?|readers?|staff|admins?|any(?:body|one)|every(?:body|one))",
    re.IGNORECASE,
)
# What tells a purpose, a place in the text, a habit, a manner, or something that other words have to explain.
_NO_CASE = pattern(
    r"\b(?:a minimum|a maximum|least|most|example|instance|compatibility|convenience|consistency|reasons?"
    r"|purposes?|simplicity|debugging|testing|now|general|practice|order|addition|favou?r|particular|future|past"
    r"|fact|turn|place|parallel|background|detail|certain|few|several|special|rare|many|some|other|others|this|that|these|those|it|them|following"
    r"|above|below|same|such|is|are|has|have|can|may|should|be|do|does|to|who)\b"
    r"|\b(?:the|its|an?|any|each|every|another) (?:\w+ )?ones?$"
    r"|^(?!existing|missing|pending|incoming|outgoing)\w{4,}ing\b|^(?:both|all|each|either|neither|any|none|the two)$",
    re.IGNORECASE,
)
# "Per hour" tells a rate, "per the manifest's notes" and "per RFC" where something is laid down.
_LAID_DOWN = pattern(
    r"per\s+(?:the\s.*|\S+\s\w+s\s.*|\S.*(?<!s)s$|(?:.*\s)?(?:spec|specification|manifest|documentation|policy|rule|standard|convention"
    r"|requirement|contract|design|plan|RFC|schema|protocol|configuration|section|decision)$)",
    re.IGNORECASE,
)


# "At start-up" is a case, "at the desk" a place.
_AT = pattern(r"at\s", re.IGNORECASE)
_AT_A_TIME = pattern(
    r"at (?:the |an? |any )?(?:[\w-]+ )?(?:end|start|beginning|start-?up|run-?time|launch|boot|time|once|point"
    r"|moment|least|most|shut-?down|import|creation|installation|level|rate|midnight|noon)\b.*",
    re.IGNORECASE,
)
# "In debug mode" is a case, "in the worker" and "in hmac" are places.
_IN_A_WAY = pattern(
    r"in (?!(?:the|an?) )(?:[\w-]+ )*(?:modes?|states?|cases?|absence|presence|phases?|contexts?|environments?|builds?"
    r"|production|development)\b.*"
    r"|in (?:the |an? )?(?:[\w-]+ )?(?:mode|state|case|event|absence|presence)\b.*",
    re.IGNORECASE,
)


def is_case(text: str) -> bool:
    """Whether words are one case: one clause behind its conjunction, or one circumstance, and nothing behind it."""
    bare = _SPAN.sub("x1", text.strip())
    if bare.lower() in ("otherwise", "else", "by default"):
        return True
    finite = _FINITE.match(bare)
    if finite is None:
        # What begins with "to" is a purpose.
        return _TO.match(bare) is None and is_circumstance(_WITH.sub("for ", text.strip()))
    said = bare[finite.end() :]
    words = said.split()
    if (
        not words
        or len(words) > _MOST_WORDS
        or _POINTS_BACK.match(said)
        or _BARE_THING.fullmatch(said)
        or _OF_WHAT.search(said)
        or _MORE.search(said)
        or _DOES_MORE.search(said)
    ):
        return False
    return said.lower() in FRAGMENTS if len(words) == 1 else _SAYS.search(said) is not None


def is_circumstance(text: str) -> bool:
    """Whether words behind a clause are one circumstance of it: `on bad input`, `for an unknown book`, `per hour`."""
    bare = _SPAN.sub("x1", text.strip())
    match = _CIRCUMSTANCE.fullmatch(bare)
    if match is None or len(bare.split()) > _MOST_OF_A_PHRASE:
        return False
    if _TO.match(bare):
        return _TO_WHOM.fullmatch(match["what"]) is not None
    if _LAID_DOWN.fullmatch(bare) or (_IN.match(bare) and not _IN_A_WAY.fullmatch(bare)):
        return False
    if _AT.match(bare) and not _AT_A_TIME.fullmatch(bare):
        return False
    return not (
        _MORE.search(bare)
        or _DOES_MORE.search(bare)
        or _NO_CASE.search(match["what"])
        or _OF_WHAT.search(bare)
    )
