"""The report as a GitLab code quality artifact, which merge requests show beside the lines.

The form is the part of the Code Climate specification that GitLab reads: "Code Quality" in its documentation.
"""

from __future__ import annotations

import msgspec

from crossval.findings import Finding, Severity, Witness
from crossval.report.escape import brief, clean_line, json_safe
from crossval.report.shown import Shown, identities
from graph.facts import Json

_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.NOTE: "info"}


def show(shown: Shown) -> str:
    """A JSON list with one issue per finding; files are named from the repository's top, where GitLab looks."""
    findings = shown.report.findings
    issues = [
        _issue(finding, identity, shown.prefix)
        for finding, identity in zip(findings, identities(findings), strict=True)
    ]
    return json_safe(msgspec.json.format(msgspec.json.encode(issues), indent=2).decode()) + "\n"


def _issue(finding: Finding, identity: str, prefix: str) -> dict[str, Json]:
    others = [
        each
        for each in (finding.spec, finding.code, *finding.related)
        if each is not None and each is not finding.primary
    ]
    return {
        "type": "issue",
        "check_name": clean_line(finding.rule),
        "description": brief(finding.message),
        "categories": ["Compatibility"],
        "severity": _SEVERITIES[finding.severity],
        "fingerprint": identity,
        "location": _location(finding.primary, prefix),
        "other_locations": [_location(each, prefix) for each in others],
    }


def _location(witness: Witness, prefix: str) -> dict[str, Json]:
    return {"path": clean_line(prefix + witness.path), "lines": {"begin": witness.line, "end": witness.line}}
