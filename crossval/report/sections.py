"""The ends of a text report: what could not be known, what was not read, and the run in one line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from crossval.findings import Finding, Severity, Silenced
from crossval.report.colour import Paint
from crossval.report.escape import clean_line, place
from crossval.report.report import Report, Since
from graph.facts import Skipped, Unknown

_SHOWN_REASONS = 5
_SHOWN_FILES = 3


def is_about_a_file(unknown: Unknown) -> bool:
    """Whether a whole file was left out of the comparison: a run without findings would promise too much."""
    return unknown.subject.startswith("file ")


def alike_section(alike: Sequence[Finding], paint: Paint) -> str:
    """How many findings more than were shown there are of which rule, and in which files; empty where none are."""
    if not alike:
        return ""
    lines = [paint.strong(f"More of the same ({len(alike)}; --verbose shows each, --concise in one line):")]
    rules = Counter((finding.severity, finding.rule) for finding in alike)
    for (severity, rule), count in sorted(rules.items(), key=lambda item: (-item[1], item[0][1])):
        label = paint.severity(severity, f"{severity}[{clean_line(rule)}]")
        files = Counter(
            each.primary.path for each in alike if (each.severity, each.rule) == (severity, rule)
        ).most_common()
        named = ", ".join(f"{clean_line(path)} ({number})" for path, number in files[:_SHOWN_FILES])
        others = len(files) - _SHOWN_FILES
        more = f" and {plural(others, 'file')} more" if others > 0 else ""
        lines.append(f"  {count} × {label} in {named}{more}")
    return "\n".join(lines)


def silenced_section(silenced: Sequence[Silenced], paint: Paint) -> str:
    """What a suppression or the baseline leaves out, one line each with its reason; empty where there is none."""
    if not silenced:
        return ""
    lines = [paint.strong(f"Left out ({len(silenced)}):")]
    for each in silenced:
        finding = each.finding
        said = f"{finding.severity}[{finding.rule}]: {finding.message}"
        why = f"{place(each.path, each.line)}: {each.reason}" if each.path else each.reason
        lines.append(f"  {place(finding.primary.path, finding.primary.line)}: {clean_line(said)}")
        lines.append(paint.faint(f"    {clean_line(why)}"))
    return "\n".join(lines)


def unknown_section(unknown: Sequence[Unknown], paint: Paint) -> str:
    """What reading alone could not settle, one line each; empty where all was known."""
    if not unknown:
        return ""
    lines = [paint.strong(f"Not compared, because it cannot be known from reading ({len(unknown)}):")]
    for each in unknown:
        what = "" if is_about_a_file(each) else clean_line(f"{each.subject} {each.aspect}".strip()) + ": "
        lines.append(f"  {place(each.path, each.line)}: {what}{clean_line(each.reason)}")
    return "\n".join(lines)


def skipped_section(skipped: Sequence[Skipped], paint: Paint, *, verbose: bool) -> str:
    """What was not read: how often for which reason, or with `verbose` each place; empty where all was read."""
    if not skipped:
        return ""
    if verbose:
        lines = [paint.strong(f"Not read ({len(skipped)}):")]
        lines.extend(f"  {place(each.path, each.line)}: {clean_line(each.reason)}" for each in skipped)
        return "\n".join(lines)
    reasons = Counter(each.reason for each in skipped)
    ranked = sorted(reasons.items(), key=lambda item: (-item[1], item[0]))
    lines = [paint.strong(f"Not read ({len(skipped)}; --verbose lists each):")]
    lines.extend(f"  {count} × {clean_line(reason)}" for reason, count in ranked[:_SHOWN_REASONS])
    rest = sum(count for _, count in ranked[_SHOWN_REASONS:])
    if rest:
        lines.append(f"  {rest} for other reasons")
    return "\n".join(lines)


def closing(report: Report, paint: Paint, *, unlisted: int, timed: bool) -> str:
    """`3 errors, 2 warnings in 14 sources (97 code, 41 spec, 12 test facts) in 0.41 s`, and what was left out."""
    summary = report.summary
    facts = f"{summary.facts.code} code, {summary.facts.spec} spec, {summary.facts.test} test facts"
    scope = f"in {plural(summary.sources, 'source')} ({facts})"
    time = f" in {summary.seconds:.2f} s" if timed else ""
    lines = [f"{_verdict(report, paint)} {scope}{time}"]
    left_out = []
    if report.suppressed:
        left_out.append(f"{report.suppressed} suppressed")
    if report.baselined:
        left_out.append(f"{report.baselined} in the baseline")
    if left_out:
        lines.append(paint.faint(f"Left out: {', '.join(left_out)}"))
    if report.since:
        lines.append(paint.faint(since_line(report.since)))
    if unlisted:
        aspects = plural(unlisted, "aspect")
        lines.append(paint.faint(f"{aspects} could not be known from reading (--strict lists them)"))
    return "\n".join(lines)


def since_line(since: Since) -> str:
    """`Since main: only what was added is shown; 2 findings removed, 40 stayed`."""
    removed = plural(since.removed, "finding")
    return f"Since {clean_line(since.name)}: only what was added is shown; {removed} removed, {since.stayed} stayed"


def _verdict(report: Report, paint: Paint) -> str:
    counts = [(severity, report.count(severity)) for severity in Severity]
    shown = [paint.severity(severity, plural(count, severity)) for severity, count in counts if count]
    new = "new " if report.baselined or report.since else ""
    return ", ".join(shown) or paint.strong(f"No {new}disagreement found")


def plural(number: int, noun: str) -> str:
    """`1 file`, `2 files`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
