"""The rule about properties that only one side lets be set or deleted."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.blame import judged
from crossval.findings import Finding, Severity
from crossval.pairs import Pair, Stricter
from crossval.rules.rule import rule
from crossval.wording import capital
from graph.facts import Kind

_VERBS = {"setter": "set", "deleter": "deleted"}


@rule(Severity.ERROR, looks_at=(Kind.FUNCTION, Kind.ATTRIBUTE), changes=_VERBS)
def property_accessor_mismatch(pair: Pair) -> Iterator[Finding]:
    """A property can be set or deleted on one side only.

    ## Why it matters
    What type-checks against the stub fails with an `AttributeError`. Where only the code has the accessor, nobody who
    relies on the stub can use it: a warning, and so is a stub that writes a property as a plain attribute.

    ## How to fix
    Give the property the same accessors on both sides; a plain attribute in a stub promises that it can be set.
    """
    for difference in pair.changed(*_VERBS):
        verb = _VERBS[difference.change]
        if difference.stricter is Stricter.CODE:
            sides = f"in the {pair.promise}, but not in the code"
            level = Severity.WARNING if pair.kind is Kind.ATTRIBUTE else Severity.ERROR
        else:
            sides, level = f"in the code, but not in the {pair.promise}", Severity.WARNING
        message = f"{capital(pair.subject)} can be {verb} {sides}"
        finding = pair.differs(
            difference, message, hint="Give the property the same accessors on both sides."
        )
        yield judged(finding, level)
