"""When a sentence speaks of another system than the one that its page describes: by name, or by what is said of it."""

from __future__ import annotations

import re

from graph.patterns import pattern
from ingest.claims.vocabulary import OTHERS, SERVICES

# "The user's Jira profile via GET /myself": of whom the sentence speaks answers it.
_NAMED = pattern(rf"\b(?:{'|'.join(SERVICES)})\b")
# "Uses `GET /search` from the GitHub API", "sends `POST /hooks` to your server": what another system answers.
SORT = r"\s*(?:\([^()]*\)\s*)?(?:operation|endpoint|route|handler|method|request|call)s?\b"
"""A pattern for what a request is called behind it."""
_OF_ANOTHER = pattern(
    rf"`?(?:{SORT})?\s+(?:of|from|in|to|at|against|on)\s+(?:(?:the|an?|each|every)\s+)?"
    r"(?:(?:remote|upstream|external|third[- ]party|other|peer|mock|fake)\b"
    r"|your\s+(?:server|service|app|API|endpoint)\b"
    r"|(?P<name>\w[\w.-]*)(?:['’]s?)?(?:\s+\w+)?\s+(?:API|server|service|docs|documentation)\b)"
    r"|`?(?:\s+(?:on|of|from|by|in)\s+(?:the\s+)?(?-i:[A-Z][a-z]\w+)\b(?!\s+(?:mode|method|header|page|view)))"
    r"|`?\s+(?:on|in|since|from)\s+v?\d+\.[x\d]"
    r"|`?\s+(?-i:[A-Z]\w+)\s+(?:REST\s+|HTTP\s+)?(?:API|service|server)\b",
    re.IGNORECASE,
)

_WHOSE = pattern(r"\b(?P<name>(?!FastAPI\b)[A-Z][\w.]*)(?:['’]s)?\s+$")
# "Corresponds to Shelfware's GET /books", "aligning with the PUT /books endpoint", "any API that has `GET /books`",
# "the Shelfware API (`GET /books`)": what another system answers, by whatever name.
_ELSEWHERE = pattern(
    r"\b(?!API\b|It\b|That\b)[A-Z]\w+['’]s\s+(?:\w+\s+){0,2}[`(]*$"
    r"|\b(?:corresponds?|corresponding|equivalent|analogous|similar|akin|compar(?:ed|able)|prox(?:y|ies|ied)"
    r"|forward(?:s|ed)?|redirect(?:s|ed)?|align(?:s|ed|ing)?|compatible)\s+(?:to|with|on|onto)\s+(?:[\w'’-]+\s+){0,4}[`(]*$"
    r"|\b(?:mirrors?|mimics?|wraps?|emulates?|simulates?|mocks?|stubs?|fakes?|shadows?|replaces?|imitates?)\s+"
    r"(?:[\w'’-]+\s+){0,4}[`(]*$"
    r"|\bany\s+(?:[\w-]+\s+){0,3}(?:API|server|service|backend|endpoint|provider|app|application)s?\s+(?:that|which|with)\b"
    r"|\b(?:remote|upstream|downstream|external|third[- ]party|mock(?:ed)?|fake|simulated)\s+(?:[\w'’-]+\s+){0,4}[`(]*$"
    r"|\b(?:expected|understood|accepted|documented|defined) by\s+(?:the\s+)?[`(]*$"
    r"|\bthe\s+[A-Z]\w+\s+(?:REST\s+|HTTP\s+|web\s+)?(?:API|server|service)(?:['’]s)?\s+[`(]*$"
)
# "The mock returns 404", "upstream responds with 503", "your webhook must return 200": what stands in for another
# system, or is one, answers so.
_ANOTHER_PARTY = pattern(
    r"\b(?:mock(?:ed)?|fake|stub(?:bed)?|dummy|simulated|upstream|downstream|remote|external|third[- ]party|foreign"
    r"|peers?|origin|their (?:server|service|api))\b(?![-_/.])|^\s*(?:your|my)\b"
    r"|\b(?:(?:web)?hooks?|callbacks?|receivers?|servers|services|backends|providers|proxies|sites"
    r"|websites|browsers?|bots?)\s*$",
    re.IGNORECASE,
)
_MIXED = pattern(r"^(?:[A-Z][a-z0-9]+){2,}[A-Z]*$|^[A-Z]+[a-z]+[A-Z]|^[a-z]+[A-Z][A-Z]")


def is_elsewhere(words: list[str]) -> bool:
    """Whether some word names another system."""
    return any(
        word.lower().strip("'’s") in OTHERS or word.lower() in OTHERS or _MIXED.match(word) for word in words
    )


def is_another_party(before: str) -> bool:
    """Whether the words before a verb tell of another system than the one that answers here."""
    return _ANOTHER_PARTY.search(before) is not None


def names_another(sentence: str) -> bool:
    """Whether a sentence names a service that answers requests of its own."""
    return _NAMED.search(sentence) is not None


def is_answered_elsewhere(before: str, after: str) -> bool:
    """Whether the words around a request say that another system answers it."""
    if _ELSEWHERE.search(before) or ((whose := _WHOSE.search(before)) and is_elsewhere([whose["name"]])):
        return True
    match = _OF_ANOTHER.match(after)
    return match is not None and (not match["name"] or is_elsewhere([match["name"]]))
