"""Sentences of other shapes, said as the grammar's own: what a page holds, what stands in for what is not given, which
role a deed requires, how often is tried again.

`By default, 20 books are listed` says what `The default page size is 20 books` says, and `If no limit is given, 20 is
used` what `The limit defaults to 20` says. What has none of these shapes stays as it is.
"""

from __future__ import annotations

import re

from graph.patterns import pattern
from ingest.claims.cases import is_circumstance
from ingest.claims.deeds import base_of
from ingest.claims.numbers import NUMBER, number
from ingest.claims.vocabulary import DEEDS, ROLES

_DEFAULT = pattern(r"^by default$", re.IGNORECASE)
_BEHIND = pattern(r",?\s+by default$", re.IGNORECASE, only_with="default")
_PER_PAGE = r"\s+(?:per|on (?:an?|each|every|one)|in (?:an?|each|every))\s+page"
_ON_A_PAGE = (
    rf"(?P<number>{NUMBER})\s+(?P<unit>(?!values|columns|fields|arguments|times)[a-z][a-z-]*s)\s+are\s+"
    rf"(?:listed|returned|shown|displayed|fetched)(?P<per>{_PER_PAGE}|\s+at (?:a time|once))?"
    rf"|(?:the\s+(?:list|listing|page)(?:\s+of\s+[a-z]+)?|(?:an?|each|every)\s+page)\s+"
    rf"(?:shows|lists|returns|has|contains|displays|holds)\s+(?P<held>{NUMBER})\s+(?P<things>[a-z][a-z-]*s)(?:{_PER_PAGE})?"
)
_LISTED = pattern(rf"^(?:{_ON_A_PAGE})$", re.IGNORECASE, only_with="list|return|show|display|fetch|page")
# Fewer may be the parts of one answer: "by default, two arrays are returned".
_FEWEST = 5

_THING = r"(?:`[^`]+`|(?!value\b|argument\b|parameter\b|option\b|one\b|default\b)[a-z][\w-]*(?:\s[a-z][\w-]*){0,2})"
_GIVEN = r"(?:explicitly\s+)?(?:given|specified|provided|supplied|passed|set|requested|sent)"
_NOT_GIVEN = pattern(
    rf"^(?:no\s+(?P<none>{_THING})\s+(?:is|was|has been)\s+{_GIVEN}"
    rf"|(?:the\s+|an?\s+)?(?P<left>{_THING})\s+(?:is|was)\s+"
    rf"(?:not\s+{_GIVEN}|omitted|missing|left out|absent|unspecified)"
    rf"|without\s+(?:an?|the|any)\s+(?P<without>{_THING}))$",
    re.IGNORECASE,
)
_LITERAL = (
    rf"(?P<value>(?:{NUMBER})|true|false|\"[\w .-]+\"|'[\w.-]+'"
    r"|`(?:-?\d[\d.]*|true|false|none|null|\"[^\"`]*\"|'[^'`]*')`)"
)
_STANDS_IN = pattern(
    rf"^(?!(?:the\s+|an?\s+)?default\s+one\b)(?:(?:the\s+|an?\s+)?default\s+(?:value\s+)?(?:of\s+)?)?{_LITERAL}(?P<unit>\s+[a-z]+)?\s+"
    r"(?:is|are|will be|must be|shall be)\s+(?:used|assumed|taken|applied)$"
    rf"|^it\s+(?:is|defaults to|must be|shall be|falls back to)\s+{_LITERAL.replace('value', 'it')}(?P<of>\s+[a-z]+)?$",
    re.IGNORECASE,
)
# "If the user is missing, it is 404" does not say what a user is.
_IT_IS = pattern(r"^it\s+(?:is|must be|shall be)\b", re.IGNORECASE)
_MOST = r"(?P<most>at most|no more than|not more than|up to|a maximum of|maximum|max\.?)"
_HOLDS = pattern(
    rf"^{_MOST}\s+(?P<number>{NUMBER})\s+(?P<unit>[a-z][a-z-]*s)(?:\s+(?:are|is|(?P<modal>can|may|must|shall|should)\s+be)\s+"
    rf"(?:listed|returned|shown|displayed|allowed|delivered|fetched))?{_PER_PAGE}$",
    re.IGNORECASE,
    only_with="page",
)
_WHO = r"[`\"]?(?P<who>[a-z][a-z-]*)[`\"]?"
_RIGHTS = r"(?:role|rights|privileges|permissions?)"
_REQUIRES = pattern(
    rf"^(?P<deed>[a-z]+ing)\s+(?P<what>[^,]+?)\s+(?:requires|needs|must require|shall require)\s+"
    rf"(?:the\s+|an?\s+)?(?:{_WHO}\s+{_RIGHTS}|role\s+{_WHO.replace('who', 'role')})$",
    re.IGNORECASE,
    only_with="require|need",
)
_REQUIRED = pattern(
    rf"^(?:the\s+|an?\s+)?{_WHO}\s+{_RIGHTS}\s+(?:is|are)\s+(?:required|needed)\s+(?:to|for)\s+(?P<deed>[a-z]+)\s+(?P<what>[^,]+)$",
    re.IGNORECASE,
    only_with="required|needed",
)
_MUST_BE = pattern(
    rf"^(?:you|(?:an?|the)\s+(?:user|caller|client)|users|callers)\s+(?:(?:must|needs?\s+to|ha(?:s|ve)\s+to)\s+"
    rf"(?:be\s+an?\s+{_WHO}|have\s+(?:the\s+|an?\s+)?{_WHO.replace('who', 'role')}\s+{_RIGHTS})"
    rf"|(?:must\s+)?(?:needs?|requires?)\s+(?:the\s+|an?\s+)?(?:{_WHO.replace('who', 'needed')}\s+{_RIGHTS}"
    rf"|role\s+{_WHO.replace('who', 'called')}))\s+"
    r"to\s+(?P<deed>[a-z]+)\s+(?P<what>[^,]+)$",
    re.IGNORECASE,
    only_with=" to ",
)
# "Requires the `editor` role to publish an article": the operation that a sentence without a subject describes.
_NEEDS = pattern(
    rf"^(?:it\s+|this\s+)?(?:requires|needs)\s+(?:the\s+|an?\s+)?(?:{_WHO}\s+role|role\s+{_WHO.replace('who', 'role')})"
    r"\s+(?:to|for)\s+(?P<deed>[a-z]+)\s+(?P<what>[^,]+)$",
    re.IGNORECASE,
    only_with="requires|needs",
)
_RESERVED = pattern(
    rf"^(?P<deed>[a-z]+ing)\s+(?P<what>[^,]+?)\s+(?:is|are|must be|shall be)\s+"
    rf"(?:only\s+(?:allowed|permitted|possible)\s+for|(?:allowed|permitted|possible)\s+only\s+for|(?:restricted|reserved|limited)\s+(?:to|for))"
    rf"\s+(?:the\s+|an?\s+)?{_WHO}$",
    re.IGNORECASE,
    only_with="only|restricted|reserved|limited",
)
_SYSTEM = r"(?:(?:the|this|our|each|every)\s+)?(?:[\w-]+\s+){0,2}(?:system|service|API|server|application|app|worker)"
_FEW = r"(?P<most>at most|no more than|not more than|up to|a maximum of|maximum|max\.?|exactly)"
_TIMES = rf"(?:{_FEW}\s+)?(?P<number>{NUMBER})\s+times"
_AGAIN = r"(?:(?:the|an?|each|every|any)\s+)?(?:(?:failed|failing)\s+)?[a-z]+"
_WHEN = r"(?:\s+(?P<when>(?:on|after|for|per|in|within|during)\s.+))?"
_RETRIED = pattern(
    rf"^(?:(?:{_SYSTEM}\s+(?:(?P<modal>must|shall|will|should)\s+)?retr(?:y|ies)|retries)(?:\s+(?P<thing>{_AGAIN}))?"
    rf"|(?P<what>{_AGAIN})\s+(?:is|are|(?P<duty>must|shall|will|should)\s+be)\s+retried)\s+{_TIMES}{_WHEN}$",
    re.IGNORECASE,
    only_with="retr",
)
# "Up to 3 retries are made", "no more than five attempts are made per job".
_MADE = pattern(
    rf"^{_FEW}\s+(?P<number>{NUMBER})\s+(?P<unit>(?:[a-z]+\s)?(?:retries|retry|attempts?|tries))\s+"
    r"(?:is|are|(?P<duty>must|shall|will|should)\s+be)\s+(?:made|attempted|performed|done|tried|executed)"
    rf"{_WHEN}$",
    re.IGNORECASE,
    only_with="retr|tries|attempt",
)
_QUALIFIED = pattern(r"^(?:(?:the|an?|each|every|any|failed|failing)\s+)+", re.IGNORECASE)
# What may be tried again in general: "requests are retried" speaks of retries alone.
_ANYTHING = frozenset({"", "it", "this", "request", "call", "operation", "attempt", "action", "step"})


def restated(said: str, condition: str) -> tuple[str, str]:
    """The clause and its case as the grammar says them; both as they are where they have no shape of this page."""
    if found := _page_by_default(said, condition):
        return found, ""
    if condition and (missing := _NOT_GIVEN.match(condition)) and (match := _STANDS_IN.match(said)):
        thing = missing["none"] or missing["left"] or missing["without"]
        if thing.startswith("`") or not _IT_IS.match(said):
            name = thing if thing.startswith("`") else f"the {thing}"
            return (
                f"{name} defaults to {match['value'] or match['it']}{match['unit'] or match['of'] or ''}",
                "",
            )
    if match := _HOLDS.match(said):
        verb = f"{match['modal']} have" if match["modal"] else "has"
        return f"a page {verb} {match['most']} {match['number']} {match['unit']}", condition
    if match := _RETRIED.match(said) or _MADE.match(said):
        return _tried_again(match, said, condition)
    return _role_required(said) or said, condition


def _tried_again(match: re.Match[str], said: str, condition: str) -> tuple[str, str]:
    """How often something is tried again, with its case; as it is where its end is no case, or a second one."""
    parts = match.groupdict()
    case = parts["when"] or ""
    if case and (condition or not is_circumstance(case)):
        return said, condition
    unit = parts.get("unit")
    if unit is None:
        whose = _QUALIFIED.sub("", parts["what"] or parts["thing"] or "").lower()
        unit = "retries" if whose.removesuffix("s") in _ANYTHING else f"{whose} retries"
    most = "exactly" if (parts["most"] or "exactly").lower() == "exactly" else "no more than"
    modal = "should" if "should" in (parts.get("modal"), parts["duty"]) else "must"
    return f"{most} {parts['number']} {unit} {modal} be allowed", condition or case


def _page_by_default(said: str, condition: str) -> str | None:
    """What a page holds by default, as the default of its size."""
    behind = _BEHIND.search(said)
    match = _LISTED.match(said[: behind.start()] if behind else said)
    if match is None or bool(behind) is bool(_DEFAULT.match(condition)) or (behind and condition):
        return None
    count = match["number"] or match["held"]
    if match["number"] and not match["per"] and number(count) < _FEWEST:
        return None
    return f"the default page size is {count} {match['unit'] or match['things']}"


def _role_required(said: str) -> str | None:
    """What a deed requires of whoever does it, as what only they may do."""
    match = _REQUIRES.match(said) or _REQUIRED.match(said) or _RESERVED.match(said)
    match = match or _MUST_BE.match(said) or _NEEDS.match(said)
    if match is None:
        return None
    parts = match.groupdict()
    named = (parts.get(name) for name in ("who", "role", "needed", "called"))
    who = next((each for each in named if each), "")
    deed = base_of(parts["deed"])
    if deed not in DEEDS:
        return None
    if who.lower().removesuffix("s") in ROLES:
        return f"only {who} may {deed} {parts['what']}"
    # Any name in marks may be a role's, where the sentence calls it one.
    marked = re.search(rf"[`\"]{re.escape(who)}[`\"]\s+role\b|\brole\s+[`\"]{re.escape(who)}[`\"]", said)
    return f"only the `{who}` role may {deed} {parts['what']}" if marked else None
