"""Notes, as lists of criteria have them, said as the sentences of the grammar.

`Max file size 2 MB`, `Empty title → 400`, `Username: 3-20 characters`, `404 if not found`,
`After 5 failed attempts the account is locked`: what has none of these shapes stays as it is.
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
# "Empty search term → 400 Bad Request". Numbers, round ones above all, count things as often ("Lines → 404").
_ARROW = pattern(
    rf"^(?P<what>[A-Za-z`][^→\d]*?)\s+(?:→|-+>|=>)\s+(?P<kind>HTTP\s+|status\s+)?`?(?P<status>[2-5]\d\d)`?(?P<reason>{_REASON})?[.]?$",
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
    r"(?:is|are|gets?|must be|shall be|will be)\s+(?:\w+ly\s+)?"
    r"(?:locked|blocked|suspended|disabled|banned)(?:\s+out)?"
)
_AFTER_TRIES = pattern(
    rf"^after (?P<tries>{_TRIES}),?\s+(?P<what>(?:the|an?|his|her|their|its)\s[a-z]+(?:\s[a-z]+)?\s+{_LOCKED})"
    rf"(?:\s+for\s+{_N}\s+{_SPAN})?(?P<end>[.]?)$",
    re.IGNORECASE,
    only_with="after ",
)
_LOCKED_FOR = pattern(
    rf"^(?P<what>.{{3,60}}\s{_LOCKED})\s+for\s+{_N}\s+{_SPAN}\s+(?P<tries>after\s+{_TRIES}[.]?)$",
    re.IGNORECASE,
    only_with=r"\safter\s",
)
_SYSTEM_LOCKS = pattern(
    rf"^(?:the\s+)?(?:system|service|API|application|app|server)\s+(?P<modal>must|shall|should)\s+(?P<how>lock|block|suspend|disable)\s+"
    rf"(?P<what>(?:the|an?)\s[a-z]+(?:\s[a-z]+)?)(?:\s+for\s+{_N}\s+{_SPAN})?\s+(?P<tries>after\s+{_TRIES}[.]?)$",
    re.IGNORECASE,
    only_with=r"\safter\s",
)
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
    rf"^(?P<what>{_NAME})\s+(?P<way>maximum|minimum|max\.?|min\.?)\s+length(?:\s+(?P<verb>is|must be|shall be)|\s*:)\s+"
    rf"(?P<number>{_N}(?:\s+{_TEXT})?)$",
    re.IGNORECASE,
    only_with=r"\slength",
)
_LIMITED = pattern(
    rf"^(?P<what>{_NAME})\s+(?P<how>limited\s+to\s+{_N}\s?{_SIZE})$", re.IGNORECASE, only_with=r"\slimited\s"
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
    only_with=r"\sfrom\s|\sbetween\s",
)
_TIMED = pattern(
    rf"^(?P<what>(?:the\s+)?{_NAME}\s(?:timeout|lifetime|ttl|expiry|expiration))(?P<verb>\s+is|\s+(?:must|shall|should)\s+be|\s*:)"
    rf"\s+(?P<number>{_N}\s{_SPAN})$",
    re.IGNORECASE,
    only_with="timeout|lifetime|ttl|expir",
)
_LIMIT = pattern(
    rf"^(?P<what>(?:the\s+)?(?:[A-Za-z-]+\s){{1,2}}limit):\s+(?P<number>{_N}\s[a-z].*)$",
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
    r"|subscriptions?|memberships?|locks?|bans?)"
)
_LASTS = pattern(
    rf"^(?P<what>(?:[A-Za-z-]+\s){{0,3}}{_LASTING})\s+(?P<modal>(?:must|shall|should)\s+)?"
    rf"(?:lasts?(?:\s+for)?|(?P<expires>expires?)\s+in|(?P<due>is due|are due|be due)\s+(?:after|in)"
    r"|(?:has|have)\s+an?\s+(?:lifetime|validity)\s+of)"
    rf"\s+(?P<number>{_N}\s{_SPAN})$",
    re.IGNORECASE,
    only_with="lasts?|expires?|due|lifetime|validity",
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
    only_with=r"\sthan\s",
)
_ON_A_PAGE = pattern(
    rf"^(?:the\s+)?(?:search|list|page|results?|listing)(?:\s[a-z]+)?\s+(?:returns?|shows?|lists?|displays?)\s+"
    rf"(?P<held>(?:at most|up to|max\.?|no more than|a maximum of)\s+{_N}\s+[a-z-]+s\s+per page)$",
    re.IGNORECASE,
    only_with=r"\sper page",
)
_FIELDS = pattern(
    r"^(?P<how>required|mandatory|optional)\s+fields?:\s+(?P<list>(?:`?[a-z][\w-]*`?)(?:,\s*`?[a-z][\w-]*`?)*(?:,?\s+and\s+`?[a-z][\w-]*`?)?)$",
    re.IGNORECASE,
    only_with="fields?:",
)
_FRAGMENT = pattern(rf"^(?P<kind>(?:HTTP|status)\s+)?(?P<status>[2-5]\d\d)(?P<reason>{_REASON})?$")
_CLAUSE = pattern(r"^(?!for\b)", re.IGNORECASE)


def spelled_out(words: str) -> str:
    """A whole sentence whose arrow or whose order the grammar does not have, as one that it has."""
    if match := _ARROW.match(words):
        several = " " in match["what"].strip() and match["status"] not in _ROUND
        plain = several or match["reason"] or match["kind"] or _WRONG.match(match["what"])
        return (
            f"{match['what']} is answered with {match['status']}{match['reason'] or ''}" if plain else words
        )
    if match := _AFTER_TRIES.match(words):
        return f"{match['what']} after {match['tries']}{match['end']}"
    if match := _LOCKED_FOR.match(words):
        return f"{match['what']} {match['tries']}"
    if match := _SYSTEM_LOCKS.match(words):
        done = f"{match['how'].removesuffix('e')}ed"
        return f"{match['what']} {match['modal']} be {done} {match['tries']}"
    return words


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
)
