"""What lists of requirements say of a system in forms of their own, said as the grammar's sentences.

`Future dates: System rejects with 400 Bad Request`, `404 Not Found: Book does not exist`, `Task must have a title
(required)`, `Set completed to false by default`: what has none of these shapes stays as it is.
"""

from __future__ import annotations

import re

from graph.patterns import pattern
from ingest.claims.numbers import NUMBER

_N = rf"(?:{NUMBER})"
_TEXT = r"(?:characters?|chars?|digits?|letters?)"
_REASON = r"(?-i:\s\(?[A-Z][A-Za-z]+(?:[\s_](?:[A-Z][A-Za-z]+|to|Up))*\)?)"
_SYSTEM = r"(?:the\s+|this\s+)?(?:[\w-]+\s+)?(?:system|service|API|server|application|app|backend|endpoint|platform)"
_CITED = r"(?:\s*\([^()]*\))?[.]?"
# "Descriptions exceeding 500 characters: System rejects with 400 Bad Request validation error (FR-018)".
_CASE_REFUSED = pattern(
    rf"^(?P<what>[A-Z][^:,;()]{{2,70}}?):\s+(?:{_SYSTEM}\s+)?(?:must\s+|shall\s+)?(?P<verb>rejects?(?:\s+with)?"
    rf"|rejected\s+with|returns?|responds?\s+with)\s+(?:an?\s+)?(?:HTTP\s+)?(?P<status>4\d\d)(?P<reason>{_REASON})?"
    rf"(?:\s+(?:validation\s+)?(?:error|response)(?:\s+listing\s+[a-z ]+)?)?{_CITED}$",
    re.IGNORECASE,
    only_with=r":\s.*\b4\d\d\b",
)
_TOO_MUCH = pattern(
    r"\b(?:exceeding|over|above|(?:more|longer|larger|bigger|greater|fewer|less|shorter) than)\s"
)
# "System MUST reject titles longer than 80 characters, returning 400 Bad Request".
_REJECTS = pattern(
    rf"^(?P<first>{_SYSTEM}\s+(?:must|shall|should|will)\s+(?:reject|refuse)\s+[^,;:]+?)"
    rf"(?:,\s+returning\s+(?:an?\s+)?(?:HTTP\s+)?(?P<status>4\d\d{_REASON}?)(?:\s+(?:error|response))?"
    r"|\s+with\s+(?:an?\s+)?(?:(?:clear|validation|helpful|appropriate)\s+)*(?:error|message)(?:\s+message)?)[.]?$",
    re.IGNORECASE,
    only_with="reject|refuse",
)
# "404 Not Found: Book does not exist", "400 Bad Request: Validation failures (…)".
_STATUS_LABEL = pattern(
    rf"^(?:HTTP\s+)?(?P<status>4\d\d)(?P<reason>{_REASON})\s*(?::|[–—-])\s+(?P<case>[^:;()]{{4,80}}?){_CITED}$",
    only_with=r"^(?:HTTP\s+)?4\d\d\s",
)
_CLAUSE = pattern(
    r"\b(?:is|are|isn't|(?:you|we|they)['’]re|has|have"
    r"|does(?: not|n't)|do not|fail(?:s|ed)|exists?|already|was|were|cannot)\b|\bnot found$"
    r"|\bmissing$|\binvalid$",
    re.IGNORECASE,
)
# "Success Response: 201 Created", "Error Responses: 404 Not Found if the book does not exist".
_RESPONSE_LABEL = pattern(
    rf"^(?:success|error|failure)(?:\s+(?:responses?|codes?|status(?:\s+codes?)?))?:\s+(?:HTTP\s+)?(?P<status>[2-5]\d\d"
    rf"{_REASON})(?P<case>\s+(?:if|when|on|for)\s[^,;:()]+?)?[.]?$",
    re.IGNORECASE,
    only_with="success|error|failure",
)
# "System MUST enforce a maximum length of 200 characters for task titles".
_ENFORCES = pattern(
    rf"^{_SYSTEM}\s+(?:must|shall|should)\s+(?:enforce|impose)\s+(?:an?\s+)?(?P<way>max(?:imum)?|min(?:imum)?)\s+length\s+of\s+"
    rf"(?P<number>{_N}\s+{_TEXT})\s+(?:for|on|in)\s+(?P<what>[^,;:]+?)[.]?$",
    re.IGNORECASE,
    only_with="length",
)
# "Task must have a title (required)", "a task can have an optional description".
_HAS = pattern(
    r"^(?:(?:every|each|an?|the)\s+)?(?P<thing>(?!(?:fields?|parameters?|arguments?|attributes?|elements?|tags?|nodes?|lines?|rows?"
    r"|columns?|files?|class(?:es)?|methods?|functions?|modules?|tests?|pages?|subclass(?:es)?|objects?)\b)[A-Za-z]{3,20}s?)\s+"
    r"(?:(?:must|shall)\s+have\s+an?\s+(?:unique\s+)?(?P<what>"
    r"(?!preferred|valid|verified|current|default|new|own|active|confirmed|registered|known)[a-z-]+(?:\s(?:date|name|address|number))?)"
    r"(?P<called>\s+\(required\))?"
    r"|(?:can|may)\s+have\s+an?\s+optional\s+(?P<free>[a-z-]+(?:\s[a-z]+)?))[.]?$",
    re.IGNORECASE,
    only_with=" have ",
)
# What a password must have in it is not given apart from it.
_HOLDS = pattern(
    r"(?:pass\w+|user ?names?|pins?|codes?|tokens?|ids?|names?|titles?|urls?|slugs?)", re.IGNORECASE
)
# "Set `completed` to false by default", "initialize version field to 1 when creating a new book".
_SETS = pattern(
    rf"^(?:{_SYSTEM}\s+(?:must|shall|should)\s+)?(?:sets?|initiali[sz]es?)\s+(?:the\s+)?"
    r"(?P<what>`[^`]+`|(?:[a-z_]+\s)?(?P<head>[a-z_]+?))(?:\s+field)?\s+to\s+(?P<value>`[^`]+`|\"[^\"]+\"|'[^']+'"
    rf"|true|false|{_N}|(?P<word>[a-z_]+))\s+"
    r"(?:by\s+default|(?:when|on|upon)\s+(?:creating|creation|registering|registration)(?:\s+(?:of\s+)?(?:an?\s+)?(?:new\s+)?[a-z]+)?"
    r"|for\s+(?:all\s+)?new(?:ly\s+created)?\s+[a-z]+s?)[.]?$",
    re.IGNORECASE,
    only_with=r"\b(?:set|initiali[sz]e)s?\s",
)
_STATE = frozenset({"status", "state", "role", "priority", "category", "visibility", "severity"})
# "The system shall use a configurable cache TTL (default: 3600 seconds)".
_CONFIGURABLE = pattern(
    rf"^{_SYSTEM}\s+(?:must|shall|should)\s+(?:use|support|have|provide|allow|offer)\s+(?:an?\s+)?configurable\s+"
    r"(?P<what>[A-Za-z][\w -]{1,40}?)\s+\(default(?:s\s+to|:|\s+is)?\s+(?P<value>[^()]+)\)[.]?$",
    re.IGNORECASE,
    only_with="configurable",
)
# "A user should be able to set a password of at least 8 characters".
_ABLE = pattern(
    rf"^(?:an?|the|each)\s+[a-z]+\s+(?:should|must|shall)\s+(?P<denied>not\s+)?be\s+able\s+to\s+(?:set|enter|choose|use|create|provide)\s+"
    rf"(?P<what>an?\s+[a-z ]{{3,30}}?)\s+(?:of|with)\s+(?P<bound>(?P<less>less|fewer|more)\s+than\s+{_N}\s+{_TEXT}"
    rf"|at\s+(?:least|most)\s+{_N}\s+{_TEXT})[.]?$",
    re.IGNORECASE,
    only_with=" able ",
)
# "Each user must have one role: member, librarian or admin".
_HAS_ONE = pattern(
    r"^(?:(?:each|every|an?|the)\s+)?(?P<thing>[A-Za-z]{3,20})\s+(?:(?:must|shall|can|may)\s+have|has)\s+(?:exactly\s+)?(?:one|an?)\s+"
    r"(?P<what>status|state|role|priority|category|type|severity)(?:\s+of)?:\s+(?P<list>[\w`\"'-]+(?:,\s+(?:or\s+|and\s+)?[\w`\"'-]+|\s+or\s+[\w`\"'-]+)+)"
    r"[.]?$",
    re.IGNORECASE,
    only_with=":",
)
_TAKEN = pattern(
    rf"^(?:(?:a\s+)?(?:maximum(?:\s+of)?|max\.?(?:\s+of)?|up to|at most|no more than)\s+(?P<most>{_N}\s+[a-z]+s))"
    r"\s+(?:can|may)\s+be\s+"
    r"(?:borrowed|reserved|uploaded|added|selected|booked|ordered|rented|attached)[.]?$",
    re.IGNORECASE,
    only_with=" be ",
)
# "Validate priority is one of low, high", as items of lists have it.
_VALIDATE = pattern(
    r"^(?:(?:the\s+)?(?:system|API|service|application)\s+(?:must|shall)\s+)?validates?\s+(?:that\s+)?"
    r"(?P<clause>(?:the\s+)?[`\w]+(?:\s[\w-]+)?\s(?:is|are|must|has|have)\s.+)$",
    re.IGNORECASE,
    only_with="validate",
)
_ASIDE = pattern(
    r"\s+(?:for\s+(?:\w+\s+)?(?:security|safety|privacy)(?:\s+(?:reasons|purposes))?|with\s+exponential\s+back-?off"
    r"|with\s+(?:exact\s+)?(?:decimal\s+)?precision"
    r"|with\s+(?:up to|at most|a maximum of)\s+\d\s+decimals?(?:\s+places?)?)"
    r"(?=[.]?$)",
    re.IGNORECASE,
    only_with="secur|safety|privacy|back-?off|precision|decimal",
)


def without_asides(words: str) -> str:
    """The sentence without a reason or a manner at its end that narrows nothing, and without `Validate`."""
    words = _ASIDE.sub("", words)
    match = _VALIDATE.match(words)
    if match is None or "system" in words.lower().partition("validate")[0]:
        return words
    return match["clause"][:1].upper() + match["clause"][1:]


def _case_refused(match: re.Match[str]) -> str:
    status = f"{match['status']}{match['reason'] or ''}"
    verb = "are rejected" if _TOO_MUCH.search(match["what"]) else "is answered"
    return f"{match['what']} {verb} with {status}"


def _rejects(match: re.Match[str]) -> str:
    return f"{match['first']} with {match['status']}" if match["status"] else match["first"]


def _status_label(match: re.Match[str]) -> str:
    case = match["case"].strip()
    case = case[:1].lower() + case[1:] if case[1:2].islower() else case
    how = "if" if _CLAUSE.search(case) else "for"
    return f"HTTP {match['status']}{match['reason']} is returned {how} {case}"


def _enforces(match: re.Match[str]) -> str:
    most = "at most" if match["way"].lower().startswith("max") else "at least"
    return f"{match['what']} must be {most} {match['number']} long"


def _has(match: re.Match[str]) -> str:
    thing = match["thing"].lower()
    if match["free"]:
        return f"the {match['free']} of {thing} is optional"
    if not match["called"] and _HOLDS.fullmatch(thing):
        return match[0]
    return f"the {match['what']} of {thing} is required"


def _sets(match: re.Match[str]) -> str:
    if not match["word"]:
        return f"{match['what']} defaults to {match['value']}"
    if (match["head"] or match["what"]).strip("`").lower() not in _STATE:
        return match[0]
    return f"{match['what']} defaults to `{match['value']}`"


def _able(match: re.Match[str]) -> str:
    if bool(match["denied"]) is not bool(match["less"]):
        return match[0]
    if match["denied"]:
        return f"{match['what']} of {match['bound']} is rejected"
    return f"{match['what']} must be {match['bound']} long"


DUTIES = (
    (_CASE_REFUSED, _case_refused),
    (_REJECTS, _rejects),
    (_STATUS_LABEL, _status_label),
    (_RESPONSE_LABEL, lambda match: f"HTTP {match['status']} is returned{match['case'] or ''}"),
    (_ENFORCES, _enforces),
    (_HAS, _has),
    (_SETS, _sets),
    (_CONFIGURABLE, lambda match: f"the default {match['what']} is {match['value']}"),
    (_ABLE, _able),
    (_HAS_ONE, lambda match: f"the {match['what']} of {match['thing'].lower()} is one of {match['list']}"),
    (_TAKEN, lambda match: f"at most {match['most']} are allowed"),
)
"""Each shape with what makes a sentence of the grammar of it."""
