"""The records of traceability: the thread of a story, from its words to what implements, tests and contradicts them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

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

    @property
    def lacking(self) -> tuple[str, ...]:
        """What nothing is known to do for it: `implement` it, `test` it; a story with criteria leaves that to them."""
        if self.criteria:
            return ()
        sides = (("implement", self.code), ("test", self.tests))
        return tuple(what for what, strands in sides if not strands)


def open_threads(threads: Iterable[Thread]) -> Iterator[Thread]:
    """The stories and criteria among these that nothing is known to implement or to test, in their order."""
    for thread in threads:
        if thread.lacking:
            yield thread
        yield from open_threads(thread.criteria)
