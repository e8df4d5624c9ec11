"""Answers in the short forms of lists of criteria: `Empty title → 400`, `POST /todos with empty title returns 400`."""

from __future__ import annotations

import re

from graph.patterns import pattern

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
_ADJECTIVE = (
    r"(?:missing|invalid|expired|malformed|wrong|bad|unknown|duplicate|empty|incorrect|revoked"
    r"|unauth\w+|inactive)"
)
# "POST /todos with empty title returns 400", "API `POST /todos` returns 201".
_REQUEST = pattern(
    r"^(?:the\s+)?(?:API\s+)?`?(?P<method>GET|POST|PUT|PATCH"
    r"|DELETE)\s+(?P<path>/[\w/{}<>:.-]*)`?(?:\s+endpoint)?(?=\s[^`]*\b(?:returns?|responds?"
    r"|answers?|gives?|fails?)\b)",
    only_with="GET|POST|PUT|PATCH|DELETE",
)
# "The system returns only my tasks with 200 status code".
_WITH_STATUS = pattern(
    rf"^(?P<who>(?:the\s+)?(?:system|API|server|service|endpoint|response|application|app"
    rf"|it))\s+(?P<verb>(?:must\s+|shall\s+|should\s+)?returns?)\s+"
    r"(?:(?!\b(?:and|or|if|when|not|no|unless|with)\b)[\w'’ -])+?\s+with\s+(?:an?\s+)?(?:HTTP\s+)?"
    rf"(?P<status>[2-5]\d\d)(?P<reason>{_REASON})?\s+(?:status(?:\s+code)?|response)[.]?$",
    only_with=" with ",
)
# "Response: 201 Created", "Status code 201 returned on success".
_RETURNED = pattern(
    rf"^(?:(?:response|status|returns?)(?:\s+code)?:\s+(?P<kind>HTTP\s+)?(?P<first>[2-5]\d\d)(?P<reason>{_REASON})?"
    rf"|(?:status(?:\s+code)?\s+|HTTP\s+)?(?P<status>[2-5]\d\d)(?P<why>{_REASON})?\s+(?:is\s+)?returned)"
    r"(?P<case>\s+(?:if|when|on|for|unless)\s.+|[.]?)$",
    re.IGNORECASE,
    only_with="response|status|return",
)
# "The response is 404", "a validation error is returned with status 422".
_RESPONSE = pattern(
    rf"^(?:then\s+)?(?:the\s+)(?:API\s+|HTTP\s+)?response\s+(?P<verb>is|must be|should be"
    rf"|shall be)\s+(?:an?\s+)?(?P<status>[2-5]\d\d)"
    rf"(?P<reason>{_REASON})?(?:\s+(?:response|error))?[.]?$"
    r"|^(?:an?|the)\s+(?:[\w-]+\s){0,3}(?:error|response)\s+(?P<done>is|must be|should be"
    r"|shall be)\s+returned\s+with\s+(?:an?\s+)?"
    rf"(?:HTTP\s+)?(?:status(?:\s+code)?\s+)?(?P<code>[2-5]\d\d)(?P<why>{_REASON})?[.]?$",
    re.IGNORECASE,
    only_with="response|error",
)
# "Missing or invalid token returns 401".
_EITHER_WRONG = pattern(
    rf"^(?P<what>(?:an?\s+)?{_ADJECTIVE}(?:\s*(?:,|/)\s*(?:or\s+)?{_ADJECTIVE}"
    rf"|\s+or\s+{_ADJECTIVE})+\s+(?:[a-z]+\s){{1,3}}?)"
    r"(?:must\s+|should\s+|shall\s+)?(?:returns?|gives?|yields?|results? in|(?:is|are) (?:rejected|refused"
    r"|answered) with)\s+"
    rf"(?:an?\s+)?(?:HTTP\s+)?(?P<status>[45]\d\d)(?P<reason>{_REASON})?(?:\s+(?:error|response))?[.]?$",
    re.IGNORECASE,
    only_with=" or |,|/",
)
# "422 on validation errors".
_ON_ERROR = pattern(
    r"^(?:HTTP\s+)?(?P<status>[45]\d\d)\s+(?P<case>(?:on|for)\s+(?:an?\s+)?(?:missing|invalid|validation"
    r"|duplicate|unknown|expired|wrong|bad"
    r"|malformed|unauth\w+|non-?exist\w+)\s+[a-z ]{3,40}[.]?)$",
    re.IGNORECASE,
    only_with=r"^(?:HTTP\s+)?[45]\d\d\s",
)
# What an answer says does not narrow it: 'returns 404 with message "Task not found"', "201 with JSON {id, title}".
_WITH_MESSAGE = pattern(
    r"(?P<status>\b[1-5]\d\d\b(?:\s(?!with\b|and\b)\w+){0,4}?)\s+(?:with|and)\s+(?:(?:an?|the)\s+)?(?:"
    r"(?:(?:error|clear|success|validation)\s+)?(?:message|error|detail|text):?\s+(?:“…”|\"[^\"]*\"|'[^']*'|`[^`]*`)"
    r"|(?:error\s+)?code:?\s+(?:`[^`]*`|\"[^\"]*\"|(?-i:[A-Z]+(?:_[A-Z]+)+))"
    r"|JSON(?:\s+(?:body|object))?\s+(?:`[^`]*`|\{[^{}]*\}))",
    re.IGNORECASE,
    only_with="message|error|detail|text|JSON|code",
)


def without_message(words: str) -> str:
    """The sentence without what an answer says, which does not narrow when it comes."""
    return _WITH_MESSAGE.sub(r"\g<status>", words)


def _arrow(match: re.Match[str]) -> str:
    several = " " in match["what"].strip() and match["status"] not in _ROUND
    plain = several or match["reason"] or match["kind"] or _WRONG.match(match["what"])
    return f"{match['what']} is answered with {match['status']}{match['reason'] or ''}" if plain else match[0]


def _returned(match: re.Match[str]) -> str:
    told, reason = match["status"] or match["first"], match["why"] or match["reason"] or ""
    if not (match["status"] or reason or match["kind"] or match["case"].strip(" .")):
        return match[0]
    return f"HTTP {told}{reason} is returned{match['case']}"


def _response(match: re.Match[str]) -> str:
    verb, status = match["verb"] or match["done"], match["status"] or match["code"]
    if match["verb"] and not match["reason"] and status < "400":
        # "The response is 200" may say how much it is.
        return match[0]
    return f"the response status {verb} {status}{match['reason'] or match['why'] or ''}"


ANSWERS = (
    (_ARROW, _arrow),
    (_REQUEST, lambda match: f"`{match['method']} {match['path']}`{match.string[match.end() :]}"),
    (_WITH_STATUS, lambda m: f"{m['who']} {m['verb']} HTTP {m['status']}{m['reason'] or ''}"),
    (_RESPONSE, _response),
    (
        _EITHER_WRONG,
        lambda m: f"HTTP {m['status']}{m['reason'] or ''} is returned for {m['what'].strip().lower()}",
    ),
    (_RETURNED, _returned),
    (_ON_ERROR, lambda match: f"HTTP {match['status']} is returned {match['case']}"),
)
"""Each shape with what makes a sentence of the grammar of it."""
