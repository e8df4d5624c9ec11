"""Which tests are expected to be red: those that show what a finding of today says."""

from __future__ import annotations

from collections.abc import Sequence

from crossval.findings import Finding, FindingKind, Severity
from planner.cases import Case
from planner.priority import concerns

_PREDICTING = frozenset({Severity.ERROR, Severity.WARNING})


class Expectations:
    """The findings of one run, by what they are about."""

    def __init__(self, findings: Sequence[Finding]) -> None:
        self._about: dict[str, list[Finding]] = {}
        for finding in findings:
            witness = (finding.spec.fact,) if finding.spec else ()
            for name in dict.fromkeys((finding.subject, *finding.affects, *witness)):
                self._about.setdefault(name, []).append(finding)

    def of(self, case: Case) -> list[Finding]:
        """The findings that a case's test would show."""
        found: dict[str, Finding] = {}
        for name in (case.subject, *case.cites):
            for finding in self._about.get(name, ()):
                if concerns(finding, case):
                    found.setdefault(finding.fingerprint, finding)
        return list(found.values())


def predicts_red(findings: Sequence[Finding]) -> bool:
    """Whether findings say that the code does not keep its spec; notes, and faults of specs or tests, do not."""
    return any(each.severity in _PREDICTING and each.kind is not FindingKind.DEFECT for each in findings)
