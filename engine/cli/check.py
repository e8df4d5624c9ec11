"""`crossfact check`: compare specs with code and report where they disagree."""

from __future__ import annotations

from typing import Any

import click

from crossval.report.formats import FORMATS
from engine.cli.options import rule_options, source_options
from engine.cli.outputs import OrderedCommand, output_options, targets


@click.command("check", cls=OrderedCommand)
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@output_options(tuple(FORMATS))
@click.option("--concise", is_flag=True, help="One line per finding, as editors read it.")
@click.option("--strict", is_flag=True, default=None, help="Also show what could not be known.")
@click.option(
    "--verbose", is_flag=True, help="Show every finding of a rule, list every file that was skipped."
)
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
    folder is read as a whole (if this is none, the one below it that holds them all), and what has its evidence in
    these files or folders is reported.

    Several forms in one run: `--format sarif --output a.sarif --format markdown --output b.md`.
    """
    from engine.cli.checking import report

    return report(
        paths,
        targets(forms, outputs),
        dict(given),
        concise=concise,
        verbose=verbose,
        silenced=silenced,
        since=since,
        watch=watch,
    )
