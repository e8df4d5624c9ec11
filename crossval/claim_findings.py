"""Findings about claims: how one is said, and how it joins what contract and code already disagree on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from crossval.findings import Finding, Severity, Witness
from crossval.wording import capital

if TYPE_CHECKING:
    from crossval.compare.claims import ClaimPair


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
    """The findings, those that a claim makes about the code joined with one that says the same of the contract.

    Three witnesses who disagree about one thing make one finding: where the contract contradicts the code there, the
    story becomes a related witness of that; where both contradict the story, the code does.
    """
    every = list(findings)
    claims = [number for number, each in enumerate(every) if each.rule == "claim-code-mismatch"]
    if not claims:
        return every
    homes = _homes(every)
    gone = set()
    for number in claims:
        finding = every[number]
        if finding.code is None or finding.spec is None:
            continue
        keyword = finding.aspect.rpartition(".")[2]
        for key, further in (
            ((finding.code.fact, keyword), finding.spec),
            ((finding.spec.fact, str(finding.spec.line), str(finding.spec.value), keyword), finding.code),
        ):
            home = homes.get(key)
            if home is not None:
                gone.add(number)
                every[home] = _with(every[home], further)
                break
    return [finding for number, finding in enumerate(every) if number not in gone]


def _homes(findings: list[Finding]) -> dict[tuple[str, ...], int]:
    """Where a claim about the code may join: what contract and code disagree on, by the code's fact; what the
    contract contradicts, by the claim itself."""
    homes: dict[tuple[str, ...], int] = {}
    for number, finding in enumerate(findings):
        keyword = finding.aspect.rpartition(".")[2]
        if finding.rule == "claim-contract-mismatch":
            for each in (finding.spec, *finding.related):
                if each is not None:
                    homes.setdefault((each.fact, str(each.line), str(each.value), keyword), number)
        elif (
            finding.code is not None and finding.spec is not None and not finding.aspect.startswith("claims")
        ):
            homes.setdefault((finding.code.fact, keyword), number)
    return homes


def _with(finding: Finding, further: Witness) -> Finding:
    if further in finding.related:
        return finding
    related = sorted((*finding.related, further), key=lambda w: (w.path, w.line, w.fact))
    return msgspec.structs.replace(finding, related=tuple(related))
