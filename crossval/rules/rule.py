"""What a rule is, and the decorator that makes one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Protocol

import msgspec

from crossval.findings import Finding, FindingKind, Severity
from crossval.pairs import Pair
from graph.facts import Kind
from graph.indents import dedented

Check = Callable[[Pair], Iterator[Finding]]


class Named(Protocol):
    """A rule as far as choosing among rules goes: it can be told from its words without loading its check."""

    @property
    def name(self) -> str:
        """See `Rule`."""
        ...

    @property
    def family(self) -> str:
        """See `Rule`."""
        ...

    @property
    def kind(self) -> FindingKind:
        """See `FindingKind`."""
        ...

    @property
    def severity(self) -> Severity:
        """See `Severity`."""
        ...


class Rule(msgspec.Struct, frozen=True):
    """One check over the pairs of some kinds, with the words that explain it.

    `name` is the rule's id: it never changes its meaning. `looks_at` is empty for rules that only give their
    name to defects which readers saw. `changes`, where it is not empty, says that the rule only finds something in
    pairs that differ in one of these aspects, so that nobody asks it about others.
    """

    name: str
    family: str
    kind: FindingKind
    severity: Severity
    looks_at: frozenset[Kind]
    summary: str
    help: str
    check: Check
    changes: frozenset[str] = frozenset()

    def loaded(self) -> Rule:
        """See `Checking.loaded`."""
        return self

    def findings(self, pair: Pair) -> Iterator[Finding]:
        """What this rule finds in one pair, with its name and kind; severity as the rule's unless set lower."""
        return map(self._named, self.check(pair))

    def _named(self, finding: Finding) -> Finding:
        severity = min(self.severity, finding.severity, key=lambda severity: severity.rank)
        return msgspec.structs.replace(finding, rule=self.name, kind=self.kind, severity=severity)


def rule(
    severity: Severity,
    *,
    looks_at: Kind | tuple[Kind, ...] = (),
    kind: FindingKind = FindingKind.CONTRADICTION,
    changes: Collection[str] = (),
) -> Callable[[Check], Rule]:
    """Make a rule of a check: named as the function, of the family it lies in, explained by the docstring.

    `changes` are the aspects in which a pair has to differ for the rule to find anything; none where that is not all.
    """

    def make(check: Check) -> Rule:
        summary, _, help_ = (check.__doc__ or "").partition("\n")
        kinds = (looks_at,) if isinstance(looks_at, Kind) else looks_at
        return Rule(
            name=check.__name__.replace("_", "-"),
            family=_family(check.__module__),
            kind=kind,
            severity=severity,
            looks_at=frozenset(kinds),
            summary=summary.strip(),
            help=dedented(help_).strip(),
            check=check,
            changes=frozenset(changes),
        )

    return make


def _family(module: str) -> str:
    """The folder of a built-in rule; the top-level package of one that another distribution brings."""
    own = "crossval.rules."
    return module.removeprefix(own).split(".")[0]
