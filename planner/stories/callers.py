"""Steps that say no more than that whoever asks is let in, as the tests of an operation that asks for it are."""

from __future__ import annotations

import re
from collections.abc import Sequence

_LET_IN = re.compile(
    r"(?:that )?(?:I|we|the (?:user|client|customer|caller)|a (?:user|client|customer|caller)|(?P<name>[A-Z]\w+))\s+"
    r"(?:am|are|is|have|has)\s+(?:already\s+)?(?:(?:logged|signed) in|authenticated|an? (?:valid )?(?:access )?token)"
    r"(?:\s+as\s+(?:an?\s+|the\s+)?(?:(?:registered\s+)?(?:user|customer|member)\s*)?(?P<who>[\"“'][^\"”']+[\"”'])?)?"
    r"|(?:that )?(?:I am |we are )?an? (?:logged[- ]in|signed[- ]in|authenticated|registered)"
    r" (?:user|customer|member|client)",
    re.IGNORECASE,
)


def is_let_in(step: str, steps: Sequence[str]) -> bool:
    """Whether a step says that its caller is let in, under a name, if any, of which no other step speaks."""
    match = _LET_IN.fullmatch(step.strip())
    if match is None:
        return False
    names = [each.strip("\"“”'") for each in (match["name"], match["who"]) if each]
    others = [each for each in steps if each != step]
    return not any(name in other for name in names for other in others)
