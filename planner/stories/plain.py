"""Plain sentences for requirements with a condition or “shall”: `The mileage is 0 by default`, which others are, too.

What a requirement refuses as too short or too much is a claim about a quantity at once.
"""

from __future__ import annotations

import re

import msgspec

from graph.facts import Fact, Json
from planner.contracts.codes import without_codes
from planner.stories.ears import Requirement, required_in

_ANSWERS = re.compile(
    r"(?:(?:refuse|reject|deny|forbid|decline|answer|reply|respond|return|give)s?)\b.*?\b(?P<status>4\d\d)\b.*",
    re.I,
)
_REFUSES = re.compile(
    r"(?:refuse|reject|deny|forbid|decline)s?\s+(?P<act>to\s+.+?)\s+with\s+(?P<status>4\d\d).*", re.I
)
_ARE_LISTED = re.compile(
    r"(?:the\s+)?(?P<what>[a-z]+)\s+are\s+(?:listed|shown|asked for)"
    r"|(?:an?|the|some)?\s*[a-z]+\s+(?:lists|asks for|looks at|reads)\s+(?:all\s+)?(?:the\s+)?(?P<them>[a-z]+)",
    re.I,
)
_ORDERS = re.compile(r"(?:order|sort|list|show|return)\s+them\s+by\s+(?P<by>.+)", re.I)
_LISTS = re.compile(
    r"(?:list|show|return)\s+(?:the\s+)?(?P<what>[a-z]+)\s+(?:ordered|sorted)\s+by\s+(?P<by>.+)", re.I
)
_MORE = r"(?:longer|larger|more|greater|higher|later)\s+than|above|over|beyond"
_LESS = r"(?:shorter|smaller|less|lower|fewer|earlier)\s+than|below|under"
_TOO = re.compile(
    r"(?P<what>(?:the|an?|its)\s+(?:[a-z]+['’]s\s+)?[a-z_` ]+?)\s+(?:is|are|has|lies)\s+"
    rf"(?:(?:{_LESS})\s+(?P<least>-?\d+)(?:(?:\s+[a-z]+)?\s+or\s+(?:{_MORE})\s+(?P<most>-?\d+))?|(?:{_MORE})\s+(?P<only>-?\d+))"
    r"(?:\s+(?P<unit>[a-z]+))?",
    re.I,
)
_LEFT_OUT = re.compile(
    r"no\s+`?(?P<field>\w+)`?\s+is\s+(?:given|set|sent|told|specified|provided|supplied)"
    r"(?:\s+(?:for|with|to)\s+(?:an?|the)\s+(?:new\s+)?[a-z]+)?",
    re.I,
)
_WITHOUT = re.compile(
    r"(?:an?|the)\s+[a-z]+\s+is\s+[a-z]+\s+without\s+(?:an?\s+|any\s+)?`?(?P<field>\w+)`?", re.I
)
_USES = re.compile(
    r"(?:use|assume|take|store|set it to|default(?:s)? to|set the default(?: of)?)\s+(?:the\s+)?(?:[a-z_]+\s+)??"
    r"`?(?P<value>-?[\w.]+)`?(?:\s+for it|\s+instead)?",
    re.I,
)
_ONE_CANNOT = re.compile(
    r"(?P<first>an?\s+(?:[\w-]+\s+)?(?P<noun>[a-z]+)\s+(?:can|may)\s+be\s+(?P<done>[a-z]+))(?P<while>\s+while\b[^;.,]*)?[;.,]\s+"
    r"(?:but\s+|and\s+)?(?P<other>an?\s+[\w-]+)\s+(?:one|(?P=noun))\s+(?:can ?not|can[’']t|may not)(?:\s+be)?\s*"
    r"\(\s*(?P<status>4\d\d)[^)]*\)",
    re.I,
)


class Plain(msgspec.Struct, frozen=True):
    """A plain sentence, and the claims that it makes, in the form in which facts have them."""

    text: str
    claims: tuple[dict[str, Json], ...] = ()

    def of(self, criterion: Fact) -> Fact:
        """The criterion in these words."""
        aspects = {**criterion.aspects, "text": self.text}
        return msgspec.structs.replace(
            criterion, aspects={**aspects, "claims": [*self.claims]} if self.claims else aspects
        )


def plainly(text: str) -> Plain | None:
    """The plain sentence for one with a condition or “shall”; None where it is none, or has no known form."""
    said = " ".join(without_codes(text).split()).rstrip(".! ")
    if (match := _ONE_CANNOT.fullmatch(said)) is not None:
        return Plain(f"{match['other']} {match['noun']} cannot be {match['done']} ({match['status']})")
    required = required_in(said)
    if required is None:
        return None
    if listed := _as_listed(required):
        return Plain(listed)
    if (bounded := _as_bounded(required)) is not None:
        return bounded
    refused = _REFUSES.fullmatch(required.response) if not required.conditions else None
    if refused is not None:
        return Plain(f"{refused['act']} is answered with {refused['status']}")
    words = required.conditions[0].words if len(required.conditions) == 1 else ""
    left = _LEFT_OUT.fullmatch(words) or _WITHOUT.fullmatch(words)
    used = _USES.fullmatch(required.response) if left is not None else None
    if left is None or used is None:
        return None
    return Plain(f"`{left['field']}` is {used['value']} by default")


def _as_listed(required: Requirement) -> str:
    """The plain sentence of a requirement that says in which order things are listed; empty where it is none."""
    said = required.conditions[0].words if len(required.conditions) == 1 else ""
    when = _ARE_LISTED.fullmatch(said)
    order = _ORDERS.fullmatch(required.response)
    if when is not None and order is not None:
        return f"{when['what'] or when['them']} are sorted by {order['by']}"
    lists = _LISTS.fullmatch(required.response) if not said else None
    return f"{lists['what']} are sorted by {lists['by']}" if lists is not None else ""


def _as_bounded(required: Requirement) -> Plain | None:
    """What a requirement refuses as too short or too much, as what there may be; None where it is none."""
    said = required.conditions[0].words if len(required.conditions) == 1 else ""
    match, refused = _TOO.fullmatch(said), _ANSWERS.fullmatch(required.response)
    if match is None or refused is None:
        return None
    least, most, unit = match["least"], match["most"] or match["only"], match["unit"] or ""
    subject = re.sub(r"^(?:the|an?|its)\s+", "", match["what"].strip(), flags=re.I).strip("` ")
    told = {"kind": "quantity", "subject": subject, "unit": unit.lower()}
    claims = [
        {**told, "comparator": how, "value": int(each)}
        for how, each in ((">=", least), ("<=", most))
        if each is not None
    ]
    ending = f" {unit}" if unit else ""
    if least and most:
        return Plain(f"{match['what']} has between {least} and {most}{ending}", tuple(claims))
    return Plain(
        f"{match['what']} has at {f'least {least}' if least else f'most {most}'}{ending}", tuple(claims)
    )
