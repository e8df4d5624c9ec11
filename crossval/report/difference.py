"""A comparison of two revisions as text, as Markdown for a pull request, and as JSON."""

from __future__ import annotations

import msgspec

from crossval.findings import Finding, Severity
from crossval.report.colour import Paint
from crossval.report.escape import clean_line, json_safe
from crossval.report.json_report import finding_document
from crossval.report.markup import whole_prose
from crossval.report.sections import plural
from crossval.report.text import concise_line
from graph.changes import AspectChange, Changes, differences
from graph.facts import Fact, Json
from graph.statements import statement

_LONGEST = 80
_MOST = 200


class Revisions(msgspec.Struct, frozen=True):
    """What is shown: the names of both revisions, the facts that differ, the findings that came, went and stayed."""

    older: str
    newer: str
    facts: Changes
    came: tuple[Finding, ...]
    went: tuple[Finding, ...]
    stayed: int


def text(shown: Revisions, *, colour: bool) -> str:
    """The comparison for a terminal, findings first; it ends in a line feed."""
    paint = Paint(colour)
    lines = [f"From {clean_line(shown.older)} to {clean_line(shown.newer)}: {_summary(shown)}"]
    for title, findings in (("Findings that came", shown.came), ("Findings that went", shown.went)):
        if findings:
            lines += ["", paint.strong(title), *(f"  {concise_line(each, paint)}" for each in findings)]
    for title, sign, facts in (
        ("Facts added", "+", shown.facts.added),
        ("Facts removed", "-", shown.facts.removed),
    ):
        if facts:
            lines += ["", paint.strong(title), *(f"  {sign} {_fact(fact)}" for fact in facts)]
    if shown.facts.changed:
        lines += ["", paint.strong("Facts changed")]
        for before, after in shown.facts.changed:
            lines.append(f"  ~ {clean_line(after.id)} ({clean_line(after.source.path)}:{after.source.line})")
            lines += [f"      {_change(each)}" for each in differences(before, after)]
    return "\n".join(lines) + "\n"


def markdown(shown: Revisions) -> str:
    """The comparison as Markdown in which nothing from the project is markup; long lists are folded and cut."""
    lines = [
        f"### crossfact: {whole_prose(shown.older)} → {whole_prose(shown.newer)}",
        "",
        f"{_summary(shown)}.",
        "",
    ]
    for title, findings in (("Findings that came", shown.came), ("Findings that went", shown.went)):
        if findings:
            lines += [f"**{title}**", "", "| severity | rule | where | what |", "|---|---|---|---|"]
            lines += [_row(each) for each in findings[:_MOST]]
            lines += [*_rest(len(findings)), ""]
    rows = [f"| + | {whole_prose(fact.id)} | {whole_prose(statement(fact))} |" for fact in shown.facts.added]
    rows += [
        f"| − | {whole_prose(fact.id)} | {whole_prose(statement(fact))} |" for fact in shown.facts.removed
    ]
    for before, after in shown.facts.changed:
        told = "<br>".join(whole_prose(_change(each)) for each in differences(before, after))
        rows.append(f"| ~ | {whole_prose(after.id)} | {told} |")
    if rows:
        lines += ["<details><summary>Facts that differ</summary>", "", "| | fact | what |", "|---|---|---|"]
        lines += [*rows[:_MOST], *_rest(len(rows)), "", "</details>", ""]
    return "\n".join(lines)


def document(shown: Revisions) -> str:
    """The comparison as indented JSON with a line feed at its end; docs/QUERIES.md describes it."""
    value: Json = {
        "older": shown.older,
        "newer": shown.newer,
        "findings": {
            "came": [finding_document(each) for each in shown.came],
            "went": [finding_document(each) for each in shown.went],
            "stayed": shown.stayed,
        },
        "facts": {
            "added": [_fact_document(fact) for fact in shown.facts.added],
            "removed": [_fact_document(fact) for fact in shown.facts.removed],
            "changed": [
                {
                    **_fact_document(after),
                    "changes": [msgspec.to_builtins(each) for each in differences(before, after)],
                }
                for before, after in shown.facts.changed
            ],
        },
    }
    return json_safe(msgspec.json.format(msgspec.json.encode(value), indent=2).decode()) + "\n"


def _summary(shown: Revisions) -> str:
    facts = shown.facts
    return (
        f"{plural(len(shown.came), 'finding')} came, {len(shown.went)} went, {shown.stayed} stayed; "
        f"{plural(len(facts.added), 'fact')} added, {len(facts.removed)} removed, {len(facts.changed)} changed"
    )


def _fact(fact: Fact) -> str:
    return clean_line(f"{fact.id} ({fact.source.path}:{fact.source.line}): {statement(fact)}")


def _fact_document(fact: Fact) -> dict[str, Json]:
    return {"id": fact.id, "path": fact.source.path, "line": fact.source.line, "statement": statement(fact)}


def _change(change: AspectChange) -> str:
    return clean_line(f"{change.aspect}: {_value(change.before)} → {_value(change.after)}")


def _value(value: Json) -> str:
    if value is None:
        return "(none)"
    written = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return written if len(written) <= _LONGEST else f"{written[:_LONGEST]}…"


def _row(finding: Finding) -> str:
    where = f"{whole_prose(finding.primary.path)}:{finding.primary.line}"
    told = (_mark(finding.severity), whole_prose(finding.rule), where, whole_prose(finding.message))
    return f"| {' | '.join(told)} |"


def _mark(severity: Severity) -> str:
    return {"error": "🔴 error", "warning": "🟡 warning", "note": "🔵 note"}[severity.value]


def _rest(count: int) -> list[str]:
    return [f"| | | and {count - _MOST} more | |"] if count > _MOST else []
