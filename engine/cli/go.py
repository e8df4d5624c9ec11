"""`crossfact go`: plan, generate, prove and run, in one."""

from __future__ import annotations

from collections import Counter
from typing import Any

import click

from crossval.report.escape import clean_line
from crossval.report.sections import plural
from engine.cli.console import is_terminal, say, tell
from engine.cli.options import project_from, rule_options, source_options
from engine.cli.progress import progress
from engine.cli.rendering import as_document, case_document
from engine.cli.run import exit_code, text
from engine.generating import generate
from engine.planning import make_plan
from engine.run import run
from planner.cases import Case, Status
from planner.validator import Outcome


@click.command("go")
@click.argument("paths", nargs=-1, metavar="[PATH]")
@click.option("--app", metavar="MODULE:NAME", help="The application that tests call, or a base URL.")
@click.option("--tests-folder", metavar="DIR", help="Where tests go (default tests/crossfact).")
@click.option("--timeout", type=click.FloatRange(0.1), default=30.0, metavar="SECONDS", help="For each test.")
@click.option("--python", metavar="PATH", help="The interpreter that tests run in.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@source_options
@rule_options
def command(paths: tuple[str, ...], timeout: float, as_json: bool, **given: Any) -> int:
    """Plan tests, write them, prove them on twins, and run what is open.

    It can be ended at any moment, and goes on where it was when it is called again.
    """
    project = project_from(paths, given)
    with progress() as show:
        plan = make_plan(project, tell=tell, progress=show)
    tell(f"crossfact: plan: {plural(len(plan.cases), 'test case')}, {len(plan.new)} new")
    made = generate(project)
    tell(f"crossfact: generate: {plural(len(made.drafts), 'test')}, {len(made.declined)} need a person")
    proven = [case for case in made.cases if case.proof is not None]
    held = sum(case.proof is not None and case.proof.holds for case in proven)
    tell(f"crossfact: prove: {held} of {len(proven)} hold on their twins, {len(made.rejected)} rejected")

    def told(case: Case, outcome: Outcome, done: int, total: int) -> None:
        if is_terminal() and not as_json:
            tell(clean_line(f"[{done}/{total}] {case.status} {outcome.node}"))

    done = run(project, tell=tell, seconds=timeout, on_outcome=told)
    if as_json:
        say(as_document([case_document(case) for case in done.cases]))
    else:
        say(text(done))
        counts = Counter(case.status for case in done.cases)
        say(", ".join(f"{counts[status]} {status}" for status in Status if counts[status]))
    tell(f"crossfact: sandbox: {done.level}")
    return exit_code(done)
