"""The data of the page: everything that it shows, as one JSON value in which all text is cleaned and cut."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from crossval.findings import Finding, Severity, Witness
from crossval.report.escape import brief, clean, clean_line
from crossval.report.html.picture import Picture
from crossval.report.html.sources import Sources
from crossval.report.html.stories import told_thread
from crossval.report.json_report import portable
from crossval.report.shown import Shown
from crossval.report.surroundings import CaseFigures
from graph.facts import Json

_CONTEXT = 4
_RELATED_CONTEXT = 1
_MOST_NOTES = 5_000
_LONGEST_VALUE = 600


def document(shown: Shown, name: str) -> dict[str, Json]:
    """The whole page as JSON; `name` is what the project is called."""
    report, threads, beside = shown.report, shown.threads(), shown.surroundings()
    sources, picture = Sources(shown.texts), Picture(beside.part)
    order = sorted(report.findings, key=lambda each: -each.severity.rank)
    for finding in order:
        _take(finding, sources)
        picture.centre(picture.places(_facts(finding)))
    numbers = {finding.order: number for number, finding in enumerate(report.findings)}
    told = {
        "name": brief(name, 200),
        "version": shown.version,
        "summary": {
            **msgspec.to_builtins(report.summary),
            **{severity.value: report.count(severity) for severity in Severity},
            "suppressed": report.suppressed,
            "baselined": report.baselined,
            "since": brief(report.since.name) if report.since else None,
        },
        "rules": _rules(shown),
        "findings": [_finding(each, picture) for each in report.findings],
        "stories": [told_thread(each, numbers, sources, picture) for each in threads],
        "cases": [_case(each) for each in beside.cases],
        "unknown": [
            [brief(each.subject), brief(each.aspect), brief(each.path), each.line, brief(each.reason)]
            for each in report.unknown[:_MOST_NOTES]
        ],
        "unknowns": len(report.unknown),
        "skipped": [
            [brief(each.path), each.line, brief(each.reason)] for each in report.skipped[:_MOST_NOTES]
        ],
        "skips": len(report.skipped),
        "silenced": [
            [each.finding.severity.value, each.finding.rule, brief(each.finding.message), brief(each.reason)]
            for each in report.silenced[:_MOST_NOTES]
        ],
        "picture": picture.document(),
    }
    for fact in beside.part.facts:
        sources.take(fact.source.path, fact.source.line, min(fact.source.end_line, fact.source.line + 5))
    return {**told, "sources": sources.document()}


def _take(finding: Finding, sources: Sources) -> None:
    for witness in (finding.spec, finding.code):
        if witness:
            sources.take(witness.path, witness.line - _CONTEXT, witness.line + _CONTEXT)
    for witness in finding.related:
        sources.take(witness.path, witness.line - _RELATED_CONTEXT, witness.line + _RELATED_CONTEXT)


def _facts(finding: Finding) -> list[str]:
    return [witness.fact for witness in (finding.spec, finding.code) if witness]


def _rules(shown: Shown) -> dict[str, Json]:
    named = {finding.rule for finding in shown.report.findings}
    return {
        rule.name: {"summary": clean_line(rule.summary), "family": rule.family, "help": clean(rule.help)}
        for rule in shown.rules()
        if rule.name in named
    }


def _finding(finding: Finding, picture: Picture) -> dict[str, Json]:
    places = picture.places(_facts(finding))
    return {
        "id": finding.fingerprint,
        "rule": clean_line(finding.rule),
        "kind": finding.kind.value,
        "severity": finding.severity.value,
        "confidence": finding.confidence,
        "subject": brief(finding.subject),
        "aspect": brief(finding.aspect),
        "message": brief(finding.message),
        "hint": brief(finding.hint),
        "spec": finding.spec and _witness(finding.spec),
        "code": finding.code and _witness(finding.code),
        "related": [_witness(each) for each in finding.related],
        "affects": _listed(finding.affects),
        "nodes": places,
        "ring": picture.centre(places),
    }


def _witness(witness: Witness) -> list[Json]:
    """The fact, its path and line, and its value as text; empty where it has none."""
    value = witness.value
    said = (
        ""
        if value is None
        else value
        if isinstance(value, str)
        else msgspec.json.encode(portable(value)).decode()
    )
    return [brief(witness.fact), brief(witness.path), witness.line, brief(said, _LONGEST_VALUE)]


def _listed(names: Sequence[str]) -> list[str]:
    return [brief(name, 200) for name in names[:200]]


def _case(case: CaseFigures) -> dict[str, Json]:
    told = msgspec.structs.asdict(case)
    heals = [
        {
            brief(str(key), 80): brief(value if isinstance(value, str) else str(value))
            for key, value in each.items()
        }
        for each in case.heals
    ]
    texts = {key: brief(value) for key, value in told.items() if isinstance(value, str)}
    return {**told, **texts, "cites": _listed(case.cites), "heals": heals}
