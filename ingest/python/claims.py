"""The claims of docstrings, read only where a fast look says that there may be some."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import msgspec

from graph.compiled import compiled
from graph.facts import Json
from ingest.claims.claim import Claim, Claimed

# Much narrower than the grammar: whole projects have ten thousands of docstrings that say "may" and "default".
_WORTH = compiled(
    r"at (?:least|most) \W?\w|no more than|must (?:not )?(?:be|have|contain|exceed)|efaults? to|default:"
    r"|one of|(?:aise|hrow)s? (?:an? )?[:`A-Z]"
    r"| is raised|(?:returns?|with|HTTP|status) [1-5]\d\d\b|between -?\d+ and|up to \d|limited to|axim|inim"
)
# One of these stands in each text in which that finds something; they are looked for ten times as fast.
_WORDS = (
    *("at least", "at most", "no more than", "must ", "efault", "one of", "aise", "hrow", "is raised"),
    *("between ", "up to ", "limited to", "axim", "inim"),
)
_STATUS = compiled(r"[1-5]\d\d\b")
_KINDS = frozenset(
    (
        *(Claimed.QUANTITY, Claimed.ENUMERATION, Claimed.OUTCOME, Claimed.RAISES, Claimed.DEFAULT),
        *(Claimed.FORMAT, Claimed.REQUIRED),
    )
)
_SECTION = compiled(
    r"^\s*(?:[:@][a-z]|>>>|\.\. |[A-Z][A-Za-z ]*:?\s*\n\s*-{3,}|[A-Z][a-z]+(?: [a-z]+)?:\s*$)", re.MULTILINE
)
_LONGEST = 4000


def docstring_claims(text: str, parameters: dict[str, Json], first_line: int) -> dict[str, Json]:
    """The aspect `claims` of a docstring that begins on a line: of its prose, and of what it says of parameters.

    In the latter a claim without a subject has the parameter as its subject. Sections are not prose.
    """
    if not any(word in text for word in _WORDS) and _STATUS.search(text) is None:
        return {}
    if _WORTH.search(text) is None:
        return {}
    section = _SECTION.search(text)
    prose = (text[: section.start()] if section else text)[:_LONGEST]
    said = {name: said for name, said in parameters.items() if isinstance(said, str) and _WORTH.search(said)}
    if not said and _WORTH.search(prose) is None:
        return {}
    from ingest.claims.reading import as_aspect, read_claims

    told = read_claims(prose, first_line, worth=_WORTH, named=False)
    claims = [claim for claim in told if claim.kind in _KINDS]
    for name, words in said.items():
        told = read_claims(words[:_LONGEST], worth=_WORTH, named=False)
        claims += _of_parameter(name, told, text, first_line)
    return as_aspect(claims)


def _of_parameter(name: str, claims: Iterable[Claim], text: str, first_line: int) -> Iterator[Claim]:
    """The claims about one parameter, each with the line on which its words begin."""
    for claim in claims:
        if claim.kind not in _KINDS:
            continue
        place = max(0, text.find(claim.words[:20]))
        line = first_line + text.count("\n", 0, place)
        yield msgspec.structs.replace(claim, subject=claim.subject or name, line=line)
