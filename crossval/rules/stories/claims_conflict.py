"""The rule about claims of stories that exclude each other."""

from __future__ import annotations

from collections.abc import Iterator

from crossval.blame import told_by_spec
from crossval.compare.claims import ClaimPair
from crossval.findings import Finding, Severity
from crossval.pairs import Pair
from crossval.rules.rule import rule
from crossval.wording import capital
from graph.facts import Kind


@rule(Severity.WARNING, looks_at=Kind.CRITERION)
def claims_conflict(pair: Pair) -> Iterator[Finding]:
    """Two claims of stories cannot both hold.

    ## Why it matters
    No system can do both; whoever builds or tests it has to guess which one is meant.

    ## How to fix
    Settle which of the two holds, and correct the other.
    """
    if not isinstance(pair, ClaimPair) or pair.against != "story":
        return
    message = f"{capital(pair.subject)} claims {pair.claimed} of {pair.name}, but {pair.target} claims {pair.stated}"
    finding = Finding(
        subject=pair.subject,
        aspect="claims",
        message=message,
        hint="Let both say the same.",
        spec=pair.spec,
        code=pair.code,
    )
    yield told_by_spec(finding)
