"""`crossfact run`: run what is open, and say how it stands."""

from __future__ import annotations

from collections import Counter
from typing import Any

import click

from crossval.report.escape import clean_line
from crossval.report.sections import plural
from engine.cli.console import is_terminal, say, tell
from engine.cli.generate import is_named
from engine.cli.options import project_from, source_options
from engine.cli.rendering import as_document, case_document
from engine.run import Ran, run
from planner.cases import Case, Status
from planner.validator import Outcome

_FINE = frozenset({Status.PASSED, Status.HEALED, Status.RED_EXPECTED})


@click.command("run")
@click.argument("names", nargs=-1, metavar="[CASE]...")
@click.option("--project", "folder", default=".", metavar="DIR", help="The project (default: this folder).")
@click.option("--all", "everything", is_flag=True, help="Also run what is green and locked.")
@click.option("--timeout", type=click.FloatRange(0.1), default=30.0, metavar="SECONDS", help="For each test.")
@click.option("--python", metavar="PATH", help="The interpreter that tests run in.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@source_options
def command(
    names: tuple[str, ...], folder: str, everything: bool, timeout: float, as_json: bool, **given: Any
) -> int:
    """Run the tests of the plan that are open or failed, the most important first.

    A green test is locked: it runs again only when a fact that it depends on has changed. The exit code is 1 when a
    test is red and no finding expects it to be.
    """
    project = project_from((folder,), given)

    def show(case: Case, outcome: Outcome, done: int, total: int) -> None:
        if is_terminal() and not as_json:
            tell(clean_line(f"[{done}/{total}] {case.status} {outcome.node}"))

    done = run(
        project,
        tell=tell,
        everything=everything,
        wanted=lambda case: is_named(case, names),
        seconds=timeout,
        on_outcome=show,
    )
    if as_json:
        ran = {each.case.id for each in done.ran}
        say(as_document([case_document(case) for case in done.cases if case.id in ran]))
    else:
        say(text(done))
    tell(f"crossfact: sandbox: {done.level}")
    return exit_code(done)


def exit_code(done: Ran) -> int:
    """1 where a test that ran is red without being expected to."""
    ran = {each.case.id for each in done.ran}
    return int(any(case.id in ran and case.status not in _FINE for case in done.cases))


def text(done: Ran) -> str:
    """What became of each test that ran and is not green, and the counts."""
    cases = {case.id: case for case in done.cases}
    lines = []
    for each in done.ran:
        case = cases[each.case.id]
        if case.status not in (Status.PASSED, Status.HEALED):
            lines.append(clean_line(f"{case.status} {case.node}: {case.last_error}"))
    counts = Counter(cases[each.case.id].status for each in done.ran)
    told = ", ".join(f"{counts[status]} {status}" for status in Status if counts[status])
    locked = (
        sum(1 for case in done.cases if case.status in (Status.PASSED, Status.HEALED)) - counts[Status.PASSED]
    )
    lines.append(
        f"{plural(len(done.ran), 'test')} ran: {told or 'nothing was open'}; {max(0, locked)} green and locked."
    )
    return "\n".join(lines)
