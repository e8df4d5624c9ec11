"""The report as SARIF 2.1.0, the OASIS format that code hosts and editors read.

Section numbers are those of "Static Analysis Results Interchange Format (SARIF) Version 2.1.0", errata 01.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from urllib.parse import quote

import msgspec

from crossval.findings import Finding, Silenced, Witness
from crossval.report.escape import brief, json_safe
from crossval.report.excerpts import excerpt
from crossval.report.frames import side
from crossval.report.report import Report
from crossval.report.sarif_rules import descriptor, notification_descriptors
from crossval.report.sections import is_about_a_file
from crossval.report.shown import Shown, identities
from graph.facts import Json

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
BASE = "%SRCROOT%"
FINGERPRINT = "crossfactFinding/v1"
"""The name under which a result carries its identity, which moved lines do not change (3.27.17)."""

_LINKS = str.maketrans({"[": "\\[", "]": "\\]"})
_SIDES = {"spec": "what the spec says", "code": "what the code says", "test": "what the test says"}
_Object = dict[str, Json]


def show(shown: Shown) -> str:
    """The report as an indented SARIF log of one run with a line feed at its end; equal reports give equal bytes.

    A result stands where the code speaks (else where the spec does), the other witnesses are its related locations.
    Silenced findings are in it only where the manner asks for them, with their suppressions.
    """
    report = shown.report
    rules = shown.rules()
    numbers = {rule.name: number for number, rule in enumerate(rules)}
    prints = identities([*report.findings, *(each.finding for each in report.silenced)])
    results = [
        _result(finding, prints[number], numbers, shown) for number, finding in enumerate(report.findings)
    ]
    if shown.manner.silenced:
        # Where one result has suppressions, an empty list says of the others that they have none (3.27.23).
        results = [{**result, "suppressions": []} for result in results]
        for number, each in enumerate(report.silenced, start=len(results)):
            result = _result(each.finding, prints[number], numbers, shown)
            results.append({**result, "suppressions": [_suppression(each, shown)]})
    run: _Object = {
        "tool": {
            "driver": {
                "name": "crossfact",
                "version": shown.version,
                "semanticVersion": shown.version,
                "rules": [descriptor(rule) for rule in rules],
                "notifications": notification_descriptors(),
            }
        },
        "automationDetails": {"id": f"crossfact/{_uri(shown.prefix)}"},
        "originalUriBaseIds": {BASE: {"description": {"text": "The top folder of the repository."}}},
        "invocations": [
            {
                "executionSuccessful": True,
                "toolExecutionNotifications": list(_notifications(report, shown)),
            }
        ],
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    return json_safe(msgspec.json.format(msgspec.json.encode(log), indent=1).decode()) + "\n"


def _result(finding: Finding, identity: str, numbers: dict[str, int], shown: Shown) -> _Object:
    primary = finding.primary
    others = [each for each in (finding.spec, finding.code) if each is not None and each is not primary]
    related = [*others, *finding.related]
    location = _location(primary, shown)
    location["logicalLocations"] = [{"fullyQualifiedName": brief(finding.subject)}]
    result: _Object = {"ruleId": finding.rule}
    if finding.rule in numbers:
        result["ruleIndex"] = numbers[finding.rule]
    return result | {
        "level": finding.severity.value,
        "message": {"text": _message(finding, related)},
        "locations": [location],
        "relatedLocations": [
            {"id": number, **_location(each, shown), "message": {"text": _SIDES.get(side(each), "see also")}}
            for number, each in enumerate(related, start=1)
        ],
        "partialFingerprints": {FINGERPRINT: identity},
        "properties": {
            "kind": finding.kind.value,
            "aspect": brief(finding.aspect),
            "confidence": finding.confidence,
            "affects": [brief(each) for each in finding.affects],
        },
    }


def _message(finding: Finding, related: Sequence[Witness]) -> str:
    """The message, links to the related locations (3.11.6), and the advice, in which nothing else is a link."""
    links = ", ".join(f"[{side(each)}]({number})" for number, each in enumerate(related, start=1))
    parts = [_unlinked(finding.message)]
    if links:
        parts.append(f"({links})")
    text = " ".join(parts)
    return f"{text}. {_unlinked(finding.hint)}" if finding.hint else text


def _unlinked(text: str) -> str:
    """Words from the project in which a viewer finds no link: where one might begin, brackets are escaped."""
    shown = brief(text)
    return shown.translate(_LINKS) if "](" in shown else shown


def _suppression(silenced: Silenced, shown: Shown) -> _Object:
    told: _Object = {
        "kind": "inSource" if silenced.path else "external",
        "status": "accepted",
        "justification": brief(silenced.reason),
    }
    if silenced.path:
        told["location"] = _place(silenced.path, silenced.line, shown)
    return told


def _location(witness: Witness, shown: Shown) -> _Object:
    place = _place(witness.path, witness.line, shown)
    found = excerpt(witness, shown.texts)
    if found is not None:
        physical = place["physicalLocation"]
        physical["region"]["snippet"] = {"text": found.line}
        if found.last > found.first:
            physical["contextRegion"] = {
                "startLine": found.first,
                "endLine": found.last,
                "snippet": {"text": found.around},
            }
    return place


def _place(path: str, line: int | None, shown: Shown) -> dict[str, dict[str, dict[str, Json]]]:
    physical: dict[str, dict[str, Json]] = {
        "artifactLocation": {"uri": _uri(shown.prefix + path), "uriBaseId": BASE}
    }
    if line:
        physical["region"] = {"startLine": line}
    return {"physicalLocation": physical}


def _uri(path: str) -> str:
    """The path as a relative reference (RFC 3986): everything but letters, digits and `-._~/` percent-encoded."""
    try:
        return quote(path.encode("utf-8", "surrogateescape"), safe="/")
    except UnicodeEncodeError:  # a lone surrogate that stands for no byte of a file's name
        return quote(path.encode("utf-8", "surrogatepass"), safe="/")


def _notifications(report: Report, shown: Shown) -> Iterator[_Object]:
    """What was not read; and what could not be compared: whole files, and with `strict` each aspect."""
    for each in report.skipped:
        yield _notification("not-read", each.reason, each.path, each.line, shown)
    for unknown in report.unknown:
        if shown.manner.strict or is_about_a_file(unknown):
            what = "" if is_about_a_file(unknown) else f"{unknown.subject} {unknown.aspect}".strip() + ": "
            said = f"{what}{unknown.reason}"
            yield _notification("not-compared", said, unknown.path, unknown.line, shown)


def _notification(kind: str, said: str, path: str, line: int, shown: Shown) -> _Object:
    return {
        "descriptor": {"id": kind},
        "level": "note",
        "message": {"text": _unlinked(said)},
        "locations": [_place(path, line, shown)],
    }
