"""The rule about ids that two stories or criteria share."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.blame import judged
from crossval.findings import Finding, FindingKind, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from graph.facts import Kind


@rule(Severity.ERROR, looks_at=Kind.CRITERION, kind=FindingKind.DEFECT)
def story_id_duplicate(pair: Pair) -> Iterator[Finding]:
    """Two stories or criteria have the same id.

    ## Why it matters
    Tests and findings that cite the id may mean either.

    ## How to fix
    Give one of them another id.
    """
    # Within one page the reader says it itself.
    if pair.place == "id" and pair.spec is not None and pair.code is not None:
        kind = pair.spec_fact.kind if pair.spec_fact is not None else "criterion"
        other = f"it stands in {pair.code.path}:{pair.code.line} already"
        finding = Finding(
            subject=pair.subject,
            aspect="id",
            message=f"{pair.name} is the id of more than one {kind}: {other}",
            hint="Give one of them another id.",
            spec=pair.spec,
            related=(pair.code,),
        )
        yield judged(finding, Severity.WARNING)
