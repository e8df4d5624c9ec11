"""Rules whose modules are imported when there is something for them to look at."""

from collections.abc import Collection
from importlib import import_module
from typing import Protocol, Self

import msgspec

from crossval.findings import FindingKind, Severity
from crossval.rules.rule import Named, Rule
from graph.facts import Kind


class Checking(Named, Protocol):
    """A rule as far as comparing goes; its check may still have to be loaded."""

    @property
    def looks_at(self) -> Collection[Kind]:
        """See `Rule`."""
        ...

    @property
    def changes(self) -> Collection[str]:
        """See `Rule`."""
        ...

    def loaded(self) -> Rule:
        """The rule itself."""
        ...


class LateRule(msgspec.Struct, frozen=True):
    """A rule whose module is imported when there is something for it to look at; the words that name it are those of
    the rule that `of` was given."""

    name: str
    family: str
    kind: FindingKind
    severity: Severity
    looks_at: tuple[Kind, ...]
    module: str
    function: str
    changes: tuple[str, ...] = ()

    @classmethod
    def of(cls, rule: Rule) -> Self:
        """What stands for a rule that lies in a module under the name of its check."""
        place = rule.check.__module__, rule.check.__name__
        kinds, changes = tuple(sorted(rule.looks_at)), tuple(sorted(rule.changes))
        return cls(rule.name, rule.family, rule.kind, rule.severity, kinds, *place, changes)

    def loaded(self) -> Rule:
        """See `Checking.loaded`."""
        rule = getattr(import_module(self.module), self.function)
        assert isinstance(rule, Rule)
        return rule
