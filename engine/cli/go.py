"""`crossfact go`: plan, generate, prove, run and heal, in one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import msgspec

from crossval.report.escape import clean_line
from crossval.report.sections import plural
from engine.cli.console import say, telling_once
from engine.cli.opening import project_from
from engine.cli.options import rule_options, source_options
from engine.cli.progress import progress
from engine.cli.running import current_test, report, running_options
from engine.generating import Generated, generate
from engine.planning import make_plan, read_cases
from engine.project import Project
from engine.run import Ran, run
from planner.cases import Status


@click.command("go")
@click.argument("paths", nargs=-1, metavar="[PATH]")
@click.option("--app", metavar="MODULE:NAME", help="The application that tests call, or a base URL.")
@click.option("--tests-folder", metavar="DIR", help="Where tests go (default tests/crossfact).")
@click.option("--heal/--no-heal", "do_heal", default=True, help="Look at failed tests, and heal stale ones.")
@running_options
@source_options
@rule_options
def command(
    paths: tuple[str, ...],
    do_heal: bool,
    timeout: float,
    level: str | None,
    parallel: int,
    junit: Path | None,
    as_json: bool,
    **given: Any,
) -> int:
    """Plan tests, write them, prove them on twins, run what is open, and heal what went stale.

    It can be ended at any moment, and goes on where it was when it is called again.
    """
    project, tell = project_from(paths, given), telling_once()
    with progress() as show:
        plan = make_plan(project, tell=tell, progress=show)
    tell(f"crossfact: plan: {plural(len(plan.cases), 'test case')}, {len(plan.new)} new")
    with progress() as show:
        made = generate(project, progress=show)
    tell(f"crossfact: generate: {plural(len(made.drafts), 'test')}{_declined(made)}")
    proven = [case for case in made.cases if case.proof is not None]
    held = sum(case.proof is not None and case.proof.holds for case in proven)
    if proven:
        tell(f"crossfact: prove: {held} of {len(proven)} hold on their twins, {len(made.rejected)} rejected")

    with current_test() as (on_outcome, on_start):
        done = run(
            project,
            tell=tell,
            seconds=timeout,
            parallel=parallel,
            sandbox=level or "",
            on_outcome=on_outcome,
            on_start=on_start,
        )
    if do_heal:
        done = _healed(project, done, timeout, parallel, level or "", tell)
    code = report(done, list(done.cases), as_json=as_json, junit_file=junit)
    if not as_json:
        counts = Counter(case.status for case in done.cases)
        say(", ".join(f"{counts[status]} {status}" for status in Status if counts[status]))
    return code


def _declined(made: Generated) -> str:
    """How many cases need a person; what that is for, where most need the same."""
    if not made.declined:
        return ""
    declined = frozenset(made.declined)
    needs = Counter(case.needs for case in made.cases if case.id in declined)
    ((what, count),) = needs.most_common(1)
    if count * 2 < len(declined):
        return f", {len(declined)} need a person: `crossfact status` says what"
    some = "" if len(needs) == 1 else f"{count} of them "
    return f", {len(declined)} need a person: {some}{clean_line(what)}"


def _healed(
    project: Project, done: Ran, seconds: float, parallel: int, sandbox: str, tell: Callable[[str], None]
) -> Ran:
    """What a run came to after its failed tests were looked at, with what was found told."""
    names = tuple(case.id for case in done.cases if case.status is Status.FAILED)
    if not names:
        return done
    from engine.healing.healing import Options, heal

    options = Options(names=names, seconds=seconds, parallel=parallel, sandbox=sandbox)
    healed = heal(project, options, tell=tell)
    counts = Counter(each.result for each in healed.treatments for _ in each.nodes)
    words = ", ".join(f"{count} {result}" for result, count in sorted(counts.items()))
    causes = f" of {plural(len(healed.treatments), 'cause')}" if healed.treatments else ""
    tell(f"crossfact: heal: {plural(len(names), 'failed test')}{causes}: {words or 'green when run again'}")
    return msgspec.structs.replace(done, cases=read_cases(project))
