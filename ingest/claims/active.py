"""What a system does to a thing, said as what holds of the thing: the way in which requirements are written.

`The system MUST reject titles longer than 200 characters` says of titles what `Titles longer than 200 characters
are rejected` says. Only a system, a service or the like does so: what users, clients and tests do claims nothing.
"""

from __future__ import annotations

import re

from graph.patterns import pattern

_WHO = (
    r"^(?:(?:the|this|our|each|every)\s+)?(?:[\w-]+\s+){0,2}(?<!other\s)(?<!third-party\s)(?:system|service|API|server"
    r"|application|app|backend|back-end|endpoint|platform|gateway|handler|validator|parser|CLI|command|function"
    r"|product|software|solution|library|module)\s+"
)
_DUTY = r"(?:(?P<modal>must|shall|will|should)\s+)?(?:always\s+)?"
_REJECTS = pattern(
    rf"{_WHO}{_DUTY}(?:rejects?|refuses?|denies|deny)\s+(?P<what>[^,;:]+?)"
    r"(?P<how>\s+with\s+(?:an?\s+)?(?:HTTP\s+)?(?:status\s+)?(?:code\s+)?`?[1-5]\d\d\b.*)?$",
    re.IGNORECASE,
    only_with="reject|refuse|den",
)
_LIMITS = pattern(
    rf"{_WHO}{_DUTY}(?:limits?|caps?|restricts?)\s+(?P<what>[^,;:]+?)\s+(?P<how>to\s+(?:at most\s+)?\d.*)$",
    re.IGNORECASE,
    only_with="limit|cap|restrict",
)
_ENSURES = pattern(
    rf"{_WHO}(?:(?P<modal>must|shall|will)\s+)?(?:validates?|ensures?|enforces?|verif(?:y|ies)|checks?|guarantees?|requires?)"
    r"\s+that\s+(?P<clause>.+)$",
    re.IGNORECASE,
    only_with="that",
)
# Who checks what another one answers says nothing of the answer that is given; who must see to it does.
_ANSWER = pattern(
    r"\b(?:returns?|responds?|responses?|answers?|rais(?:es?|ed)|throws?|status)\b", re.IGNORECASE
)
# What is required without a duty is a dependency: "the module requires `numpy`".
_REQUIRES = pattern(
    rf"{_WHO}(?:must|shall)\s+require\s+(?:an?\s+|the\s+)?(?P<what>`[A-Za-z_]\w*`)"
    r"(?:\s+(?:field|parameter|header))?$",
    re.IGNORECASE,
    only_with="require",
)
_EXTREME = pattern(
    rf"{_WHO}{_DUTY}(?:enforces?|requires?|imposes?|has|have|applies|apply)\s+an?\s+(?P<way>maximum|minimum)\s+"
    r"(?P<what>(?![\w` -]*\bversion)[\w` -]{1,40}?)\s+of\s+(?P<how>\d.*)$",
    re.IGNORECASE,
    only_with="m[ai][xn]imum",
)
_DEFAULTS = pattern(
    rf"{_WHO}{_DUTY}defaults?\s+(?P<what>[^,;:]+?)\s+to\s+(?P<how>\S+)$", re.IGNORECASE, only_with="default"
)
_ALLOWS = pattern(
    rf"{_WHO}{_DUTY}(?:(?:only\s+)?(?:allows?|accepts?|permits?))\s+(?:only\s+)?(?P<what>[\w`-]+(?:\s[\w`-]+)?)\s+"
    r"(?P<how>between\s+\d.*|of\s+(?:up to|at (?:most|least)|no more than)\s+\d.*)$",
    re.IGNORECASE,
    only_with="allow|accept|permit",
)
_ARTICLE = pattern(r"^(?:an?|the|any|every|each|all)\s", re.IGNORECASE)


def turned(said: str) -> str:
    """The sentence with the thing as its subject where it says what a system does to it, else the sentence itself."""
    if match := _REJECTS.match(said):
        return f"{_named(match['what'])} {_modal(match)} be rejected{match['how'] or ''}"
    if match := _LIMITS.match(said):
        return f"{_named(match['what'])} {_modal(match)} be limited {match['how']}"
    if match := _ENSURES.match(said):
        return _binding(match["clause"]) if match["modal"] or not _ANSWER.search(match["clause"]) else said
    if match := _REQUIRES.match(said):
        return f"{match['what']} is required"
    if match := _EXTREME.match(said):
        return f"the {match['way']} {match['what']} {_modal(match)} be {match['how']}"
    if match := _DEFAULTS.match(said):
        return f"{_named(match['what'])} defaults to {match['how']}"
    if match := _ALLOWS.match(said):
        return f"{_named(match['what'])} {_modal(match)} be {re.sub(r'^of ', '', match['how'])}"
    return said


def _binding(clause: str) -> str:
    """What is seen to as what must be: `titles are not empty and do not exceed 80 characters`."""
    clause = re.sub(r"\b(?:is|are) not (?=(?:empty|blank|negative)\b)", "must not be ", clause)
    clause = re.sub(r"\bdo(?:es)? not exceed\b", "must not exceed", clause)
    clause = re.sub(
        r"\b(?:is|are) (?=(?:provided|given|present|specified)(?:$| and | when ))", "must be ", clause
    )
    clause = re.sub(r"\band not (?=(?:empty|blank)$)", "and must not be ", clause)
    return re.sub(
        r"\b(?:is|are) (?=an? positive (?:decimal |whole )?(?:number|integer|amount)$)", "must be ", clause
    )


def _modal(match: re.Match[str]) -> str:
    return "should" if (match["modal"] or "").lower() == "should" else "must"


def _named(what: str) -> str:
    """The thing with an article, since as an object it is a noun phrase with or without one."""
    return what if _ARTICLE.match(what) or what.startswith("`") else f"the {what}"
