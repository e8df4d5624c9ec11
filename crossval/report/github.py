"""The report as annotations of GitHub: commands in the log of a workflow, which it shows beside the lines.

The form of these commands and what must be escaped: "Workflow commands for GitHub Actions" in its documentation.
"""

from __future__ import annotations

from collections.abc import Iterator

from crossval.findings import Finding, Severity, Witness
from crossval.report.colour import Paint
from crossval.report.escape import brief, clean_line
from crossval.report.frames import side
from crossval.report.sections import closing, is_about_a_file
from crossval.report.shown import Shown
from graph.facts import Unknown

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}
_ESCAPES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY_ESCAPES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


def show(shown: Shown) -> str:
    """One annotation per line, each on the code's line where code speaks, and the run in a last line of words.

    Files are named from the repository's top.
    """
    return "".join(f"{line}\n" for line in _lines(shown))


def _lines(shown: Shown) -> Iterator[str]:
    for finding in shown.report.findings:
        yield _finding(finding, shown.prefix)
    for unknown in shown.report.unknown:
        if is_about_a_file(unknown):
            yield _unknown(unknown, shown.prefix)
    yield closing(shown.report, Paint(False), unlisted=0, timed=False)


def _finding(finding: Finding, prefix: str) -> str:
    primary = finding.primary
    others = [each for each in (finding.spec, finding.code) if each is not None and each is not primary]
    told = [brief(finding.message), *(f"{_place(each, prefix)}" for each in (*others, *finding.related))]
    if finding.hint:
        told.append(f"help: {brief(finding.hint)}")
    title = finding.rule
    return _command(_COMMANDS[finding.severity], prefix + primary.path, primary.line, title, "\n".join(told))


def _unknown(unknown: Unknown, prefix: str) -> str:
    return _command("notice", prefix + unknown.path, unknown.line, "not compared", brief(unknown.reason))


def _command(name: str, path: str, line: int, title: str, message: str) -> str:
    properties = {"file": path, "line": str(line), "title": f"{title} (crossfact)"}
    written = ",".join(
        f"{key}={clean_line(value).translate(_PROPERTY_ESCAPES)}" for key, value in properties.items()
    )
    return f"::{name} {written}::{message.translate(_ESCAPES)}"


def _place(witness: Witness, prefix: str) -> str:
    return f"{side(witness)}: {brief(prefix + witness.path)}:{witness.line}"
