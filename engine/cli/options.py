"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

_Command = TypeVar("_Command", bound=Callable[..., Any])


def source_options(command: _Command) -> _Command:
    """Options that say what to read, and where facts are kept."""
    for option in reversed(
        (
            click.option(
                "--spec", multiple=True, metavar="PATH", help="Read specs from here only (repeatable)."
            ),
            click.option(
                "--code", multiple=True, metavar="PATH", help="Read code from here only (repeatable)."
            ),
            click.option(
                "--stories", multiple=True, metavar="PATH", help="Read stories and features from here only."
            ),
            click.option("--stubs", multiple=True, metavar="PATH", help="Read type stubs from here only."),
            click.option("--tests", multiple=True, metavar="PATH", help="Read tests from here only."),
            click.option(
                "--exclude", multiple=True, metavar="GLOB", help="Leave these out, as a .gitignore would."
            ),
            click.option(
                "--source-root",
                "source_roots",
                multiple=True,
                metavar="DIR",
                help="A folder on the import path.",
            ),
            click.option(
                "--max-file-size",
                type=click.IntRange(1),
                metavar="BYTES",
                help="Skip larger files (default 5000000).",
            ),
            click.option(
                "--store", metavar="FILE", help="Where facts are kept (default .crossfact/facts.db)."
            ),
            click.option(
                "--jobs",
                type=click.IntRange(0),
                metavar="N",
                help="Processes to read with; 0 for one per core.",
            ),
            click.option("--history/--no-history", default=None, help="Read the git history, or not."),
            click.option(
                "--config",
                "configuration",
                type=click.Path(path_type=Path),
                metavar="FILE",
                help="Read the settings from here.",
            ),
        )
    ):
        command = option(command)
    return command


def rule_options(command: _Command) -> _Command:
    """Options that say which rules count."""
    for option in reversed(
        (
            click.option(
                "--select", multiple=True, metavar="RULES", help="Only these rules, families, kinds or globs."
            ),
            click.option(
                "--ignore", multiple=True, metavar="RULES", help="Not these rules, families, kinds or globs."
            ),
            click.option(
                "--severity",
                multiple=True,
                metavar="RULE=LEVEL",
                help="Set a rule to error, warning, note or off.",
            ),
            click.option("--baseline", metavar="FILE", help="The file of accepted findings."),
            click.option("--python-version", metavar="VERSION", help="Compare stubs for this Python."),
            click.option("--platform", metavar="NAME", help="Compare stubs for this sys.platform."),
        )
    ):
        command = option(command)
    return command
