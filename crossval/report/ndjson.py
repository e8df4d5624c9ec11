"""The report as a stream of JSON documents, one per line: findings, what is unknown, what was not read, a summary."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from crossval.report.escape import encodable, json_safe
from crossval.report.json_report import VERSION, documents
from crossval.report.report import Report
from crossval.report.shown import Shown
from graph.facts import Json


def show(shown: Shown) -> str:
    """One line for each finding, each aspect that is unknown, each skipped file; the summary is the last line.

    A stream without that last line was cut off. Each line's `type` says what it is; its other keys are those of the
    JSON report, which `docs/check.schema.json` describes.
    """
    return "".join(f"{_line(each)}\n" for each in _documents(shown.report))


def _documents(report: Report) -> Iterator[dict[str, Json]]:
    parts = documents(report)
    for kind, many in (("finding", "findings"), ("unknown", "unknown"), ("skipped", "skipped")):
        for each in parts[many]:
            yield {"type": kind, **each}
    summary: dict[str, Json] = {"type": "summary", "version": VERSION, **parts["summary"]}
    summary |= {"suppressed": report.suppressed, "baselined": report.baselined}
    if report.since:
        since: dict[str, Json] = msgspec.to_builtins(report.since)
        summary["since"] = since | {"name": encodable(report.since.name)}
    yield summary


def _line(document: dict[str, Json]) -> str:
    return json_safe(msgspec.json.encode(document, order="deterministic").decode())
