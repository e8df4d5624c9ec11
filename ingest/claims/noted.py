"""Notes, as lists of criteria have them, said as the clauses of the grammar.

`Max file size 2 MB`, `Username: 3-20 characters`, `404 if not found`, `Maximum 10 images per product`: what has none
of these shapes stays as it is. Those of whole sentences are in `shorthand`.
"""

from __future__ import annotations

import re

from graph.patterns import pattern
from ingest.claims.numbers import NUMBER
from ingest.claims.vocabulary import ROLES

_N = rf"(?:{NUMBER})"
_TEXT = r"(?:characters?|chars?|digits?|letters?)"
_SIZE = rf"(?:{_TEXT}|bytes?|[KMG]i?B)"
_SPAN = r"(?:seconds?|secs?|minutes?|mins?|hours?|days?|weeks?|months?|years?)"
_VERB = r"(?:is|are|be|has|have|must|shall|should|may|can|will|with|an?|the|of|by|to|in|for|and|or)\b"
_NAME = rf"(?:`[^`]+`|(?!{_VERB})[A-Za-z][\w-]*(?:\s(?!max|min|limited|{_VERB})[a-z][\w-]*){{0,2}})"
_REASON = r"(?:\s\(?[A-Z][a-z]+(?:\s(?:[A-Z][a-z]+|to|Up))*\)?)"
_EXTREME = pattern(
    r"^(?P<way>max(?:imum)?|min(?:imum)?)\.?\s+(?P<what>(?:[a-z-]+\s){0,2}(?:size|length|duration|attempts|retries))"
    rf"\s+(?P<number>{_N}(?:\s?{_SIZE}|\s{_SPAN})?)$",
    re.IGNORECASE,
    only_with="m[ai][xn]",
)
_NAMED_EXTREME = pattern(
    rf"^(?P<what>{_NAME})\s+(?P<way>max(?:imum)?|min(?:imum)?)\.?\s+(?:of\s+)?(?P<number>{_N}\s?{_SIZE})$",
    re.IGNORECASE,
    only_with=r"\sm[ai][xn]",
)
_LENGTH = pattern(
    rf"^(?P<what>{_NAME})\s+(?P<way>maximum|minimum|max\.?|min\.?)\s+length(?:\s+(?P<verb>is|must be|shall be)"
    rf"|\s*:)\s+"
    rf"(?P<number>{_N}(?:\s+{_TEXT})?)$",
    re.IGNORECASE,
    only_with=" length",
)
_LIMITED = pattern(
    rf"^(?P<what>{_NAME})\s+(?P<how>limited\s+to\s+{_N}\s?{_SIZE})$", re.IGNORECASE, only_with=" limited "
)
_LABELLED = pattern(
    rf"^(?P<what>{_NAME}):\s+(?P<low>{_N})(?:\s*[–-]\s*|\s+to\s+)(?P<high>{_N})\s+{_TEXT}(?:\s+long)?$",
    re.IGNORECASE,
    only_with=":",
)
_NUMERIC = pattern(
    r"(?P<verb>\b(?:must|shall|should|has to)\s+be)\s+(?:an?\s+(?:whole\s+|decimal\s+)?(?:integer|number|value)\s+)?"
    rf"(?:from\s+(?P<least>{_N})\s+to|between\s+(?P<low>{_N})\s+and)\s+(?P<high>{_N})(?=$|\s+\w)",
    re.IGNORECASE,
    only_with=" from | between ",
)
_TIMED = pattern(
    rf"^(?!(?:the\s+)?default\b)(?P<what>(?:the\s+)?{_NAME}\s(?:timeout|lifetime|ttl|expiry|expiration"
    rf"|period|(?<=lockout )duration"
    rf"|(?<=session )duration))(?P<verb>\s+is"
    rf"|\s+(?:must|shall|should)\s+be|\s*:)"
    rf"\s+(?P<number>{_N}\s{_SPAN})$",
    re.IGNORECASE,
    only_with="timeout|lifetime|ttl|expir|period",
)
_LIMIT = pattern(
    rf"^(?P<what>(?:the\s+)?(?:[A-Za-z-]+\s){{1,2}}limit):\s+(?P<number>{_N}(?:\s|(?={_SIZE}$))[a-z].*)$",
    re.IGNORECASE,
    only_with="limit:",
)
# Of these a word is a value, though nothing marks it.
_STATE = r"(?:[a-z]+\s){0,2}(?:status|state|role|priority|category|severity|visibility)"
_WORD = r"(?!(?:none|empty|(?:en|dis)abled|all|any|same|unset|unknown|null|what(?:ever)?|true|false)\b)[a-z]+"
_STATE_DEFAULT = pattern(
    rf"^(?P<before>(?:the\s+|its\s+)?(?:default\s+{_STATE}\s+(?:is|must be|shall be)"
    rf"|{_STATE}\s+(?:must\s+|shall\s+)?defaults?\s+to))"
    rf"\s+(?P<word>{_WORD})$",
    re.IGNORECASE,
    only_with="default",
)
_LASTING = (
    r"(?:sessions?|tokens?|links?|codes?|cookies?|trials?|loans?|reservations?|holds?|invitations?|coupons?|vouchers?"
    r"|subscriptions?|memberships?|locks?|bans?|OTPs?|JWTs?|lock-?outs?|passwords?|passcodes?|offers?|quotes?|carts?)"
)
_LASTS = pattern(
    rf"^(?P<what>(?:[A-Za-z-]+\s){{0,3}}{_LASTING})\s+(?P<modal>(?:must|shall|should)\s+)?"
    rf"(?:lasts?(?:\s+for)?|(?P<expires>expires?)\s+in|(?P<due>is due|are due|be due)\s+(?:after|in)"
    r"|(?:has|have)\s+an?\s+(?:lifetime|validity)\s+of)"
    rf"\s+(?P<number>{_N}\s{_SPAN})$",
    re.IGNORECASE,
    only_with="lasts?|expires?|due|lifetime|validity",
)
# "Rating is an integer from 1 to 5".
_WHOLE = pattern(
    rf"^(?P<what>{_NAME})\s+(?:is|are)\s+an?\s+(?:whole\s+|decimal\s+)?(?:integer"
    rf"|number)\s+(?:from\s+(?P<least>{_N})\s+to"
    rf"|between\s+(?P<low>{_N})\s+and)\s+(?P<high>{_N})$",
    re.IGNORECASE,
    only_with="integer|number",
)
# "Maximum 10 images per product": who may have how many. What is counted in a time is a rate, on a page its size.
_PER_ONE = pattern(
    rf"^(?:an?\s+)?(?:maximum(?:\s+of)?|max\.?(?:\s+of)?|up to|at most|no more than)\s+(?P<number>{_N})\s+"
    rf"(?P<things>(?!{_SIZE}\b|{_SPAN}\b)(?:[a-z-]+\s)?[a-z-]+s)(?:\s+(?:is|are)\s+allowed)?\s+per\s+"
    rf"(?P<who>(?!{_SPAN}\b|page\b|time\b|run\b|call\b|line\b|row\b)[a-z]+(?:\s[a-z]+)?)$",
    re.IGNORECASE,
    only_with=" per ",
)
_RATE = pattern(
    r"^(?:(?:the\s+)?(?:API|endpoints?|requests?|clients?|users?)\s+(?:is|are|(?:must|shall"
    r"|should)\s+be)\s+)?rate[- ]limited\s+to\s+"
    rf"(?P<number>{_N}\s+(?:requests|calls)\s+per\s.+)$",
    re.IGNORECASE,
    only_with="rate",
)
_FORMAT = pattern(
    rf"^(?P<what>(?:the\s+)?{_NAME})\s+format:\s+(?P<form>`?YYYY-MM-DD`?)$",
    re.IGNORECASE,
    only_with="format:",
)
# Lists of states: each word is a value.
_STATES = r"(?:status|state|role|priority|category|severity)"
_WORDS = r"(?P<list>`?[a-z][\w-]*`?(?:\s*(?:,|\||/)\s*(?:or\s+|and\s+)?`?[a-z][\w-]*`?)+)"
_STATES_LISTED = pattern(
    rf"^(?:the\s+)?(?:(?P<what>(?:[A-Za-z-]+\s){{0,2}}{_STATES})(?:\s+(?:values|levels)(?:\s+are)?:?|:)"
    rf"|(?P<whose>(?:(?!allowed|valid|possible|permitted|supported"
    rf"|accepted)[A-Za-z-]+\s){{0,2}})(?P<several>statuses|priorities|severities)(?:\s+are)?:"
    rf"|(?P<of>(?:[A-Za-z-]+\s){{0,2}}{_STATES})"
    rf"\s+(?:can|may|must|shall)(?:\s+only)?\s+be:)\s+{_WORDS}$",
    re.IGNORECASE,
    only_with=":|values|levels",
)
_TITLED = pattern(r"\s[A-Z]")
_ONE_OF_SEVERAL = {"statuses": "status", "priorities": "priority", "severities": "severity"}
_DEFAULT_IS = pattern(
    r"^default\s+(?P<what>(?!values?\b|is\b)[a-z][a-z_-]*(?:\s[a-z_-]+){0,2}):\s+(?P<value>"
    rf"{_N}(?:\s?{_SIZE}|\s[a-z]+)?|`[^`]+`|\"[^\"]+\"|'[^']+'|true|false)$",
    re.IGNORECASE,
    only_with="^default",
)
# "Default page size is 20, maximum is 100", "page size is 20 by default with a maximum of 100".
_DEFAULT_AND_MOST = pattern(
    rf"^(?:the\s+)?(?:default\s+(?P<what>{_NAME})(?:\s+is|:|\s+of)?\s+(?P<value>{_N})"
    rf"|(?P<of>{_NAME})\s+is\s+(?P<number>{_N})\s+by default"
    rf"|(?P<size>page size|`?limit`?|`?page_size`?|`?per_page`?)\s+\(?default(?:s to|:)?\s+(?P<first>{_N}))"
    rf"\s*(?:,|with|and)\s+(?:an?\s+|the\s+)?max(?:imum)?(?:\s+is|\s+of|:)?\s+(?P<most>{_N})\)?$",
    re.IGNORECASE,
    only_with="default",
)
_WHO = rf"(?:(?:an?|the|each|every)\s+)?(?:[a-z]+\s)?(?:{'|'.join(sorted(ROLES, key=len, reverse=True))})s?"
_MAY_DO = pattern(
    rf"^(?P<who>{_WHO})\s+(?:(?:may|can)\s+(?:only\s+)?(?P<deed>[a-z]+)\s+"
    r"(?:at most|up to|no more than|a maximum of|max\.?)"
    rf"|(?:cannot|can't|may not|must not)\s+(?P<denied>[a-z]+)\s+more than)"
    rf"\s+(?P<number>{_N})\s+(?P<things>(?!{_SIZE}\b)(?:[a-z-]+\s)?[a-z-]+s)"
    r"(?P<case>\s+(?:at (?:a|one|any) time|at once|per\s.+))?$",
    re.IGNORECASE,
    only_with="at most|up to|no more|maximum|max|more than",
)
_HELD = frozenset(
    {
        "borrow",
        "have",
        "hold",
        "own",
        "upload",
        "add",
        "select",
        "invite",
        "create",
        "book",
        "reserve",
        "order",
    }
)
_TOO_LARGE = pattern(
    rf"^{_WHO}\s+(?:cannot|can't|may not|must not)\s+(?:upload|submit|send|attach|import|add)\s+"
    rf"(?P<what>[a-z]+\s+(?:larger|bigger|longer)\s+than\s+{_N}\s?{_SIZE})$",
    re.IGNORECASE,
    only_with=" than ",
)
_ON_A_PAGE = pattern(
    rf"^(?:the\s+)?(?:search|list|page|results?|listing)(?:\s[a-z]+)?\s+(?:returns?|shows?|lists?|displays?)\s+"
    rf"(?P<held>(?:at most|up to|max\.?|no more than|a maximum of)\s+{_N}\s+[a-z-]+s\s+per page)$",
    re.IGNORECASE,
    only_with=" per page",
)
_FIELDS = pattern(
    r"^(?P<how>required|mandatory"
    r"|optional)\s+fields?:\s+(?P<list>(?:`?[a-z][\w-]*`?)(?:,\s*`?[a-z][\w-]*`?)*(?:,?\s+and\s+`?[a-z][\w-]*`?)?)$",
    re.IGNORECASE,
    only_with="fields?:",
)
_FRAGMENT = pattern(rf"^(?P<kind>(?:HTTP|status)\s+)?(?P<status>[2-5]\d\d)(?P<reason>{_REASON})?$")
_CLAUSE = pattern(r"^(?!for\b)", re.IGNORECASE)


def noted(said: str, condition: str) -> str:
    """The clause of a note with its verb."""
    if match := _FRAGMENT.match(said):
        told = condition and (match["kind"] or match["reason"] or _CLAUSE.match(condition))
        return f"HTTP {match['status']}{match['reason'] or ''} is returned" if told else said
    for shape, template in _SHAPES:
        if match := shape.match(said):
            return template(match)
    return _NUMERIC.sub(lambda m: f"{m['verb']} between {m['least'] or m['low']} and {m['high']}", said)


def _extreme(match: re.Match[str]) -> str:
    way = "maximum" if match["way"].lower().startswith("max") else "minimum"
    return f"the {way} {match['what'].lower()} is {match['number']}"


def _named_extreme(match: re.Match[str]) -> str:
    return f"{match['what']}: {match['way']} {match['number']}"


def _length(match: re.Match[str]) -> str:
    way = "maximum" if match["way"].lower().startswith("max") else "minimum"
    what = match["what"]
    return f"the {way} length of {what[:1].lower()}{what[1:]} {match['verb'] or 'is'} {match['number']}"


def _timed(match: re.Match[str]) -> str:
    modal = "should" if "should" in match["verb"].lower() else "must"
    return f"{match['what']} {modal} be exactly {match['number']}"


def _lasts(match: re.Match[str]) -> str:
    modal = match["modal"] or ""
    return f"{match['what']} {modal + 'be' if modal else 'is'} valid for {match['number']}"


def _may_do(match: re.Match[str]) -> str:
    if (match["deed"] or match["denied"]).lower() not in _HELD:
        return match[0]
    return f"{match['who']} may have at most {match['number']} {match['things']}{match['case'] or ''}"


def _states(match: re.Match[str]) -> str:
    words = re.split(r"\s*[,|/]\s*(?:or\s+|and\s+)?", match["list"])
    # "State: open" is one of them, and "Priority: High/Low, Urgent" two kinds of list.
    if len(words) < 2 or len({sign for sign in ",|/" if sign in match["list"]}) > 1:
        return match[0]
    several = match["several"]
    what = match["what"] or match["of"] or f"{match['whose']}{_ONE_OF_SEVERAL[several.lower()]}"
    plain = match["what"] and not re.search(r"values|levels", match[0], re.IGNORECASE)
    if plain and ("," in match["list"] or " " not in what or _TITLED.search(what)):
        # "Status: done, tested" tells of itself, "Status: draft | approved" and "Review Status: A | B" of the page.
        return match[0]
    return f"{what} is one of {', '.join(words)}"


def _default_and_most(match: re.Match[str]) -> str:
    what = match["what"] or match["of"] or match["size"]
    first = match["value"] or match["number"] or match["first"]
    return f"{what} defaults to {first} and must be at most {match['most']}"


def _fields(match: re.Match[str]) -> str:
    *names, last = re.split(r"\s*,\s*(?:and\s+)?|\s+and\s+", match["list"])
    how = "optional" if match["how"].lower() == "optional" else "required"
    return f"{', '.join(names)} and {last} are {how}" if names else f"{last} is {how}"


_SHAPES = (
    (_EXTREME, _extreme),
    (_NAMED_EXTREME, _named_extreme),
    (_LENGTH, _length),
    (_LIMITED, lambda match: f"{match['what']} is {match['how']}"),
    (_LABELLED, lambda match: f"{match['what']} is {match['low']} to {match['high']} characters long"),
    (_TIMED, _timed),
    (_LIMIT, lambda match: f"{match['what']} is {match['number']}"),
    (_STATE_DEFAULT, lambda match: f"{match['before']} `{match['word']}`"),
    (_LASTS, _lasts),
    (_MAY_DO, _may_do),
    (_TOO_LARGE, lambda match: f"{match['what']} are rejected"),
    (_ON_A_PAGE, lambda match: match["held"]),
    (_FIELDS, _fields),
    (_WHOLE, lambda m: f"{m['what']} must be between {m['least'] or m['low']} and {m['high']}"),
    (_PER_ONE, lambda match: f"a {match['who']} may have at most {match['number']} {match['things']}"),
    (_RATE, lambda match: f"the rate limit is {match['number']}"),
    (_FORMAT, lambda match: f"{match['what']} must be {match['form']}"),
    (_STATES_LISTED, _states),
    (_DEFAULT_IS, lambda match: f"the default {match['what'].lower()} is {match['value']}"),
    (_DEFAULT_AND_MOST, _default_and_most),
)
