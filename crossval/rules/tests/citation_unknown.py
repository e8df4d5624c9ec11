"""The rule about facts that tests cite, and that are not there."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, FindingKind, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from graph.facts import Kind


@rule(Severity.WARNING, looks_at=Kind.TEST, kind=FindingKind.DEFECT)
def citation_unknown(pair: Pair) -> Iterator[Finding]:
    """A test cites the id of a spec fact that is not there.

    ## Why it matters
    What the test was made for is gone, renamed or mistyped: it holds the code to something that no spec says any more.

    ## How to fix
    Cite the fact as it is called now (`crossfact facts` lists them), or retire the test.
    """
    if pair.place == "citations":
        yield pair.missing(
            f"{pair.subject.removeprefix('test ')} cites {pair.name}, which is no fact of any spec",
            hint="Cite a fact that there is, or retire the test.",
            aspect="cites",
        )
