"""The report as JSON: version 1 of the contract that `docs/check.schema.json` publishes."""

from __future__ import annotations

from typing import Any

import msgspec

from crossval.findings import Finding, FindingKind, Severity, Witness
from crossval.report.escape import encodable, json_safe
from crossval.report.report import Report, Summary
from crossval.report.shown import Shown
from graph.facts import Json, Skipped, Unknown

VERSION = 1
_LARGEST_DECIMAL = 10_000
"""Bits up to which Python writes an integer in decimal whatever its limit on digits."""


class _Witness(msgspec.Struct, frozen=True):
    fact: str
    path: str
    line: int
    value: Json


class _Finding(msgspec.Struct, frozen=True, kw_only=True):
    rule: str
    kind: FindingKind
    severity: Severity
    confidence: float
    subject: str
    aspect: str
    message: str
    spec: _Witness | None
    code: _Witness | None
    related: list[_Witness]
    affects: list[str]
    fingerprint: str


class _Unknown(msgspec.Struct, frozen=True):
    subject: str
    aspect: str
    path: str
    line: int
    reason: str


class _Skipped(msgspec.Struct, frozen=True):
    path: str
    line: int | None
    reason: str


class _Document(msgspec.Struct, frozen=True, kw_only=True):
    version: int
    summary: Summary
    findings: list[_Finding]
    unknown: list[_Unknown]
    skipped: list[_Skipped]


def show(shown: Shown) -> str:
    """As `render`."""
    return render(shown.report)


def render(report: Report) -> str:
    """The report as an indented JSON document with a line feed at its end.

    The same report gives the same bytes; `seconds` alone depends on the machine. Lone surrogates, which UTF-8
    cannot carry, are written as text (`\\udcff`).
    """
    encoded = msgspec.json.encode(_document(report), order="deterministic")
    return json_safe(msgspec.json.format(encoded, indent=2).decode()) + "\n"


def documents(report: Report) -> dict[str, Any]:
    """The document's parts by their names, as plain values, for forms that arrange them in another way."""
    parts: dict[str, Any] = msgspec.to_builtins(_document(report))
    return parts


def finding_document(finding: Finding) -> dict[str, Json]:
    """One finding as it stands in the document, for other commands that list findings."""
    document: dict[str, Json] = msgspec.to_builtins(_finding(finding))
    return document


def _document(report: Report) -> _Document:
    return _Document(
        version=VERSION,
        summary=msgspec.structs.replace(report.summary, seconds=round(report.summary.seconds, 2)),
        findings=[_finding(finding) for finding in report.findings],
        unknown=[_unknown(unknown) for unknown in report.unknown],
        skipped=[_skipped(skipped) for skipped in report.skipped],
    )


def _finding(finding: Finding) -> _Finding:
    return _Finding(
        rule=finding.rule,
        kind=finding.kind,
        severity=finding.severity,
        confidence=finding.confidence,
        subject=encodable(finding.subject),
        aspect=encodable(finding.aspect),
        message=encodable(finding.message),
        spec=_witness(finding.spec) if finding.spec else None,
        code=_witness(finding.code) if finding.code else None,
        related=[_witness(witness) for witness in finding.related],
        affects=[encodable(operation) for operation in finding.affects],
        fingerprint=finding.fingerprint,
    )


def _witness(witness: Witness) -> _Witness:
    return _Witness(
        fact=encodable(witness.fact),
        path=encodable(witness.path),
        line=witness.line,
        value=portable(witness.value),
    )


def _unknown(unknown: Unknown) -> _Unknown:
    return _Unknown(
        subject=encodable(unknown.subject),
        aspect=encodable(unknown.aspect),
        path=encodable(unknown.path),
        line=unknown.line,
        reason=encodable(unknown.reason),
    )


def _skipped(skipped: Skipped) -> _Skipped:
    return _Skipped(path=encodable(skipped.path), line=skipped.line or None, reason=encodable(skipped.reason))


def portable(value: Json) -> Json:
    """The value with nothing in it that JSON or UTF-8 cannot carry."""
    match value:
        case str():
            return encodable(value)
        case dict():
            return {encodable(str(key)): portable(item) for key, item in value.items()}
        case list() | tuple():
            return [portable(item) for item in value]
        case int() if value.bit_length() > _LARGEST_DECIMAL:
            return hex(value)
        case _:
            return value
