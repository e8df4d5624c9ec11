"""A comparison of two revisions as text, as Markdown for a pull request, and as JSON."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import msgspec

from crossval.findings import Finding, Severity
from crossval.report.colour import Paint
from crossval.report.escape import brief, clean_line, encodable, json_safe
from crossval.report.json_report import finding_document
from crossval.report.markup import LIMIT, fitting, prose, size
from crossval.report.sections import plural
from crossval.report.text import concise_line
from graph.changes import AspectChange, Changes, differences
from graph.facts import Fact, Json, Kind, Tag
from graph.statements import statement, without_key

_LONGEST = 80
_BEFORE = 30
_MOST = 200
_SAID = 200
_FRAME = 2_000
_SIDES = (Tag.SPEC, Tag.CODE, Tag.TEST)
# What people ask for: a criterion is shown beside its story, an answer beside its operation.
_ALWAYS = frozenset({Kind.OPERATION, Kind.STORY, Kind.CRITERION})
_MEMBER = re.compile(r"[.#:~]")


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
            told = (f"  {sign} {_fact(fact)}{_within(inside)}" for fact, inside in _outermost(facts))
            lines += ["", paint.strong(title), *told]
    if shown.facts.changed:
        lines += ["", paint.strong("Facts changed")]
        for before, after in shown.facts.changed:
            lines.append(f"  ~ {clean_line(after.id)} ({clean_line(after.source.path)}:{after.source.line})")
            lines += [f"      {_change(each)}" for each in differences(before, after)]
    return "\n".join(lines) + "\n"


def markdown(shown: Revisions) -> str:
    """The comparison as Markdown in which nothing from the project is markup; it is cut so that a comment holds it."""
    title = f"### crossfact: {prose(shown.older)} → {prose(shown.newer)}"
    parts = [f"{title}\n\n{_summary(shown)}.\n\n"]
    room = LIMIT - size(parts[0]) - _FRAME
    for title, findings in (("Findings that came", shown.came), ("Findings that went", shown.went)):
        if findings:
            rows, listed = fitting(map(_row, findings[:_MOST]), room // 2)
            room -= size(rows)
            head = f"**{title}**\n\n| severity | rule | where | what |\n|---|---|---|---|\n"
            parts.append(f"{head}{rows}{_rest(len(findings) - listed)}\n")
    if shown.facts:
        every = list(_fact_rows(shown.facts))
        rows, listed = fitting(every[:_MOST], room)
        head = "<details><summary>Facts that differ</summary>\n\n| | fact | what |\n|---|---|---|\n"
        parts.append(f"{head}{rows}{_rest(len(every) - listed)}\n</details>\n")
    return "".join(parts)


def _fact_rows(facts: Changes) -> Iterator[str]:
    """A row for each change, specs before code before tests, and what changed before what is gone or new."""
    removed, added = _outermost(facts.removed), _outermost(facts.added)
    for side in _SIDES:
        for before, after in facts.changed:
            if after.tag is side:
                told = "<br>".join(prose(_change(each)) for each in differences(before, after))
                yield f"| ~ | {prose(after.id)} | {told} |\n"
        for sign, many in (("−", removed), ("+", added)):
            for fact, inside in many:
                if fact.tag is side:
                    yield f"| {sign} | {prose(fact.id)} | {prose(brief(without_key(fact), _SAID))}{_within(inside)} |\n"


def _outermost(facts: Iterable[Fact]) -> list[tuple[Fact, int]]:
    """The facts that lie in no other one of them, each with how many lie in it; specs before code before tests."""
    facts = sorted(facts, key=lambda each: (_SIDES.index(each.tag), each.source.path, each.source.line))
    holders = {(fact.tag, fact.key): fact.id for fact in facts if fact.kind is not Kind.ATTRIBUTE}
    modules = {fact.source.path: fact.id for fact in facts if fact.kind is Kind.MODULE}
    inside: dict[str, int] = {}
    shown = []
    for fact in facts:
        holder = None if fact.kind in _ALWAYS else _holder(fact, holders, modules)
        if holder is None:
            shown.append(fact)
        else:
            inside[holder] = inside.get(holder, 0) + 1
    return [(fact, inside.get(fact.id, 0)) for fact in shown]


def _holder(fact: Fact, holders: dict[tuple[Tag, str], str], modules: dict[str, str]) -> str | None:
    """The outermost of these facts in which one lies, by its key or as a part of a whole module."""
    if fact.kind is not Kind.MODULE and fact.source.path in modules:
        return modules[fact.source.path]
    ends = (match.start() for match in _MEMBER.finditer(fact.key))
    return next(
        (holders[fact.tag, fact.key[:end]] for end in ends if (fact.tag, fact.key[:end]) in holders), None
    )


def _within(count: int) -> str:
    return f" (and {plural(count, 'fact')} in it)" if count else ""


def document(shown: Revisions) -> str:
    """The comparison as indented JSON with a line feed at its end; docs/QUERIES.md describes it."""
    value: Json = {
        "older": encodable(shown.older),
        "newer": encodable(shown.newer),
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
    return clean_line(f"{fact.id} ({fact.source.path}:{fact.source.line}): {brief(without_key(fact), _SAID)}")


def _fact_document(fact: Fact) -> dict[str, Json]:
    return {"id": fact.id, "path": fact.source.path, "line": fact.source.line, "statement": statement(fact)}


def _change(change: AspectChange) -> str:
    if change.aspect == "body":
        return "body: what it does is written otherwise"  # its digest tells nobody anything
    before, after = _excerpts(_value(change.before), _value(change.after))
    return clean_line(f"{change.aspect}: {before} → {after}")


def _value(value: Json) -> str:
    if value is None:
        return "(none)"
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _excerpts(before: str, after: str) -> tuple[str, str]:
    """Two values, of long ones the part from a little before the place on where they differ."""
    pairs = enumerate(zip(before, after, strict=False))
    same = next((place for place, (one, other) in pairs if one != other), min(len(before), len(after)))
    start = max(0, same - _BEFORE) if max(len(before), len(after)) > _LONGEST else 0
    return _excerpt(before, start), _excerpt(after, start)


def _excerpt(written: str, start: int) -> str:
    end = start + _LONGEST
    return f"{'…' * (start > 0)}{written[start:end]}{'…' * (len(written) > end)}"


def _row(finding: Finding) -> str:
    where = f"{prose(finding.primary.path)}:{finding.primary.line}"
    told = (_mark(finding.severity), prose(finding.rule), where, prose(finding.message))
    return f"| {' | '.join(told)} |\n"


def _mark(severity: Severity) -> str:
    return {"error": "🔴 error", "warning": "🟡 warning", "note": "🔵 note"}[severity.value]


def _rest(count: int) -> str:
    return f"| | and {count} more | |\n" if count else ""
