"""What a rule of another distribution is made with."""

from collections.abc import Callable, Collection, Iterator
from typing import Protocol

import msgspec

from crossval.findings import Finding, FindingKind, Severity
from crossval.pairs import Pair
from graph.facts import Kind

class Named(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def family(self) -> str: ...
    @property
    def kind(self) -> FindingKind: ...
    @property
    def severity(self) -> Severity: ...

Check = Callable[[Pair], Iterator[Finding]]

class Rule(msgspec.Struct, frozen=True):
    name: str
    family: str
    kind: FindingKind
    severity: Severity
    looks_at: frozenset[Kind]
    summary: str
    help: str
    check: Check
    def findings(self, pair: Pair) -> Iterator[Finding]: ...

def rule(
    severity: Severity,
    *,
    looks_at: Kind | tuple[Kind, ...] = (),
    kind: FindingKind = ...,
    changes: Collection[str] = (),
) -> Callable[[Check], Rule]: ...
