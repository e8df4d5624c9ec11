"""Findings about claims: how one is said, and how it joins what contract and code already disagree on."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from crossval.compare.claims import ClaimPair
from crossval.findings import Finding, Severity
from crossval.wording import capital


def contradicted(pair: ClaimPair, other: str, hint: str) -> Finding:
    """The finding that something else than what was claimed is stated; only a warning where the claim says `should`
    or the thing was found by its name alone."""
    sure = not pair.soft and pair.confidence >= 1.0
    about = f"{pair.subject} claims {pair.claimed}"
    if pair.subject.startswith("function "):
        of = f" of {pair.target}" if pair.aspect.startswith("signature.") else ""
        about = f"the docstring of {pair.subject} claims {pair.claimed}{of}"
    elif pair.subject == pair.target:
        about = f"the description of {pair.target} claims {pair.claimed}"
    return Finding(
        subject=pair.subject,
        aspect=f"claims.{pair.aspect}",
        message=f"{capital(about)}, but {other}",
        hint=hint,
        spec=pair.spec,
        code=pair.code,
        confidence=pair.confidence,
        severity=Severity.ERROR if sure else Severity.WARNING,
    )


def joined(findings: Iterable[Finding]) -> list[Finding]:
    """The findings, those that a claim makes about the code joined with the one that a contract makes there.

    Three witnesses who disagree about one thing make one finding: the story becomes a related witness of it.
    """
    every = list(findings)
    claims = [each for each in every if each.rule == "claim-code-mismatch"]
    if not claims:
        return every
    places: dict[tuple[str, str], int] = {}
    for number, finding in enumerate(every):
        if finding.code is not None and finding.spec is not None and not finding.aspect.startswith("claims"):
            keyword = finding.aspect.rpartition(".")[2]
            places.setdefault((finding.code.fact, keyword), number)
    gone = set()
    for number, finding in enumerate(every):
        if finding.rule != "claim-code-mismatch" or finding.code is None or finding.spec is None:
            continue
        home = places.get((finding.code.fact, finding.aspect.rpartition(".")[2]))
        if home is None:
            continue
        gone.add(number)
        related = tuple(sorted({*every[home].related, finding.spec}, key=lambda w: (w.path, w.line, w.fact)))
        every[home] = msgspec.structs.replace(every[home], related=related)
    return [finding for number, finding in enumerate(every) if number not in gone]
