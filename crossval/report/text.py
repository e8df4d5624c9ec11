"""The report for people: one line per finding for editors, or each finding with its code frames and advice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import groupby

from crossval.findings import Finding, Witness
from crossval.report.colour import Paint
from crossval.report.escape import clean_line, place
from crossval.report.frames import beside, frame, gutter, side
from crossval.report.report import Report, Texts
from crossval.report.sections import (
    alike_section,
    closing,
    is_about_a_file,
    silenced_section,
    skipped_section,
    unknown_section,
)
from crossval.report.shown import Shown

SIDE_BY_SIDE = 120
"""Columns from which two code frames stand side by side."""

_INDENT = "  "
_NARROWEST = 40
_SHOWN_OPERATIONS = 6
_SHOWN_OF_A_RULE = 20


def show(shown: Shown) -> str:
    """As `render`, in the manner that was asked for."""
    manner = shown.manner
    return render(
        shown.report,
        shown.texts,
        width=manner.width,
        colour=manner.colour,
        concise=manner.concise,
        strict=manner.strict,
        verbose=manner.verbose,
        timed=manner.timed,
        silenced=manner.silenced,
        fails=shown.fails,
    )


def render(
    report: Report,
    texts: Texts,
    *,
    width: int,
    colour: bool,
    concise: bool = False,
    strict: bool = False,
    verbose: bool = False,
    timed: bool = True,
    silenced: bool = False,
    fails: Callable[[Finding], bool] = lambda finding: True,
) -> str:
    """The whole report as text that ends in a line feed.

    `width` is the terminal's in columns. `concise` gives one line per finding and no frames; `strict` lists all that
    could not be known, and not only the files of which nothing could; `verbose` lists every skipped file and every
    finding instead of counting them, of which none is only counted for which the run `fails`; `silenced` lists what is
    left out; without `timed` equal runs give equal text. Whatever comes from
    the project is shown escaped, so that only our own colour codes reach the terminal, and none without `colour`.
    """
    paint = Paint(colour)
    if concise:
        blocks = ["\n".join(concise_line(finding, paint) for finding in report.findings)]
    else:
        groups = [list(group) for _, group in groupby(report.findings, key=_cause)]
        shown, alike = (groups, []) if verbose else _parted(groups, fails)
        blocks = [_full(group, texts, max(width, _NARROWEST), paint) for group in shown]
        blocks.append(alike_section(alike, paint))
    blocks.append(silenced_section(report.silenced if silenced else (), paint))
    listed = report.unknown if strict else tuple(filter(is_about_a_file, report.unknown))
    blocks.append(unknown_section(listed, paint))
    blocks.append(skipped_section(report.skipped, paint, verbose=verbose))
    blocks.append(closing(report, paint, unlisted=len(report.unknown) - len(listed), timed=timed))
    return "\n\n".join(block for block in blocks if block) + "\n"


def concise_line(finding: Finding, paint: Paint) -> str:
    """`app/main.py:57: error[response-undeclared]: message`, the form that problem matchers read."""
    where = place(finding.primary.path, finding.primary.line)
    return f"{paint.strong(where)}: {_headline(finding, paint)}"


def _headline(finding: Finding, paint: Paint) -> str:
    label = paint.severity(finding.severity, f"{finding.severity}[{clean_line(finding.rule)}]")
    return f"{label}: {clean_line(finding.message)}"


def _cause(finding: Finding) -> tuple[str, str, str, str, int]:
    """What findings have in common that one line of code makes for many subjects (a dependency that raises, say)."""
    primary = finding.primary
    own = "" if finding.code and finding.spec else finding.subject
    return (finding.rule, finding.severity, f"{finding.aspect} {own}", primary.path, primary.line)


def _parted(
    groups: Sequence[list[Finding]], fails: Callable[[Finding], bool]
) -> tuple[list[list[Finding]], list[Finding]]:
    """The groups that are shown, and the findings of the others, of whose rules enough is shown."""
    counts = Counter[str]()
    shown, alike = [], []
    for group in groups:
        counts[group[0].rule] += 1
        if counts[group[0].rule] <= _SHOWN_OF_A_RULE or any(map(fails, group)):
            shown.append(group)
        else:
            alike += group
    return shown, alike


def _full(group: Sequence[Finding], texts: Texts, width: int, paint: Paint) -> str:
    """The first of findings with one cause in full, and for which subjects it holds too."""
    finding, *others = group
    lines = [_headline(finding, paint)]
    lines.extend(_INDENT + line if line else line for line in _frames(finding, texts, width, paint))
    lines.extend(_notes(finding, paint))
    if others:
        lines.append(f"{_INDENT}= likewise for: {_some([other.subject for other in others])}")
    return "\n".join(lines)


def _frames(finding: Finding, texts: Texts, width: int, paint: Paint) -> list[str]:
    room = width - len(_INDENT)
    if finding.spec and finding.code and width >= SIDE_BY_SIDE:
        half = (room - 3) // 2
        left, right = frame(finding.spec, texts, half), frame(finding.code, texts, half)
        return beside(left, right, half, paint)
    digits = gutter(finding.spec, finding.code)
    return [
        row.painted(paint)
        for witness in (finding.spec, finding.code)
        if witness
        for row in frame(witness, texts, room, digits)
    ]


def _notes(finding: Finding, paint: Paint) -> list[str]:
    notes = []
    if finding.hint:
        notes.append(f"{_INDENT}= {paint.help('help')}: {clean_line(finding.hint)}")
    if len(finding.affects) > 1:
        notes.append(f"{_INDENT}= affects: {_some(finding.affects)}")
    notes.extend(f"{_INDENT}= see also: {_place(witness)}" for witness in finding.related)
    if finding.confidence < 1:
        notes.append(f"{_INDENT}= confidence: {finding.confidence:.2f}")
    return notes


def _place(witness: Witness) -> str:
    return f"{side(witness)} {clean_line(witness.path)}:{witness.line}"


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(clean_line(name) for name in names[:_SHOWN_OPERATIONS])
    more = len(names) - _SHOWN_OPERATIONS
    return f"{shown} and {more} more" if more > 0 else shown
