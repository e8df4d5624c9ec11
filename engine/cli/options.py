"""Options that several commands share, and how they become a project."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from engine.cli.console import tell
from engine.project import Project, open_project

_Command = TypeVar("_Command", bound=Callable[..., Any])

_LISTS = ("spec", "code", "stories", "stubs", "tests", "exclude", "source_roots", "select", "ignore")


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


def project_from(paths: tuple[str, ...], given: dict[str, Any]) -> Project:
    """The project that a command's paths and options name. `given` is emptied of what it uses."""
    options, configuration = settings_from(given)
    return open_project(
        paths,
        here=Path.cwd(),
        environment=os.environ,
        options=options,
        configuration=configuration,
        tell=tell,
    )


def settings_from(given: dict[str, Any]) -> tuple[dict[str, Any], Path | None]:
    """The settings that a command's options give, and the file that it names for the others."""
    configuration = given.pop("configuration", None)
    options: dict[str, Any] = {}
    for name, value in given.items():
        if value is None or value == ():
            continue
        if name == "severity":
            options[name] = dict(_level(text) for text in value)
        elif name in _LISTS:
            options[name] = [part for text in value for part in _split(name, text)]
        else:
            options[name] = value
    return options, configuration


def _split(name: str, text: str) -> list[str]:
    """Rules may be given with commas between them; paths may hold commas."""
    if name not in ("select", "ignore"):
        return [text]
    return [part.strip() for part in text.split(",") if part.strip()]


def _level(text: str) -> tuple[str, str]:
    rule, separator, level = text.partition("=")
    if not separator:
        raise click.UsageError(
            f"--severity {text}: write it as RULE=LEVEL, with error, warning, note or off."
        )
    return rule.strip(), level.strip()
