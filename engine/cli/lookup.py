"""Finds the facts that an id given by a user means, and opens the up-to-date store for queries."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from typing import Any, TypeVar

import click

from engine.cli.console import tell
from engine.cli.options import project_from, source_options
from engine.cli.progress import progress
from engine.project import Project, refresh
from graph.errors import UsageError
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
    """The facts that an id means: several where documents share it, which is told.

    A key without its tag and kind is enough where it is unique. Raises UsageError, naming the nearest known ids.
    """
    facts = store.named(identifier) if identifier.count(":") >= 2 else []
    facts = facts or store.by_key(identifier)
    if not facts:
        raise _unknown(store, identifier)
    if len(facts) > 1:
        tell(f"crossfact: {identifier} is ambiguous: {', '.join(fact.id for fact in facts)}")
    return facts


def _unknown(store: Store, identifier: str) -> UsageError:
    known = store.keys()
    lowered = identifier.lower()
    near = [each for each in known if lowered in each.lower()][:3]
    if not near:
        # Names are far fewer than ids, and the part that people mistype.
        by_name: dict[str, list[str]] = {}
        for each in known:
            by_name.setdefault(_name(each), []).append(each)
        names = difflib.get_close_matches(_name(identifier), by_name, n=2, cutoff=0.6)
        near = [each for name in names for each in by_name[name]][:4]
    return UsageError(
        f"no fact is called {identifier}",
        f"Nearest: {', '.join(near)}" if near else "`crossfact facts` lists them all.",
    )


def _name(identifier: str) -> str:
    return identifier.rsplit(".", 1)[-1].rsplit(":", 1)[-1]
