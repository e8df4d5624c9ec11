"""`crossfact init`: look at the project and write a commented configuration."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click
import msgspec

from engine.cli.console import say, tell
from engine.cli.opening import settings_from
from engine.cli.options import source_options
from engine.configuration import Settings, load
from graph.errors import ConfigurationError


@click.command("init")
@click.argument("folder", default=".", metavar="[DIR]")
@click.option("--dry-run", is_flag=True, help="Print the configuration, and write nothing.")
@click.option("--force", is_flag=True, help="Replace a configuration that is there already.")
@source_options
def command(folder: str, dry_run: bool, force: bool, **given: Any) -> int:
    """Look at the project in DIR (this folder by default) and write a commented crossfact.toml.

    Every setting in it is a comment with its default, beside what was found: crossfact needs none of them.
    """
    from crossval.report.escape import clean_line
    from engine.detecting import detect
    from engine.initialising import configuration, refuse_another, summary, write
    from engine.project import Project, locate
    from graph.store.store import Store

    root, _ = locate((folder,), Path.cwd())
    if not force and not dry_run:
        refuse_another(root)
    settings = _settings(root, given)
    # In memory: nothing is written but the configuration.
    detected = detect(Project(root, (), settings, Store.open(None)), tell=tell)
    text = configuration(detected)
    if dry_run:
        say(text)
        return 0
    written = write(root, text)
    say(
        "\n".join(
            [f"{written} was written. Found:", *(f"  {clean_line(line)}" for line in summary(detected))]
        )
    )
    if not detected.specs:
        tell("crossfact: no specs were found: write a contract, a story or a stub, or name them with --spec.")
    else:
        tell("crossfact: next: `crossfact check` says what disagrees; `crossfact doctor` what is missing.")
    return 0


def _settings(root: Path, given: dict[str, Any]) -> Settings:
    """The settings that are there already, with the options'; one that cannot be read is about to be replaced."""
    options, file = settings_from(given)
    try:
        return load(root, file=file, environment=os.environ, options=options)
    except ConfigurationError as error:
        tell(f"crossfact: the configuration that is there is not heeded: {error}")
        return msgspec.convert(options, Settings)
