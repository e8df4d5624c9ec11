"""What a criterion says must be so before its request is sent, and nothing in its requests brings about.

A test that sends the request alone would find another state than the criterion speaks of. That a system runs, that
somebody asks, and that nothing is there need nothing to be brought about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from graph.facts import Fact, Kind
from planner.stories.fillers import is_asker
from planner.stories.spoken import REQUEST, written

_PIECE = re.compile(r'"""\n.*?\n"""|`[^`]*`', re.DOTALL)
_OF_A_REQUEST = re.compile(r"\b(?:headers?|cookies?|body|payload|JSON|content|data)\b", re.IGNORECASE)
_CLAUSE = re.compile(
    r"\b(?:when(?:ever)?|if|while|once|after|unless|until|provided(?:\s+that)?|given(?:\s+that)?|as\s+(?:long|soon)\s+as"
    r"|before)\s+(?P<said>[^,.;]*)",
    re.IGNORECASE,
)
_SYSTEM = (
    r"(?:(?:the|this|our|an?|every|any)\s+)?(?:[\w-]+\s+){0,2}"
    r"(?:app(?:lication)?|server|service|system|API|process|backend|endpoint|gateway|site|website)"
)
_RUNS = (
    r"(?:is|are|has\s+been|was|can)\s+(?:(?:up|running|started|available|reachable|healthy|ready|online|live|deployed|be\s+reached"
    r"|handle|handling|serving|accepting|listening(?:\s+on\s+\S+)?)(?:\s+(?:for\s+)?(?:the\s+)?(?:connections|requests?))?"
    r"(?:\s+and\s+)?)+"
)
_ANYBODY = (
    r"(?:(?:an?|any|some|the|every|each)\s+)?(?:(?:unauthenticated|anonymous|HTTP|REST|API|external|web)\s+)*"
    r"(?:client|caller|consumer|visitor|request|requester|user(?=\s+(?:is\s+not|sends|makes|calls))|person|one)"
    r"(?:\s+(?:is\s+not|without\s+being)\s+(?:logged\s+in|authenticated|signed\s+in))?"
    r"(?:\s+(?:sends|makes|calls|is\s+(?:sent|made|received|handled)|asks|arrives|comes)(?:\s+(?:a|the)\s+request)?)?"
)
_NEEDS_NOTHING = re.compile(
    rf"(?:that\s+)?(?:{_SYSTEM}\s+{_RUNS}|{_ANYBODY}|an?\s+(?:unauthenticated|anonymous)\s+user"
    r"|any\s+(?:[\w-]+\s+){0,3}(?:state|request|input|body|time|environment|circumstances)(?:\s*\([^)]*\))?"
    r"|I\s+am\s+(?:an?\s+)?(?:API\s+)?(?:client|consumer|anonymous|not\s+logged\s+in)(?:\s+of\s+.*)?"
    r"|(?:the\s+)?(?:API(?:'s)?\s+)?base\s+(?:URL|URI|path)\s+.*|no\s+(?:JSON\s+)?body(?:\s+(?:is\s+sent|or\s+a\s+non-JSON\s+body))*"
    r"|(?:it|this|that|they|the\s+(?:request|endpoint|client|answer|response))?\s*(?:is|are)?\s*(?:asked|sent|called|requested|made)"
    r"|no\s+(?:credentials|token|authentication|headers?|authorization)\b.*)",
    re.IGNORECASE,
)
_NOTHING_THERE = re.compile(
    r"(?:that\s+)?(?:(?:there\s+(?:is|are)\s+)?(?:no|not\s+any)\s+(?!content|body|more)[\w`-]+.*|.*\b(?:does|do|did)\s+not\s+exist\b.*"
    r"|.*\b(?:doesn[’']t|don[’']t)\s+exist\b.*|.*\b(?:is|are)\s+(?:unknown|missing|not\s+(?:there|known|found|stored))\b.*"
    r"|.*\b(?:unknown|non-?existent|non-?existing|no\s+such)\s+\S+.*)",
    re.IGNORECASE,
)
# "an order with id 1 has been created", "item `5` exists"
_MADE = re.compile(
    r"(?:that\s+)?(?:(?:there\s+is|there\s+exists)\s+)?(?:an?|the|one|some)?\s*(?:existing\s+|stored\s+)?(?P<noun>[A-Za-z][A-Za-z-]*)"
    r"(?:\s+(?:with\s+(?:the\s+)?)?(?:id|ID|Id|uuid|number|key|code|slug)(?:\s+(?:of|is))?)?(?:\s+[`\"']?(?P<identity>[\w-]+)[`\"']?)??"
    r"(?:\s+(?:already\s+)?(?:exists|has\s+been\s+(?:made|created|added|stored|saved)|was\s+(?:made|created|added|stored|saved)"
    r"|is\s+(?:there|stored|saved|present)|in\s+the\s+(?:system|store|database)))?",
)


def made_thing(words: str) -> tuple[str, str] | None:
    """The noun of the thing that words say to be there, and what identifies it, empty if they do not say; else None."""
    match = _MADE.fullmatch(words.strip())
    return (match["noun"], match["identity"] or "") if match is not None else None


def circumstances(criterion: Fact, *, refused: bool) -> list[str]:
    """What must be brought about for a criterion, in its own words and order; empty where nothing must.

    `refused` says that its last request is: where nothing is there, that is what happens to it.
    """
    if criterion.kind is not Kind.CRITERION:
        return []
    aspects = criterion.aspects
    steps = [*map(str, aspects.get("given") or ()), *map(str, aspects.get("when") or ())]
    told = list(map(str, aspects.get("then") or ())) or [str(aspects.get("text") or "")]
    if not aspects.get("then"):
        steps = []
    found = [*_steps(steps), *(each for words in (*steps, *told) for each in _clauses(words))]
    return [each for each in found if not (refused and _NOTHING_THERE.fullmatch(each))]


def _steps(steps: Sequence[str]) -> Iterator[str]:
    """The steps that neither send a request, nor say what it carries, nor need nothing."""
    for words in steps:
        text = written(words)
        request = REQUEST.search(text)
        if request is not None:
            if not is_asker(text[: request.start()].rstrip("`").lstrip()):
                yield words.strip().rstrip(".")
            continue
        if _PIECE.search(text) and _OF_A_REQUEST.search(_PIECE.sub("", text)):
            continue
        if not _needs_nothing(words):
            yield words.strip().rstrip(".")


def _clauses(words: str) -> Iterator[str]:
    """The subordinate clauses that tell of a state."""
    text = written(words)
    plain = _PIECE.sub(lambda piece: "\0" * len(piece[0]), text)
    for clause in _CLAUSE.finditer(plain):
        start, end = clause.span("said")
        said = text[start:end].strip()
        if said and "\0" not in clause["said"] and not _needs_nothing(said):
            yield said


def _needs_nothing(words: str) -> bool:
    return _NEEDS_NOTHING.fullmatch(words.strip().rstrip(".").strip()) is not None
