"""The record that every renderer turns into text: what one run found, did not know, and did not read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

import msgspec

from crossval.findings import Finding, FindingKind, Severity, Silenced, Witness
from graph.facts import Skipped, Tag, Unknown

Texts = Callable[[str], Sequence[str] | None]
"""Gives the lines of a file by its path, without their ends, or None where it cannot be read.

Renderers ask for one file many times: the caller keeps what it has read.
"""

_Place = TypeVar("_Place", Witness, Unknown)


class FactCounts(msgspec.Struct, frozen=True, kw_only=True):
    """How many facts each witness gave."""

    spec: int = 0
    code: int = 0
    test: int = 0


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """The run in numbers; `sources` counts the files that facts were read from, `seconds` is wall time."""

    facts: FactCounts
    gaps: int
    contradictions: int
    defects: int
    sources: int
    seconds: float


class Since(msgspec.Struct, frozen=True):
    """An earlier revision, as the user named it, that a report is limited by: its findings are what was added since.

    `removed` and `stayed` count the findings that went since then, and those that are the same.
    """

    name: str
    removed: int
    stayed: int


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What one run has to say, in the order in which it is shown.

    `findings` are those that are neither suppressed nor in the baseline; the two counts say how many were, and
    `silenced` has these. With `since` they are only what was added.
    """

    findings: tuple[Finding, ...]
    unknown: tuple[Unknown, ...]
    skipped: tuple[Skipped, ...]
    summary: Summary
    suppressed: int = 0
    baselined: int = 0
    silenced: tuple[Silenced, ...] = ()
    since: Since | None = None

    def count(self, severity: Severity) -> int:
        """How many findings have this severity."""
        return sum(finding.severity is severity for finding in self.findings)


def only_added(report: Report, added: Iterable[Finding], since: Since) -> Report:
    """The report with those of its findings that were added since a revision, and counts of these."""
    findings = tuple(sorted(map(_anchored, added), key=lambda finding: finding.order))
    summary = msgspec.structs.replace(report.summary, **_counts(findings))
    return msgspec.structs.replace(report, findings=findings, summary=summary, since=since)


def make_report(
    findings: Iterable[Finding],
    unknown: Iterable[Unknown] = (),
    skipped: Iterable[Skipped] = (),
    *,
    facts: Mapping[Tag, int],
    sources: int,
    seconds: float,
    suppressed: int = 0,
    baselined: int = 0,
    silenced: Iterable[Silenced] = (),
    since: Since | None = None,
) -> Report:
    """The report of a run: sorted, without repetitions, and counted; what concerns a whole file is shown on line 1."""
    ordered = tuple(sorted(map(_anchored, findings), key=lambda finding: finding.order))
    return Report(
        findings=ordered,
        unknown=tuple(sorted({_on_a_line(each) for each in unknown}, key=_unknown_order)),
        skipped=tuple(sorted(set(skipped))),
        summary=Summary(
            facts=FactCounts(
                spec=facts.get(Tag.SPEC, 0), code=facts.get(Tag.CODE, 0), test=facts.get(Tag.TEST, 0)
            ),
            **_counts(ordered),
            sources=sources,
            seconds=seconds,
        ),
        suppressed=suppressed,
        baselined=baselined,
        silenced=tuple(sorted(map(_anchored_silenced, silenced), key=lambda each: each.finding.order)),
        since=since,
    )


def _counts(findings: Iterable[Finding]) -> dict[str, int]:
    kinds = Counter(finding.kind for finding in findings)
    return {
        "gaps": kinds[FindingKind.GAP],
        "contradictions": kinds[FindingKind.CONTRADICTION],
        "defects": kinds[FindingKind.DEFECT],
    }


def _anchored_silenced(silenced: Silenced) -> Silenced:
    return msgspec.structs.replace(silenced, finding=_anchored(silenced.finding))


def _anchored(finding: Finding) -> Finding:
    witnesses = (finding.spec, finding.code, *finding.related)
    if all(witness is None or witness.line > 0 for witness in witnesses):
        return finding
    return msgspec.structs.replace(
        finding,
        spec=finding.spec and _on_a_line(finding.spec),
        code=finding.code and _on_a_line(finding.code),
        related=tuple(map(_on_a_line, finding.related)),
    )


def _on_a_line(place: _Place) -> _Place:
    return place if place.line > 0 else msgspec.structs.replace(place, line=1)


def _unknown_order(unknown: Unknown) -> tuple[str, int, str, str, str]:
    return (unknown.path, unknown.line, unknown.subject, unknown.aspect, unknown.reason)
