"""`crossfact check`: compare specs with code and report where they disagree."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from engine.cli.console import is_terminal, say, tell, wants_colour, width
from engine.cli.options import project_from, rule_options, source_options
from engine.cli.progress import progress

FORMATS = ("text", "json")


@click.command("check")
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", help="The form of the report.")
@click.option("--output", type=click.Path(path_type=Path), metavar="FILE", help="Write the report to a file.")
@click.option("--concise", is_flag=True, help="One line per finding, as editors read it.")
@click.option("--strict", is_flag=True, default=None, help="Also show what could not be known.")
@click.option("--verbose", is_flag=True, help="Also list every file that was skipped.")
@click.option(
    "--fail-on",
    type=click.Choice(("error", "warning", "note", "never")),
    help="The severity from which findings make the exit code 1 (default error).",
)
@source_options
@rule_options
def command(
    paths: tuple[str, ...], form: str, output: Path | None, concise: bool, verbose: bool, **given: Any
) -> int:
    """Compare specs with code and report where they disagree.

    One PATH that is a folder is a project of its own. Other paths narrow the report: the project in the current
    folder is read as a whole, and what has its evidence in these files or folders is reported.
    """
    from engine.check import check

    project = project_from(paths, given)
    with progress() as show:
        checked = check(project, tell=tell, progress=show)
    if form == "json":
        from crossval.report.json_report import render

        text = render(checked.report)
    else:
        from crossval.report.text import render as render_text

        text = render_text(
            checked.report,
            _texts(project.root),
            width=width(),
            colour=output is None and wants_colour(),
            concise=concise,
            strict=project.settings.strict,
            verbose=verbose,
            timed=output is None and is_terminal(),
        )
    if output is None:
        say(text)
    else:
        _write(output, text)
    if checked.stale:
        from crossval.report.sections import plural

        stale = plural(checked.stale, "accepted finding")
        tell(f"crossfact: {stale} did not occur any more; `crossfact baseline --prune` forgets what is gone.")
    return checked.exit_code


def _texts(root: Path) -> Any:
    from functools import cache

    from graph.facts import Skipped
    from ingest.text import lines, read_text

    @cache
    def texts(path: str) -> Sequence[str] | None:
        text = read_text(root, path)
        return None if isinstance(text, Skipped) else lines(text)

    return texts


def _write(output: Path, text: str) -> None:
    from graph.errors import UsageError

    try:
        output.write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise UsageError(
            f"{output}: cannot be written: {error.strerror}", "Name another file with --output."
        ) from error
