"""The rule about words in criteria that nobody can verify."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from crossval.findings import Finding, FindingKind, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from crossval.wording import capital
from graph.facts import Kind


@rule(Severity.NOTE, looks_at=Kind.CRITERION, kind=FindingKind.DEFECT)
def wording_vague(pair: Pair) -> Iterator[Finding]:
    """A criterion uses a word that nobody can verify.

    ## Why it matters
    Two people who read it build and test two things, and both are right.

    ## How to fix
    Say what can be measured or seen: a number, a list, an example.
    """
    if pair.place != "wording":
        return
    for difference in pair.differences:
        word, _, column, marked = difference.spec
        finding = pair.missing(
            f"{capital(pair.subject)} says `{word}` (column {column} of its text), which nobody can verify: {marked}",
            hint="Say what can be measured or seen.",
            aspect="wording",
        )
        assert finding.spec is not None, "a criterion is on the spec's side"
        yield msgspec.structs.replace(finding, spec=msgspec.structs.replace(finding.spec, value=word))
