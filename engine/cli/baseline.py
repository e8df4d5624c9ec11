"""`crossfact baseline`: accept today's findings, so that later runs report only new ones."""

from __future__ import annotations

from typing import Any

import click

from engine.cli.console import say, tell
from engine.cli.options import project_from, rule_options, source_options
from engine.cli.progress import progress


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

    Without an option the file is written anew with exactly today's findings.
    """
    from crossval.baseline import accept, prune, save, update
    from crossval.report.escape import clean_line
    from engine.check import check

    project = project_from(paths, given)
    with progress() as show:
        checked = check(project, tell=tell, progress=show)
    file = project.root / project.settings.baseline
    if mode == "show":
        say(
            "\n".join(
                clean_line(f"{e.path}: {e.rule}: {e.subject}: {e.aspect}") for e in checked.baseline.entries
            )
        )
        return 0
    if mode == "update":
        new = update(checked.baseline, checked.findings)
    elif mode == "prune":
        new = prune(checked.baseline, checked.findings)
    else:
        new = accept(checked.findings)
    changed = save(new, file)
    verb = "written" if changed else "unchanged"
    say(f"{file.name} {verb}: {len(new.entries)} accepted findings.")
    return 0
