"""`crossfact plan`: findings and untested facts become a prioritised list of test cases."""

from __future__ import annotations

from typing import Any

import click

from crossval.report.escape import clean_line
from crossval.report.sections import plural
from engine.cli.console import say, tell
from engine.cli.opening import project_from
from engine.cli.options import rule_options, source_options
from engine.cli.progress import progress
from engine.cli.rendering import as_document, case_document, markdown_cell
from engine.planning import Plan, make_plan
from planner.cases import Case, Status
from planner.checklist import FILE

_SHOWN = 20


@click.command("plan")
@click.argument("paths", nargs=-1, metavar="[PATH]")
@click.option(
    "--format",
    "form",
    type=click.Choice(("text", "markdown", "json")),
    default="text",
    help="The form of the answer.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("--dry-run", is_flag=True, help="Show the plan, and leave the checklist as it is.")
@click.option("--all", "whole", is_flag=True, help="Show every case, not only the first ones.")
@source_options
@rule_options
def command(
    paths: tuple[str, ...], form: str, as_json: bool, dry_run: bool, whole: bool, **given: Any
) -> int:
    """Make the test plan: what to test first, and why.

    The plan is kept in test_execution_state.yaml, which belongs in git and may be edited: planning again adds what is
    new, marks what the specs no longer ask for, and keeps everything that was changed by hand or is green.
    """
    project = project_from(paths, given)
    with progress() as show:
        plan = make_plan(project, tell=tell, progress=show, write=not dry_run)
    cases = sorted(
        (case for case in plan.cases if case.status is not Status.OBSOLETE),
        key=lambda case: (-case.priority, case.id),
    )
    if as_json or form == "json":
        say(as_document([case_document(case) for case in cases]))
    elif form == "markdown":
        say(_markdown(plan, cases))
    else:
        say(_text(cases, len(cases) if whole else _SHOWN))
    written = "not written" if dry_run else f"in {FILE}"
    tell(
        f"crossfact: {plural(len(cases), 'test case')} {written}: {len(plan.new)} new, {len(plan.obsolete)} obsolete."
    )
    return 0


def _text(cases: list[Case], most: int) -> str:
    lines = []
    for case in cases[:most]:
        lines.append(
            clean_line(f"{case.priority:6.1f} {case.layer} {case.status} {case.description} [{case.id}]")
        )
        lines += _reasons(case)
    if len(cases) > most:
        lines.append(f"… and {len(cases) - most} more; --all shows them.")
    return "\n".join(lines)


def _reasons(case: Case) -> list[str]:
    """The term that weighs most in its words, and the others by their names."""
    if not case.why:
        return []
    first, *others = sorted(case.why, key=lambda term: -abs(term.points))
    rest = ", ".join(f"{term.points:+.1f} {term.name}" for term in others)
    return [
        clean_line(f"       {first.points:+.1f} {first.name}: {first.why}" + (f" ({rest})" if rest else ""))
    ]


def _markdown(plan: Plan, cases: list[Case]) -> str:
    lines = ["# Test plan", "", f"{plural(len(cases), 'test case')}, {len(plan.new)} of them new.", ""]
    lines += ["| priority | layer | status | test case | why | cites |", "|---|---|---|---|---|---|"]
    for case in cases:
        why = "<br>".join(markdown_cell(f"{term.points:+g} {term.name}: {term.why}") for term in case.why)
        cites = "<br>".join(map(markdown_cell, case.cites))
        told = (f"{case.priority:g}", case.layer, case.status, markdown_cell(case.description), why, cites)
        lines.append(f"| {' | '.join(told)} |")
    return "\n".join(lines) + "\n"
