"""The rule about assertions that take what to compare with for their message."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, FindingKind, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from graph.facts import Kind


@rule(Severity.WARNING, looks_at=Kind.TEST, kind=FindingKind.DEFECT, changes=("message",))
def assertion_compares_nothing(pair: Pair) -> Iterator[Finding]:
    """A test's `assertTrue` is given a value to compare with, which it takes for its message.

    ## Why it matters
    `assertTrue(total, 3)` passes for any total but 0: nothing is compared with the 3.

    ## How to fix
    Compare with `assertEqual`.
    """
    for difference in pair.changed("message"):
        test = pair.subject.removeprefix("test ")
        yield pair.missing(
            f"{test}: `{difference.code}` compares nothing: its second argument is the message",
            hint="Compare with `assertEqual`.",
            aspect="asserts",
        )
