"""The rule about names of code that criteria spell out and that do not exist."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, FindingKind, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from crossval.wording import capital
from graph.facts import Kind


@rule(Severity.WARNING, looks_at=Kind.CRITERION, kind=FindingKind.GAP)
def criterion_name_unknown(pair: Pair) -> Iterator[Finding]:
    """A criterion spells out the full name of a module, class or function that the code does not have.

    ## Why it matters
    Either it was never written, or it was moved or renamed, and who reads the criterion looks for it in vain.

    ## How to fix
    Write it, or name what the code has instead.
    """
    if pair.place != "names":
        return
    for difference in pair.differences:
        missing = pair.name.removeprefix(f"{difference.code}.")
        yield pair.missing(
            f"{capital(pair.subject)} names `{pair.name}`, but module {difference.code} has no {missing}",
            hint="Write it, or name what the code has.",
        )
