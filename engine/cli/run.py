"""`crossfact run`: run what is open, and say how it stands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from engine.cli.console import tell
from engine.cli.opening import project_from
from engine.cli.options import source_options
from engine.cli.running import current_test, report, running_options
from engine.cli.watching import watched
from engine.naming import apart_from_folder, is_called, must_be_called
from engine.run import Ran, run
from planner.cases import Case
from planner.checklist import FILE


@click.command("run")
@click.argument("names", nargs=-1, metavar="[FOLDER|CASE]...")
@click.option("--project", "folder", default=".", metavar="DIR", help="The project (default: this folder).")
@click.option("--all", "everything", is_flag=True, help="Also run what is green and locked.")
@click.option("--watch", is_flag=True, help="Run again whenever a file changes, until Ctrl-C.")
@running_options
@source_options
def command(
    names: tuple[str, ...],
    folder: str,
    everything: bool,
    watch: bool,
    timeout: float,
    level: str | None,
    parallel: int,
    junit: Path | None,
    as_json: bool,
    **given: Any,
) -> int:
    """Run the tests of the plan that are open or failed, the most important first.

    A green test is locked: it runs again only when something that it depends on has changed. A run that was cut short
    is gone on with. The exit code is 1 when a test is red and no finding expects it to be.
    """
    names, folder = apart_from_folder(names, folder)
    project = project_from((folder,), given)

    def once() -> int:
        with current_test() as (on_outcome, on_start):
            done = run(
                project,
                tell=tell,
                everything=everything,
                wanted=lambda case: is_called(case, names),
                seconds=timeout,
                parallel=parallel,
                sandbox=level or "",
                on_outcome=on_outcome,
                on_start=on_start,
            )
        must_be_called(done.cases, names)
        return report(done, _ran(done), as_json=as_json, junit_file=junit)

    return watched(project.root, once, frozenset({FILE})) if watch else once()


def _ran(done: Ran) -> list[Case]:
    ran = {each.case.id for each in done.ran} | set(done.ended)
    return [case for case in done.cases if case.id in ran]
