"""`crossfact baseline`: accept today's findings, so that later runs report only new ones."""

from __future__ import annotations

from typing import Any

import click

from engine.cli.console import say, tell
from engine.cli.opening import project_from
from engine.cli.options import rule_options, source_options
from engine.cli.progress import progress
from graph.errors import UsageError


@click.command("baseline")
@click.argument("paths", nargs=-1, metavar="[PATH]")
@click.option(
    "--update", "mode", flag_value="update", help="Accept today's findings too; keep what was accepted."
)
@click.option("--prune", "mode", flag_value="prune", help="Only drop what no longer occurs.")
@click.option("--show", "mode", flag_value="show", help="Only list what is accepted.")
@source_options
@rule_options
def command(paths: tuple[str, ...], mode: str | None, **given: Any) -> int:
    """Accept today's findings, so that later runs report only new ones.

    Without an option the file is written anew with exactly today's findings. What was accepted of rules that
    --select or --ignore leave out is kept in any case.
    """
    from crossval.baseline import accept, join, prune, save, update
    from crossval.report.escape import clean_line
    from crossval.report.sections import plural
    from engine.check import check

    project = project_from(paths, given)
    if project.narrowed:
        raise UsageError(
            "a baseline is one of the whole project",
            "Name no path but the project's folder; --select accepts the findings of some rules only.",
        )
    with progress() as show:
        checked = check(project, tell=tell, progress=show)
    file = project.root / project.settings.baseline
    if mode == "show":
        entries = checked.baseline.entries
        say("\n".join(clean_line(f"{e.path}: {e.rule}: {e.subject}: {e.aspect}") for e in entries))
        tell(f"{file.name}: {plural(len(entries), 'accepted finding')}.")
        return 0
    if mode == "update":
        new = update(checked.baseline, checked.findings)
    elif mode == "prune":
        new = prune(checked.baseline, checked.findings)
    else:
        new = accept(checked.findings)
    new = join(new, checked.others)
    changed = save(new, file)
    verb = "written" if changed else "unchanged"
    say(f"{file.name} {verb}: {plural(len(new.entries), 'accepted finding')}.")
    return 0
