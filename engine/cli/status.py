"""`crossfact status`: how the tests of the plan stand."""

from __future__ import annotations

from collections import Counter
from typing import Any

import click

from crossval.report.escape import clean_line
from crossval.report.sections import plural
from engine.cli.console import say
from engine.cli.opening import project_from
from engine.cli.options import source_options
from engine.cli.rendering import as_document, case_document
from engine.planning import read_cases
from planner.cases import Case, Status

_TOLD = (
    Status.NEEDS_HUMAN,
    Status.FAILED,
    Status.CODE_WRONG,
    Status.REJECTED,
    Status.FLAKY,
    Status.INCONCLUSIVE,
)


@click.command("status")
@click.option("--project", "folder", default=".", metavar="DIR", help="The project (default: this folder).")
@click.option("--status", "wanted", multiple=True, type=click.Choice([*map(str, Status)]), help="Only these.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@source_options
def command(folder: str, wanted: tuple[str, ...], as_json: bool, **given: Any) -> int:
    """Show how the tests of the plan stand, as the checklist has it; nothing is run."""
    project = project_from((folder,), given)
    every = read_cases(project)
    cases = [case for case in every if not wanted or case.status in wanted]
    if as_json:
        say(as_document([case_document(case) for case in cases]))
    elif every and not cases:
        say(f"None of {plural(len(every), 'test case')} is {' or '.join(wanted)}.")
    else:
        say(_text(cases, listed=bool(wanted)))
    return 0


def _text(cases: list[Case], *, listed: bool) -> str:
    if not cases:
        return "There are no test cases; `crossfact plan` makes them."
    counts = Counter(case.status for case in cases)
    lines = [f"{counts[status]:5} {status}" for status in Status if counts[status]]
    lines.append(f"{len(cases):5} {plural(len(cases), 'test case').partition(' ')[2]}")
    for case in cases:
        if listed or case.status in _TOLD:
            why = (f"needs {case.needs}" if case.needs else "") or case.last_error or case.analysis
            lines.append(
                clean_line(f"{case.status} {case.id}: {case.description}" + (f" ({why})" if why else ""))
            )
    return "\n".join(lines)
