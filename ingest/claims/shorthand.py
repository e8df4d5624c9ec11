"""Whole sentences in the short forms of lists of criteria, said as the grammar's own.

`Empty title → 400 Bad Request`, `System shall lock accounts after 5 failed attempts`, `Title is required (max 200
characters)`, `POST /todos with empty title returns 400`: what has none of these shapes stays as it is.
"""

from __future__ import annotations

import re

from graph.patterns import pattern
from ingest.claims.numbers import NUMBER

_N = rf"(?:{NUMBER})"
_TEXT = r"(?:characters?|chars?|digits?|letters?)"
_SPAN = r"(?:seconds?|secs?|minutes?|mins?|hours?|days?|weeks?|months?|years?)"
_REASON = r"(?-i:\s\(?[A-Z][a-z]+(?:\s(?:[A-Z][a-z]+|to|Up))*\)?)"
# "Empty search term → 400 Bad Request". Numbers, round ones above all, count things as often ("Lines → 404").
_ARROW = pattern(
    rf"^(?P<what>[A-Za-z`][^→\d]*?)\s+(?:→|-+>|=>)\s+(?P<kind>HTTP\s+"
    rf"|status\s+)?`?(?P<status>[2-5]\d\d)`?(?P<reason>{_REASON})?[.]?$",
    only_with="→|->|=>",
)
_ROUND = frozenset({"200", "300", "400", "500"})
_WRONG = pattern(
    r"^(?:empty|missing|invalid|unknown|duplicate|expired|wrong|malformed|bad|unauth\w+|non-?exist\w+|no)\s",
    re.IGNORECASE,
)
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
    only_with=r"\safter\s",
)
_SYSTEM = r"(?:the\s+)?(?:system|service|API|application|app|server|website|platform)"
_SYSTEM_LOCKS = pattern(
    rf"^{_SYSTEM}\s+(?P<modal>must|shall|should)\s+(?:\w+ly\s+)?(?P<how>lock|block|suspend|disable)\s+"
    rf"(?P<what>{_WHOSE})(?:\s+for\s+{_N}\s+{_SPAN})?\s+(?P<tries>after\s+{_TRIES}[.]?)$",
    re.IGNORECASE,
    only_with=r"\safter\s",
)
# "Lock account after 5 failed login attempts": nobody but the system does.
_LOCK = pattern(
    rf"^lock\s+(?P<what>(?:(?:the"
    rf"|an?)\s)?(?:user\s)?accounts?)(?:\s+for\s+{_N}\s+{_SPAN})?\s+(?P<tries>after\s+{_TRIES}[.]?)$",
    re.IGNORECASE,
    only_with=r"\safter\s",
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
# "POST /todos with empty title returns 400".
_REQUEST = pattern(
    r"^(?P<method>GET|POST|PUT|PATCH|DELETE)\s+(?P<path>/[\w/{}<>:.-]*)(?=\s[^`]*\b(?:returns?|responds?"
    r"|answers?|gives?|fails?)\b)",
    only_with="GET|POST|PUT|PATCH|DELETE",
)
# "The system returns only my tasks with 200 status code".
_WITH_STATUS = pattern(
    rf"^(?P<who>(?:the\s+)?(?:system|API|server|service|endpoint|response|application|app"
    rf"|it))\s+(?P<verb>(?:must\s+|shall\s+|should\s+)?returns?)\s+"
    r"(?:(?!\b(?:and|or|if|when|not|no|unless|with)\b)[\w'’ -])+?\s+with\s+(?:an?\s+)?(?:HTTP\s+)?"
    rf"(?P<status>[2-5]\d\d)(?P<reason>{_REASON})?\s+(?:status(?:\s+code)?|response)[.]?$",
    only_with=r"\swith\s",
)
# "Response: 201 Created", "Status code 201 returned on success".
_RETURNED = pattern(
    rf"^(?:(?:response|status|returns?)(?:\s+code)?:\s+(?P<kind>HTTP\s+)?(?P<first>[2-5]\d\d)(?P<reason>{_REASON})?"
    rf"|(?:status(?:\s+code)?\s+|HTTP\s+)?(?P<status>[2-5]\d\d)(?P<why>{_REASON})?\s+(?:is\s+)?returned)"
    r"(?P<case>\s+(?:if|when|on|for|unless)\s.+|[.]?)$",
    re.IGNORECASE,
    only_with="response|status|return",
)
# "422 on validation errors".
_ON_ERROR = pattern(
    r"^(?:HTTP\s+)?(?P<status>[45]\d\d)\s+(?P<case>(?:on|for)\s+(?:an?\s+)?(?:missing|invalid|validation"
    r"|duplicate|unknown|expired|wrong|bad"
    r"|malformed|unauth\w+|non-?exist\w+)\s+[a-z ]{3,40}[.]?)$",
    re.IGNORECASE,
    only_with=r"^(?:HTTP\s+)?[45]\d\d\s",
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
    rf"^(?P<what>.{{2,40}}?)\s+(?:is|are|(?P<modal>must|shall|should)\s+be)\s+(?:an?\s+)?(?P<number>{_N})-digit"
    r"\s+(?:numbers?|codes?|PINs?|integers?|OTPs?|numeric codes?)[.]?$",
    re.IGNORECASE,
    only_with="-digit",
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
    r"(?:the\s+|an?\s+)?(?:default\s+|initial\s+)?(?P<what>status|state|role|priority)(?:\s+of)?:?\s+"
    r"(?P<value>`[\w -]+`|\"[\w -]+\"|“[\w -]+”|'[\w -]+')(?P<default>\s+by default)?[.]?$",
    re.IGNORECASE,
    only_with="status|state|role|priority",
)


def spelled_out(words: str) -> str:
    """A whole sentence whose shape the grammar does not have, as one that it has."""
    for shape, template in _SHAPES:
        if match := shape.match(words):
            return template(match)
    return words


def _arrow(match: re.Match[str]) -> str:
    several = " " in match["what"].strip() and match["status"] not in _ROUND
    plain = several or match["reason"] or match["kind"] or _WRONG.match(match["what"])
    return f"{match['what']} is answered with {match['status']}{match['reason'] or ''}" if plain else match[0]


def _system_locks(match: re.Match[str]) -> str:
    return f"{match['what']} {match['modal']} be {match['how'].removesuffix('e')}ed {match['tries']}"


def _returned(match: re.Match[str]) -> str:
    told, reason = match["status"] or match["first"], match["why"] or match["reason"] or ""
    if not (match["status"] or reason or match["kind"] or match["case"].strip(" .")):
        return match[0]
    return f"HTTP {told}{reason} is returned{match['case']}"


def _n_digit(match: re.Match[str]) -> str:
    return f"{match['what']} {match['modal'] or 'must'} be exactly {match['number']} digits"


def _paginated(match: re.Match[str]) -> str:
    things = match["things"] or (f" {match['shown']}" if match["shown"] else "")
    return f"the default page size is {match['number'] or match['count']}{things}"


def _starts(match: re.Match[str]) -> str:
    if not (match["new"] or match["made"] or match["default"]):
        return match[0]
    return f"the default {match['what'].lower()} of {match['thing'].lower()} is {match['value']}"


_SHAPES = (
    (_ARROW, _arrow),
    (_AFTER_TRIES, lambda match: f"{match['what']} after {match['tries']}{match['end']}"),
    (_LOCKED_FOR, lambda match: f"{match['what']} {match['tries']}"),
    (_SYSTEM_LOCKS, _system_locks),
    (_LOCK, lambda match: f"{match['what']} is locked {match['tries']}"),
    (_LOGGED_OUT, lambda match: f"a session expires after {match['span'] or match['long']} of inactivity"),
    (_REQUEST, lambda match: f"`{match['method']} {match['path']}`{match.string[match.end() :]}"),
    (_WITH_STATUS, lambda m: f"{m['who']} {m['verb']} HTTP {m['status']}{m['reason'] or ''}"),
    (_RETURNED, _returned),
    (_ON_ERROR, lambda match: f"HTTP {match['status']} is returned {match['case']}"),
    (_AND_CONTAINS, lambda match: match["first"]),
    (_AN_N_DIGIT, _n_digit),
    (_PAGINATED, _paginated),
    (_STARTS, _starts),
)
