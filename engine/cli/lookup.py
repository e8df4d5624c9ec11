"""Finds the facts that an id given by a user means, and opens the up-to-date store for queries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from engine.cli.console import tell
from engine.cli.opening import project_from
from engine.cli.options import source_options
from engine.cli.progress import progress
from engine.naming import facts_called
from engine.project import Project, refresh
from graph.facts import Fact
from graph.store.store import Store

_Command = TypeVar("_Command", bound=Callable[..., Any])


def query_options(command: _Command) -> _Command:
    """Options of every query: where the project is, and whether its files are looked at first."""
    for option in reversed(
        (
            click.option(
                "--project", "folder", default=".", metavar="DIR", help="The project (default: this folder)."
            ),
            click.option(
                "--refresh/--no-refresh",
                "fresh",
                default=True,
                help="Read changed files first (the default).",
            ),
            click.option("--json", "as_json", is_flag=True, help="Print JSON."),
        )
    ):
        command = option(command)
    return source_options(command)


def opened(folder: str, fresh: bool, given: dict[str, Any]) -> Project:
    """The project, with its store brought up to date unless the user did not want that."""
    project = project_from((folder,), given)
    if fresh:
        with progress() as show:
            refresh(project, tell=tell, progress=show)
    elif project.store.revision == 0:
        tell("crossfact: nothing was read yet; leave out --no-refresh, or run `crossfact ingest`.")
    return project


def resolve(store: Store, identifier: str) -> list[Fact]:
    """See `facts_called`; that an id is ambiguous is told on the console."""
    return facts_called(store, identifier, tell)
