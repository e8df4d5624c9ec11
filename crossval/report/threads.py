"""The records of traceability: the thread of a story, from its words to what implements, tests and contradicts them."""

from __future__ import annotations

import msgspec

from crossval.findings import Finding
from graph.facts import Fact, Json


class Strand(msgspec.Struct, frozen=True):
    """A fact that a story or criterion is tied to: over which facts (ids, nearest last), how surely, and why."""

    fact: Fact
    confidence: float
    reason: str
    via: str = ""


class Thread(msgspec.Struct, frozen=True):
    """One story or criterion: its claims, the code and tests that it is tied to, what disagrees, its criteria."""

    fact: Fact
    claims: tuple[Json, ...]
    code: tuple[Strand, ...]
    tests: tuple[Strand, ...]
    findings: tuple[Finding, ...]
    criteria: tuple[Thread, ...] = ()
