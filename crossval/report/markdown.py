"""The report as Markdown for a comment on a pull request: it fits into one, and nothing of the project is markup."""

from __future__ import annotations

from crossval.findings import Finding, Severity
from crossval.report.colour import Paint
from crossval.report.excerpts import framed
from crossval.report.markup import LIMIT, code, fenced, fitting, prose, size
from crossval.report.report import Report
from crossval.report.sections import closing, is_about_a_file, plural
from crossval.report.shown import Shown

MARKER = "<!-- crossfact report -->"
"""The first line, by which a later run finds the comment that it may replace."""

_MARKS = {Severity.ERROR: "🔴 error", Severity.WARNING: "🟡 warning", Severity.NOTE: "🔵 note"}
_TAIL = 1_000
_TABLE_SHARE = 0.5
"""The part of the room that the table may take; what it leaves is for the lines of both sides."""

_NOTED = 20


def show(shown: Shown) -> str:
    """A heading with the counts, a table of findings (the worst first), and folded below the lines of both sides.

    What does not fit is counted in a last line.
    """
    report = shown.report
    ordered = sorted(report.findings, key=lambda each: -each.severity.rank)
    head = f"{MARKER}\n### crossfact: {_headline(report)}\n"
    notes = _notes(report)
    room = LIMIT - size(head) - size(notes) - _TAIL
    rows, listed = fitting(map(_row, ordered), int(room * _TABLE_SHARE))
    room -= size(rows)
    details, detailed = fitting((_detail(each, shown) for each in ordered[:listed]), room)
    parts = [head]
    if rows:
        parts.append(f"\n| severity | rule | where | what |\n|---|---|---|---|\n{rows}")
    if listed < len(ordered):
        parts.append(f"\n{plural(len(ordered) - listed, 'finding')} more did not fit into a comment.\n")
    if details:
        cut = "" if detailed == listed else f" (of the first {detailed})"
        parts.append(f"\n<details><summary>The lines of both sides{cut}</summary>\n\n{details}</details>\n")
    last = closing(report, Paint(False), unlisted=0, timed=False).split("\n")
    parts += [notes, "\n", "<br>\n".join(map(prose, last)), "\n"]
    return "".join(parts)


def _headline(report: Report) -> str:
    counts = [plural(report.count(severity), severity) for severity in Severity if report.count(severity)]
    new = "new " if report.since or report.baselined else ""
    return ", ".join(counts) or f"no {new}disagreement found ✅"


def _row(finding: Finding) -> str:
    primary = finding.primary
    where = code(f"{primary.path}:{primary.line}")
    return f"| {_MARKS[finding.severity]} | {code(finding.rule)} | {where} | {prose(finding.message)} |\n"


def _detail(finding: Finding, shown: Shown) -> str:
    lines = [
        row
        for witness in (finding.spec, finding.code, *finding.related)
        if witness is not None
        for row in framed(witness, shown.texts)
    ]
    hint = f"\nHelp: {prose(finding.hint)}\n" if finding.hint else ""
    return f"**{prose(finding.message)}** ({code(finding.rule)})\n\n{fenced(lines)}\n{hint}\n"


def _notes(report: Report) -> str:
    """The files of which nothing could be compared: a report without findings would promise too much."""
    noted = [each for each in report.unknown if is_about_a_file(each)]
    lines = [f"- {code(each.path)}: {prose(each.reason)}\n" for each in noted[:_NOTED]]
    if len(noted) > _NOTED:
        lines.append(f"- and {len(noted) - _NOTED} more\n")
    return f"\nNot compared:\n\n{''.join(lines)}" if lines else ""
