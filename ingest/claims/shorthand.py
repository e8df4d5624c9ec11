"""Whole sentences in the short forms of lists of criteria, said as the grammar's own.

`Empty title → 400 Bad Request`, `System shall lock accounts after 5 failed attempts`, `Title is required (max 200
characters)`, `POST /todos with empty title returns 400`: what has none of these shapes stays as it is.
"""

from __future__ import annotations

import re

from graph.patterns import pattern
from ingest.claims.answered import ANSWERS, without_message
from ingest.claims.duties import DUTIES
from ingest.claims.numbers import NUMBER

_N = rf"(?:{NUMBER})"
_TEXT = r"(?:characters?|chars?|digits?|letters?)"
_SPAN = r"(?:seconds?|secs?|minutes?|mins?|hours?|days?|weeks?|months?|years?)"
# "After 5 failed attempts the account is locked for 15 minutes".
_TRIES = rf"{_N}\s+(?:[a-z-]+\s){{0,2}}(?:attempts?|tries|failures?|logins?|passwords?)"
_LOCKED = (
    r"(?:is|are|gets?|must be|shall be|should be|will be)\s+(?:\w+ly\s+)?"
    r"(?:locked|blocked|suspended|disabled|banned)(?:\s+out)?"
)
_WHOSE = r"(?:(?:the|an?|his|her|their|its)\s)?[a-z]+(?:\s[a-z]+)?"
_AFTER_TRIES = pattern(
    rf"^after (?P<tries>{_TRIES}),?\s+(?P<what>{_WHOSE}\s+{_LOCKED})"
    rf"(?:\s+for\s+{_N}\s+{_SPAN})?(?P<end>[.]?)$",
    re.IGNORECASE,
    only_with="after ",
)
_LOCKED_FOR = pattern(
    rf"^(?P<what>.{{3,60}}\s{_LOCKED})\s+for\s+{_N}\s+{_SPAN}\s+(?P<tries>after\s+{_TRIES}[.]?)$",
    re.IGNORECASE,
    only_with=" after ",
)
_SYSTEM = r"(?:the\s+)?(?:system|service|API|application|app|server|website|platform)"
_SYSTEM_LOCKS = pattern(
    rf"^{_SYSTEM}\s+(?P<modal>must|shall|should)\s+(?:\w+ly\s+)?(?P<how>lock|block|suspend|disable)\s+"
    rf"(?P<what>{_WHOSE})(?:\s+for\s+{_N}\s+{_SPAN})?\s+(?P<tries>after\s+{_TRIES}[.]?)$",
    re.IGNORECASE,
    only_with=" after ",
)
# "Lock account after 5 failed login attempts": nobody but the system does.
_LOCK = pattern(
    rf"^lock\s+(?P<what>(?:(?:the"
    rf"|an?)\s)?(?:user\s)?accounts?)(?:\s+for\s+{_N}\s+{_SPAN})?\s+(?P<tries>after\s+{_TRIES}[.]?)$",
    re.IGNORECASE,
    only_with=" after ",
)
# "Account lockout after 5 failed attempts".
_LOCKOUT = pattern(
    rf"^(?:user\s+)?(?:accounts?\s+)?(?:lock-?out|locked(?:\s+out)?)\s+(?P<tries>after\s+{_TRIES}[.]?)$",
    re.IGNORECASE,
    only_with=" after ",
)
# "Users are logged out after 30 minutes of inactivity": so long lasts a session.
_IDLE = (
    rf"\s+(?:automatically\s+)?after\s+(?P<span>{_N}\s+{_SPAN})"
    r"\s+of\s+(?:inactivity|being (?:inactive|idle)|idle time)[.]?$"
)
_LOGGED_OUT = pattern(
    rf"^(?:(?:an?|the|inactive|idle)\s+)?(?:users?|members?|customers?|I)\s+(?:is|are|am|must be|shall be"
    rf"|will be|should be)\s+"
    rf"(?:automatically\s+)?(?:logged|signed)\s+(?:out|off){_IDLE}"
    rf"|^{_SYSTEM}\s+(?:must|shall|should|will)\s+(?:automatically\s+)?(?:log|sign)\s+(?:(?:the\s+"
    rf"|an?\s+)?users?\s+(?:out|off)"
    rf"|(?:out|off)\s+(?:inactive\s+|idle\s+)?users?){_IDLE.replace('span', 'long')}",
    re.IGNORECASE,
    only_with="inactiv|idle",
)
# "Passwords must be at least 8 characters and contain a number": what it has to contain besides narrows no length.
_AND_CONTAINS = pattern(
    rf"^(?P<first>.{{3,60}}?\b(?:be|have|contains?|is|are|has)\s+(?:at least|an? minimum(?: length)? of"
    rf"|minimum(?: of)?|min\.?)\s+{_N}"
    rf"\s+{_TEXT}(?:\s+(?:long|in length))?),?\s+(?:and\s+(?:must\s+)?(?:contain|include|have)|containing"
    rf"|including|with)\s+(?:at least\s+)?"
    r"(?:an?\s|one\s|1\s|both\s|mixed\s|letters?\b|numbers?\b|digits?\b|upper|lower|special\b|symbols?\b)"
    r"(?!.*\b(?:if|when|unless|otherwise|except|or)\b).+$",
    re.IGNORECASE,
    only_with=_TEXT,
)
_AN_N_DIGIT = pattern(
    rf"^(?P<what>.{{2,40}}?)\s+(?:is|are|(?P<modal>must|shall|should)\s+be)\s+(?:an?\s+)?(?P<number>{_N})[- ]digit"
    r"\s+(?:numbers?|codes?|PINs?|integers?|OTPs?|numeric codes?)[.]?$",
    re.IGNORECASE,
    only_with="[- ]digit",
)
# "Results are paginated (20 per page)", "Pagination: 20 items per page".
_PAGINATED = pattern(
    rf"^(?:(?:the\s+)?(?:search\s+)?(?:[a-z]+s|list|listing)\s+(?:is|are|must be|shall be)\s+paginated\s*(?:,|:"
    rf"|with|at|by)?\s*\(?"
    rf"|pagination:\s+)(?P<number>{_N})(?P<things>\s+[a-z]+s)?(?:\s+per\s+|/)page\)?[.]?$"
    rf"|^(?:(?:the\s+)?(?:list|listing|table|page|search results?)\s+(?:shows|displays|returns"
    rf"|lists)\s+)?(?P<count>{_N})\s+(?P<shown>[a-z]+s)"
    r"(?:\s+(?:are|is)\s+(?:shown|displayed|listed|returned))?\s+per\s+page[.]?$",
    re.IGNORECASE,
    only_with="paginat|per page",
)
# "New tasks have status `pending` by default", "orders are created with status `draft`".
_STARTS = pattern(
    r"^(?:all\s+|every\s+|each\s+|an?\s+)?(?P<new>new(?:ly created)?\s+)?(?P<thing>[a-z]{3,20})\s+"
    r"(?:(?:has|have|gets?|receives?|starts?\s+(?:with|in)|(?:is|are)\s+(?P<made>created\s+(?:with|in|as)))\s+)"
    r"(?:the\s+|an?\s+)?(?:default\s+|initial\s+)?(?P<what>status|state|role|priority|severity|category|visibility)(?:\s+of)?:?\s+"
    r"(?P<value>`[\w -]+`|\"[\w -]+\"|“[\w -]+”|'[\w -]+'"
    r"|(?P<word>(?!of\b|that\b|which\b|and\b|or\b|none\b|the\b|by\b)[a-z_]{3,20}))"
    r"(?P<default>\s+by default)?[.]?$",
    re.IGNORECASE,
    only_with="status|state|role|priority|severity|category|visibility",
)
# "Title required", "Title is required and limited to 100 characters".
_NEEDED = pattern(
    r"^(?P<what>[A-Za-z][\w-]*(?:\s(?!is\b|are\b|not\b)[a-z][\w-]*)?)\s+(?P<how>required|optional)[.]?$",
    only_with="required|optional",
)
_NEEDED_AND = pattern(
    r"^(?P<first>.{3,40}\s(?:is|are)\s+(?:required|optional))\s+and\s+(?P<bound>(?:limited to|at most|at least"
    r"|no more than|up to|between)\s+\d.*)$",
    re.IGNORECASE,
    only_with=" and ",
)
_MAIL = pattern(
    r"^(?P<what>(?:the\s+)?(?:user\s)?e-?mail(?:\s+address)?)\s+(?P<modal>must|should"
    r"|has to)\s+be\s+(?:valid(?:ly formatted)?"
    r"|(?:in\s+)?an?\s+valid\s+(?:e-?mail\s+)?format|in\s+valid\s+(?:e-?mail\s+)?format)[.]?$",
    re.IGNORECASE,
    only_with="mail",
)
# "Amount cannot be zero or negative", "stock must not go below zero".
_NOT_BELOW = pattern(
    rf"^(?P<what>.{{3,40}}?)\s+(?:cannot|can't|must not|shall not"
    rf"|must never)\s+(?:be\s+(?P<zero>zero or negative|negative or zero)"
    rf"|(?:go|fall|drop|be)\s+below\s+(?P<least>{_N})(?P<unit>\s\w+)?)[.]?$",
    re.IGNORECASE,
    only_with="zero or|or zero|below",
)
_INTEGER = pattern(
    rf"^(?P<first>.{{3,40}}\s(?:must|shall|should)\s+be)\s+an?\s+(?:whole\s+|positive\s+)?(?:integer|number)\s+"
    rf"(?P<bound>(?:>=|<=|>|<|≥|≤|at least|at most|greater than|less than|of at least|of at most)\s*{_N})[.]?$",
    re.IGNORECASE,
    only_with="integer|number",
)
_ALLOWED = pattern(
    rf"^(?P<most>(?:a\s+)?(?:maximum(?:\s+of)?|max\.?|up to"
    rf"|at most)\s+{_N}\s+(?:[a-z]+\s)?[a-z]+s)(?<!\sis)\s+allowed[.]?$",
    re.IGNORECASE,
    only_with="allowed",
)
_VALID_FOR = pattern(
    rf"^(?P<what>(?:(?:the|an?)\s+)?(?:[A-Za-z]+\s){{0,2}}(?:tokens?|links?|codes?|OTPs?|sessions?|cookies?"
    rf"|invitations?|JWTs?|keys?))\s+valid"
    rf"\s+for\s+(?P<number>{_N}\s{_SPAN})[.]?$"
    rf"|^(?:the\s+)?session\s+timeout\s+after\s+(?P<idle>{_N}\s{_SPAN})(?:\s+of\s+inactivity)?[.]?$",
    re.IGNORECASE,
    only_with="valid for|timeout after",
)
# "Titles do not exceed 200 characters".
_EXCEEDS_NOT = pattern(
    rf"^(?P<what>[A-Za-z`][^,;:]{{2,40}}?)\s+(?:do|does)\s+not\s+exceed\s+(?P<bound>{_N}\s+{_TEXT})[.]?$",
    re.IGNORECASE,
    only_with="not exceed",
)
# "Only users with the admin role can delete products".
_WITH_ROLE = pattern(
    r"^only\s+users?\s+(?:with|who have|having)\s+(?:the\s+"
    r"|an?\s+)?(?P<mark>[`\"]?)(?P<role>[a-z]+)(?P=mark)\s+role\s+(?P<may>can|may)\s+(?P<what>.+)$",
    re.IGNORECASE,
    only_with=" role ",
)


def spelled_out(words: str) -> str:
    """A whole sentence whose shape the grammar does not have, as one that it has."""
    words = without_message(words)
    for shape, template in (*ANSWERS, *DUTIES, *_SHAPES):
        if match := shape.match(words):
            return template(match)
    return words


def _system_locks(match: re.Match[str]) -> str:
    return f"{match['what']} {match['modal']} be {match['how'].removesuffix('e')}ed {match['tries']}"


def _not_below(match: re.Match[str]) -> str:
    if match["zero"]:
        return f"{match['what']} must be greater than 0"
    return f"{match['what']} must be at least {match['least']}{match['unit'] or ''}"


def _valid_for(match: re.Match[str]) -> str:
    return (
        f"a session is valid for {match['idle']}"
        if match["idle"]
        else f"{match['what']} is valid for {match['number']}"
    )


def _with_role(match: re.Match[str]) -> str:
    return f"only the {match['mark']}{match['role']}{match['mark']} role {match['may']} {match['what']}"


def _n_digit(match: re.Match[str]) -> str:
    return f"{match['what']} {match['modal'] or 'must'} be exactly {match['number']} digits"


def _paginated(match: re.Match[str]) -> str:
    things = match["things"] or (f" {match['shown']}" if match["shown"] else "")
    return f"the default page size is {match['number'] or match['count']}{things}"


def _starts(match: re.Match[str]) -> str:
    if not (match["new"] or match["made"] or match["default"]):
        return match[0]
    value = f"`{match['word']}`" if match["word"] else match["value"]
    return f"the default {match['what'].lower()} of {match['thing'].lower()} is {value}"


_SHAPES = (
    (_AFTER_TRIES, lambda match: f"{match['what']} after {match['tries']}{match['end']}"),
    (_LOCKED_FOR, lambda match: f"{match['what']} {match['tries']}"),
    (_SYSTEM_LOCKS, _system_locks),
    (_LOCK, lambda match: f"{match['what']} is locked {match['tries']}"),
    (_LOCKOUT, lambda match: f"the account is locked {match['tries']}"),
    (_LOGGED_OUT, lambda match: f"a session expires after {match['span'] or match['long']} of inactivity"),
    (_AND_CONTAINS, lambda match: match["first"]),
    (_AN_N_DIGIT, _n_digit),
    (_PAGINATED, _paginated),
    (_STARTS, _starts),
    (_NEEDED, lambda match: f"{match['what']} is {match['how']}"),
    (_NEEDED_AND, lambda match: f"{match['first']} and must be {match['bound']}"),
    (_MAIL, lambda match: f"{match['what']} {match['modal']} be a valid e-mail address"),
    (_NOT_BELOW, _not_below),
    (_INTEGER, lambda match: f"{match['first']} {match['bound'].removeprefix('of ')}"),
    (_ALLOWED, lambda match: f"{match['most']} are allowed"),
    (_VALID_FOR, _valid_for),
    (_WITH_ROLE, _with_role),
    (_EXCEEDS_NOT, lambda match: f"{match['what']} must not exceed {match['bound']}"),
)
