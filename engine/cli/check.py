"""`crossfact check`: compare specs with code and report where they disagree."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from crossval.report.formats import FORMATS
from engine.cli.console import is_terminal, tell, wants_colour, width
from engine.cli.options import project_from, rule_options, source_options
from engine.cli.outputs import OrderedCommand, Target, output_options, put, targets
from engine.cli.progress import progress

if TYPE_CHECKING:
    from crossval.report.shown import Manner, Shown
    from engine.check import Checked
    from engine.project import Project


@click.command("check", cls=OrderedCommand)
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@output_options(tuple(FORMATS))
@click.option("--concise", is_flag=True, help="One line per finding, as editors read it.")
@click.option("--strict", is_flag=True, default=None, help="Also show what could not be known.")
@click.option("--verbose", is_flag=True, help="Also list every file that was skipped.")
@click.option("--show-suppressed", "silenced", is_flag=True, help="Also show what is suppressed or accepted.")
@click.option("--since", metavar="REV", help="Only what was added since this revision of git.")
@click.option("--watch", is_flag=True, help="Check again after each change, until Ctrl-C.")
@click.option(
    "--fail-on",
    type=click.Choice(("error", "warning", "note", "never")),
    help="The severity from which findings make the exit code 1 (default error).",
)
@source_options
@rule_options
def command(
    paths: tuple[str, ...],
    forms: tuple[str, ...],
    outputs: tuple[str, ...],
    concise: bool,
    verbose: bool,
    silenced: bool,
    since: str | None,
    watch: bool,
    **given: Any,
) -> int:
    """Compare specs with code and report where they disagree.

    One PATH that is a folder is a project of its own. Other paths narrow the report: the project in the current
    folder is read as a whole, and what has its evidence in these files or folders is reported.

    Several forms in one run: `--format sarif --output a.sarif --format markdown --output b.md`.
    """
    from crossval.report.shown import Manner

    wanted = targets(forms, outputs)

    def once() -> int:
        project = project_from(paths, dict(given))
        try:
            manner = Manner(
                width=width(),
                concise=concise,
                strict=project.settings.strict,
                verbose=verbose,
                silenced=silenced,
            )
            return _checked(project, wanted, manner, since)
        finally:
            project.store.close()

    if not watch:
        return once()
    from engine.cli.watching import watched
    from engine.project import locate

    root, _ = locate(paths, Path.cwd())
    return watched(root, once, frozenset(str(each.file.resolve()) for each in wanted if each.file))


def _checked(project: Project, wanted: Sequence[Target], manner: Manner, since: str | None) -> int:
    with progress() as show:
        if since is None:
            from engine.check import check

            checked = check(project, tell=tell, progress=show)
        else:
            from engine.since import check_since

            checked = check_since(project, since, tell=tell, progress=show)
    _report(project, checked, wanted, manner)
    if checked.stale:
        from crossval.report.sections import plural

        stale = plural(checked.stale, "accepted finding")
        tell(f"crossfact: {stale} did not occur any more; `crossfact baseline --prune` forgets what is gone.")
    return checked.exit_code


def _report(project: Project, checked: Checked, wanted: Sequence[Target], manner: Manner) -> None:
    from crossval.report.formats import shown_as
    from engine.showing import shown_for

    shown = shown_for(project, checked, manner)
    for target in wanted:
        put(target, shown_as(target.form, shown if target.file else _on_console(shown)))


def _on_console(shown: Shown) -> Shown:
    manner = msgspec.structs.replace(shown.manner, colour=wants_colour(), timed=is_terminal())
    return msgspec.structs.replace(shown, manner=manner)
